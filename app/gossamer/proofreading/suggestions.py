"""Looks for words that might stand in place of misspelt ones."""

from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.text_errors import MAX_ERROR, MAX_SUGGESTIONS
from gossamer.proofreading.dictionary_files import dictionary_folders, find_dictionaries
from gossamer.proofreading.spell_checker import Dictionary, open_dictionary

_KNOWN: Final = 4
"""Dictionaries that are kept open."""


class SuggestionSource:
    """Opens dictionaries as they are asked for."""

    def __init__(self, folder: str) -> None:
        """`folder` comes before those of the system."""
        self._folder = folder
        self._open: dict[str, Dictionary] = {}

    def for_word(self, word: str, name: str) -> list[str]:
        """Words of the dictionary `name`, the most likely first, MAX_SUGGESTIONS at most.

        That takes a tenth of a second or more. UsageError where the dictionary cannot be used.
        """
        if len(word) > MAX_ERROR:
            return []
        if name not in self._open:
            file = find_dictionaries(dictionary_folders(self._folder)).get(name)
            if file is None:
                raise UsageError(
                    "The dictionary {name} is not on this computer any more.", name=name
                )
            if len(self._open) >= _KNOWN:
                self._open.clear()
            self._open[name] = open_dictionary(file)
        return list(self._open[name].suggest(word)[:MAX_SUGGESTIONS])
