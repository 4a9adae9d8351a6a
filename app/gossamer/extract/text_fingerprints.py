"""What a page says, in a few numbers that tell whether it was said before.

A phrase is five words in a row. Of all that a page says outside of its links, those phrases are
kept whose hashes are lowest: pages that share text share them (Broder: "On the Resemblance and
Containment of Documents", 1997). Digits, and words of the page's own address, do not count: that is
what pages made up by a machine differ in.
"""

import re
from collections.abc import Iterable
from heapq import nsmallest
from typing import Final

MAX_PHRASES: Final = 16
PHRASE_WORDS: Final = 5
"""Words of a phrase. Of three, a thousand pages in plain words have said most already."""
MAX_WORDS: Final = 5_000
"""Words of a page that are looked at."""
_MAX_OWN_WORDS: Final = 64
"""Of a page's address."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_PIECE: Final = 8
"""Bytes of a word that are mixed at a time."""
_OLDER_BITS: Final = 13
"""By so many a number of 64 bits is shifted for each word more: five words are what it can hold."""
_MIXER: Final = 0x9E3779B97F4A7C15
_64_BITS: Final = 2**64 - 1


def phrases_in(texts: Iterable[str], address: bytes = b"") -> list[int]:
    """The lowest hashes of phrases in `texts`, rising, each once; none goes beyond one text.

    `address` is that of the page, percent-decoded: its words do not count. A text of fewer
    than five words is a phrase.
    """
    own = set(_words(address)[:_MAX_OWN_WORDS])
    left = MAX_WORDS
    phrases: set[int] = set()
    for text in texts:
        words = _words(text.encode())[:left]
        left -= len(words)
        phrases.update(_phrases([word for word in words if word not in own]))
        if not left:
            break
    return lowest(phrases)


def lowest(phrases: Iterable[int]) -> list[int]:
    """Those that are kept."""
    return nsmallest(MAX_PHRASES, set(phrases))


def _words(data: bytes) -> list[int]:
    return [_number_of(word.lower()) for word in _WORD.findall(data)]


def _number_of(word: bytes) -> int:
    number = 0
    for at in range(0, len(word), _PIECE):
        number = _mix(number ^ int.from_bytes(word[at : at + _PIECE], "little"))
    return number


def _phrases(words: list[int]) -> Iterable[int]:
    """Those of the words of one text."""
    last = 0
    for count, word in enumerate(words, 1):
        last = last << _OLDER_BITS & _64_BITS ^ word
        if count >= PHRASE_WORDS or count == len(words):
            yield _mix(last ^ last >> 32) >> 32


def _mix(number: int) -> int:
    number = number * _MIXER & _64_BITS
    return number ^ number >> 32
