"""The reports whose rows are URLs: those of the site, their answers, titles, canonicals, images."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from gossamer.audit.rules.sitemaps import ORPHAN
from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Sheet
from gossamer.export.url_cells import url_sheet
from gossamer.export.url_views import size_of
from gossamer.model.facets import ISSUE
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import DONE
from gossamer.model.page_flags import MarkupFlag
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import is_http

_LISTED: Final = DONE | {Outcome.BLOCKED_BY_ROBOTS, Outcome.ROBOTS_UNAVAILABLE}
"""What reports have a row for: what was asked, or would have been but for robots.txt."""
_PAGINATION: Final = int(MarkupFlag.PAGINATION)

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


def internal_urls(reader: Reader, check: Check) -> Iterator[UrlRecord]:
    """The URLs in the scope of the crawl that reports have a row for, by discovery."""
    external = iter(reader.ids(View.EXTERNAL))
    other = next(external, None)
    for record in reader.iterate(View.ALL):
        check()
        while other is not None and other < record.id:
            other = next(external, None)
        if other != record.id and record.outcome in _LISTED and is_http(record.url):
            yield record


def internal_pages(reader: Reader, check: Check) -> Iterator[UrlRecord]:
    """The HTML pages among them."""
    return (record for record in internal_urls(reader, check) if record.word_count is not None)


def count_internal(reader: Reader) -> tuple[int, int]:
    """How many internal URLs there are, and how many of them are indexable HTML pages."""
    outcomes = facet_values(outcome=[int(each) for each in _LISTED])
    urls = len(reader.ids(View.ALL, Filter(facets=outcomes)))
    urls -= len(reader.ids(View.EXTERNAL, Filter(facets=outcomes)))
    indexable = Filter(facets=facet_values(indexability=["Indexable"]))
    return urls, len(reader.ids(View.PAGES, indexable))


def _report(
    headings: Sequence[str],
    records: Callable[[Reader, Check], Iterator[UrlRecord]],
    reader: Reader,
    _selection: ExportSelection,
    check: Check,
) -> Sheet:
    return url_sheet(records(reader, check), headings, size_of(reader, View.ALL))


def _asked(reader: Reader, check: Check) -> Iterator[UrlRecord]:
    for record in reader.iterate(View.ALL):
        check()
        if record.outcome in _LISTED:
            yield record


def _paginated(reader: Reader, check: Check) -> Iterator[UrlRecord]:
    pages = internal_pages(reader, check)
    return (each for each in pages if each.markup is not None and each.markup & _PAGINATION)


def _images(reader: Reader, check: Check) -> Iterator[UrlRecord]:
    for record in reader.iterate(View.ALL):
        check()
        if (record.content_type or "").startswith("image/"):
            yield record


def _orphans(reader: Reader, _selection: ExportSelection, _check: Check) -> Sheet:
    rows = ((each.url, "XML Sitemap") for each in urls_of_issue(reader, ORPHAN.number))
    expected = reader.issue_counts().get(ORPHAN.number, 0)
    return Sheet(("URL", "Source"), rows, expected)


def urls_of_issue(reader: Reader, rule: int) -> Iterator[UrlRecord]:
    """The URLs for which an audit rule holds."""
    return reader.iterate(View.ALL, Filter(facets=facet_values(**{ISSUE: [rule]})))


INTERNAL_ALL: Final = ExportView(
    "internal_all",
    "All internal URLs",
    partial(_report, INTERNAL_ALL_HEADINGS, internal_urls),
    needs_audit=True,
)
RESPONSE_CODES: Final = ExportView(
    "response_codes",
    "Response codes",
    partial(
        _report,
        (
            *("Address", "Content Type", "Status Code", "Status", "Indexability"),
            *("Indexability Status", "Inlinks", "Unique Inlinks", "Response Time"),
            *("Redirect URL", "Redirect Type"),
        ),
        _asked,
    ),
)
CANONICALS: Final = ExportView(
    "canonicals",
    "Canonicals",
    partial(
        _report,
        (
            *(*_ADDRESS, "Canonical Link Element 1", "HTTP Canonical", "Meta Robots 1"),
            *("X-Robots-Tag 1", 'rel="next" 1', 'rel="prev" 1'),
        ),
        internal_pages,
    ),
)
PAGINATION: Final = ExportView(
    "pagination",
    "Pagination",
    partial(
        _report,
        (
            *(*_ADDRESS, 'rel="next" 1', 'rel="prev" 1', 'HTTP rel="next" 1', 'HTTP rel="prev" 1'),
            *("Canonical Link Element 1", "HTTP Canonical", "Meta Robots 1", "X-Robots-Tag 1"),
        ),
        _paginated,
    ),
)
SERP_SUMMARY: Final = ExportView(
    "serp_summary",
    "SERP summary",
    partial(
        _report,
        (
            *("Address", "Title 1", "Title 1 Length", "Title 1 Pixel Width"),
            *("Meta Description 1", "Meta Description 1 Length"),
            *("Meta Description 1 Pixel Width", "Indexability", "Indexability Status"),
        ),
        internal_pages,
    ),
)
STRUCTURED_DATA: Final = ExportView(
    "structured_data",
    "Structured data",
    partial(
        _report,
        (
            *(*_ADDRESS, "Structured Data Types", "JSON-LD", "Microdata", "RDFa", "Parse Errors"),
            *("Validation Errors", "Validation Warnings", "Rich Result Errors"),
            *("Rich Result Warnings", "Rich Result Features"),
        ),
        internal_pages,
    ),
)
IMAGES: Final = ExportView(
    "images",
    "Images",
    partial(
        _report,
        (
            *("Address", "Content Type", "Status Code", "Status", "Size (bytes)"),
            *("Transferred (bytes)", "Inlinks", "Unique Inlinks", "Response Time"),
            "Last Modified",
        ),
        _images,
    ),
)
ORPHAN_PAGES: Final = ExportView("orphan_pages", "Orphan pages", _orphans, needs_audit=True)
