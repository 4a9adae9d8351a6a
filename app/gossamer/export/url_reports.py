"""The reports whose rows are URLs: those of the site, responses, titles, canonicals, images."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final, NamedTuple, TypeAlias

from gossamer.audit.rules.sitemaps import ORPHAN
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Cell, Sheet
from gossamer.export.url_cells import TYPES, url_sheet
from gossamer.export.url_views import size_of
from gossamer.export.view_rows import (
    ASKED_URLS,
    INTERNAL_PAGES,
    INTERNAL_URLS,
    ViewUrls,
)
from gossamer.model.errors import UsageError
from gossamer.model.facets import ISSUE, choose
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome_counts import REPORTED
from gossamer.model.project_queries import Filter, View
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import is_http

_PAGINATION: Final = int(MarkupFlag.PAGINATION)
_ALL: Final = Filter()
SelectRecords: TypeAlias = Callable[[Reader, Filter, Check], Iterator[UrlRecord]]
"""Reads the URLs that a report has rows for, among those that pass a filter."""


class ReportUrls(NamedTuple):
    """The URLs that a report has rows for: what reads them, and the same as an SQL condition."""

    select: SelectRecords
    condition: str


_ADDRESS: Final = ("Address", "Indexability", "Indexability Status")
INTERNAL_ALL_HEADINGS: Final = (
    *("Address", "Content Type", "Status Code", "Status", "Indexability", "Indexability Status"),
    *("Title 1", "Title 1 Length", "Title 1 Pixel Width"),
    *("Meta Description 1", "Meta Description 1 Length", "Meta Description 1 Pixel Width"),
    *("Meta Keywords 1", "Meta Keywords 1 Length"),
    *("H1-1", "H1-1 Length", "H1-2", "H1-2 Length", "H2-1", "H2-1 Length", "H2-2", "H2-2 Length"),
    *("Meta Robots 1", "X-Robots-Tag 1", "Meta Refresh 1", "Canonical Link Element 1"),
    *('rel="next" 1', 'rel="prev" 1', 'HTTP rel="next" 1', 'HTTP rel="prev" 1'),
    *("amphtml Link Element", "Size (bytes)", "Transferred (bytes)", "Total Transferred (bytes)"),
    *("CO2 (mg)", "Carbon Rating", "Word Count", "Sentence Count", "Average Words Per Sentence"),
    *("Flesch Reading Ease Score", "Readability", "Text Ratio", "Crawl Depth", "Folder Depth"),
    *("Link Score", "Inlinks", "Unique Inlinks", "Unique JS Inlinks", "% of Total"),
    *("Outlinks", "Unique Outlinks", "Unique JS Outlinks"),
    *("External Outlinks", "Unique External Outlinks", "Unique External JS Outlinks"),
    *("Closest Near Duplicate Match", "No. Near Duplicates", "Spelling Errors", "Grammar Errors"),
    *("Hash", "Response Time", "Last Modified", "Redirect URL", "Redirect Type", "Cookies"),
    *("Language", "HTTP Version", "Mobile Alternate Link", "URL Encoded Address"),
    "Crawl Timestamp",
)


def internal_urls(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    """The URLs in the scope of the crawl that reports have a row for, by discovery."""
    for record in reader.iterate(View.INTERNAL, filter_):
        check()
        if is_http(record.url):
            yield record


def internal_pages(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    """The HTML pages among them."""
    records = internal_urls(reader, filter_, check)
    return (record for record in records if record.word_count is not None)


def url_report(
    name: str,
    label: Sentence,
    columns: Sequence[str],
    urls: ReportUrls,
    *,
    needs_audit: bool = False,
) -> ExportView:
    """A view of these URLs with these columns; it applies the facets of a selection."""
    build = partial(_report, columns, urls.select)
    rows = ViewUrls(urls.condition, tuple(columns))
    return ExportView(name, label, build, has_facets=True, needs_audit=needs_audit, rows=rows)


def _report(
    columns: Sequence[str],
    records: SelectRecords,
    reader: Reader,
    selection: ExportSelection,
    check: Check,
) -> Sheet:
    found = records(reader, selection.filter_, check)
    return url_sheet(found, columns, size_of(reader, View.ALL))


def _asked(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    for record in reader.iterate(View.ALL, filter_):
        check()
        if record.outcome in REPORTED:
            yield record


def _paginated(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    pages = internal_pages(reader, filter_, check)
    return (each for each in pages if each.markup is not None and each.markup & _PAGINATION)


def _images(reader: Reader, filter_: Filter, check: Check) -> Iterator[UrlRecord]:
    for record in reader.iterate(View.ALL, filter_):
        check()
        if (record.content_type or "").startswith("image/"):
            yield record


_IMAGE_FACTS: Final = (
    *("Address", "Content Type", "Status Code", "Status", "Size (bytes)", "Transferred (bytes)"),
    *("Inlinks", "Unique Inlinks", "Response Time", "Last Modified"),
    *("Indexability", "Indexability Status"),
)


def _image_sheet(reader: Reader, selection: ExportSelection, check: Check) -> Sheet:
    """Images with how often pages show them, and their sizes in rendered pages."""
    links, sizes = cache(reader.image_inlinks), cache(reader.image_sizes)

    def inlinks(record: UrlRecord) -> Cell:
        return links().get(record.id, 0)

    def dimensions(record: UrlRecord) -> Cell:
        size = sizes().get(record.url)
        return None if size is None else f"{size[0]}x{size[1]}"

    found = _images(reader, selection.filter_, check)
    made = (("IMG Inlinks", inlinks), ("Dimensions", dimensions))
    return url_sheet(found, _IMAGE_FACTS, size_of(reader, View.ALL), made, "Unique Inlinks")


def _orphans(reader: Reader, selection: ExportSelection, _check: Check) -> Sheet:
    found = urls_of_issue(reader, ORPHAN.number, selection.filter_)
    expected = reader.issue_counts().get(ORPHAN.number, 0)
    return Sheet(("URL", "Source"), ((each.url, "XML Sitemap") for each in found), expected)


INTERNAL: Final = ReportUrls(internal_urls, INTERNAL_URLS)
PAGES: Final = ReportUrls(internal_pages, INTERNAL_PAGES)
_ASKED: Final = ReportUrls(_asked, ASKED_URLS)
_PAGINATED: Final = ReportUrls(_paginated, f"{INTERNAL_PAGES} AND v.markup & {_PAGINATION}")


def urls_of_issue(reader: Reader, rule: int, filter_: Filter = _ALL) -> Iterator[UrlRecord]:
    """The URLs that pass the filter and for which an audit rule holds."""
    if filter_.values(ISSUE):
        raise UsageError("The rows are those of one issue; remove the facet issue.")
    return reader.iterate(View.ALL, choose(filter_, ISSUE, [rule]))


RESPONSE_CODES: Final = url_report(
    "response_codes",
    "Response codes",
    (
        *("Address", "Content Type", "Status Code", "Status", "Indexability"),
        *("Indexability Status", "Inlinks", "Unique Inlinks", "Response Time"),
        *("Redirect URL", "Redirect Type"),
    ),
    _ASKED,
)
CANONICALS: Final = url_report(
    "canonicals",
    "Canonicals",
    (
        *(*_ADDRESS, "Canonical Link Element 1", "HTTP Canonical 1", "Meta Robots 1"),
        *("X-Robots-Tag 1", 'rel="next" 1', 'rel="prev" 1'),
    ),
    PAGES,
)
PAGINATION: Final = url_report(
    "pagination",
    "Pagination",
    (
        *(*_ADDRESS, 'rel="next" 1', 'rel="prev" 1', 'HTTP rel="next" 1', 'HTTP rel="prev" 1'),
        *("Canonical Link Element 1", "HTTP Canonical 1", "Meta Robots 1", "X-Robots-Tag 1"),
    ),
    _PAGINATED,
)
SERP_SUMMARY: Final = url_report(
    "serp_summary",
    "SERP summary",
    (
        *("Address", "Title 1", "Title 1 Length", "Title 1 Pixel Width"),
        *("Meta Description 1", "Meta Description 1 Length"),
        *("Meta Description 1 Pixel Width", "Indexability", "Indexability Status"),
    ),
    PAGES,
)
STRUCTURED_DATA: Final = url_report(
    "structured_data",
    "Structured data",
    (
        *(*_ADDRESS, "Errors", "Warnings", "Rich Result Errors", "Rich Result Warnings"),
        *("Rich Result Features", "Total Types", "Unique Types", *TYPES, "Structured Data Types"),
        *("JSON-LD", "Microdata", "RDFa", "Parse Errors"),
        *("Validation Errors", "Validation Warnings"),
    ),
    PAGES,
)
IMAGES: Final = ExportView("images", "Images", _image_sheet, has_facets=True)
ORPHAN_PAGES: Final = ExportView(
    "orphan_pages", "Orphan pages", _orphans, has_facets=True, needs_audit=True
)
