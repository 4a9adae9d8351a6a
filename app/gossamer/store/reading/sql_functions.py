"""SQL functions that the reader adds to SQLite: external hosts, expressions, errors, case."""

import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from gossamer.model.content_types import names_type
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.project_queries import Filter, View
from gossamer.model.response_cookies import header_text
from gossamer.model.settings.crawl_settings import decode_settings
from gossamer.model.text_errors import (
    NOTHING_IGNORED,
    ErrorKind,
    IgnoredErrors,
    count_errors,
    ignored_errors,
)
from gossamer.model.translatable import Sentence
from gossamer.store.header_texts import HeaderTexts
from gossamer.store.reading.note_table import NoteTable
from gossamer.store.reading.segment_view import SegmentView
from gossamer.store.stored_settings import settings_in
from gossamer.urls.regex_search import Expression, SlowExpressionError
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parts import UrlPart

if TYPE_CHECKING:
    from gossamer.store.reading.search_hits import SearchHits


def ignored_in(connection: sqlite3.Connection) -> IgnoredErrors:
    """What the settings of a project ignore; nothing where they cannot be read."""
    (text,) = connection.execute("SELECT settings FROM project").fetchone()
    try:
        return ignored_errors(decode_settings(text))
    except (ValueError, TypeError):
        return NOTHING_IGNORED


class SqlFunctions:
    """Functions of SQL on one connection.

    These are `is_external(url)`, `is_found(text)`, `error_count(text, kind)`,
    `header_text(name, names, values)`, and `QUERY_FUNCTIONS`.

    SQLite only says that a function failed: `failure` has what it was.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._scope: Scope | None = None
        self._expression: Expression | None = None
        self._ignored: IgnoredErrors | None = None
        self._segments = SegmentView(connection)
        self.note_table = NoteTable(connection)
        self.failure: SlowExpressionError | None = None
        self._hits: SearchHits | None = None
        connection.create_function("names_type", 1, names_type, deterministic=True)
        connection.create_function("is_external", 1, self._is_external, deterministic=True)
        connection.create_function("is_found", 1, self._is_found)
        connection.create_function("error_count", 2, self._count_errors)
        connection.create_function("header_text", 3, _header_text, deterministic=True)
        for name, each in QUERY_FUNCTIONS.items():
            connection.create_function(name, len(each.takes), each.call, deterministic=True)

    @property
    def hits(self) -> "SearchHits":
        """Searches on this connection. The first use imports them: few connections search."""
        if self._hits is None:
            from gossamer.store.reading.search_hits import SearchHits  # noqa: PLC0415 - few crawls are searched

            self._hits = SearchHits(self._connection)
        return self._hits

    def interrupt_search(self) -> None:
        """End the search that is running, if one is. Call from any thread."""
        if self._hits is not None:
            self._hits.interrupt()

    def forget_ignored(self) -> None:
        """Look up again, when it is asked for, what the settings ignore: they may have changed."""
        self._ignored = None

    def update_tables(self) -> None:
        """Have `url_note` and `url_segment` tell what may have changed: notes, and segments."""
        self.note_table.update()
        self._segments.update()

    def prepare(self, view: View, filter_: Filter) -> None:
        """Get ready for a query; UsageError if its expression or its search is none."""
        self.failure = None
        self._expression = Expression(filter_.text) if filter_.expression else None
        if filter_.search is not None:
            self._segments.update()  # a search may name one
            self.hits.find(filter_.search)
        if view in {View.INTERNAL, View.EXTERNAL}:
            self.prepare_scope()

    def prepare_scope(self) -> None:
        """Get `is_external` ready for a query: before, no URL is."""
        if self._scope is None:
            self._scope = self._read_scope()

    def _read_scope(self) -> Scope:
        try:
            settings = settings_in(self._connection)
            # Hosts alone tell what is external.
            return Scope(msgspec.structs.replace(settings, include=(), exclude=()))
        except (ValueError, TypeError, UsageError) as e:
            raise ProjectError("The settings of this project cannot be read; crawl again.") from e

    def _is_external(self, url: str) -> bool:
        return self._scope is not None and self._scope.is_external(url)

    def _count_errors(self, text: str | None, kind: int) -> int:
        if text is None:
            return 0
        if self._ignored is None:
            self._ignored = ignored_in(self._connection)
        return count_errors(text, ErrorKind(kind), self._ignored)

    def _is_found(self, text: str | None) -> bool:
        try:
            return self._expression is not None and self._expression.found_in(text)
        except SlowExpressionError as e:
            self.failure = e
            raise


def _url_part(part: str, url: str) -> str | int | None:
    try:
        found = UrlPart(part).of(url)
    except ValueError:  # none of http or https
        return None
    return found.casefold() if isinstance(found, str) else found


def _header_text(name: str, names: str | None, values: str | None) -> str | None:
    return _casefold(header_text(name, HeaderTexts(names or "", values or "").headers))


def _casefold(text: object) -> str | None:
    """As `lower` of SQLite, which leaves all letters but those of ASCII as they are."""
    return None if text is None else str(text).casefold()


class QueryFunction(NamedTuple):
    """A function that the queries of people may call as well."""

    call: Callable[..., str | int | None]
    takes: tuple[str, ...]
    """What its arguments are."""
    doc: Sentence


QUERY_FUNCTIONS: Final[Mapping[str, QueryFunction]] = {
    "casefold": QueryFunction(
        _casefold, ("text",), "the text with all letters in one case, for comparing"
    ),
    "url_part": QueryFunction(_url_part, ("part", "address"), "a part of an address"),
}
"""By name. All but these and what SQLite has is refused to queries."""
