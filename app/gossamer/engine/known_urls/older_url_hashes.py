"""URLs that were not seen lately, by their hashes: known ones with a number, forgotten ones."""

from array import array
from collections.abc import Iterable
from typing import Final

_FIRST_WORDS: Final = 1 << 16
_MOST_WORDS: Final = 1 << 22
"""Of one part, 32 MiB."""
_TEXTS_PER_WORD: Final = 2


class BloomFilter:
    """A set of texts that takes four bytes for each and may be wrong about one in a thousand.

    What was added is always said to be in it; of other texts, nearly none are. It is a Bloom filter
    in which all bits of a text stand in one word (Putze, Sanders, Singler: "Cache-, Hash- and
    Space-Efficient Bloom Filters", 2007). It grows by parts, each twice as large as the one before,
    because the bits do not tell whose they are.
    """

    def __init__(self) -> None:
        """Nothing is in it."""
        self._parts: list[tuple[array[int], int]] = []
        """Words of 64 bits, and what is left of a hash as the index of one."""
        self._room = 0

    def add(self, texts: Iterable[str]) -> None:
        """Take in `texts`."""
        for text in texts:
            if not self._room:
                self._grow()
            words, mask = self._parts[-1]
            number = hash(text)
            words[number & mask] |= _bits(number)
            self._room -= 1

    def may_have(self, text: str) -> bool:
        """False if `text` was certainly never added."""
        number = hash(text)
        bits = _bits(number)
        for words, mask in self._parts:  # noqa: SIM110 - with `any` it takes three times as long
            if words[number & mask] & bits == bits:
                return True
        return False

    def _grow(self) -> None:
        size = min(2 * len(self._parts[-1][0]), _MOST_WORDS) if self._parts else _FIRST_WORDS
        self._parts.append((array("Q", bytes(8 * size)), size - 1))
        self._room = size * _TEXTS_PER_WORD


def _bits(number: int) -> int:
    """Three bits of a word, by those of a hash that no index is made of."""
    return 1 << (number >> 46 & 63) | 1 << (number >> 52 & 63) | 1 << (number >> 58 & 63)


_PARTS: Final = 256
_PART_BITS: Final = 8
MOST_PLACES = 1 << 14
"""Of one part: 64 MiB in all."""


class SeenHashes:
    """A URL → a number of 64 bits, in 24 to 48 bytes for each URL, for up to 2.7 million.

    A URL is told by its hash alone, 64 bits with a key that each process makes for itself: that two
    among three million have the same one happens once in four million crawls. They stand in parts
    that grow on their own, so that nobody waits for all of them to be put elsewhere; in a part they
    are looked for from the place that the hash names onwards (linear probing).
    """

    def __init__(self, most_places: int = MOST_PLACES) -> None:
        """Take how many places a part may have."""
        self._most_places = most_places
        self._hashes = [array("q", [0]) for _ in range(_PARTS)]
        self._numbers = [array("Q", [0]) for _ in range(_PARTS)]
        self._room = [0] * _PARTS

    def get(self, url: str) -> int | None:
        """The number of `url`; None if there is none."""
        told = hash(url) or 1  # 0 stands where nothing is
        hashes = self._hashes[told & 255]
        last = len(hashes) - 1
        place = told >> _PART_BITS & last
        while found := hashes[place]:
            if found == told:
                return self._numbers[told & 255][place]
            place = place + 1 & last
        return None

    def put(self, url: str, number: int) -> bool:
        """Remember the number of `url`; False if there is no room for another URL."""
        told = hash(url) or 1
        part = told & 255
        if self._room[part] <= 0 and not self._grown(part) and self.get(url) is None:
            return False
        self._put(part, told, number)
        return True

    def _put(self, part: int, told: int, number: int) -> None:
        hashes = self._hashes[part]
        last = len(hashes) - 1
        place = told >> _PART_BITS & last
        while (found := hashes[place]) and found != told:
            place = place + 1 & last
        if not found:
            hashes[place] = told
            self._room[part] -= 1
        self._numbers[part][place] = number

    def _grown(self, part: int) -> bool:
        """Give a part twice as many places, unless it has all it may have."""
        hashes, numbers = self._hashes[part], self._numbers[part]
        places = 2 * len(hashes)
        if places > self._most_places:
            return False
        self._hashes[part] = array("q", bytes(8 * places))
        self._numbers[part] = array("Q", bytes(8 * places))
        self._room[part] = _filled(places)
        for told, number in zip(hashes, numbers, strict=True):
            if told:
                self._put(part, told, number)
        return True


def _filled(places: int) -> int:
    """So many places may be taken; with more, too many are neighbours. One is always free."""
    return 2 * places // 3
