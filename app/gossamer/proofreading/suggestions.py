"""Suggests words in place of misspelt ones."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.text_errors import MAX_ERROR, MAX_SUGGESTIONS
from gossamer.proofreading.dictionary_files import dictionary_folders, find_dictionaries
from gossamer.proofreading.spell_checker import Dictionary, open_dictionary

_KNOWN: Final = 4
"""Dictionaries that are kept open."""
_MAX_NEAR: Final = 20
"""The longest word for which near words are searched; it takes a call for each letter of the
alphabet at each position."""
_ENCODING: Final = re.compile(rb"^\s*SET\s+(\S+)", re.MULTILINE)
_LETTERS: Final = re.compile(rb"^\s*TRY\s+(\S+)", re.MULTILINE)


class SuggestionSource:
    """Opens dictionaries on demand."""

    def __init__(self, folder: str) -> None:
        """`folder` takes precedence over those of the system."""
        self._folder = folder
        self._open: dict[str, tuple[Dictionary, str]] = {}

    def for_word(self, word: str, name: str) -> list[str]:
        """Words of the dictionary `name`, the most likely first, at most MAX_SUGGESTIONS.

        That takes a tenth of a second or more. UsageError if the dictionary cannot be used.
        """
        if len(word) > MAX_ERROR:
            return []
        return list(self._opened(name)[0].suggest(word)[:MAX_SUGGESTIONS])

    def near(self, word: str, name: str) -> list[str]:
        """Likewise those that are one typing slip away, which takes a tenth of the time."""
        if len(word) > _MAX_NEAR:
            return []
        dictionary, letters = self._opened(name)
        candidates = dict.fromkeys(_one_slip_away(word, letters))
        known = (each for each in candidates if all(map(dictionary.spell, each.split(" "))))
        return list(islice((each for each in known if each != word), MAX_SUGGESTIONS))

    def _opened(self, name: str) -> tuple[Dictionary, str]:
        """The dictionary, and the letters of its language, the most frequent first."""
        if name not in self._open:
            file = find_dictionaries(dictionary_folders(self._folder)).get(name)
            if file is None:
                raise UsageError("The dictionary {name} is no longer on this computer.", name=name)
            if len(self._open) >= _KNOWN:
                self._open.clear()
            self._open[name] = open_dictionary(file), _letters_of(file.with_suffix(".aff"))
        return self._open[name]


def _letters_of(affixes: Path) -> str:
    """The small letters of a language: those that its dictionary tries in corrections."""
    try:
        text = affixes.read_bytes()
        encoding, letters = _ENCODING.search(text), _LETTERS.search(text)
        found = (
            letters[1].decode(encoding[1].decode() if encoding else "latin-1") if letters else ""
        )
    except (OSError, UnicodeDecodeError, LookupError):
        found = ""
    return "".join(dict.fromkeys(each.lower() for each in found if each.isalpha()))


def _one_slip_away(word: str, letters: str) -> Iterator[str]:
    """What may have been meant: two letters swapped, one less, another, one more.

    Or two words. Capital letters stay where they are. The first letter is changed last.
    """
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    within = [(start, rest[0], rest[1:]) for start, rest in cuts if rest]
    within = within[1:] + within[:1]  # the first letter is seldom wrong
    for start, letter, rest in within:
        if rest:
            yield start + _swapped(letter, rest[0]) + rest[1:]
    yield from (start + rest for start, _, rest in within)
    for start, letter, rest in within:
        others = letters.upper() if letter.isupper() else letters
        yield from (f"{start}{other}{rest}" for other in others)
    inserted = letters.upper() if word.isupper() else letters
    yield from (f"{start}{each}{rest}" for start, rest in cuts for each in inserted)
    yield from (f"{start} {rest}" for start, rest in cuts[2:-2])


def _swapped(first: str, second: str) -> str:
    is_title = first.isupper() and not second.isupper()
    return second.upper() + first.lower() if is_title else second + first
