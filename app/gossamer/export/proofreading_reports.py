"""The reports on spelling and grammar: each error on each page, and each error of the site."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_views import size_of
from gossamer.model.errors import UsageError
from gossamer.model.project_queries import View
from gossamer.model.text_errors import ErrorKind, ErrorSummary, TextError
from gossamer.store.reading.reader import Reader

_AT_ONCE: Final = 1_000
_TYPES: Final = {ErrorKind.SPELLING: "Spelling", ErrorKind.GRAMMAR: "Grammar"}
_OF_PAGES: Final = (
    *("Address", "Language", "Error", "Type", "Suggestions", "Count", "Context", "Rule"),
    *("Message", "Indexability", "Indexability Status"),
)
_OF_SITE: Final = (
    *("Error", "Type", "Language", "Pages", "Count", "Suggestions", "Context", "Rule", "Message"),
)


MAX_SUGGESTED: Final = 300
"""Misspelt words that get suggestions, those on most pages: each takes some 50 ms."""


class _SpellingSuggestions:
    """Suggestions for the misspelt words that occur on most pages of a site.

    The suggestions of a grammar checker are in the errors themselves.
    """

    def __init__(self, reader: Reader, summaries: Sequence[ErrorSummary]) -> None:
        from gossamer.proofreading.suggestions import (  # noqa: PLC0415 - it is seldom needed
            SuggestionSource,
        )

        self._source = SuggestionSource(reader.summary().settings.dictionary_folder)
        misspelt = (each for each in summaries if each.error.kind is ErrorKind.SPELLING)
        self._wanted = {
            (each.error.text, each.language) for each in islice(misspelt, MAX_SUGGESTED)
        }
        self._found: dict[tuple[str, str], list[str]] = {}

    def __call__(self, error: TextError, dictionary: str) -> str:
        """The cell of an error that this dictionary found."""
        word = (error.text, dictionary)
        if word in self._wanted and word not in self._found:
            try:
                self._found[word] = self._source.near(*word)
            except UsageError:  # the dictionary no longer exists
                self._found[word] = []
        return ", ".join(error.suggestions or self._found.get(word, ()))


def _on_pages(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_OF_PAGES, _page_rows(reader, check), size_of(reader, View.PAGES))


def _page_rows(reader: Reader, check: Check) -> Iterator[Row]:
    suggestions = _SpellingSuggestions(reader, reader.error_summaries())
    pages = reader.pages_with_errors()
    while some := list(islice(pages, _AT_ONCE)):
        check()
        records = {each.id: each for each in reader.records([page.url_id for page in some])}
        for page in some:
            record = records[page.url_id]
            for error in page.errors:
                check()
                is_grammar = error.kind is ErrorKind.GRAMMAR
                yield (
                    record.url,
                    page.grammar_language if is_grammar else page.dictionary,
                    error.text,
                    _TYPES[error.kind],
                    suggestions(error, page.dictionary),
                    error.count,
                    error.context,
                    error.rule,
                    error.message,
                    record.indexability,
                    record.indexability_status,
                )


def _on_site(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    check()
    summaries = reader.error_summaries()
    suggestions = _SpellingSuggestions(reader, summaries)
    rows = (
        (
            each.error.text,
            _TYPES[each.error.kind],
            each.language,
            each.pages,
            each.occurrences,
            suggestions(each.error, each.language),
            each.error.context,
            each.error.rule,
            each.error.message,
        )
        for each in summaries
    )
    return Sheet(_OF_SITE, rows, len(summaries), is_exact=True)


SPELLING_AND_GRAMMAR: Final = ExportView(
    "spelling_and_grammar", "Spelling and grammar errors by page", _on_pages
)
SPELLING_AND_GRAMMAR_SUMMARY: Final = ExportView(
    "spelling_and_grammar_summary", "Spelling and grammar errors of the site", _on_site
)
