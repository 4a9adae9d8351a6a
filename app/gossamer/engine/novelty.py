"""Whether a page says anything that was not said before in this crawl."""

from collections.abc import Collection

_SLOTS = 1 << 21
_ROOM = _SLOTS // 16
"""Phrases until the memory is half forgotten: so few that hardly two share a slot by chance."""
_FRESH_SHARE = 8
"""Of what a page says, one part in so many has to be new."""
_OLD, _YOUNG = 1, 2
_AGED = bytes([0, 0, _OLD]).ljust(256, b"\0")
"""What becomes of a slot when half is forgotten."""


class Novelty:
    """Remembers phrases of the latest pages, some 16,000 of them, in 2 MB."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._said = bytearray(_SLOTS)
        self._kept = 0

    def is_new(self, phrases: Collection[int]) -> bool:
        """Whether enough of `phrases`, 32 bits each, is new; from now on none of them is."""
        said, fresh = self._said, 0
        for phrase in phrases:
            slot = phrase % _SLOTS
            if not said[slot]:
                fresh += 1
            said[slot] = _YOUNG
        self._kept += fresh
        if self._kept >= _ROOM:
            self._said = said.translate(_AGED)
            self._kept = 0
        return fresh * _FRESH_SHARE >= max(len(phrases), 1)
