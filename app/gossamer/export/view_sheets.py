"""Builds the sheet of each view of a project that can be exported."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec.structs import replace

from gossamer.audit.sitemap_rules import candidates, sitemap_finding
from gossamer.export.export_columns import COLUMN_HEADINGS, URL_HEADINGS, url_rows
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.link_sheets import (
    all_links_sheet,
    broken_links_sheet,
    links_sheet,
    sheet_of_links,
)
from gossamer.export.redirect_chain_columns import chain_columns, chain_row
from gossamer.export.sheet import Row, Sheet, containing, narrowed
from gossamer.export.sitemap_sheet import sitemap_sheet
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import in_english
from gossamer.model.project_queries import Filter, LinksOf, Table, View
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.store.reading.reader import Reader
from gossamer.urls.crawl_scope import Scope
from gossamer.urls.url_parsing import is_http

_AT_ONCE = 1000
_URL_VIEWS = {
    ExportView.PAGES: View.PAGES,
    ExportView.RESOURCES: View.RESOURCES,
    ExportView.ALL: View.ALL,
}
_Check: TypeAlias = Callable[[], None]


def sheet(reader: Reader, selection: ExportSelection, check: _Check) -> Sheet:
    """The sheet of a selection. `check` is called now and then, and may raise to end the reading.

    UsageError for columns that there are not.
    """
    return narrowed(whole_sheet(reader, selection, check), shown_columns(selection))


def shown_columns(selection: ExportSelection) -> tuple[str, ...]:
    """The columns that are asked for; none are all of them."""
    if selection.columns or not isinstance(selection.source, Table):
        return selection.columns
    shown = selection.source.columns
    return tuple(COLUMN_HEADINGS[column] for column in shown if column in COLUMN_HEADINGS)


def whole_sheet(reader: Reader, selection: ExportSelection, check: _Check) -> Sheet:
    """As `sheet`, with all columns that there are."""
    source, text = selection.source, selection.text
    if isinstance(source, Table):
        return _table(reader, source)
    if source in _URL_VIEWS:
        return _urls(reader, source, replace(selection.filter_, text=text))
    if selection.filter_ != Filter():
        name = source.end if isinstance(source, LinksOf) else source
        raise UsageError("The view {view} has no facets; use the view all.", view=name.value)
    if source is ExportView.SITEMAP:
        size = _size(reader, candidates(selection.lifted))
        return sitemap_sheet(reader, selection, check, size)
    if isinstance(source, LinksOf):
        whole = links_sheet(reader, source)
    else:
        whole = _SHEETS[source](reader, check)
    return containing(whole, text) if text else whole


def _table(reader: Reader, table: Table) -> Sheet:
    """The rows that a table shows now: what is committed later is not among them."""
    ids = reader.ids(table.view, table.filter_, table.order)
    if table.view.is_of_links:
        return _table_of_links(reader, table.view, ids)
    records = (
        record
        for start in range(0, len(ids), _AT_ONCE)
        for record in reader.records(ids[start : start + _AT_ONCE])
    )
    return Sheet(table.view.value, URL_HEADINGS, url_rows(records), len(ids), is_exact=True)


def _table_of_links(reader: Reader, view: View, ids: Sequence[int]) -> Sheet:
    links = (
        link
        for start in range(0, len(ids), _AT_ONCE)
        for link in reader.link_records(ids[start : start + _AT_ONCE])
    )
    return sheet_of_links(view.value, links, len(ids), is_exact=True)


def _urls(reader: Reader, wanted: ExportView, filter_: Filter) -> Sheet:
    view = _URL_VIEWS[wanted]
    records = reader.iterate(view, filter_)
    size, is_exact = _size(reader, view), filter_ == Filter()
    return Sheet(wanted.value, URL_HEADINGS, url_rows(records), size, is_exact=is_exact)


def _external(reader: Reader, check: _Check) -> Sheet:
    """What the crawl's scope does not hold, whatever became of it."""
    scope = Scope(reader.summary().settings)

    def records() -> Iterator[UrlRecord]:
        for record in reader.iterate(View.ALL):
            check()
            if is_http(record.url) and scope.refusal(record.url) is Outcome.OUT_OF_SCOPE:
                yield record

    size = _size(reader, View.ALL)
    return Sheet(ExportView.EXTERNAL, URL_HEADINGS, url_rows(records()), size)


