"""Table columns that an audit rule adds, and by which rows can be sorted."""

from enum import StrEnum
from typing import Final

_PREFIX: Final = "issue"
_PART: Final = "part:"
_HEADER: Final = "header:"


class IssueMeasure(StrEnum):
    """The properties of a value measured by a rule that can be sorted by."""

    VALUE = "value"
    """The value itself, a number."""
    ADDRESS = "address"
    """The address of the URL whose id the value is."""
    STATUS = "status"
    """The status code of that URL."""
    REASON = "reason"
    """Why that URL may not be indexed."""


def issue_column(rule: int, measure: IssueMeasure) -> str:
    """The column of a measure of a rule."""
    return f"{_PREFIX}:{rule}:{measure}"


def issue_column_of(column: str) -> tuple[int, IssueMeasure] | None:
    """The rule and its measure; None for any other column."""
    match column.split(":"):
        case [kind, digits, measure] if kind == _PREFIX and digits.isdecimal():
            return (int(digits), IssueMeasure(measure)) if measure in _MEASURES else None
    return None


def part_column(part: str) -> str:
    """The column with a part of the address."""
    return f"{_PART}{part}"


def part_of(column: str) -> str | None:
    """The part of the address that a column has; None for any other column."""
    return column.removeprefix(_PART) if column.startswith(_PART) else None


def header_column(header: str) -> str:
    """The column with the value of a response header."""
    return f"{_HEADER}{header}"


def header_of(column: str) -> str | None:
    """The header that a column has; None for any other column."""
    return column.removeprefix(_HEADER) if column.startswith(_HEADER) else None


_MEASURES: Final = frozenset(map(str, IssueMeasure))
