"""Prepares texts for a full-text index, and words for a search in it, in any script.

SQLite's tokenizer `unicode61` splits words where there is no letter or digit, and ignores case and
the diacritics of Latin letters. What it cannot do is done here, for texts and words alike: Greek is
often searched for without accents, too.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

from gossamer.model.lazy_pattern import lazy_pattern

TOKENIZER: Final = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
"""Marks are parts of words: vowels are marks in the scripts of India."""

EVERY_WORD: Final = "\U0010fffd"
"""What the index has as a word of each page, and nobody can search for: see `_LEFT_OUT`."""
_UNSPACED: Final = lazy_pattern(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109d\u1780-\u17d3\u3005\u3007"
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3\u1100-\u11ff"
    "\U00020000-\U0003ffff]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean: their words are not all separated by
spaces."""
_LEFT_OUT: Final = lazy_pattern(
    "[\u00ad\u034f\u061c\u0640\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u17b4\u17b5"
    "\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U0010fffc\U0010fffd]"
)
"""What is invisible, or rarely written: soft hyphens, joiners, directions, the vowel points of
Hebrew and Arabic, and the stroke that lengthens Arabic words. What only the index has, too."""


EMOJI: Final = "[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
"""A pattern: each is a word, though the tokenizer knows none of them."""
_EMOJI: Final = lazy_pattern(EMOJI)
_EMOJI_WORD: Final = "\U0010fffc"
"""What the word of an emoji begins with, in the index."""
_GREEK: Final = lazy_pattern("[\u0370-\u03ff\u1f00-\u1fff][\u0300-\u036f]*")
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]+")
"""What the tokenizer may not handle as it is. It drops marks on ASCII letters itself."""
_LONGEST_KEPT: Final = 20


def indexable(text: str) -> str:
    """`text` as the tokenizer is to see it.

    In a run of a script without spaces, each pair of neighbouring characters is a word, and so is
    the last one: ABC becomes AB BC C. Thus any part of it is found as a phrase: see `phrase`.
    """
    if text.isascii():
        return text
    return _BEYOND_ASCII.sub(_prepared, text)


def normal(text: str) -> str:
    """Without differences of case, width and the like, and without invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _LEFT_OUT.sub("", _GREEK.sub(_without_accents, folded))


def _without_accents(letter: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", letter[0])[0]


def phrase(text: str) -> tuple[str, bool]:
    """`text` as it is searched for, and whether its last word may be a prefix.

    "" if there is no word in it.
    """
    found = normal(text)
    if not any(map(is_of_word, found)):
        return "", False
    end = next(place for place in range(len(found), 0, -1) if is_of_word(found[place - 1]))
    last = _last_run(found[:end])
    if not last:
        return indexable(found), False
    # In a text, the run may continue: the word of its last character alone is not searched for.
    pairs = [last[place : place + 2] for place in range(len(last) - 1)]
    return f"{indexable(found[: end - len(last)])} {' '.join(pairs) or last}", not pairs


def is_of_word(character: str) -> bool:
    """Whether it is a letter, a digit, a mark on one, or an emoji."""
    category = unicodedata.category(character)
    return category[0] in "LN" or category in _MARKS or _EMOJI.match(character) is not None


_MARKS: Final = frozenset({"Mn", "Mc", "Co"})


def _last_run(text: str) -> str:
    """The characters of scripts without spaces at the end of `text`."""
    start = len(text)
    while start and _UNSPACED.fullmatch(text[start - 1]):
        start -= 1
    return text[start:]


def _prepared(part: re.Match[str]) -> str:
    text = part[0]
    return _kept(text) if len(text) <= _LONGEST_KEPT else _split(text)


def _split(text: str) -> str:
    return _EMOJI.sub(_word_of_emoji, _UNSPACED.sub(_pairs, normal(text)))


def _word_of_emoji(emoji: re.Match[str]) -> str:
    return f" {_EMOJI_WORD}{ord(emoji[0]):x} "


_kept: Final = lru_cache(maxsize=20_000)(_split)


def _pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join([text[place : place + 2] for place in range(len(text))])} "
