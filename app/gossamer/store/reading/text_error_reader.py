"""Reads the errors of spelling and grammar in a project, without those that settings ignore."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from gossamer.model.page_prose import primary_language
from gossamer.model.text_errors import (
    NOTHING_IGNORED,
    ErrorLocation,
    ErrorSummary,
    IgnoredErrors,
    PageErrors,
    TextError,
    UncheckedPages,
    reported_errors,
)
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.store.reading.sql_functions import ignored_in

MAX_SUMMARIES = 200_000
"""Different errors that are told apart: a site of a million pages may have any number of them."""
MAX_LOCATIONS = 1_000
_AT_ONCE = 1_000
_SUCCESSFUL = "v.status BETWEEN 200 AND 299"
_PAGES = f"""
    SELECT v.id, v.text_errors, coalesce(d.value, ''), coalesce(g.value, '')
    FROM visit v LEFT JOIN text d ON d.id = v.dictionary
    LEFT JOIN text g ON g.id = v.grammar_language
    WHERE v.text_errors IS NOT NULL AND {_SUCCESSFUL} AND v.id > ?
"""  # noqa: S608 - our own words
_PAGES_WITH = f"""
    SELECT v.id, u.url, v.text_errors FROM visit v JOIN url u ON u.id = v.id
    WHERE v.id > ? AND instr(v.text_errors, ?) AND {_SUCCESSFUL} ORDER BY v.id LIMIT {_AT_ONCE}
"""  # noqa: S608 - our own words
_WITHOUT_DICTIONARY = f"""
    SELECT coalesce(nullif(f.value, ''), s.value, ''), count(*)
    FROM visit v JOIN text d ON d.id = v.dictionary
    LEFT JOIN text f ON f.id = v.language_found LEFT JOIN text s ON s.id = v.language
    WHERE d.value = '' AND v.word_count > 0 AND {_SUCCESSFUL} GROUP BY 1
"""  # noqa: S608 - our own words
_WITHOUT_GRAMMAR = f"""
    SELECT count(*) FROM visit v
    WHERE v.grammar_language IS NULL AND v.word_count > 0 AND {_SUCCESSFUL}
"""  # noqa: S608 - our own words


class TextErrorReader(ProjectConnection):
    """Reads errors in texts. Raises as `Reader` does."""

    def ignored_errors(self) -> IgnoredErrors:
        """What the settings ignore."""
        with self._reading():
            return ignored_in(self._connection)

    def text_errors_of(self, url_id: int) -> list[TextError]:
        """The errors in a page, in order."""
        ignored = self.ignored_errors()
        row = self._row("SELECT text_errors FROM visit WHERE id = ?", (url_id,))
        return [] if row is None else reported_errors(row[0], ignored)

    def pages_with_errors(self) -> Iterator[PageErrors]:
        """The pages that have errors, by discovery, in constant memory."""
        ignored = self.ignored_errors()
        for url_id, text, dictionary, grammar in self._pages_with_errors():
            errors = reported_errors(text, ignored)
            if errors:
                yield PageErrors(url_id, dictionary, grammar, errors)

    def error_summaries(self) -> list[ErrorSummary]:
        """Each different error of the site; those on most pages first, MAX_SUMMARIES at most."""
        ignored = self.ignored_errors()
        found: dict[tuple[int, str, str], list[int]] = {}
        first: dict[tuple[int, str, str], tuple[TextError, str]] = {}
        for _, text, dictionary, grammar in self._pages_with_errors():
            for error in reported_errors(text, ignored):
                key = (error.kind, error.rule, error.text)
                counts = found.get(key)
                if counts is not None:
                    counts[0] += 1
                    counts[1] += error.count
                elif len(found) < MAX_SUMMARIES:
                    found[key] = [1, error.count]
                    first[key] = (error, grammar if error.rule else dictionary)
        summaries = [
            ErrorSummary(error, language, *found[key]) for key, (error, language) in first.items()
        ]
        return sorted(summaries, key=lambda each: (-each.pages, -each.occurrences, each.error.text))

    def error_locations(self, error: TextError) -> list[ErrorLocation]:
        """The pages with an error, by discovery, MAX_LOCATIONS at most."""
        return list(islice(self._locations(error), MAX_LOCATIONS))

    def _locations(self, error: TextError) -> Iterator[ErrorLocation]:
        # Texts are encoded one way, so that only pages with it are decoded.
        encoded = msgspec.json.encode(error.text).decode()
        after = 0
        while rows := self._rows(_PAGES_WITH, (after, encoded)):
            for url_id, url, text in rows:
                for each in reported_errors(text, NOTHING_IGNORED):
                    if (each.kind, each.rule, each.text) == (error.kind, error.rule, error.text):
                        yield ErrorLocation(url_id, url, each)
            after = rows[-1][0]

    def unchecked_pages(self) -> UncheckedPages:
        """How many pages were not checked, by the language for which there is no dictionary."""
        languages: dict[str, int] = {}
        for code, pages in self._rows(_WITHOUT_DICTIONARY, ()):
            language = primary_language(code)
            languages[language] = languages.get(language, 0) + pages
        row = self._row(_WITHOUT_GRAMMAR, ())
        return UncheckedPages(languages, 0 if row is None else row[0])

    def _pages_with_errors(self) -> Iterator[tuple[int, str, str, str]]:
        after = 0
        while rows := self._rows(f"{_PAGES} ORDER BY v.id LIMIT {_AT_ONCE}", (after,)):
            yield from rows
            after = rows[-1][0]
