"""Dates as cookies have them: RFC 6265 §5.1.1, which takes a lot of spellings."""

import re
from datetime import UTC, datetime
from typing import Final

_DELIMITERS = re.compile(r"[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?")
_DAY = re.compile(r"([0-9]{1,2})(?:[^0-9].*)?")
_YEAR = re.compile(r"([0-9]{2,4})(?:[^0-9].*)?")
_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_NINETEEN: Final = 70
_CENTURY: Final = 100
_FIRST_YEAR: Final = 1601


def cookie_date(text: str) -> float | None:
    """Unix time; None where it is no date."""
    time: tuple[int, int, int] | None = None
    day = month = year = None
    for token in _DELIMITERS.split(text):
        if time is None and (found := _TIME.fullmatch(token)):
            time = (int(found[1]), int(found[2]), int(found[3]))
        elif day is None and (found := _DAY.fullmatch(token)):
            day = int(found[1])
        elif month is None and token[:3].lower() in _MONTHS:
            month = _MONTHS.index(token[:3].lower()) + 1
        elif year is None and (found := _YEAR.fullmatch(token)):
            year = _with_century(int(found[1]))
    if time is None or day is None or month is None or year is None or year < _FIRST_YEAR:
        return None
    try:
        return datetime(year, month, day, time[0], time[1], time[2], tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _with_century(year: int) -> int:
    if _NINETEEN <= year < _CENTURY:
        return year + 1900
    return year + 2000 if year < _NINETEEN else year
