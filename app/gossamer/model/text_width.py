"""Measures texts in pixels as a search result shows them."""

from typing import Final
from unicodedata import category, east_asian_width

from gossamer.model.advance_widths import RANGES, UNITS_PER_EM

TITLE_PIXELS: Final = 20
"""The font size of the headline of a search result."""
DESCRIPTION_PIXELS: Final = 14

_AVERAGE: Final = UNITS_PER_EM * 5 // 9
"""Of a character that the font lacks: that of most of its letters."""
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
_ASCII: Final = tuple(map(_WIDTHS.__getitem__, map(chr, range(128))))
"""They lie side by side in memory."""


def pixel_width(text: str, font_pixels: int) -> int:
    """The width of one line of `text` in Arial of this size, without kerning.

    A character of East Asian width is as wide as the font is high.
    """
    widths = (
        map(_ASCII.__getitem__, text.encode()) if text.isascii() else map(_WIDTHS.__getitem__, text)
    )
    return round(sum(widths) * font_pixels / UNITS_PER_EM)
