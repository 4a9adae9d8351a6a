"""Measures the width of texts in pixels as a search result shows them."""

from typing import Final
from unicodedata import category, east_asian_width

from gossamer.model.advance_widths import RANGES, UNITS_PER_EM

TITLE_PIXELS: Final = 20
"""The font size of the headline of a search result."""
DESCRIPTION_PIXELS: Final = 14

_AVERAGE: Final = UNITS_PER_EM * 5 // 9
"""For a character that the font lacks: the width of most of its letters."""
_MAX_REMEMBERED: Final = 20_000
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf"})


class _Widths(dict[str, int]):
    """Advance widths by character, remembered for characters that the font lacks."""

    def __missing__(self, character: str) -> int:
        if east_asian_width(character) in "WF":
            width = UNITS_PER_EM
        else:
            width = 0 if category(character) in _WITHOUT_WIDTH else _AVERAGE
        if len(self) < _MAX_REMEMBERED:
            self[character] = width
        return width


def _of_font() -> _Widths:
    widths = _Widths()
    for width, ranges in RANGES.items():
        for span in ranges.split():
            first, _, last = span.partition("-")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                widths[chr(code)] = width
    return widths


_WIDTHS: Final = _of_font()
_HIGH_BYTES: Final = bytes(_WIDTHS[chr(code)] >> 8 for code in range(128)).ljust(256)
_LOW_BYTES: Final = bytes(_WIDTHS[chr(code)] & 0xFF for code in range(128)).ljust(256)
"""The widths of ASCII in two tables: to translate and add up a text without a Python loop."""


def pixel_width(text: str, font_pixels: int) -> int:
    """The width of one line of `text` in Arial of this size, without kerning.

    A character of East Asian width is as wide as the font is high.
    """
    if text.isascii():
        codes = text.encode()
        width = (sum(codes.translate(_HIGH_BYTES)) << 8) + sum(codes.translate(_LOW_BYTES))
    else:
        width = sum(map(_WIDTHS.__getitem__, text))
    return round(width * font_pixels / UNITS_PER_EM)
