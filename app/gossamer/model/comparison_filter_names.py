"""The names of the filters of a comparison."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from gossamer.model.comparison_filters import (
    DEEPEST,
    DEPTH,
    INDEXABILITY,
    REASON,
    SCOPE,
    STATUS,
    STATUS_CLASS,
    VIEW,
)
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.content_types import ContentKind
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.project_queries import NO_RESPONSE, Facet, View
from gossamer.model.translatable import Sentence, Translatable, said

SECTION_NAMES: Final[dict[Facet, Sentence]] = {
    VIEW: "Tabs",
    SCOPE: "Internal and external",
    STATUS_CLASS: "Status class",
    STATUS: "Status code",
    INDEXABILITY: "Indexability",
    REASON: "Indexability status",
    DEPTH: "Crawl depth",
}
"""In display order. Issues come separately."""
_VIEWS: Final[dict[str, Sentence]] = {
    View.ALL: "All",
    View.PAGES: "Pages",
    View.REDIRECTS: "Redirects",
    View.ERRORS: "Errors",
    View.RESOURCES: "Resources",
    View.EXTERNAL: "External",
    View.LINKS: "Links",
    View.BROKEN_LINKS: "Broken links",
}
_SCOPES: Final[dict[str, Sentence]] = {"internal": "Internal", "external": "External"}
CONTENT_KIND_NAMES: Final[dict[ContentKind, Sentence]] = {
    ContentKind.HTML: "HTML",
    ContentKind.JAVASCRIPT: "JavaScript",
    ContentKind.CSS: "CSS",
    ContentKind.IMAGE: "Images",
    ContentKind.MEDIA: "Media",
    ContentKind.FONT: "Fonts",
    ContentKind.PDF: "PDF",
    ContentKind.XML: "XML",
    ContentKind.OTHER: "Other",
    ContentKind.UNKNOWN: "Unknown",
}


def filter_name(counts: FilterCounts) -> Translatable:
    """The name of a filter within its section."""
    section, value = counts.section, counts.value
    if section == VIEW:
        return Translatable(_VIEWS[str(value)])
    if section == SCOPE:
        return _scope_name(str(value))
    if isinstance(value, str):
        return Translatable(value)
    return _number_name(section, value)


def _scope_name(value: str) -> Translatable:
    scope, _, kind = value.partition("/")
    name = Translatable(_SCOPES[scope])
    if not kind:
        return name
    of_kind = Translatable(CONTENT_KIND_NAMES[ContentKind(kind)])
    return said("{scope}: {type}", scope=name, type=of_kind)


def _number_name(section: Facet, value: int) -> Translatable:
    if section in {STATUS, STATUS_CLASS} and value == NO_RESPONSE:
        return said("No response")
    if section == STATUS_CLASS:
        return Translatable(f"{value}xx")
    if section == DEPTH and value == UNREACHED:
        return said("Not reached by clicks")
    if section == DEPTH and value == DEEPEST:
        return said("{depth} and deeper", depth=value)
    if section == STATUS:
        return Translatable(_status_name(value))
    return Translatable(str(value))


def _status_name(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def in_order(counts: FilterCounts) -> tuple[int, int]:
    """The rank of a filter's section, and of a tab within it; other values stay as they are."""
    view = list(_VIEWS).index(str(counts.value)) if counts.section == VIEW else 0
    return list(SECTION_NAMES).index(counts.section), view


def page_counts(counts: Iterable[FilterCounts]) -> FilterCounts:
    """The counts of pages among those of all filters; zeros if there are none."""
    nothing = FilterCounts(VIEW, View.PAGES.value)
    return next((x for x in counts if (x.section, x.value) == (VIEW, View.PAGES)), nothing)
