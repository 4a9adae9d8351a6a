"""Broken links, and the links of some URLs: in tables, exports and on the command line."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.cli.command_parser import parse
from gossamer.cli.export_command import export_project
from gossamer.cli.parsed_table_commands import ExportCommand
from gossamer.export import link_sheets
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export, preview
from gossamer.export.link_sheets import BROKEN_LINKS, LINKS
from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import (
    Filter,
    LinkEnd,
    LinksOf,
    Order,
    Table,
    View,
    facet_values,
)
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import Crawled

SITE = "https://example.com"


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    """Ids: / 1, /a 2, /gone 3, /login 4, /slow 5."""
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", "/a", "/gone", "/login", "/gone")
        crawled.page("/a", "/gone", "/slow", "/")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.failed("/login", Outcome.CLIENT_ERROR, status=403)
        crawled.failed("/slow", Outcome.TIMEOUT)
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def ends(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return [
            (row["Source"].removeprefix(SITE), row["Destination"].removeprefix(SITE))
            for row in rows
        ]


def shown(reader: Reader, filter_: Filter) -> list[str]:
    ids = reader.ids(View.BROKEN_LINKS, filter_)
    return [link.target_url.removeprefix(SITE) for link in reader.link_records(ids)]


def test_links_to_what_does_not_work_are_a_table(reader: Reader) -> None:
    assert shown(reader, Filter()) == ["/gone", "/login", "/gone", "/gone", "/slow"]
    assert reader.view_counts()[View.BROKEN_LINKS] == 5
    assert shown(reader, Filter(facets=facet_values(verdict={Verdict.REFUSED}))) == ["/login"]
    assert shown(reader, Filter(found_on=2)) == ["/gone", "/slow"]
    assert shown(reader, Filter(facets=facet_values(outcome={Outcome.PAGE}))) == []
    by_target = reader.ids(View.BROKEN_LINKS, Filter(), Order("target"))
    assert [link.target_id for link in reader.link_records(by_target)] == [3, 3, 3, 4, 5]


def test_facets_of_broken_links_are_of_them_alone(reader: Reader) -> None:
    counts = {c.value: c.count for c in reader.facet(View.BROKEN_LINKS, Filter(), "verdict")}
    assert counts == {Verdict.BROKEN: 3, Verdict.REFUSED: 1, Verdict.UNVERIFIED: 1}
    counts = {c.value: c.count for c in reader.facet(View.BROKEN_LINKS, Filter(), "outcome")}
    assert Outcome.PAGE not in counts


def test_a_site_without_errors_has_no_broken_links(tmp_path: Path) -> None:
    with Crawled(tmp_path / "b.gossamer") as crawled:
        crawled.page("/", "/")
        with Reader(crawled.path) as reader:
            assert reader.view_counts()[View.BROKEN_LINKS] == 0
            assert len(reader.ids(View.BROKEN_LINKS)) == 0


def test_broken_links_are_exported_as_the_table_has_them(crawled: Crawled, tmp_path: Path) -> None:
    out = tmp_path / "broken.csv"
    assert export(crawled.path, ExportSelection(BROKEN_LINKS), out).rows == 5
    whole = ends(out)
    table = Table(View.BROKEN_LINKS, columns=("source", "target"))
    export(crawled.path, ExportSelection(table), out)
    assert sorted(ends(out)) == sorted(whole)


@pytest.mark.parametrize("at_once", [1, 2000])
def test_all_links_of_some_urls_are_exported(
    crawled: Crawled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(link_sheets, "_AT_ONCE", at_once)
    out = tmp_path / "links.csv"
    wanted = ExportSelection(LinksOf(LinkEnd.INLINKS, (3, 2)))
    assert export(crawled.path, wanted, out).rows == 4
    assert ends(out) == [("/", "/gone"), ("/", "/gone"), ("/a", "/gone"), ("/", "/a")]
    wanted = ExportSelection(LinksOf(LinkEnd.OUTLINKS, (2,)))
    assert preview(crawled.path, wanted, 2).expected == 3
    assert preview(crawled.path, wanted, 2).is_exact
    export(crawled.path, wanted, out)
    assert ends(out) == [("/a", "/gone"), ("/a", "/slow"), ("/a", "/")]


def test_the_of_option_selects_urls(crawled: Crawled, tmp_path: Path) -> None:
    out = tmp_path / "inlinks.csv"
    arguments = ["export", str(crawled.path), "inlinks", "-o", str(out)]
    asked = parse([*arguments, "--of", "example.com/gone", "--of", f"{SITE}/login"])
    assert isinstance(asked, ExportCommand)
    assert export_project(asked) == 0
    assert [target for _, target in ends(out)] == ["/gone", "/gone", "/gone", "/login"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["inlinks"], "whose inlinks"),
        (["inlinks", "--of", f"{SITE}/nowhere"], "is not in"),
        (["links", "--of", f"{SITE}/"], "inlinks and outlinks"),
        (["outlinks", "--of", f"{SITE}/", "--where", "status=404"], "no facets"),
    ],
)
def test_invalid_combinations_are_reported(
    crawled: Crawled, tmp_path: Path, arguments: list[str], said: str
) -> None:
    asked = parse(["export", str(crawled.path), *arguments, "-o", str(tmp_path / "x.csv")])
    assert isinstance(asked, ExportCommand)
    with pytest.raises(UsageError, match=said):
        export_project(asked)


def test_a_preview_with_all_rows_knows_how_many_there_are(crawled: Crawled) -> None:
    narrowed = ExportSelection(LINKS, text="/slow")
    [row] = preview(crawled.path, narrowed, 5).rows
    assert any(isinstance(cell, str) and cell.endswith("/slow") for cell in row)
    seen = [preview(crawled.path, narrowed, rows) for rows in (5, 1)]
    assert [(each.expected, each.is_exact) for each in seen] == [(1, True), (1, True)]
    broken = preview(crawled.path, ExportSelection(BROKEN_LINKS, text="/"), 1)
    assert (len(broken.rows), broken.is_exact) == (1, False)
