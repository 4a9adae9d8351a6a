"""Counts words, sentences and syllables of a text, and sketches it.

A word is a run without white space that contains a letter or a digit. In Chinese, Japanese, Thai,
Lao, Khmer and Burmese, which do not separate words, each ideograph, kana and letter is one.

A sentence has a word. It ends at a full stop, a question or exclamation mark before white space or
a `BREAK`, and at those of scripts that need no white space after them.

Syllables are estimated as groups of vowels, without a silent e at the end, as in English; each word
has at least one.

C does the same (`app/gossamer/extract/native/statistics.h`).
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

from gossamer.extract.phrase_hashes import phrase_hashes_of, word_hash
from gossamer.extract.text_sketch import MIN_SKETCH_WORDS, sketch_of
from gossamer.model.lazy_pattern import lazy_pattern

BREAK: Final = "\0"
"""Marks where a block begins or ends: no text has it (HTML Standard §13.2.5)."""


class CharacterClass(IntEnum):
    """The effect of a character on the text around it. C has the same numbers."""

    MARK = 0
    POINT = 1
    """Ends a sentence if white space follows."""
    LETTER = 2
    VOWEL = 3
    SPACE = 4
    IDEOGRAPH = 5
    """A word of its own."""
    STOP = 6
    """Ends a word and a sentence."""


_BEYOND: Final = 0x10000
"""Characters from here on have their classes by range."""
_ONE_BY_ONE: Final = (range(0x3400), range(0xA000, 0xAC00), range(0xFB00, _BEYOND))
_IDEOGRAPHS: Final = (
    *(range(0x3005, 0x3006), range(0x3007, 0x3008), range(0x3040, 0x3100), range(0x31F0, 0x3200)),
    *(range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0xF900, 0xFB00), range(0xFF66, 0xFFA0)),
)
_HANGUL: Final = range(0xAC00, 0xD7A4)
_WITHOUT_SPACES: Final = (*range(0xE00, 0xF00), *range(0x1000, 0x10A0), *range(0x1780, 0x1800))
"""Thai, Lao; Burmese; Khmer."""
_ACCENTED: Final = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_VOWELS: Final = "aeiouyæøœαεηιουωаеёиоуыэюяіїєў"  # noqa: RUF001 - Greek and Cyrillic
_STOPS: Final = "\0\u0589\u061f\u06d4\u0964\u0965\u104a\u104b\u17d4\u17d5\u3002\uff01\uff0e\uff1f"
_POINTS: Final = ".!?"
_USUAL_LENGTH: Final = 32
_REMEMBERED: Final = 4_096
"""Words, of the usual length at most: a megabyte."""


def _classes() -> bytes:
    """The CharacterClass of each character below `_BEYOND`."""
    classes = bytearray(_BEYOND)
    for span in _ONE_BY_ONE:
        characters = "".join(map(chr, span))
        classes[span.start : span.stop] = bytes(map(str.isalnum, characters)).replace(
            b"\1", bytes([CharacterClass.LETTER])
        )
        for match in re.finditer(r"\s", characters):
            classes[span.start + match.start()] = CharacterClass.SPACE
    for span in _IDEOGRAPHS:
        classes[span.start : span.stop] = bytes([CharacterClass.IDEOGRAPH]) * len(span)
    classes[_HANGUL.start : _HANGUL.stop] = bytes([CharacterClass.LETTER]) * len(_HANGUL)
    for these, kind in (
        (filter(str.isalpha, map(chr, _WITHOUT_SPACES)), CharacterClass.IDEOGRAPH),
        (_vowels(), CharacterClass.VOWEL),
        (_STOPS, CharacterClass.STOP),
        (_POINTS, CharacterClass.POINT),
    ):
        for character in these:
            classes[ord(character)] = kind
    return bytes(classes)


def _vowels() -> Iterator[str]:
    yield from _VOWELS + _VOWELS.upper()
    for character in map(chr, _ACCENTED):
        if unicodedata.normalize("NFD", character)[0] in "aeiouyAEIOUY":
            yield character


CLASSES: Final = _classes()


class TextStatistics(NamedTuple):
    """The figures of a text, as in `ParsedElements`."""

    words: int
    sentences: int
    syllables: int
    text_length: int
    sketch: bytes | None


def text_statistics(content: str, rest: str = "") -> TextStatistics:
    """The statistics of `content`; its length is that of both. `BREAK` is between blocks."""
    words: list[int] = []
    sentences = syllables = 0
    is_begun = False
    for token in _tokens(content):
        if token.word:
            measured = _measured if len(token.word) <= _USUAL_LENGTH else _measured.__wrapped__
            number, more = measured(token.word, token.word_classes)
            words.append(number)
            syllables += more
            is_begun = True
        is_point = token.classes[-1] == _POINT and token.next_class in _AFTER_POINT
        is_end = token.classes == _STOP or is_point
        if is_begun and is_end:
            sentences += 1
            is_begun = False
    length = _collapsed_length(content) + _collapsed_length(rest)
    sketch = sketch_of(phrase_hashes_of(words)) if len(words) >= MIN_SKETCH_WORDS else None
    return TextStatistics(len(words), sentences + is_begun, syllables, length, sketch)


def words_in_text(content: str) -> Iterator[str]:
    """The words that `text_statistics` counts, in order."""
    return (token.word for token in _tokens(content) if token.word)


def phrases_in_text(content: str) -> list[int]:
    """Hashes of those phrases that sketches are made of; of a short text, one."""
    return phrase_hashes_of([*map(_number_of, words_in_text(content))])


class _Token(NamedTuple):
    """A run of text without white space, or a stop; `word` is empty if it has none.

    `classes` and `word_classes` have a character of `_NAMES` for each, `next_class` that of the
    next character; it is empty at the end.
    """

    classes: str
    next_class: str
    word: str = ""
    word_classes: str = ""


def _tokens(content: str) -> Iterator[_Token]:
    classes = _classes_in(content)
    for match in _TOKEN.finditer(classes):
        start, end = match.span()
        token, after = match[0], classes[end : end + 1]
        # From the first to the last letter; an ideograph is one.
        word = token.strip("mp") if token != _STOP else ""
        if word:
            start += len(token) - len(token.lstrip("mp"))
            yield _Token(token, after, content[start : start + len(word)], word)
        else:
            yield _Token(token, after)


def _number_of(word: str) -> int:
    return word_hash(word.encode().lower())


@lru_cache(_REMEMBERED)
def _measured(word: str, classes: str) -> tuple[int, int]:
    """The number and the syllables of a word: pages of a site have many words in common."""
    return _number_of(word), _syllables(word, classes)


_TOKEN = lazy_pattern("[mlvp]+|i|s")
_VOWELS_IN_ROW = lazy_pattern("v+")
_STOP, _POINT = "s", "p"
_AFTER_POINT = ("", " ", _STOP)
_NAMES: Final = "mplv is"
"""A character for each CharacterClass."""
_ASTRAL = lazy_pattern("[\U00010000-\U0010ffff]")
_ASTRAL_CLASSES: Final = (
    ("[\U00010000-\U0001efff]", "l"),
    ("[\U0001f000-\U0001ffff\U00040000-\U0010ffff]", "m"),
    ("[\U00020000-\U0003ffff]", "i"),
)


def _classes_in(text: str) -> str:
    """A character of `_NAMES` for each character of `text`."""
    classes = text.translate(_names_of_classes())
    if _ASTRAL.search(classes):
        for characters, name in _ASTRAL_CLASSES:
            classes = re.sub(characters, name, classes)
    return classes


@cache
def _names_of_classes() -> str:
    """By codes: as `str.translate` takes it."""
    return "".join(_NAMES[each] for each in CLASSES)


def _syllables(word: str, classes: str) -> int:
    groups = len(_VOWELS_IN_ROW.findall(classes))
    return max(groups - (groups > 1 and _is_e_silent(word[-3:], classes[-3:])), 1)


def _is_e_silent(end: str, classes: str) -> bool:
    """Whether the e of -e, -es or -ed is silent; these are the last three characters."""
    end = "".join(each.lower() if each.isascii() else each for each in end)
    if end[-1] == "e":
        return classes[-2] == "l" and not (end[-2] == "l" and classes[0] == "l")
    if end[1] != "e" or classes[0] != "l":
        return False
    return (end[2] == "s" and end[0] not in "lsxzcgh") or (end[2] == "d" and end[0] not in "td")


def _collapsed_length(text: str) -> int:
    return len(" ".join(text.replace(BREAK, " ").split()))
