"""The views of element tabs: the URLs of a group of audit rules, with the fields it checks."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from gossamer.audit.group_columns import GROUP_COLUMNS
from gossamer.audit.site_rule import RuleGroup
from gossamer.export.custom_columns import internal_view
from gossamer.export.export_columns import COLUMN_HEADINGS
from gossamer.export.export_selection import Check, ExportView
from gossamer.export.url_reports import INTERNAL, PAGES, ReportUrls, internal_urls, url_report
from gossamer.export.url_views import external_urls
from gossamer.export.view_rows import EXTERNAL_URLS, INTERNAL_URLS, of_content_types
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import Filter
from gossamer.model.translatable import Sentence
from gossamer.store.reading.reader import Reader

_INTERNAL_URLS: Final = frozenset({RuleGroup.SECURITY, RuleGroup.URL, RuleGroup.SITEMAPS})
"""The groups that are about all URLs of a site; the others are about pages."""
_REPORTED: Final = frozenset(
    {
        *(RuleGroup.RESPONSE_CODES, RuleGroup.IMAGES, RuleGroup.CANONICALS, RuleGroup.PAGINATION),
        *(RuleGroup.HREFLANG, RuleGroup.STRUCTURED_DATA),
    }
)
"""The groups whose URLs are in a report of that name."""
_AUDITED: Final = frozenset({RuleGroup.CONTENT, RuleGroup.JAVASCRIPT, RuleGroup.LINKS})
"""The groups with columns that the site audit fills."""
_MORE: Final = {RuleGroup.URL: ("URL Encoded Address",)}
"""Columns that no table has."""


def _group_view(group: RuleGroup) -> ExportView:
    """The view of the tab of a group, with the columns that the window has there."""
    headings = [COLUMN_HEADINGS[each] for each in GROUP_COLUMNS[group] if each in COLUMN_HEADINGS]
    return url_report(
        f"{group.value.lower().replace(' ', '_')}_all",
        group.value,
        ("Address", *headings, *_MORE.get(group, ())),
        INTERNAL if group in _INTERNAL_URLS else PAGES,
        needs_audit=group in _AUDITED,
    )


GROUP_VIEWS: Final = tuple(_group_view(group) for group in RuleGroup if group not in _REPORTED)

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
"""The filters of the tab Internal: labels, and the prefixes of their content types."""


def _of_types(
    prefixes: tuple[str, ...],
    reader: Reader,
    filter_: Filter,
    check: Check,
) -> Iterator[UrlRecord]:
    records = internal_urls(reader, filter_, check)
    return (each for each in records if (each.content_type or "").startswith(prefixes))


INTERNAL_VIEWS: Final = tuple(
    internal_view(
        f"internal_{name}",
        label,
        ReportUrls(partial(_of_types, prefixes), of_content_types(INTERNAL_URLS, prefixes)),
    )
    for name, (label, prefixes) in _CONTENT_TYPES.items()
)
EXTERNAL_ALL: Final = url_report(
    "external_all",
    "All external URLs",
    (
        *("Address", "Content Type", "Status Code", "Status", "Crawl Depth", "Inlinks"),
        *("Unique Inlinks", "Response Time", "Redirect URL"),
    ),
    ReportUrls(external_urls, EXTERNAL_URLS),
)
