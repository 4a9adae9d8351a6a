"""Hashes the phrases of a page to detect repeated text.

A phrase is five words in a row. Of a page's text outside of its links, the phrases with the lowest
hashes are kept: pages that share text share them (Broder: "On the Resemblance and Containment of
Documents", 1997). Digits, and words of the page's own address, do not count: machine-generated
pages differ in them.
"""

import re
from collections.abc import Iterable
from heapq import nsmallest
from typing import Final

MAX_PHRASES: Final = 16
PHRASE_WORDS: Final = 5
"""Words of a phrase. With three, a thousand pages in plain words contain most already."""
MAX_WORDS: Final = 5_000
"""Words of a page that are considered."""
_MAX_OWN_WORDS: Final = 64
"""Of a page's address."""
_WORD_BYTES = re.compile(rb"[A-Za-z\x80-\xff]+")
_PIECE: Final = 8
"""Bytes of a word that are mixed at a time."""
_OLDER_BITS: Final = 13
"""The shift, in a number of 64 bits, for each further word: it can hold five words."""
_MIXER: Final = 0x9E3779B97F4A7C15
_64_BITS: Final = 2**64 - 1


def phrase_hashes_in(
    texts: Iterable[str], address: bytes = b"", others: Iterable[int] = ()
) -> list[int]:
    """The lowest hashes of phrases in `texts`, and of `others`, ascending, each once.

    No phrase spans two texts. `address` is that of the page, percent-decoded: its words do not
    count. A text of fewer than five words is a phrase.
    """
    own = set(_words(address)[:_MAX_OWN_WORDS])
    left = MAX_WORDS
    phrases = set(others)
    for text in texts:
        words = _words(text.encode())[:left]
        left -= len(words)
        phrases.update(phrase_hashes_of([word for word in words if word not in own]))
        if not left:
            break
    return nsmallest(MAX_PHRASES, phrases)


def _words(data: bytes) -> list[int]:
    """A number for each word."""
    return [word_hash(word) for word in _WORD_BYTES.findall(data.lower())]


def word_hash(word: bytes) -> int:
    """A hash of 64 bits; the highest are the best."""
    number = 0
    for at in range(0, len(word), _PIECE):
        number = mix(number ^ int.from_bytes(word[at : at + _PIECE], "little"))
    return number


def phrase_hashes_of(words: list[int]) -> list[int]:
    """The phrases of the words of one text, 32 bits each."""
    phrases = []
    last = 0
    for count, word in enumerate(words, 1):
        last = last << _OLDER_BITS & _64_BITS ^ word
        if count >= PHRASE_WORDS or count == len(words):
            phrases.append(mix(last ^ last >> 32) >> 32)
    return phrases


def mix(number: int) -> int:
    """Spread the information of a number of 64 bits over its high bits."""
    number = number * _MIXER & _64_BITS
    return number ^ number >> 32
