"""Segments: named conditions on URLs, of which the first that holds counts."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.url_conditions import (
    ColumnTest,
    Not,
    UrlCondition,
    parse_condition,
)

MAX_SEGMENTS: Final = 100
_LONGEST_NAME: Final = 60
_OWN_FIELD: Final = "segment"
_COLOUR: Final = lazy_pattern(r"\s+(#[0-9a-fA-F]{6})$")
COLOURS: Final = (
    *("#2563eb", "#16a34a", "#d97706", "#9333ea", "#dc2626"),
    *("#0891b2", "#ca8a04", "#db2777", "#4d7c0f", "#64748b"),
)
"""The colours of segments that name none, in turn."""


class Segment(Struct, frozen=True):
    """A segment by name, with a colour such as "#2563eb"."""

    name: str
    condition: UrlCondition
    colour: str


class SegmentText(Struct, frozen=True):
    """A segment as written in settings: "NAME=CONDITION" or "NAME #rrggbb=CONDITION".

    `colour` is "" if it names none.
    """

    name: str
    condition: str = ""
    colour: str = ""

    @classmethod
    def parse(cls, text: str) -> "SegmentText":
        """The parts of a text, as far as it has them."""
        name, _, condition = text.partition("=")
        name, colour = name.strip(), ""
        if match := _COLOUR.search(name):
            colour, name = match[1].lower(), name[: match.start()].strip()
        return cls(name, condition.strip(), colour)

    def __str__(self) -> str:
        """The text."""
        name = f"{self.name} {self.colour}" if self.colour else self.name
        return f"{name}={self.condition}" if self.condition else name

    def segment(self, colour: str) -> Segment:
        """The segment, of this colour if it names none; UsageError about what is wrong."""
        if not self.condition or not self.name or len(self.name) > _LONGEST_NAME:
            raise UsageError(
                "{text!r} is not a segment; write it as NAME=CONDITION, such as Blog=address "
                "contains /blog/",
                text=str(self)[:100],
            )
        condition = parse_condition(self.condition)
        if _OWN_FIELD in _fields(condition):
            raise UsageError(
                "The condition of segment {name!r} asks for a segment; use other columns.",
                name=self.name,
            )
        return Segment(self.name, condition, self.colour or colour)


def parse_segments(texts: Sequence[str]) -> tuple[Segment, ...]:
    """The segments that these texts define, each as "NAME=CONDITION" or "NAME #rrggbb=CONDITION".

    UsageError with a sentence about the first thing wrong.
    """
    if len(texts) > MAX_SEGMENTS:
        raise UsageError("There are at most {most} segments.", most=MAX_SEGMENTS)
    found = [
        SegmentText.parse(text).segment(usual_colour(place)) for place, text in enumerate(texts)
    ]
    names = [each.name.casefold() for each in found]
    for each in found:
        if names.count(each.name.casefold()) > 1:
            raise UsageError(
                "There are two segments {name!r}; join their conditions with or.", name=each.name
            )
    return tuple(found)


def usual_colour(place: int) -> str:
    """The colour of the segment at this position, from 0, if it names none."""
    return COLOURS[place % len(COLOURS)]


def can_define_segments(each: DeclaredField) -> bool:
    """Whether conditions of segments may test a column."""
    return each.name != _OWN_FIELD


def segment_names(texts: Sequence[str]) -> tuple[str, ...]:
    """The names of segments, as far as the texts have any."""
    return tuple(SegmentText.parse(text).name for text in texts)


def _fields(condition: UrlCondition) -> set[str]:
    """The fields that a condition tests."""
    if isinstance(condition, ColumnTest):
        return {condition.field}
    if isinstance(condition, Not):
        return _fields(condition.part)
    return set[str]().union(*map(_fields, condition.parts))
