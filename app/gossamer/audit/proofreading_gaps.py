"""Reports which pages of a crawl were not proofread, and what to do about it."""

from typing import Protocol

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_errors import UncheckedPages
from gossamer.model.translatable import Translatable, said
from gossamer.proofreading.dictionary_files import WITHOUT_SPACES, install_hint

_MOST_LANGUAGES = 5


class ProofreadRows(Protocol):
    """The part of a project that is needed here."""

    def unchecked_pages(self) -> UncheckedPages:
        """How many pages were not checked."""


def proofreading_gaps(rows: ProofreadRows, settings: CrawlSettings) -> list[Translatable]:
    """A sentence for each reason why pages were not proofread though the settings want it."""
    if not (settings.check_spelling or settings.languagetool):
        return []
    unchecked = rows.unchecked_pages()
    found = []
    if settings.check_spelling:
        languages = sorted(unchecked.languages.items(), key=lambda each: (-each[1], each[0]))
        found += [_unchecked(*each) for each in languages[:_MOST_LANGUAGES]]
    if settings.languagetool and unchecked.grammar:
        found.append(
            said(
                "Pages whose grammar was not checked: {pages:,}. The LanguageTool server "
                "{server} did not respond, or does not support their language; see the log.",
                pages=unchecked.grammar,
                server=settings.languagetool,
            )
        )
    return found


def missing_dictionary(code: str) -> Translatable:
    """A sentence on a missing dictionary of a language, and how to get one."""
    hint = install_hint(code)
    if hint["package"]:
        return said(
            "There is no dictionary for the language {code}: install one, on Debian and Ubuntu "
            "with 'apt install {package}', or put {file}.aff and {file}.dic into a folder and name "
            "it in the settings (--dictionaries).",
            code=code,
            **hint,
        )
    return said(
        "There is no dictionary for the language {code}: put {file}.aff and {file}.dic, which "
        "LibreOffice has too, into a folder and name it in the settings (--dictionaries).",
        code=code,
        file=hint["file"],
    )


def _unchecked(code: str, pages: int) -> Translatable:
    if not code:
        return said(
            "Pages whose spelling was not checked, because their language is not known: {pages:,}. "
            "Name a dictionary for them in the settings (--spelling-language).",
            pages=pages,
        )
    if code in WITHOUT_SPACES:
        return said(
            "Pages in the language {code} whose spelling was not checked: {pages:,}. It is written "
            "without spaces between words, so that no dictionary can check it.",
            pages=pages,
            code=code,
        )
    return said(
        "Pages whose spelling was not checked: {pages:,}. {why}",
        pages=pages,
        why=missing_dictionary(code),
    )
