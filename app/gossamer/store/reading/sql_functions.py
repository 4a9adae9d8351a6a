"""SQL functions that the reader adds to SQLite: external hosts and regular expressions."""

import sqlite3

import msgspec

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View
from gossamer.store.stored_settings import settings_in
from gossamer.urls.crawl_scope import Scope
from gossamer.urls.search_expression import Expression, SlowExpressionError


class SqlFunctions:
    """`is_external(url)` and `is_found(text)` on one connection.

    SQLite only says that a function failed: `failure` has what it was.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._scope: Scope | None = None
        self._expression: Expression | None = None
        self.failure: SlowExpressionError | None = None
        connection.create_function("is_external", 1, self._is_external, deterministic=True)
        connection.create_function("is_found", 1, self._is_found)

    def prepare(self, view: View, filter_: Filter) -> None:
        """Get ready for a query; UsageError if the filter has an expression that is none."""
        self.failure = None
        self._expression = Expression(filter_.text) if filter_.expression else None
        if view is View.EXTERNAL and self._scope is None:
            self._scope = self._read_scope()

    def _read_scope(self) -> Scope:
        try:
            settings = settings_in(self._connection)
            # Hosts alone tell what is external.
            return Scope(msgspec.structs.replace(settings, include=(), exclude=()))
        except (ValueError, TypeError, UsageError) as e:
            raise ProjectError("The settings of this project cannot be read; crawl again.") from e

    def _is_external(self, url: str) -> bool:
        return self._scope is not None and self._scope.refusal(url) is Outcome.OUT_OF_SCOPE

    def _is_found(self, text: str | None) -> bool:
        try:
            return self._expression is not None and self._expression.found_in(text)
        except SlowExpressionError as e:
            self.failure = e
            raise
