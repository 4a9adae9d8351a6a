"""Finds the pages of a query as sets, part by part, where its parts are in several tables.

Where only the index of texts is asked, an expression of FTS5 with `query_part_pages` does.
"""

import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from gossamer.model.search_query import (
    Query,
    SearchAny,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.store.bulk_insert import Value, chunks, marks
from gossamer.store.reading.search_narrowing import pages_sql
from gossamer.store.searching.match_expression import any_expression, text_expression
from gossamer.store.searching.prefix_lists import listed_pages
from gossamer.store.searching.query_analysis import is_for_any_term

CANDIDATE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS search_candidate (place INTEGER PRIMARY KEY, id INTEGER)"
)
"""Pages that may be what is asked for, by the place of their text, which is their row's number in
the index: of a word that very many pages have, those are found without looking up all pages."""

LOOKED_UP: Final = 500
"""Pages up to this number are looked up one by one, in 10 µs each; to find all that have a word
that many pages have takes 20 ms."""
_SOUGHT: Final = 8
"""Pages up to this number are sought at each text of a link, in place of all that it leads to."""
_OF_PAGES: Final = (
    "SELECT t.id FROM main.page_text AS t CROSS JOIN search.page ON page.rowid = t.place"
    " WHERE page MATCH ? AND t.id IN ({ids})"
)


class PageQueries(NamedTuple):
    """The queries, in SQL, for the pages that are asked about, which are in the table `texts`.

    `own` and `linked` find those with what an expression finds in texts or in links, to whose
    conditions one on `o.target` can be added; `listed` those in a list of pages with a prefix.
    """

    own: str
    linked: str
    listed: str
    texts: str


class QueryPageSets:
    """The pages that match, among all of them or some."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        queries: PageQueries,
        asks_links: Callable[[SearchTerm], bool],
    ) -> None:
        """`asks_links` says which terms are looked for in links, too."""
        self._connection = connection
        self._queries = queries
        self._asks_links = asks_links

    def pages(self, query: Query) -> set[int]:
        """The pages that a query is for."""
        return self._among(
            self._ids(f"SELECT id FROM {self._queries.texts}"),  # noqa: S608 - our own names
            query,
            is_negated=False,
        )

    def _among(self, pages: set[int], query: Query, *, is_negated: bool) -> set[int]:
        """Those of these pages that a query is for. What must not be is asked of the page alone.

        A word is looked for only while there are pages left that it decides about.
        """
        if not pages:
            return pages
        if isinstance(query, SearchTerm) or is_for_any_term(query):
            return self._with(pages, terms_of(query), is_negated=is_negated)
        if isinstance(query, SearchNarrowing):
            return pages & self._ids(*pages_sql(query, self._queries.texts))
        if isinstance(query, SearchNot):
            return pages - self._among(pages, query.part, is_negated=True)
        parts = sorted(query.parts, key=_is_slow)
        if isinstance(query, SearchAny):
            found: set[int] = set()
            for part in parts:
                found |= self._among(pages - found, part, is_negated=is_negated)
            return found
        for part in parts:
            pages = self._among(pages, part, is_negated=is_negated)
        return pages

    def _with(self, pages: set[int], terms: Sequence[SearchTerm], *, is_negated: bool) -> set[int]:
        """Those of these pages with any of some terms."""
        own = [term for term in terms if term.field is not SearchField.ANCHOR]
        linked = [
            term
            for term in terms
            if term.field is SearchField.ANCHOR or (self._asks_links(term) and not is_negated)
        ]
        questions = [
            *([partial(self._linked, terms=linked)] if linked else []),
            *([partial(self._saying, terms=own)] if own else []),
        ]
        if len(pages) <= LOOKED_UP and all(map(self._is_soon_found, own)):
            questions.reverse()
        found: set[int] = set()
        for those_of in questions:
            if rest := pages - found:
                found |= those_of(rest)
        return found

    def _is_soon_found(self, term: SearchTerm) -> bool:
        """Whether few pages that say it are found sooner than all that links with it lead to."""
        return not _is_slow(term) or listed_pages(self._connection, term) is not None

    def _linked(self, pages: set[int], terms: Sequence[SearchTerm]) -> set[int]:
        """Those of these pages that links with any of some terms lead to."""
        expression, linked = text_expression(terms), self._queries.linked
        if len(pages) > _SOUGHT:
            return pages & self._ids(linked, (expression,))
        sought = f"{linked} AND o.target IN ({marks(len(pages))})"
        return self._ids(sought, (expression, *pages))

    def _saying(self, pages: set[int], terms: Sequence[SearchTerm]) -> set[int]:
        """Those of these pages that say any of some terms."""
        lists = {term: listed_pages(self._connection, term) for term in terms}
        found: set[int] = set()
        for listed in filter(None, lists.values()):
            found |= pages & self._ids(self._queries.listed, (listed,))
        others = [term for term in terms if lists[term] is None]
        rest = pages - found
        return found | self._matching(rest, others) if others and rest else found

    def _matching(self, pages: set[int], terms: Sequence[SearchTerm]) -> set[int]:
        """Those of these pages that SQLite finds by any of some terms."""
        expression = any_expression(terms)
        if len(pages) > LOOKED_UP or any(map(_is_slow, terms)):
            return pages & self._ids(self._queries.own, (expression,))
        found: set[int] = set()
        for ids in chunks(sorted(pages)):
            found |= self._ids(_OF_PAGES.format(ids=marks(len(ids))), (expression, *ids))
        return found

    def _ids(self, sql: str, values: tuple[Value, ...] = ()) -> set[int]:
        return {url_id for (url_id,) in self._connection.execute(sql, values)}


def _is_slow(query: Query) -> bool:
    """Whether it has a prefix: of all words that begin so, SQLite merges what pages have them."""
    if isinstance(query, SearchTerm):
        return query.is_prefix
    if isinstance(query, SearchNot):
        return _is_slow(query.part)
    return not isinstance(query, SearchNarrowing) and any(map(_is_slow, query.parts))
