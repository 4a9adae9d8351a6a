"""How addresses are cut where there is no room for the whole: their end tells them apart."""

import re
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

_WORDS_FIRST: Final = re.compile(r"(?!https?:)([^/\s→][^/→]*) ((?:https?:/)?/\S*)")
_ORIGIN: Final = re.compile(r"https?://([^/\s]+)")
_LEAST: Final = 6
"""So many average characters of words and of a path are seen, or the host is cut as well."""


def without_origin(address: str, home: str) -> str:
    """`address`, without the origin `home`, which the window names once for all rows."""
    if home and address.startswith(f"{home}/"):
        return address[len(home) :]
    return address


def cut(text: str, metrics: QFontMetrics, width: int) -> str:
    """`text` in at most `width` pixels: the end of a path, after its host if it has one.

    Words before an address ("Invalid certificate https://a.example/") give way to it. What is no
    address is cut in the middle.
    """
    if metrics.horizontalAdvance(text) <= width:
        return text
    if both := _WORDS_FIRST.fullmatch(text):
        words, address = both.groups()
        room = width - metrics.horizontalAdvance(f" {address}")
        least = metrics.averageCharWidth() * _LEAST
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(room, least))
        room = width - metrics.horizontalAdvance(f"{words} ")
        return f"{words} {cut(address, metrics, room)}"
    if site := _ORIGIN.fullmatch(text):
        # The host says more than the scheme.
        return metrics.elidedText(site[1], Qt.TextElideMode.ElideLeft, width)
    if text.startswith("/"):
        return metrics.elidedText(text, Qt.TextElideMode.ElideLeft, width)
    scheme, found, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    if found and slash:
        head = f"{scheme}://{host}/"
        left = width - metrics.horizontalAdvance(head)
        if left >= _LEAST * metrics.averageCharWidth():
            return head + metrics.elidedText(path, Qt.TextElideMode.ElideLeft, left)
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
