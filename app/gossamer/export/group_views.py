"""The views of element tabs: the URLs that a group of audit rules is about, with what it checks."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from gossamer.audit.site_rule import RuleGroup
from gossamer.export.export_selection import Check, ExportView
from gossamer.export.url_reports import (
    INTERNAL_ALL_HEADINGS,
    SelectRecords,
    internal_pages,
    internal_urls,
    url_report,
)
from gossamer.export.url_views import external_urls
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import Filter
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

_STATUS: Final = ("Address", "Content Type", "Status Code", "Status")
_INDEXABILITY: Final = ("Indexability", "Indexability Status")
_ROBOTS: Final = ("Canonical Link Element 1", "Meta Robots 1", "X-Robots-Tag 1")


def _group_view(
    group: RuleGroup,
    columns: tuple[str, ...],
    records: SelectRecords = internal_pages,
    *,
    needs_audit: bool = False,
) -> ExportView:
    """The view of a tab, with the columns that people know from it."""
    name = f"{group.value.lower().replace(' ', '_')}_all"
    return url_report(name, group.value, columns, records, needs_audit=needs_audit)


GROUP_VIEWS: Final = (
    _group_view(RuleGroup.SECURITY, (*_STATUS, *_INDEXABILITY, *_ROBOTS), internal_urls),
    _group_view(
        RuleGroup.URL,
        (*_STATUS, *_INDEXABILITY, "Hash", "Length", *_ROBOTS[:1], "URL Encoded Address"),
        internal_urls,
    ),
    _group_view(
        RuleGroup.PAGE_TITLES,
        (
            *("Address", "Title 1", "Title 1 Length", "Title 1 Pixel Width", "Title 2"),
            *_INDEXABILITY,
        ),
    ),
    _group_view(
        RuleGroup.META_DESCRIPTION,
        (
            *("Address", "Meta Description 1", "Meta Description 1 Length"),
            *("Meta Description 1 Pixel Width", "Meta Description 2", *_INDEXABILITY),
        ),
    ),
    _group_view(
        RuleGroup.META_KEYWORDS,
        ("Address", "Meta Keywords 1", "Meta Keywords 1 Length", *_INDEXABILITY),
    ),
    _group_view(
        RuleGroup.H1,
        ("Address", "H1-1", "H1-1 Length", "H1-2", "H1-2 Length", *_INDEXABILITY),
    ),
    _group_view(
        RuleGroup.H2,
        ("Address", "H2-1", "H2-1 Length", "H2-2", "H2-2 Length", *_INDEXABILITY),
    ),
    _group_view(
        RuleGroup.CONTENT,
        (
            *("Address", "Word Count", "Sentence Count", "Average Words Per Sentence"),
            *("Flesch Reading Ease Score", "Readability", "Closest Near Duplicate Match"),
            *("No. Near Duplicates", "Spelling Errors", "Grammar Errors", "Language", "Hash"),
            *_INDEXABILITY,
        ),
        needs_audit=True,
    ),
    _group_view(
        RuleGroup.DIRECTIVES,
        (
            *("Address", "Meta Robots 1", "X-Robots-Tag 1", "Meta Refresh 1"),
            *("Canonical Link Element 1", "HTTP Canonical", *_INDEXABILITY),
        ),
    ),
    _group_view(
        RuleGroup.LINKS,
        (
            *("Address", *_INDEXABILITY, "Crawl Depth", "Link Score", "Inlinks"),
            *("Unique Inlinks", "Unique JS Inlinks", "% of Total", "Outlinks"),
            *("Unique Outlinks", "Unique JS Outlinks", "External Outlinks"),
            *("Unique External Outlinks", "Unique External JS Outlinks"),
        ),
        needs_audit=True,
    ),
    _group_view(RuleGroup.AMP, (*_STATUS, *_INDEXABILITY, "amphtml Link Element", *_ROBOTS)),
    _group_view(RuleGroup.MOBILE, (*_STATUS, *_INDEXABILITY, "Viewport", "Mobile Alternate Link")),
    _group_view(RuleGroup.VALIDATION, (*_STATUS, *_INDEXABILITY, "Size (bytes)", "Carbon Rating")),
)
"""Those of the other groups are reports: response codes, images, canonicals, structured data."""

_CONTENT_TYPES: Final[dict[str, tuple[Sentence, tuple[str, ...]]]] = {
    "html": ("Internal HTML pages", ("text/html", "application/xhtml")),
    "javascript": (
        "Internal scripts",
        ("text/javascript", "application/javascript", "application/x-javascript"),
    ),
    "css": ("Internal style sheets", ("text/css",)),
    "images": ("Internal images", ("image/",)),
    "pdf": ("Internal PDF documents", ("application/pdf",)),
}
"""The filters of the tab Internal: labels, and what content types of theirs begin with."""


def _of_types(
    prefixes: tuple[str, ...],
    reader: Reader,
    filter_: Filter,
    check: Check,
) -> Iterator[UrlRecord]:
    records = internal_urls(reader, filter_, check)
    return (each for each in records if (each.content_type or "").startswith(prefixes))


INTERNAL_VIEWS: Final = tuple(
    url_report(
        f"internal_{name}",
        label,
        INTERNAL_ALL_HEADINGS,
        partial(_of_types, prefixes),
        needs_audit=True,
    )
    for name, (label, prefixes) in _CONTENT_TYPES.items()
)
EXTERNAL_ALL: Final = url_report(
    "external_all",
    "All external URLs",
    (*_STATUS, "Crawl Depth", "Inlinks", "Unique Inlinks", "Response Time", "Redirect URL"),
    external_urls,
)