def _redirects(reader: Reader, check: _Check) -> Sheet:
    """As many hop columns as the longest chain has hops: that takes a first look at all."""
    longest = chains = 0
    for chain in reader.chains():
        check()
        chains += 1
        longest = max(longest, len(chain) - 1)
    return Sheet(
        ExportView.REDIRECTS,
        chain_columns(longest),
        (chain_row(chain, longest) for chain in reader.chains()),
        chains,
        is_exact=True,
    )


def _links(reader: Reader, _check: _Check) -> Sheet:
    return all_links_sheet(reader)


def _errors(reader: Reader, _check: _Check) -> Sheet:
    columns = (
        "Address",
        "Status Code",
        "Status",
        "Outcome",
        "Detail",
        "Verdict",
        "First Found On",
        "Crawl Depth",
        "Inlinks",
        "Unique Inlinks",
    )
    rows = (_error_row(reader, record) for record in reader.iterate(View.ERRORS))
    return Sheet(ExportView.ERRORS, columns, rows, _size(reader, View.ERRORS), is_exact=True)


def _error_row(reader: Reader, record: UrlRecord) -> Row:
    found_on = [] if record.parent is None else reader.nodes([record.parent])
    return (
        record.url,
        record.status,
        record.status_text,
        record.outcome.sentence,
        in_english(record.detail),
        record.verdict.value,
        found_on[0].url if found_on else None,
        record.depth,
        record.inlinks,
        record.unique_inlinks,
    )


def _sitemap_check(reader: Reader, check: _Check) -> Sheet:
    if not reader.has_sitemaps():
        ensure_sitemaps_read(reader.summary().settings)
    return Sheet(
        ExportView.SITEMAP_CHECK,
        ("Address", "Status Code", "Finding", "In Sitemap", "Crawl Depth", "Inlinks", "Outcome"),
        _sitemap_check_rows(reader, check),
        _size(reader, View.ALL),
    )


def ensure_sitemaps_read(settings: CrawlSettings) -> None:
    """Raise UsageError where a crawl with these settings reads no sitemaps to compare."""
    if not (settings.use_sitemaps or settings.sitemaps):
        raise UsageError(
            "This crawl read no sitemaps, so there is nothing to compare; turn on {setting} and "
            "crawl again.",
            setting=SETTINGS["use_sitemaps"].name,
        )


def _sitemap_check_rows(reader: Reader, check: _Check) -> Iterator[Row]:
    records = reader.iterate(View.ALL)
    while some := list(islice(records, _AT_ONCE)):
        check()
        named = reader.in_sitemaps([record.id for record in some])
        for record in some:
            finding = sitemap_finding(record, is_named=record.id in named)
            if finding:
                yield (
                    record.url,
                    record.status,
                    finding.declaration.text,
                    "true" if record.id in named else "false",
                    record.depth,
                    record.inlinks,
                    record.outcome.sentence,
                )


def _size(reader: Reader, view: View) -> int:
    outcomes = reader.counts().outcomes
    return sum(outcomes.get(outcome, 0) for outcome in view.outcomes)


_SHEETS: dict[ExportView, Callable[[Reader, _Check], Sheet]] = {
    ExportView.REDIRECTS: _redirects,
    ExportView.LINKS: _links,
    ExportView.BROKEN_LINKS: broken_links_sheet,
    ExportView.ERRORS: _errors,
    ExportView.EXTERNAL: _external,
    ExportView.SITEMAP_CHECK: _sitemap_check,
}
