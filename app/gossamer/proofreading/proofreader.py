"""Proofreads pages by the settings of a crawl: their language, and the spelling of their texts."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.page_prose import PageProof, PageProse, ProseRun, primary_language
from gossamer.model.settings.proofreading_settings import ProofreadingSettings
from gossamer.model.text_errors import MAX_ERRORS, ErrorKind, TextError, encode_errors
from gossamer.proofreading.dictionary_files import (
    WITHOUT_SPACES,
    dictionary_folders,
    dictionary_for,
    find_dictionaries,
)
from gossamer.proofreading.language_detector import LanguageDetector
from gossamer.proofreading.page_words import WordRules
from gossamer.proofreading.spell_checker import (
    CheckedText,
    Dictionary,
    SpellChecker,
    open_dictionary,
)

NO_DICTIONARY: Final = ""
"""The value of a page, instead of a dictionary's name, if there is none for its language."""
_log = logging.getLogger(__name__)


def word_rules(settings: ProofreadingSettings) -> WordRules:
    """Which words are checked."""
    return WordRules(
        settings.spelling_min_length,
        settings.spelling_check_capitals,
        settings.spelling_check_numbers,
        settings.spelling_skip_names,
    )


def dictionaries_of(settings: ProofreadingSettings) -> dict[str, Path]:
    """The available dictionaries for these settings: those that they name, or all."""
    found = find_dictionaries(dictionary_folders(settings.dictionary_folder))
    if not settings.spelling_languages:
        return found
    names = (dictionary_for(code, found) for code in settings.spelling_languages)
    return {name: found[name] for name in names if name is not None}


class Proofreader:
    """Proofreads one page after the other. Threads may share it."""

    def __init__(
        self,
        settings: ProofreadingSettings,
        dictionaries: Mapping[str, Path] | None = None,
        detector: LanguageDetector | None = None,
        open_file: Callable[[Path], Dictionary] = open_dictionary,
    ) -> None:
        """`dictionaries` are those to choose from, by name: by default those of the computer.

        If the settings name any, the first is for pages that do not declare their language.
        """
        self._settings = settings
        self._rules = word_rules(settings)
        self._detector = detector or LanguageDetector()
        self._open = open_file
        self._files: Mapping[str, Path] = {}
        if settings.check_spelling:
            self._files = dictionaries_of(settings) if dictionaries is None else dictionaries
        self._checkers: dict[str, SpellChecker | None] = {}

    def __call__(self, prose: PageProse) -> PageProof:
        """Proofread a page."""
        settings = self._settings
        said = primary_language(prose.language)
        main = [run for run in prose.runs if primary_language(run.language) in {"", said}]
        language = prose.language.strip()
        found = None
        if settings.find_language or (not said and not settings.spelling_languages):
            found = self._language_found(main)
        proof = PageProof(language_found=found)
        if settings.check_spelling:
            proof = self._checked(prose, main, language or found or "", found)
        if settings.languagetool:
            spoken = language or proof.language_found or ""
            proof = proof._replace(prose=PageProse(spoken, main))
        return proof

    def _checked(
        self, prose: PageProse, main: list[ProseRun], language: str, found: str | None
    ) -> PageProof:
        name = self._dictionary_for(language)
        checked = self._check(name, main)
        if checked is not None and checked.is_doubtful:
            found = found or self._language_found(main)
            if found is not None and found != primary_language(name or ""):
                name = self._dictionary_for(found)
                checked = self._check(name, main)
        errors = [] if checked is None else checked.errors
        errors += self._errors_elsewhere(prose, {id(run) for run in main})
        return PageProof(
            found,
            NO_DICTIONARY if checked is None else name,
            encode_errors(merged(errors)),
        )

    def _errors_elsewhere(self, prose: PageProse, done: set[int]) -> list[TextError]:
        """Those in elements that declare another language than the page."""
        errors = []
        for run in prose.runs:
            if id(run) not in done:
                checked = self._check(self._dictionary_for(run.language), [run])
                errors += [] if checked is None else checked.errors
        return errors

    def _dictionary_for(self, language: str) -> str | None:
        if primary_language(language) in WITHOUT_SPACES:
            return None
        if language:
            return dictionary_for(language, self._files)
        return next(iter(self._files), None) if self._settings.spelling_languages else None

    def _check(self, name: str | None, runs: list[ProseRun]) -> CheckedText | None:
        """None if there is no dictionary."""
        if name is None:
            return None
        if name not in self._checkers:
            self._checkers[name] = self._open_checker(name)
        checker = self._checkers[name]
        return None if checker is None else checker.check(run.text for run in runs)

    def _open_checker(self, name: str) -> SpellChecker | None:
        try:
            dictionary = self._open(self._files[name])
        except UsageError as e:
            _log.warning(str(e))
            return None
        return SpellChecker(dictionary, self._rules, primary_language(name))

    def _language_found(self, runs: list[ProseRun]) -> str | None:
        # The last run has the body; title and description alone say little.
        return self._detector.language_of(" ".join(run.text for run in reversed(runs)))


def merged(errors: list[TextError]) -> list[TextError]:
    """Errors with equal ones merged, at most MAX_ERRORS of each kind."""
    found: dict[tuple[ErrorKind, str, str], TextError] = {}
    room = dict.fromkeys(ErrorKind, MAX_ERRORS)
    for each in errors:
        key = (each.kind, each.rule, each.text)
        if key in found:
            first = found[key]
            found[key] = TextError(
                first.kind,
                first.text,
                first.count + each.count,
                first.context,
                first.rule,
                first.message,
                first.suggestions,
            )
        elif room[each.kind]:
            room[each.kind] -= 1
            found[key] = each
    return list(found.values())
