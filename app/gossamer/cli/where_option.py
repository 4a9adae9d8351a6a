"""`--where FACET=VALUE`: the facets of the window's tables, as filters of an export."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from gossamer.cli.english_text import listed
from gossamer.model.errors import UsageError
from gossamer.model.facets import Facet, Value, choose
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import NO_ANSWER, Filter
from gossamer.model.redirect_types import ChainType
from gossamer.model.response_warnings import ResponseWarning


def filter_of(texts: Sequence[str]) -> Filter:
    """The filter that FACET=VALUE options make: values of one facet add up, facets narrow.

    UsageError with one sentence for a facet or value that there is not.
    """
    values: dict[Facet, list[Value]] = defaultdict(list)
    for text in texts:
        name, equals, value = text.partition("=")
        facet = _FACETS.get(name.strip().lower())
        if facet is None or not equals:
            known = listed(list(_FACETS), "or")
            raise UsageError(f"{text!r} is not FACET=VALUE; the facets are {known}.")
        values[facet].append(_value(facet, name, value.strip()))
    filter_ = Filter()
    for facet, chosen in values.items():
        filter_ = choose(filter_, facet, chosen)
    return filter_


def _value(facet: Facet, name: str, text: str) -> Value:
    try:
        return _READERS[facet](text)
    except (ValueError, KeyError):
        raise UsageError(f"{name} cannot be {text!r}; {_EXAMPLES[facet]}.") from None


def _status_class(text: str) -> int:
    if text.lower() == "none":
        return NO_ANSWER
    if not re.fullmatch("[1-9](xx)?", text.lower()):
        raise ValueError(text)
    return int(text[0])


def _depth(text: str) -> int:
    return UNREACHED if text.lower() == "none" else int(text)


def _member(kind: type[IntEnum]) -> Callable[[str], IntEnum]:
    return lambda text: kind[text.upper().replace("-", "_")]


_READERS: Final[dict[Facet, Callable[[str], Value]]] = {
    Facet.VERDICT: Verdict,
    Facet.STATUS: int,
    Facet.STATUS_CLASS: _status_class,
    Facet.OUTCOME: _member(Outcome),
    Facet.KIND: _member(LinkKind),
    Facet.CONTENT_TYPE: str,
    Facet.DEPTH: _depth,
    Facet.ORIGIN: str,
    Facet.CHAIN_LENGTH: int,
    Facet.CHAIN_TYPE: ChainType,
    Facet.WARNING: ResponseWarning,
}
_EXAMPLES: Final = {
    Facet.VERDICT: f"it is {listed([verdict.value for verdict in Verdict], 'or')}",
    Facet.STATUS: "write a status code such as 404",
    Facet.STATUS_CLASS: "write a class such as 4xx, or none",
    Facet.OUTCOME: "write an outcome as 'gossamer info --json' names it, such as client_error",
    Facet.KIND: f"it is {listed([kind.name.lower() for kind in LinkKind], 'or')}",
    Facet.DEPTH: "write a number of clicks, or none",
    Facet.CHAIN_LENGTH: "write a number of redirects",
    Facet.CHAIN_TYPE: f"it is {listed([kind.value for kind in ChainType], 'or')}",
    Facet.WARNING: f"it is {listed([warning.value for warning in ResponseWarning], 'or')}",
}
_FACETS: Final = {facet.name.lower().replace("_", "-"): facet for facet in _READERS}
FACETS: Final = tuple(_FACETS)
"""The names of the facets that can be given."""
