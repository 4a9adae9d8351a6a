"""Facets: properties to filter the rows of a view by, and the filters made from them.

A field is a facet once its declaration names one. Facets without a field are declared here.
"""

from collections.abc import Collection
from enum import Enum
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.content_types import ContentKind
from gossamer.model.custom_definitions import outcome_and_number
from gossamer.model.fields.field_declaration import LARGEST
from gossamer.model.fields.link_record import LINK_FIELDS
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.overview_data import TIME_STEPS_MS
from gossamer.model.project_queries import Facet, Filter, Value, View, facet_values
from gossamer.model.response_warnings import Warnings

STATUS_CLASS: Final = "status_class"
"""2 for 2xx and so on, NO_RESPONSE for none."""
CONTENT_KIND: Final = "content_kind"
"""Kinds of content types, see `ContentKind`."""
FOLDER: Final = "folder"
ORIGIN: Final = "origin"
"""Like "https://example.com"."""
TIME: Final = "time"
"""Response times, in steps."""
ISSUE: Final = "issue"
"""The numbers of audit rules that hold for a URL, which may be several."""
IGNORED: Final = "ignored"
"""The numbers of audit rules that hold for a URL, but are ignored there."""
OF_RULES: Final = frozenset({ISSUE, IGNORED})
"""Facets whose values are the numbers of audit rules."""
SEGMENT: Final = "segment"
"""The names of segments, "" for URLs in none."""
CUSTOM: Final = "custom"
"""The outcomes of custom searches and extractions on a page: see `CustomOutcome.facet_value`."""
FOUND_ON: Final = "found_on"
"""The id of a URL. It is chosen elsewhere: there are too many to choose from a list."""

FACET_FIELDS: Final = {
    each.field.facet: each for each in (*LINK_FIELDS, *URL_FIELDS) if each.field.facet
}
"""The facets that are the values of one field."""
_FIRST: Final = (
    *("verdict", STATUS_CLASS, "status", "outcome", "kind", CONTENT_KIND, "content_type", "depth"),
)
FACETS: Final[tuple[Facet, ...]] = tuple(
    dict.fromkeys((*_FIRST, FOLDER, ORIGIN, TIME, *FACET_FIELDS, ISSUE, IGNORED, CUSTOM, FOUND_ON))
)
"""All facets, in the order in which menus offer them."""
SINGLE: Final = frozenset({FOLDER, TIME, FOUND_ON})
"""Facets of which a filter has at most one value."""
SEVERAL: Final = frozenset(name for name, each in FACET_FIELDS.items() if each.type == Warnings)
"""Facets of which a URL may have more than one value, or none."""
OF_LINKS: Final = frozenset(each.field.facet for each in LINK_FIELDS if each.field.facet)
"""Facets of links themselves, not of their targets."""
_OF_REDIRECTS: Final = frozenset({"chain_length", "chain_type"})


class FacetCount(Struct, frozen=True, array_like=True):
    """How many rows have a value of a facet: the lower bound of a time, the id of a folder.

    `name` is the address of a folder, else "".
    """

    value: Value
    count: int
    name: str = ""


def as_member(facet: Facet, value: Value) -> Any:  # noqa: ANN401 - a member of any enum
    """A value of a facet as a member of its enum; others as they are."""
    of_type = type_of_value(facet)
    return of_type(value) if issubclass(of_type, Enum) else value


def is_value(facet: Facet, value: Value) -> bool:
    """Whether a facet may have a value, wherever that comes from; folders and times have none."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return False
    declared = FACET_FIELDS.get(facet)
    if declared is not None and value == declared.field.unknown:
        return True
    try:
        if facet == CUSTOM:
            outcome_and_number(str(value))
        as_member(facet, value)
    except ValueError:
        return False
    return isinstance(value, int) is issubclass(type_of_value(facet), int)


def type_of_value(facet: Facet) -> Any:  # noqa: ANN401 - any enum, int or str
    """The type of a single value of a facet."""
    declared = FACET_FIELDS.get(facet)
    if declared is None:
        return _TYPES.get(facet, int)
    return (*get_args(declared.type), declared.type)[0]


_TYPES: Final[dict[Facet, type]] = {CONTENT_KIND: ContentKind, ORIGIN: str, CUSTOM: str}
"""Of facets without a field whose values are no numbers."""


def concerns(facet: Facet, view: View) -> bool:
    """Whether rows of a view can have a value of a facet."""
    if facet in OF_LINKS:
        return view.is_of_links
    if facet == CUSTOM:
        return not view.is_of_links
    if facet in _OF_REDIRECTS:
        return any(outcome.is_redirect for outcome in view.outcomes)
    return True


def within(filter_: Filter, view: View) -> Filter:
    """The filter without what does not concern a view."""
    kept = tuple(each for each in filter_.facets if concerns(each[0], view))
    return filter_ if kept == filter_.facets else replace(filter_, facets=kept)


def without(filter_: Filter, facet: Facet) -> Filter:
    """The filter without a facet."""
    return choose(filter_, facet, ())


def chosen(filter_: Filter, facet: Facet) -> frozenset[Value]:
    """The values of a facet that the filter lets pass; empty: all."""
    if facet not in SINGLE:
        return filter_.values(facet)
    if facet == TIME:
        return frozenset() if filter_.time_ms is None else frozenset({filter_.time_ms[0] or 0})
    one: int | None = getattr(filter_, facet)
    return frozenset() if one is None else frozenset({one})


def choose(filter_: Filter, facet: Facet, values: Collection[Value]) -> Filter:
    """The filter with these values of a facet; at most one of those in SINGLE."""
    if facet not in SINGLE:
        facets = dict(filter_.facets) | {facet: frozenset(values)}
        return replace(filter_, facets=facet_values(**facets))
    one = next((int(value) for value in values), None)
    if facet == TIME:
        return replace(filter_, time_ms=None if one is None else time_step(one))
    changed: dict[str, Any] = {facet: one}
    return replace(filter_, **changed)


def time_step(low: int) -> tuple[int, int | None]:
    """The response times that form one step from `low` on; without an end for any other."""
    return low, next((step for step in TIME_STEPS_MS if step > low), None)
