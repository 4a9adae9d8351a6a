"""Columns of tables that a rule of the audit adds, and by which rows can be sorted."""

from enum import StrEnum
from typing import Final

_PREFIX: Final = "issue"


class IssueMeasure(StrEnum):
    """What can be sorted by of the value that a rule measured of a URL."""

    VALUE = "value"
    """The value itself, a number."""
    ADDRESS = "address"
    """The address of the URL whose id the value is."""
    STATUS = "status"
    """The status code of that URL."""


def issue_column(rule: int, measure: IssueMeasure) -> str:
    """The column with what a rule measured."""
    return f"{_PREFIX}:{rule}:{measure}"


def issue_column_of(column: str) -> tuple[int, IssueMeasure] | None:
    """The rule and what it measured; None for any other column."""
    match column.split(":"):
        case [kind, digits, measure] if kind == _PREFIX and digits.isdecimal():
            return (int(digits), IssueMeasure(measure)) if measure in _MEASURES else None
    return None


_MEASURES: Final = frozenset(map(str, IssueMeasure))
