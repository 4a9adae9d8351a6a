"""One crawl, counted by all that count: the same numbers everywhere."""

import json
import os
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from gossamer.cli.info_command import show_info
from gossamer.cli.parsed_commands import InfoCommand
from gossamer.demo.server import serve
from gossamer.export.export_selection import ExportSelection
from gossamer.export.report_data import gather
from gossamer.export.url_views import ALL
from gossamer.export.view_catalogue import VIEWS
from gossamer.export.view_sheets import sheet
from gossamer.gui.overview import chart_data
from gossamer.model.crawl_progress import progress_of
from gossamer.model.facets import FACETS, choose
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import INLINK_KINDS, OUTLINK_KINDS
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import PAGES
from gossamer.model.outcome_counts import DONE, ERRORS, LEFT_OUT, REDIRECTS, TRUNCATED, count
from gossamer.model.overview_data import by_step
from gossamer.model.project_queries import (
    NO_RESPONSE,
    Filter,
    FolderNode,
    LinkEnd,
    LinksOf,
    View,
    facet_values,
)
from gossamer.model.response_warnings import ResponseWarning
from gossamer.store.reading.project_listing import glance
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_again, crawl_all
from tests.sites import Site
from tests.sites.documentation import ServedDocumentation
from tests.sites.hostile import cases, put_up

ROW_EXPORTS = [view for view in VIEWS.values() if view.name in {*View} - {View.REDIRECTS}]
"""A row of the export of redirects is a chain, of these what is a row of the table."""
LONG = bool(os.environ.get("GOSSAMER_LONG_TESTS"))
MANUAL_PAGES = 800 if LONG else 100
SOME_VIEWS = tuple(View) if LONG else (View.ALL, View.PAGES, View.LINKS)
"""Where filter menus are counted on one site more: all rows, some of them, and links."""


def test_the_demo_site_is_counted_alike_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "demo.gossamer"
    with serve() as address:
        crawl_all(path, address)
    progress = check(path, capsys)
    assert progress.redirects
    assert progress.errors


