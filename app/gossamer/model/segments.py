"""Segments: named conditions on URLs, of which the first that holds counts."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.url_conditions import UrlCondition, parse_condition

MAX_SEGMENTS: Final = 100
_LONGEST_NAME: Final = 60
_COLOUR: Final = re.compile(r"\s+(#[0-9a-fA-F]{6})$")
COLOURS: Final = (
    *("#2563eb", "#16a34a", "#d97706", "#9333ea", "#dc2626"),
    *("#0891b2", "#ca8a04", "#db2777", "#4d7c0f", "#64748b"),
)
"""Those of segments that name none, in turn."""


class Segment(Struct, frozen=True):
    """A segment by name, with a colour such as "#2563eb"."""

    name: str
    condition: UrlCondition
    colour: str


def parse_segments(texts: Sequence[str]) -> tuple[Segment, ...]:
    """The segments that these texts define, each as "NAME=CONDITION" or "NAME #rrggbb=CONDITION".

    UsageError with a sentence about the first thing wrong.
    """
    if len(texts) > MAX_SEGMENTS:
        raise UsageError("There are at most {most} segments.", most=MAX_SEGMENTS)
    found = [_parse(text, COLOURS[place % len(COLOURS)]) for place, text in enumerate(texts)]
    names = [each.name.casefold() for each in found]
    for each in found:
        if names.count(each.name.casefold()) > 1:
            raise UsageError(
                "There are two segments {name!r}; join their conditions with or.", name=each.name
            )
    return tuple(found)


def segment_names(texts: Sequence[str]) -> tuple[str, ...]:
    """The names of segments, as far as the texts have any."""
    return tuple(_COLOUR.sub("", text.partition("=")[0].strip()) for text in texts)


def _parse(text: str, colour: str) -> Segment:
    name, equals, condition = text.partition("=")
    name = name.strip()
    if match := _COLOUR.search(name):
        colour, name = match[1].lower(), name[: match.start()].strip()
    if not equals or not name or len(name) > _LONGEST_NAME:
        raise UsageError(
            "{text!r} is no segment; write it as NAME=CONDITION, such as Blog=address contains"
            " /blog/",
            text=text[:100],
        )
    return Segment(name, parse_condition(condition), colour)
