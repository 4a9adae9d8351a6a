"""The views whose rows are URLs with all that is known of them, and those that check URLs."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from msgspec.structs import replace

from gossamer.audit.sitemap_export_rules import sitemap_finding
from gossamer.export.export_columns import URL_HEADINGS, url_rows
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.view_rows import EXTERNAL_URLS, ViewUrls, rows_of
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome_details import in_english
from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.translatable import Sentence, Translatable
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import is_http

_AT_ONCE: Final = 1000


def size_of(reader: Reader, view: View) -> int:
    """How many URLs a view has."""
    outcomes = reader.counts().outcomes
    return sum(outcomes.get(outcome, 0) for outcome in view.outcomes)


def _urls(view: View, reader: Reader, selection: ExportSelection, _check: Check) -> Sheet:
    filter_ = replace(selection.filter_, text=selection.text)
    records = reader.iterate(view, filter_)
    is_exact = selection.filter_ == Filter()
    return Sheet(URL_HEADINGS, url_rows(records), size_of(reader, view), is_exact=is_exact)


def external_urls(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    """URLs outside the crawl's scope, whatever became of them."""
    for record in reader.iterate(View.EXTERNAL, filter_):
        check()
        if is_http(record.url):
            yield record


def _external(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    records = external_urls(reader, selection.filter_, check)
    return Sheet(URL_HEADINGS, url_rows(records), size_of(reader, View.ALL))


def _errors(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
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
    return Sheet(columns, rows, size_of(reader, View.ERRORS), is_exact=True)


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


def _former_pages(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    """What became of pages that only the earlier crawl has."""
    columns = ("Address", "Outcome", "Detail", "First Found On")
    rows = (_former_row(reader, record) for record in reader.iterate(View.FORMER))
    return Sheet(columns, rows, size_of(reader, View.FORMER), is_exact=True)


def _former_row(reader: Reader, record: UrlRecord) -> Row:
    found_on = [] if record.parent is None else reader.nodes([record.parent])
    return (
        record.url,
        record.outcome.sentence,
        in_english(record.detail),
        found_on[0].url if found_on else None,
    )


def _sitemap_check(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    if not reader.has_sitemaps():
        ensure_sitemaps_read(reader.summary().settings)
    return Sheet(
        ("Address", "Status Code", "Finding", "In Sitemap", "Crawl Depth", "Inlinks", "Outcome"),
        _sitemap_check_rows(reader, check),
        size_of(reader, View.ALL),
    )


def ensure_sitemaps_read(settings: CrawlSettings) -> None:
    """Raise UsageError if a crawl with these settings reads no sitemaps to compare."""
    if not (settings.use_sitemaps or settings.sitemaps):
        raise UsageError(
            "This crawl read no sitemaps, so there is nothing to compare; turn on “{setting}” "
            "(--use-sitemaps) and crawl again.",
            setting=Translatable(SETTINGS["use_sitemaps"].label),
        )


def _sitemap_check_rows(reader: Reader, check: Check) -> Iterator[Row]:
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


def _rows(condition: str) -> ViewUrls:
    return ViewUrls(condition, URL_HEADINGS, is_report=False)


def _url_view(view: View, label: Sentence) -> ExportView:
    build, rows = partial(_urls, view), _rows(rows_of(view))
    return ExportView(view.value, label, build, has_facets=True, has_text=True, rows=rows)


PAGES: Final = _url_view(View.PAGES, "Pages")
RESOURCES: Final = _url_view(View.RESOURCES, "Images, style sheets and other files")
SKIPPED: Final = _url_view(View.SKIPPED, "URLs that were not requested, and why")
ALL: Final = _url_view(View.ALL, "All URLs")
EXTERNAL: Final = ExportView(
    "external", "External URLs", _external, has_facets=True, rows=_rows(EXTERNAL_URLS)
)
ERRORS: Final = ExportView("errors", "Errors", _errors)
FORMER: Final = ExportView("former-pages", "Gone pages and pages no longer linked", _former_pages)
SITEMAP_CHECK: Final = ExportView("sitemap-check", "Sitemap check", _sitemap_check)