def test_the_hostile_site_is_counted_alike_everywhere(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_up(site, cases()[::6])
    path = tmp_path / "hostile.gossamer"
    crawl_all(path, site.url(), workers=30, timeout_s=3.0, max_tries=1, guard=False, processes=2)
    progress = check(path, capsys, SOME_VIEWS)
    assert progress.redirects
    assert progress.errors


def test_a_manual_is_counted_alike_everywhere(
    cppreference_docs: ServedDocumentation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "manual.gossamer"
    crawl_all(path, cppreference_docs.root_url, max_pages=MANUAL_PAGES)
    assert check(path, capsys, SOME_VIEWS).pages > MANUAL_PAGES // 2


def test_a_recrawl_counts_no_page_of_the_crawl_before(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.page("/", links=["/kept", "/old/gone", "/old/unlinked"])
    for path in ("/kept", "/old/gone", "/old/unlinked"):
        site.page(path)
    base = tmp_path / "base.gossamer"
    crawl_all(base, site.url("/"))
    site.page("/", links=["/kept"])
    site.status("/old/gone", 404)
    again, anew = tmp_path / "again.gossamer", tmp_path / "anew.gossamer"
    crawl_again(base, again)
    crawl_all(anew, site.url("/"))
    found, expected = (check(path, capsys) for path in (again, anew))
    assert (found.known, found.skipped, found.pages) == (2, 0, 2)
    assert (found.known, found.skipped) == (expected.known, expected.skipped)
    with Reader(again) as reader:
        assert reader.view_counts()[View.FORMER] == len(reader.ids(View.FORMER)) == 2
        [home] = reader.children(None)
        assert [each.url for each in reader.children(home.id)] == [site.url("/kept")]
        [former, _] = reader.ids(View.FORMER)
        assert reader.path_to(former) == []


def check(
    path: Path, capsys: pytest.CaptureFixture[str], faceted: Iterable[View] = View
) -> Progress:
    """Compare all that counts, with the filter menus of the views `faceted`; what it came to."""
    with Reader(path) as reader:
        progress = progress_of(reader.summary())
        records = list(reader.iterate(View.ALL))
        outcomes = Counter(record.outcome for record in records)
        # What the rows come to, counted anew, is what the counters say.
        assert progress.known == len(records)
        assert progress.fetched == count(outcomes, DONE)
        assert progress.pages == count(outcomes, PAGES)
        assert progress.redirects == count(outcomes, REDIRECTS)
        assert progress.errors == count(outcomes, ERRORS)
        assert progress.skipped == count(outcomes, LEFT_OUT)
        check_views(reader, progress, records)
        check_facets(reader, faceted)
        check_charts(reader, progress.fetched)
        check_links(reader, records)
        check_trees(reader, records)
        report = gather(records, reader.chains(), reader)
        assert (report.urls, report.asked) == (progress.known, progress.fetched)
        assert (report.pages, report.redirects) == (progress.pages, progress.redirects)
        assert report.failures == progress.errors
        warnings = Counter(warning for record in records for warning in record.warnings)
        assert report.warnings == warnings
        check_warnings(reader, warnings, report.truncated)
        roads = reader.counts().statuses
    check_commands(path, progress.errors, warnings, capsys)
    assert progress.statuses == roads
    shown = glance(path)
    assert (shown.known, shown.queued) == (progress.fetched + progress.queued, progress.queued)
    return progress


def check_views(reader: Reader, progress: Progress, records: list[UrlRecord]) -> None:
    """Tabs, tables and exports."""
    views = reader.view_counts()
    assert (views[View.ALL], views[View.PAGES]) == (progress.known, progress.pages)
    assert (views[View.REDIRECTS], views[View.ERRORS]) == (progress.redirects, progress.errors)
    assert views[View.SKIPPED] == progress.skipped
    for view in View:
        rows = len(reader.ids(view))
        assert views[view] == rows, view
        for facet in ("outcome", "verdict", "status_class", "depth"):
            values = reader.facet(view, Filter(), facet)
            assert sum(each.count for each in values) == rows, (view, facet)
    for wanted in ROW_EXPORTS:
        exported = sheet(reader, ExportSelection(wanted), lambda: None)
        assert len(list(exported.rows)) == views[View(wanted.name)], wanted
    links = sum(
        counts.inlinks + counts.other_inlinks
        for counts in (reader.link_counts(record.id) for record in records)
    )
    assert links == views[View.LINKS] == reader.link_count()


def check_facets(reader: Reader, faceted: Iterable[View]) -> None:
    """Some values of each filter menu promise the rows that they show, in whatever tab."""
    for view, facet in product(faceted, FACETS):
        for each in reader.facet(view, Filter(), facet)[:3]:
            rows = reader.ids(view, choose(Filter(), facet, [each.value]))
            assert each.count == len(rows), (view, facet, each)


def check_charts(reader: Reader, done: int) -> None:
    """Each element of a chart says how many rows a click on it shows."""
    progress, figures = progress_of(reader.summary()), reader.figures(99)
    responses = chart_data.responses(progress)
    assert sum(mark.value for mark in responses) <= done  # of a class of status there is no other
    steps = by_step(figures.times)
    assert sum(steps.values()) == sum(progress.statuses.values()), "what answered has a time"
    clicked = [*responses, *chart_data.outcomes(progress), *chart_data.times(figures.times)]
    clicked += [*chart_data.depths(figures.depths), *chart_data.types(figures.types)]
    for mark in clicked:
        if mark.target is not None and not isinstance(mark.target, int):
            rows = reader.ids(mark.target.view, mark.target.filter_)
            if NO_RESPONSE in mark.target.filter_.values("status_class"):
                kept = [row for row in reader.records(rows) if row.outcome in DONE]
                assert len(kept) == mark.value, mark
            else:
                assert len(rows) == mark.value, mark


def check_links(reader: Reader, records: list[UrlRecord]) -> None:
    """The columns of a table, the details, the lists in them and what is exported."""
    for record in records:
        counts = reader.link_counts(record.id)
        into, out = reader.inlinks(record.id, limit=10**6), reader.outlinks(record.id, limit=10**6)
        counted = [link for link in into if link.kind in INLINK_KINDS]
        sources = len({link.source_id for link in counted})
        assert (record.inlinks, record.unique_inlinks) == (len(counted), sources), record.url
        assert record.outlinks == sum(link.kind in OUTLINK_KINDS for link in out), record.url
        assert (counts.inlinks, counts.unique_inlinks) == (record.inlinks, sources)
        assert counts.inlinks + counts.other_inlinks == len(into)
        assert counts.outlinks == record.outlinks
        assert counts.outlinks + counts.other_outlinks == len(out)
    for end, lengths in (
        (LinkEnd.INLINKS, [len(reader.inlinks(each.id, limit=10**6)) for each in records[:50]]),
        (LinkEnd.OUTLINKS, [len(reader.outlinks(each.id, limit=10**6)) for each in records[:50]]),
    ):
        wanted = ExportSelection(LinksOf(end, tuple(each.id for each in records[:50])))
        exported = sheet(reader, wanted, lambda: None)
        assert exported.is_exact
        assert len(list(exported.rows)) == exported.expected == sum(lengths)


def check_trees(reader: Reader, records: list[UrlRecord]) -> None:
    """Discovery and folders: below each node are as many as it says, and errors among them."""
    found_on = Counter(record.parent for record in records)
    failed_on = Counter(each.parent for each in records if each.outcome in ERRORS)
    for node in reader.nodes([record.id for record in records]):
        assert node.children == found_on[node.id], node.url
        assert node.errors == failed_on[node.id], node.url
    origins = reader.folders(None, limit=10**6)
    in_folders = [each for each in records if each.outcome not in LEFT_OUT]
    for folder in origins:
        assert_folder(reader, folder)
    assert sum(each.urls for each in origins) >= len(in_folders)
    assert sum(each.errors for each in origins) == count(
        Counter(r.outcome for r in records), ERRORS
    )


def assert_folder(reader: Reader, folder: FolderNode) -> None:
    below = reader.folders(folder.id, limit=10**6)
    urls = reader.folder_urls(folder.id, limit=10**6)
    assert len(urls) == folder.direct, folder.name
    assert folder.urls == folder.direct + sum(each.urls for each in below), folder.name
    failed = sum(each.outcome in ERRORS for each in urls)
    assert folder.errors == failed + sum(each.errors for each in below), folder.name
    rows = reader.ids(View.ALL, Filter(folder=folder.id))
    assert len(rows) == folder.urls, folder.name
    for each in below:
        assert_folder(reader, each)


def check_warnings(reader: Reader, warnings: Counter[ResponseWarning], truncated: int) -> None:
    """The facet says how many rows each of its values leaves, in the table and exported."""
    values = reader.facet(View.ALL, Filter(), "warning")
    assert {each.value: each.count for each in values} == warnings
    for warning, number in warnings.items():
        wanted = Filter(facets=facet_values(warning={warning}))
        assert len(reader.ids(View.ALL, wanted)) == number, warning
    assert len(reader.ids(View.ALL, Filter(facets=facet_values(warning=TRUNCATED)))) == truncated
    exported = sheet(reader, ExportSelection(ALL), lambda: None)
    place = list(exported.columns).index("Warnings")
    labels = Counter(label for row in exported.rows for label in split_cell(row[place]))
    assert labels == {warning.label: number for warning, number in warnings.items()}


def split_cell(cell: object) -> list[str]:
    return str(cell).split("; ") if cell else []


def check_commands(
    path: Path,
    errors: int,
    warnings: Counter[ResponseWarning],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`gossamer info`, as text and as JSON."""
    capsys.readouterr()
    assert show_info(InfoCommand(path, json=True)) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["errors"] == errors
    former = told["outcomes"].get("gone", 0) + told["outcomes"].get("no_longer_linked", 0)
    assert sum(told["outcomes"].values()) - former == told["known"]
    assert told["warnings"] == warnings
    assert show_info(InfoCommand(path)) == 0
    lines = capsys.readouterr().out.splitlines()
    [line] = [x for x in lines if x.split()[:1] == ["errors"]]
    assert line.split()[-1].replace(",", "") == str(errors)
    for warning, number in warnings.items():
        [line] = [x for x in lines if x.startswith(f"  {warning.label}  ")]
        assert line.split()[-1].replace(",", "") == str(number)
