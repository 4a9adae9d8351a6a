"""Formats numbers, sizes and times for the window, the command line and reports.

Each function writes in a `NumberLocale`: English by default.
"""

from typing import Final, Protocol

_MINUTE: Final = 60
_HOUR: Final = 3_600
_STEP: Final = 1_024
_SECOND_MS: Final = 1_000
_LONG_MS: Final = 100_000
_FEW_SECONDS: Final = 10
MILLION: Final = 1_000_000
"""From here on, counts are shortened where there is little room."""


class NumberLocale(Protocol):
    """How a language or locale writes numbers."""

    @property
    def large_units(self) -> tuple[tuple[int, str], ...]:
        """The units in which large counts are written, the largest first."""
        ...

    def integer(self, value: int) -> str:
        """A whole number, with separators."""
        ...

    def decimal(self, value: float, digits: int) -> str:
        """A number with this many digits after the point."""
        ...

    def data_size(self, size_bytes: int) -> str:
        """A size of 0 or more bytes, in the largest unit that gives at least 1."""
        ...

    def percent(self, number: str) -> str:
        """A percentage."""
        ...

    def milliseconds(self, number: str) -> str:
        """A number of milliseconds, in short."""
        ...

    def seconds(self, number: str) -> str:
        """A number of seconds, in short."""
        ...


class EnglishNumbers:
    """12,345 and 1.5 KiB."""

    large_units = ((MILLION, "M"),)

    def integer(self, value: int) -> str:
        """Digits in groups of three."""
        return f"{value:,}"

    def decimal(self, value: float, digits: int) -> str:
        """Digits in groups of three before the point."""
        return f"{value:,.{digits}f}"

    def data_size(self, size_bytes: int) -> str:
        """In binary units, like Qt."""
        if size_bytes < _STEP:
            return f"{size_bytes:,} bytes"
        amount, *larger = size_bytes / _STEP, "KiB", "MiB", "GiB", "TiB"
        # What would be rounded to 1,024.0 is 1.0 of the next unit.
        while round(amount, 1) >= _STEP and len(larger) > 1:
            amount /= _STEP
            larger.pop(0)
        return f"{amount:,.1f} {larger[0]}"

    def percent(self, number: str) -> str:
        """Without a space."""
        return f"{number}%"

    def milliseconds(self, number: str) -> str:
        """After a space."""
        return f"{number} ms"

    def seconds(self, number: str) -> str:
        """After a space."""
        return f"{number} s"


ENGLISH: Final = EnglishNumbers()


def number(value: int, locale: NumberLocale = ENGLISH) -> str:
    """12345 as "12,345"."""
    return locale.integer(value)


def compact(value: int, locale: NumberLocale = ENGLISH) -> str:
    """A count in full up to "999,999", from there rounded down: "4.6M", in Chinese "460万"."""
    if value < MILLION:
        return locale.integer(value)
    for unit, name in locale.large_units:
        if value >= unit:
            tenths = value * 10 // unit
            if tenths < 1_000:  # noqa: PLR2004 - three digits say enough
                return locale.decimal(tenths / 10, 1) + name
            return locale.integer(tenths // 10) + name
    return locale.integer(value)


def share(part: int, whole: int, locale: NumberLocale = ENGLISH) -> str:
    """A part of a whole in per cent: "4%", "<1%"; never "0%" nor, for less than all, "100%"."""
    percent = min(round(100 * part / whole), 99 if part < whole else 100)
    return locale.percent("<1" if percent == 0 else locale.integer(percent))


def size(size_bytes: int, locale: NumberLocale = ENGLISH) -> str:
    """1536 as "1.5 KiB", 512 as "512 bytes"."""
    return locale.data_size(max(size_bytes, 0))


def milliseconds(elapsed_ms: int, locale: NumberLocale = ENGLISH) -> str:
    """1234 as "1.23 s", 56 as "56 ms", 250000 as "250 s"."""
    if elapsed_ms < _SECOND_MS:
        return locale.milliseconds(locale.integer(elapsed_ms))
    digits = 2 if elapsed_ms < _LONG_MS else 0
    return locale.seconds(locale.decimal(elapsed_ms / _SECOND_MS, digits))


def clock(seconds: float) -> str:
    """42.9 as "0:42", 3725 as "1:02:05"."""
    minutes, second = divmod(max(0, int(seconds)), _MINUTE)
    hours, minute = divmod(minutes, _MINUTE)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def short_duration(seconds: float, locale: NumberLocale = ENGLISH) -> str:
    """3.21 as "3.2 s", from 10 s on as `clock`."""
    if seconds < _FEW_SECONDS:
        return locale.seconds(locale.decimal(max(seconds, 0), 1))
    return clock(seconds)


def long_duration(seconds: float) -> str:
    """3725 as "1 h 2 min", 42 as "42 s"; in English."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE} min"
