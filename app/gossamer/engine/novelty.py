"""Whether a page says anything that was not said before in this crawl."""

from collections.abc import Collection

_SLOTS = 1 << 21
_ROOM = _SLOTS // 16
"""Phrases until the memory is half forgotten: so few that hardly two share a slot by chance."""
_FRESH_SHARE = 8
"""Of what a page says, one part in so many has to be new."""


class Novelty:
    """Remembers phrases of the latest pages, some 16,000 of them, in 4 MB."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self._young = bytearray(_SLOTS)
        self._old = bytearray(_SLOTS)
        self._kept = 0

    def is_new(self, phrases: Collection[int]) -> bool:
        """Whether enough of `phrases`, 32 bits each, is new; from now on none of them is."""
        young, old = self._young, self._old
        slots = [phrase % _SLOTS for phrase in phrases]
        fresh = [slot for slot in slots if not (young[slot] or old[slot])]
        for slot in slots:
            young[slot] = 1
        self._kept += len(fresh)
        if self._kept >= _ROOM:
            self._young, self._old = bytearray(_SLOTS), young
            self._kept = 0
        return len(fresh) * _FRESH_SHARE >= max(len(slots), 1)
