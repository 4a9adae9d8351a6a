"""Finds the pages for those parts of a query that FTS5 cannot answer, or answers slowly.

FTS5 knows nothing of status, language, segment and folder, and merges the lists of all words with a
prefix. The pages found, as a bitmap (see `page_bitmaps`), are a condition beside the expression for
the other parts.
"""

import sqlite3
from typing import Final

from gossamer.model.search_query import (
    Query,
    SearchAny,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.store.bulk_insert import Value
from gossamer.store.reading.search_narrowing import pages_sql
from gossamer.store.searching.match_expression import any_expression, match_expression
from gossamer.store.searching.page_bitmaps import (
    FIRST,
    complement,
    intersection,
    page_bitmap,
    union,
)
from gossamer.store.searching.prefix_lists import listed_pages
from gossamer.store.searching.query_analysis import has_narrowing, has_prefix, is_for_any_term
from gossamer.store.text_blocks import text_location

_MATCHING: Final = "SELECT rowid FROM search.page WHERE page MATCH ?"


class QueryPartPages:
    """The pages for parts of queries, in the index attached as `search`; links are left out."""

    def __init__(self, project: sqlite3.Connection) -> None:
        """The sets are of the texts that the index has now."""
        self._project = project
        (block,) = project.execute("SELECT block FROM search.followed").fetchone()
        self._count = text_location(block + 1, 0) - FIRST

    def page_bitmap_of(self, part: Query) -> bytes | None:
        """The pages for a part of a query; None where FTS5 finds the same as fast."""
        if has_narrowing(part):
            return self._places(part)
        return self._any_of(terms_of(part)) if is_for_any_term(part) else None

    def _any_of(self, terms: list[SearchTerm]) -> bytes | None:
        """The pages for any of some terms; None if none of them has a prefix list."""
        sets = {term: listed_pages(self._project, term) for term in terms}
        found = [pages for pages in sets.values() if pages is not None]
        if not found:
            return None
        others = [term for term in terms if sets[term] is None]
        return union([*found, self._matching(any_expression(others))] if others else found)

    def _places(self, query: Query) -> bytes:
        if isinstance(query, SearchNarrowing):
            return self._set_of(*pages_sql(query, column="place"))
        if not (has_narrowing(query) or has_prefix(query)):
            return self._matching(match_expression(query))
        if isinstance(query, SearchNot):
            return complement(self._places(query.part), self._count)
        if isinstance(query, SearchTerm):
            found = self._any_of([query])
            return self._matching(match_expression(query)) if found is None else found
        parts = map(self._places, query.parts)
        return union(parts) if isinstance(query, SearchAny) else intersection(parts)

    def _matching(self, expression: str) -> bytes:
        return self._set_of(_MATCHING, (expression,))

    def _set_of(self, sql: str, values: tuple[Value, ...]) -> bytes:
        return page_bitmap(self._project.execute(sql, values), self._count)
