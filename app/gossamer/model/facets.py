"""Properties by which the rows of a view can be told apart, and filters made of their values."""

from collections.abc import Collection
from enum import Enum, StrEnum
from typing import Any, Final, get_args

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.fields.link_record import LINK_FIELDS
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.overview_data import TIME_STEPS_MS
from gossamer.model.project_queries import Filter, View

Value = int | str


class Facet(StrEnum):
    """A property; its value names the field of `Filter` for it."""

    VERDICT = "verdicts"
    STATUS_CLASS = "status_classes"
    STATUS = "statuses"
    OUTCOME = "outcomes"
    KIND = "kinds"
    CONTENT_TYPE = "content_types"
    DEPTH = "depths"
    FOLDER = "folder"
    ORIGIN = "origins"
    TIME = "time_ms"
    CHAIN_LENGTH = "chain_lengths"
    """Hops of redirects, to where they lead in the end."""
    CHAIN_TYPE = "chain_types"
    WARNING = "warnings"
    """A URL has any number of them."""
    FOUND_ON = "found_on"
    """By the id of a URL. One is chosen elsewhere: there are too many to choose from a list."""


SINGLE = frozenset({Facet.FOLDER, Facet.TIME, Facet.FOUND_ON})
"""Facets of which a filter has one value at most."""
SEVERAL = frozenset({Facet.WARNING})
"""Facets of which a URL may have more than one value, or none."""


class FacetCount(Struct, frozen=True, array_like=True):
    """How many rows have a value of a facet: the lower bound of a time, the id of a folder.

    `name` is the address of a folder, else "".
    """

    value: Value
    count: int
    name: str = ""


_ALL = Filter()
FACET_FIELDS: Final = {
    Facet(each.field.facet): each for each in (*LINK_FIELDS, *URL_FIELDS) if each.field.facet
}
"""The facets that are the values of one field."""


def as_member(facet: Facet, value: Value) -> Any:  # noqa: ANN401 - a member of any enum
    """A value of a facet as a member of the enum it is of; others as they are."""
    declared = FACET_FIELDS.get(facet)
    if declared is None:
        return value
    (of_type, *_) = get_args(declared.type) or (declared.type,)
    return of_type(value) if issubclass(of_type, Enum) else value


def concerns(facet: Facet, view: View) -> bool:
    """Whether rows of a view can have a value of a facet."""
    if facet is Facet.KIND:
        return view.is_of_links
    if facet in {Facet.CHAIN_LENGTH, Facet.CHAIN_TYPE}:
        return any(outcome.is_redirect for outcome in view.outcomes)
    return True


def within(filter_: Filter, view: View) -> Filter:
    """The filter with no word on what does not concern a view."""
    for facet in Facet:
        if not concerns(facet, view):
            filter_ = without(filter_, facet)
    return filter_


def without(filter_: Filter, facet: Facet) -> Filter:
    """The filter with no word on a facet."""
    return replace(filter_, **{facet.value: getattr(_ALL, facet.value)})


def chosen(filter_: Filter, facet: Facet) -> frozenset[Value]:
    """The values of a facet that the filter lets pass; empty: all."""
    if facet in {Facet.FOLDER, Facet.FOUND_ON}:
        one: int | None = getattr(filter_, facet.value)
        return frozenset() if one is None else frozenset({one})
    if facet is Facet.TIME:
        return frozenset() if filter_.time_ms is None else frozenset({filter_.time_ms[0] or 0})
    values: frozenset[Value] = getattr(filter_, facet.value)
    return values


def choose(filter_: Filter, facet: Facet, values: Collection[Value]) -> Filter:
    """The filter with these values of a facet; one at most of those in SINGLE."""
    if not values:
        return without(filter_, facet)
    if facet in {Facet.FOLDER, Facet.FOUND_ON}:
        (one,) = values
        field_of_one: dict[str, Any] = {facet.value: int(one)}
        return replace(filter_, **field_of_one)
    if facet is Facet.TIME:
        (low,) = values
        return replace(filter_, time_ms=time_step(int(low)))
    members = frozenset(as_member(facet, value) for value in values)
    field: dict[str, Any] = {facet.value: members}
    return replace(filter_, **field)


def time_step(low: int) -> tuple[int, int | None]:
    """The response times that are told together from `low` on; without an end for any other."""
    return low, next((step for step in TIME_STEPS_MS if step > low), None)
