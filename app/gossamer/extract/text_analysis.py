"""Counts the words of a page, and hashes its phrases to detect repeated text.

A phrase is five words in a row. Of all that a page says outside of its links, those phrases are
kept whose hashes are lowest: pages that share text share them (Broder: "On the Resemblance and
Containment of Documents", 1997). Digits, and words of the page's own address, do not count: that is
what pages made up by a machine differ in.
"""

import re
from collections.abc import Iterable
from heapq import nsmallest
from string import punctuation
from typing import Final

_ASCII = bytes(range(128))
_NO_LETTERS = punctuation.encode() + bytes(range(9)) + bytes(range(14, 28)) + b"\x7f"
_NO_ASCII_LETTERS = _NO_LETTERS + bytes(range(128, 256))
_SPACES = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_SPACE_OR_X = bytes(b" "[0] if byte in _SPACES else b"x"[0] for byte in range(256))
_RARELY_BEYOND = 25
"""One byte beyond ASCII, or fewer, in so many characters."""
_MOST_KINDS = 50
"""With more characters beyond ASCII, to look for each takes longer than to look at all."""
_WORD = re.compile(r"[^\W_]\S*")
_IDEOGRAPH_OR_KANA = (
    "[\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Compiled by who needs it, which takes 2 ms: most processes have C count."""


def count_words(text: str) -> int:
    """The number of words in `text`, much as word processors count.

    A word is a stretch without white space that has a letter or a digit in it; in Chinese and
    Japanese, which part no words, each ideograph and each kana is one. Thai, Lao, Khmer and
    Burmese are undercounted: their words are not parted either.
    """
    data = text.encode()
    beyond = len(data) - len(text)
    if not beyond:
        return _count_marks(data, _NO_LETTERS)
    if beyond <= len(text) // _RARELY_BEYOND:
        rare = set(data.translate(None, _ASCII).decode())
        if len(rare) <= _MOST_KINDS:
            return _count_mostly_ascii(text, rare)
    text, characters = re.subn(_IDEOGRAPH_OR_KANA, " ", text)
    return characters + sum(1 for _ in _WORD.finditer(text))


def _count_mostly_ascii(text: str, rare: set[str]) -> int:
    """The same for texts with little beyond ASCII, such as quotation marks, in less time.

    `rare` are the characters beyond ASCII.
    """
    characters = 0
    letters: list[str] = []
    marks: list[str] = []
    for character in rare:
        if re.match(_IDEOGRAPH_OR_KANA, character):
            characters += text.count(character)
            text = text.replace(character, " ")
        elif character.isalnum():
            letters.append(character)
        elif character.isspace():
            text = text.replace(character, " ")
        else:
            marks.append(character)
    # To put one character for another takes a tenth of the time of leaving it out.
    if len(letters) <= len(marks):
        for letter in letters:
            text = text.replace(letter, "x")
        return characters + _count_marks(text.encode(), _NO_ASCII_LETTERS)
    for mark in marks:
        text = text.replace(mark, "-")
    return characters + _count_marks(text.encode(), _NO_LETTERS)


def _count_marks(data: bytes, left_out: bytes) -> int:
    """The number of stretches without ASCII space, once the bytes `left_out` are left out."""
    marks = data.translate(_SPACE_OR_X, left_out)
    return marks.count(b" x") + marks.startswith(b"x")


MAX_PHRASES: Final = 16
PHRASE_WORDS: Final = 5
"""Words of a phrase. Of three, a thousand pages in plain words have said most already."""
MAX_WORDS: Final = 5_000
"""Words of a page that are looked at."""
_MAX_OWN_WORDS: Final = 64
"""Of a page's address."""
_WORD_BYTES = re.compile(rb"[A-Za-z\x80-\xff]+")
_PIECE: Final = 8
"""Bytes of a word that are mixed at a time."""
_OLDER_BITS: Final = 13
"""By so many a number of 64 bits is shifted for each word more: five words are what it can hold."""
_MIXER: Final = 0x9E3779B97F4A7C15
_64_BITS: Final = 2**64 - 1


def phrases_in(texts: Iterable[str], address: bytes = b"", others: Iterable[int] = ()) -> list[int]:
    """The lowest hashes of phrases in `texts`, and of `others`, rising, each once.

    No phrase goes beyond one text.
    `address` is that of the page, percent-decoded: its words do not count. A text of fewer
    than five words is a phrase.
    """
    own = set(_words(address)[:_MAX_OWN_WORDS])
    left = MAX_WORDS
    phrases = set(others)
    for text in texts:
        words = _words(text.encode())[:left]
        left -= len(words)
        phrases.update(_phrases([word for word in words if word not in own]))
        if not left:
            break
    return nsmallest(MAX_PHRASES, phrases)


def anchor_hash(text: str) -> int:
    """16 bits for an id, or the fragment of a URL, percent-decoded: see `ParsedElements`."""
    return _number_of(text.encode()) >> 48


def _words(data: bytes) -> list[int]:
    """A number for each word."""
    return [_number_of(word) for word in _WORD_BYTES.findall(data.lower())]


def _number_of(word: bytes) -> int:
    number = 0
    for at in range(0, len(word), _PIECE):
        number = _mix(number ^ int.from_bytes(word[at : at + _PIECE], "little"))
    return number


def _phrases(words: list[int]) -> list[int]:
    """Those of the words of one text."""
    phrases = []
    last = 0
    for count, word in enumerate(words, 1):
        last = last << _OLDER_BITS & _64_BITS ^ word
        if count >= PHRASE_WORDS or count == len(words):
            phrases.append(_mix(last ^ last >> 32) >> 32)
    return phrases


def _mix(number: int) -> int:
    number = number * _MIXER & _64_BITS
    return number ^ number >> 32
