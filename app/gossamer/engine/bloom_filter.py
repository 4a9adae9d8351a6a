"""What a bounded memory has forgotten, told from what it never had."""

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
