"""Notices which features of the browser a page's scripts name that rendering must give time.

Those are scrolling, observers of elements, workers and storages.
"""

import re
from typing import Final

from msgspec import Struct

_OBSERVER: Final = b"IntersectionObserver"
_OUTSIDE_VIRTUAL_TIME: Final = (b"indexedDB", b"caches.", b"storage.getDirectory", b"Worker(")
_SCROLL: Final = b"scroll"
_BEFORE, _AFTER = 40, 24
_MOST_LOOKS: Final = 1_000
_LISTENER: Final = re.compile(
    rb"""(?:addEventListener|\.on|\.bind)\(\s*["'`][\w. ]*\bscroll\b|\bonscroll\b"""
    rb"""|\.scroll\(\s*(?:function|\(\)|\w+\s*=>)"""
)
"""Listeners to the event, as the standard, jQuery and attributes have them."""


class UsedBrowserFeatures(Struct):
    """What a page names, as far as it has loaded."""

    has_observer: bool = False
    """It reacts to elements that scroll into view."""
    listens_to_scrolling: bool = False
    works_in_real_time: bool = False
    """It uses what virtual time does not wait for: workers, and storages that another process of
    the browser keeps."""

    def look_for(self, source: bytes) -> None:
        """Add what a document or script names."""
        self.has_observer = self.has_observer or _OBSERVER in source
        self.listens_to_scrolling = self.listens_to_scrolling or _listens_to_scrolling(source)
        self.works_in_real_time = self.works_in_real_time or any(
            each in source for each in _OUTSIDE_VIRTUAL_TIME
        )


def _listens_to_scrolling(source: bytes) -> bool:
    """Look around the word alone: a search through all of a script takes a hundred times longer."""
    at = source.find(_SCROLL)
    for _ in range(_MOST_LOOKS):
        if at < 0:
            return False
        if _LISTENER.search(source, max(0, at - _BEFORE), at + _AFTER):
            return True
        at = source.find(_SCROLL, at + len(_SCROLL))
    return False
