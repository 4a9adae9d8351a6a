"""Checks the spelling of texts with Hunspell, through chunspell."""

import re
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from unicodedata import normalize

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.model.text_errors import MAX_CONTEXT, MAX_ERRORS, ErrorKind, TextError
from gossamer.model.translatable import Sentence
from gossamer.proofreading.page_words import (
    WordRules,
    script_of,
    without_hidden,
    words_in,
)

MAX_TOKENS: Final = 50_000
"""The part of a longer text that is checked."""
MAX_NEW: Final = 3_000
"""Most pieces of a page that get a closer look: a page made of noise costs 0.1 s."""
_MAX_KNOWN: Final = 100_000
_BLOCK: Final = "\0"
_ENOUGH_PIECES: Final = 20
_DOUBTFUL: Final = 0.4


class Dictionary(Protocol):
    """A dictionary of one language."""

    def spell(self, word: str) -> bool:
        """Whether it knows the word."""

    def suggest(self, word: str) -> tuple[str, ...]:
        """Similar words, the most likely first."""


def open_dictionary(file: Path) -> Dictionary:
    """The Hunspell dictionary of a .dic file; UsageError if it cannot be read."""
    try:
        from hunspell import Hunspell  # noqa: PLC0415 - where spelling is checked
    except ImportError as e:
        raise UsageError(MISSING_LIBRARY) from e
    try:
        opened: Dictionary = Hunspell(file.stem, hunspell_data_dir=str(file.parent))
    except Exception as e:
        raise UsageError("The dictionary {file} cannot be read; reinstall it.", file=file) from e
    return opened


MISSING_LIBRARY: Final[Sentence] = (
    "Spelling cannot be checked because the library chunspell is missing; install it with 'pip"
    " install chunspell'."
)


class CheckedText(NamedTuple):
    """The result of checking a text: how many different pieces it has, and how many with errors."""

    errors: list[TextError]
    pieces: int
    wrong_pieces: int

    @property
    def is_doubtful(self) -> bool:
        """Whether so much is wrong that it may be in another language than assumed."""
        return self.pieces >= _ENOUGH_PIECES and self.wrong_pieces > _DOUBTFUL * self.pieces


class SpellChecker:
    """Checks texts with one dictionary. Threads may share it.

    It remembers up to 100,000 pieces of text that have no error: the vocabulary of a site repeats.
    """

    def __init__(self, dictionary: Dictionary, rules: WordRules, language: str = "en") -> None:
        """`language` is that of the dictionary, without region."""
        self._dictionary = dictionary
        self._rules = rules
        self._script = _SCRIPTS.get(language, "LATIN")
        self._accents_are_optional = language == "en"
        self._good: set[str] = set()
        self._bad: dict[str, list[str]] = {}
        """The unknown words in each piece that has any."""
        self._lock = threading.Lock()

    def check(self, texts: Iterable[str]) -> CheckedText:
        """The words that the dictionary does not know, in order; at most MAX_ERRORS of them."""
        found: dict[str, str] = {}
        counts: Counter[str] = Counter()
        different: set[str] = set()
        unknown = 0
        room = MAX_TOKENS
        with self._lock:
            for text in map(without_hidden, texts):
                tokens = text.replace(_BLOCK, " ").split(maxsplit=room)[:room]
                room -= len(tokens)
                different.update(tokens)
                pieces = self._unknown_in(tokens)
                unknown += len(pieces)
                occurrences = Counter(tokens) if pieces else {}
                for token, words in pieces.items():
                    for word in words:
                        counts[word] += occurrences[token]
                        if word not in found and len(found) < MAX_ERRORS:
                            found[word] = context_of(text, token)
        errors = [
            TextError(ErrorKind.SPELLING, word, counts[word], context)
            for word, context in found.items()
        ]
        return CheckedText(errors, len(different), unknown)

    def _unknown_in(self, tokens: list[str]) -> dict[str, list[str]]:
        """The unknown words in each piece that has any, in order."""
        left = set(tokens).difference(self._good)
        if not left:
            return {}
        if len(self._good) + len(self._bad) > _MAX_KNOWN:
            self._good.clear()
            self._bad.clear()
        room = MAX_NEW
        found = {}
        for token in dict.fromkeys(tokens):
            if token not in left:
                continue
            words = self._bad.get(token)
            if words is None and room:
                room -= 1
                words = [
                    word for word in words_in(token, self._rules) if self._is_wrong(word, token)
                ]
                if words:
                    self._bad[token] = words
                else:
                    self._good.add(token)
            if words:
                found[token] = words
        return found

    def _is_wrong(self, word: str, token: str) -> bool:
        if self._knows(word):
            return False
        abbreviation = f"{word}."  # dictionaries have them with their full stop: usw., etc.
        return not (abbreviation in token and self._dictionary.spell(abbreviation))

    def _knows(self, word: str) -> bool:
        if not word.isascii() and script_of(word[0]) != self._script:
            return True  # a word of another language, for which this dictionary is not
        if self._dictionary.spell(word):
            return True
        if "-" in word:
            parts = word.split("-")
            return all(
                len(part) < self._rules.min_length or self._dictionary.spell(part) for part in parts
            )
        if self._accents_are_optional and not word.isascii():
            plain = "".join(each for each in normalize("NFD", word) if each.isascii())
            return bool(plain) and self._dictionary.spell(plain)
        return False


_SCRIPTS: Final = {
    language: script
    for script, languages in {
        "CYRILLIC": "be bg kk ky mk mn ru sr tg tt uk",
        "ARABIC": "ar fa ku ps ug ur",
        "DEVANAGARI": "hi mr ne sa",
        "GREEK": "el grc",
        "HEBREW": "he yi",
        "ARMENIAN": "hy",
        "GEORGIAN": "ka",
        "HANGUL": "ko",
        "BENGALI": "bn",
        "GUJARATI": "gu",
        "KANNADA": "kn",
        "MALAYALAM": "ml",
        "ORIYA": "or",
        "GURMUKHI": "pa",
        "SINHALA": "si",
        "TAMIL": "ta",
        "TELUGU": "te",
        "ETHIOPIC": "am",
    }.items()
    for language in languages.split()
}
"""The scripts of languages, by their names in Unicode; of others, Latin."""


def context_of(text: str, token: str) -> str:
    """The words around the first occurrence of a piece of text, on one line."""
    whole = re.search(rf"(?<![^\s\0]){re.escape(token)}(?![^\s\0])", text)
    place = text.find(token) if whole is None else whole.start()
    around = (MAX_CONTEXT - min(len(token), MAX_CONTEXT)) // 2
    start, end = max(0, place - around), place + len(token) + around
    block = text[start:end]
    before, after = place - start, place - start + len(token)
    first = block.rfind(_BLOCK, 0, before) + 1
    last = block.find(_BLOCK, after)
    last = len(block) if last < 0 else last
    if first == 0 and start > 0:  # begin with a whole word
        first = block.find(" ", 0, before) + 1
    if last == len(block) and end < len(text):
        last = block.rfind(" ", after) if " " in block[after:] else last
    return one_line(block[first:last], MAX_CONTEXT)
