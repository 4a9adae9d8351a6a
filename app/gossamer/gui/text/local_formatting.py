"""Formats numbers, sizes, times and text for display in the user's locale.

Everything from the web goes through `clean` before a view gets it: views draw one line, guess rich
text, obey bidirectional control characters and slow down on megabytes of title.
"""

import html
import re
from datetime import date, datetime
from functools import cache, lru_cache
from textwrap import wrap
from typing import Final, Protocol

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale

from gossamer.model import number_format
from gossamer.model.number_format import ENGLISH

MAX_CHARS: Final = 1_000
"""A cell never shows more than this; a paint of a 1 MB title takes a third of a second."""

_INT64: Final = 2**63
_TOOLTIP_COLUMNS: Final = 100
_LARGE_UNITS: Final = {QLocale.Language.Chinese: ((10**8, "亿"), (10**4, "万"))}
"""The units of large counts, in languages without millions."""
_ROOMS: Final = ("00", "0,000", "000,000", "0,000,000", "000,000,000")
_LEAST_PERCENT: Final = 0.1
_BLANK: Final = str.maketrans({"0": "\u2007", ",": "\u2008"})
"""A space as wide as a digit, and one as wide as a comma."""

# Marks, embeddings, overrides and isolates: a text may not reorder its surroundings.
_BIDI: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SPACE: Final = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]+")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufff9-\ufffb\ufeff]")


class _Translate(Protocol):
    def __call__(self, text: str, count: int = ..., /) -> str: ...


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark `text` for translation in `context`, under the name that Qt's tools look for."""
    del context
    return text


def translator(context: str) -> _Translate:
    """The function that translates the texts of a module, in this context; modules call it `_tr`.

    A count of things goes with the text: `_tr("%Ln page(s)", n)`.
    """

    def translate(text: str, count: int = -1) -> str:
        return QCoreApplication.translate(context, text, "", count)

    return translate


def clean(text: str, limit: int = MAX_CHARS) -> str:
    """`text` as one line that is harmless in a view, at most `limit` characters.

    Line ends become spaces, bidirectional controls vanish, other controls and lone surrogates
    become U+FFFD. A text that was cut ends with an ellipsis.
    """
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isprintable():
        return text
    return _CONTROL.sub("\ufffd", _SPACE.sub(" ", _BIDI.sub("", text)))


def number(value: int) -> str:
    """A whole number with the locale's group separators."""
    return number_format.number(value, _LOCALE)


def decimal(value: float, digits: int = 1) -> str:
    """41.25 as "41.2", with `digits` after the point."""
    return _LOCALE.decimal(value, digits)


def fraction(value: float) -> str:
    """41.25 as "41.2", and less than 1 more precisely: "0.021"."""
    return decimal(value, 1 if abs(value) >= 1 or value == 0 else 3)


def percent(value: float) -> str:
    """93 as "93%", 41.25 as "41.2%"; nearly nothing as "<0.1%"."""
    if 0 < value < _LEAST_PERCENT / 2:
        return f"<{percent(_LEAST_PERCENT)}"
    return _LOCALE.percent(_LOCALE.decimal(float(value), 0 if value == int(value) else 1))


def pixels(value: int) -> str:
    """A width such as "561 px"."""
    return _tr("{n} px").format(n=number(value))


def compact(value: int) -> str:
    """A count in full up to "999,999", from there rounded down: "4.6M", in Chinese "460万"."""
    return number_format.compact(value, _LOCALE)


def with_count(name: str, count: str) -> str:
    """A name and its count, with a constant width while a count of few digits grows."""
    room = next((room for room in _ROOMS if len(room) >= len(count)), count)
    return f"{name}  {count}{room[: len(room) - len(count)].translate(_BLANK)}"


def share(part: int, whole: int) -> str:
    """A part of a whole in per cent: "4%", "<1%"; never "0%" nor, for less than all, "100%"."""
    return number_format.share(part, whole, _LOCALE)


def size(size_bytes: int) -> str:
    """A size for people: "512 bytes", "36.2 KiB"."""
    return number_format.size(size_bytes, _LOCALE)


def duration(elapsed_ms: int) -> str:
    """A time span: "87 ms", "1.24 s", "250 s"."""
    return number_format.milliseconds(elapsed_ms, _LOCALE)


def moment(unix_s: float) -> str:
    """A point in time, local, in the locale's short format."""
    when = QDateTime.fromMSecsSinceEpoch(int(unix_s * 1_000))
    return _locale().toString(when, QLocale.FormatType.ShortFormat)


def exact_moment(unix_s: float) -> str:
    """A point in time, local, to the second."""
    when = QDateTime.fromMSecsSinceEpoch(int(unix_s * 1_000))
    return f"{day(unix_s)} {when.toString('HH:mm:ss')}"


def day(unix_s: float) -> str:
    """A date, local, in the locale's short format."""
    when = QDateTime.fromMSecsSinceEpoch(int(unix_s * 1_000))
    return _locale().toString(when.date(), QLocale.FormatType.ShortFormat)


def date_words(date_: date) -> str:
    """A date in the locale's short format."""
    return _locale().toString(
        QDate(date_.year, date_.month, date_.day), QLocale.FormatType.ShortFormat
    )


def iso_moment(text: str) -> str:
    """As `moment`, for a time in ISO 8601; anything else is unchanged."""
    try:
        return moment(datetime.fromisoformat(text).timestamp())
    except (ValueError, OverflowError):
        return clean(text)


def tooltip(*lines: str | None) -> str:
    """Lines of plain text as the rich text of a tooltip: escaped, and broken where too long."""
    rows = [row for line in lines if line for row in _broken(line)]
    return f"<p style='white-space:pre'>{'<br>'.join(rows)}</p>" if rows else ""


@lru_cache(maxsize=1024)
def _broken(line: str) -> list[str]:
    """Its parts, escaped. Cached, as each window shows the same for hundreds of rules."""
    return [*map(html.escape, wrap(clean(line), _TOOLTIP_COLUMNS, break_on_hyphens=False))]


class _QtNumbers:
    """Numbers in the current locale; a `NumberLocale`."""

    @property
    def large_units(self) -> tuple[tuple[int, str], ...]:
        return _LARGE_UNITS.get(_locale().language(), ENGLISH.large_units)

    def integer(self, value: int) -> str:
        # Qt's integers have 64 bits; larger ones are plain digits.
        return _locale().toString(value) if -_INT64 <= value < _INT64 else str(value)

    def decimal(self, value: float, digits: int) -> str:
        return _locale().toString(value, "f", digits)

    def data_size(self, size_bytes: int) -> str:
        return _locale().formattedDataSize(min(size_bytes, _INT64 - 1), 1)

    def percent(self, number: str) -> str:
        return _tr("{n}%").format(n=number)

    def milliseconds(self, number: str) -> str:
        return _tr("{n} ms").format(n=number)

    def seconds(self, number: str) -> str:
        return _tr("{n} s").format(n=number)


def use_locale(locale: QLocale) -> None:
    """Write numbers and dates, Qt's own too, as people do there, from now on."""
    QLocale.setDefault(locale)
    _locale.cache_clear()


@cache
def _locale() -> QLocale:
    """The current locale. The C locale, which groups no digits, is for programs."""
    locale = QLocale()
    return QLocale(QLocale.Language.English) if locale.language() is QLocale.Language.C else locale


_tr = translator("Display")
_LOCALE: Final = _QtNumbers()
