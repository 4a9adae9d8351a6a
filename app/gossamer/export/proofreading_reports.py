"""The reports on spelling and grammar: each error on each page, and each error of the site."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from gossamer.export.export_selection import Check, ExportSelection, ExportView
from gossamer.export.sheet import Row, Sheet
from gossamer.export.url_views import size_of
from gossamer.model.project_queries import View
from gossamer.model.text_errors import ErrorKind, TextError
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


def _on_pages(reader: Reader, _selection: ExportSelection, check: Check) -> Sheet:
    return Sheet(_OF_PAGES, _page_rows(reader, check), size_of(reader, View.PAGES))


def _page_rows(reader: Reader, check: Check) -> Iterator[Row]:
    pages = reader.pages_with_errors()
    while some := list(islice(pages, _AT_ONCE)):
        check()
        records = {each.id: each for each in reader.records([page.url_id for page in some])}
        for page in some:
            record = records[page.url_id]
            for error in page.errors:
                is_grammar = error.kind is ErrorKind.GRAMMAR
                yield (
                    record.url,
                    page.grammar_language if is_grammar else page.dictionary,
                    error.text,
                    _TYPES[error.kind],
                    _suggestions(error),
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
    rows = (
        (
            each.error.text,
            _TYPES[each.error.kind],
            each.language,
            each.pages,
            each.occurrences,
            _suggestions(each.error),
            each.error.context,
            each.error.rule,
            each.error.message,
        )
        for each in summaries
    )
    return Sheet(_OF_SITE, rows, len(summaries), is_exact=True)


def _suggestions(error: TextError) -> str:
    return ", ".join(error.suggestions)


SPELLING_AND_GRAMMAR: Final = ExportView(
    "spelling_and_grammar", "Spelling and grammar errors by page", _on_pages
)
SPELLING_AND_GRAMMAR_SUMMARY: Final = ExportView(
    "spelling_and_grammar_summary", "Spelling and grammar errors of the site", _on_site
)
