"""Finds the pages of a query as sets, where one SQLite expression does not suffice."""

import sqlite3
from collections.abc import Callable
from functools import cached_property
from typing import Final

from gossamer.model.search_query import (
    Query,
    SearchAny,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
)
from gossamer.store.bulk_insert import Value
from gossamer.store.reading.search_narrowing import pages_sql
from gossamer.store.searching.match_expression import match_expression, text_expression

CANDIDATE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS search_candidate (place INTEGER PRIMARY KEY, id INTEGER)"
)
"""Pages that may be what is asked for, by the place of their text, which is their row's number in
the index: of a word that very many pages have, those are found without looking up all pages."""


class PageSets:
    """The pages that match, among all of them or some."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        own: str,
        linked: str,
        asks_links: Callable[[SearchTerm], bool],
        every: str,
    ) -> None:
        """All parameters but one are queries for pages: those that are asked about are `every`.

        `own` and `linked` find those with what an expression finds in texts or in links.
        """
        self._connection = connection
        self._own, self._linked, self._all = own, linked, every
        self._asks_links = asks_links

    def pages(self, query: Query, *, is_negated: bool = False) -> set[int]:
        """The pages that a query is for. What must not be is asked of the page alone."""
        if isinstance(query, SearchTerm):
            return self._with(query, is_negated=is_negated)
        if isinstance(query, SearchNarrowing):
            return self._ids(*pages_sql(query))
        if isinstance(query, SearchNot):
            return self._every - self.pages(query.part, is_negated=True)
        if isinstance(query, SearchAny):
            return set().union(*(self.pages(part, is_negated=is_negated) for part in query.parts))
        first, *others = query.parts
        found = self.pages(first, is_negated=is_negated)
        for part in others:
            found = found and found & self.pages(part, is_negated=is_negated)
        return found

    def _with(self, term: SearchTerm, *, is_negated: bool) -> set[int]:
        is_of_links = term.field is SearchField.ANCHOR
        found = set() if is_of_links else self._ids(self._own, (match_expression(term),))
        if is_of_links or (self._asks_links(term) and not is_negated):
            found |= self._ids(self._linked, (text_expression([term]),))
        return found

    @cached_property
    def _every(self) -> set[int]:
        return self._ids(self._all)

    def _ids(self, sql: str, values: tuple[Value, ...] = ()) -> set[int]:
        return {url_id for (url_id,) in self._connection.execute(sql, values)}
