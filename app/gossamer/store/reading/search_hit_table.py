"""Puts the pages of a query into a table of the connection, with the ranks that links give them.

A page is found by what it says itself, and by the texts of the links to it. SQLite finds the first
by one expression for the whole query. Links add pages and take none away, so only the pages that
links lead to, and that were not found by then, are looked at one by one. What a page must not
mention is asked of the page alone.
"""

import sqlite3
from typing import Final

from gossamer.model.link_kinds import LinkKind
from gossamer.model.search_query import (
    Query,
    SearchAll,
    SearchField,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.store.bulk_insert import BulkInsert, Value
from gossamer.store.reading.query_page_sets import CANDIDATE, PageQueries, QueryPageSets
from gossamer.store.reading.query_part_pages import QueryPartPages
from gossamer.store.reading.search_narrowing import ALL_TEXTS, linking_sql, pages_sql
from gossamer.store.reading.search_ranking import RANKING_TABLES
from gossamer.store.searching.match_expression import match_expression, text_expression
from gossamer.store.searching.page_bitmaps import IN_BITMAP
from gossamer.store.searching.query_analysis import (
    is_for_any_term,
    is_for_texts,
    parts_of,
    words_and_narrowings,
)

TABLES: Final = (*RANKING_TABLES, CANDIDATE)
_IS_EXACT: Final = """
    SELECT (SELECT count(*) FROM search.place) = (SELECT count(*) FROM main.page_text)
        - (SELECT coalesce(sum(pages), 0) FROM main.text_block WHERE id > ?)
"""
"""Whether each text of the index, which ends with a block, is one of the project: then the project
need not be asked."""
_PLACES: Final = " FROM search.page CROSS JOIN search.place AS p ON p.id = page.rowid"
_EVERY_PLACE: Final = " FROM search.place AS p"
_IS_CURRENT: Final = " CROSS JOIN main.page_text AS t ON t.id = p.url AND t.place = p.id"
_HITS: Final = "INSERT INTO temp.search_hit (id) SELECT p.url{found} WHERE {conditions}"
_MATCHES: Final = "page MATCH ?"
_LISTED: Final = IN_BITMAP.format(place="p.id")
_IS_LINKED: Final = f"""
    (EXISTS (SELECT 1 FROM search.place s JOIN main.page_text f ON f.id = s.url AND f.place = s.id
        WHERE s.id = o.place)
    OR EXISTS (SELECT 1 FROM main.inlink i JOIN main.link l ON l.source = i.source
        AND l.target = o.target AND l.text = o.text AND l.kind = {int(LinkKind.ANCHOR)}
        WHERE i.target = o.target))
"""  # noqa: S608 - our own words
"""That a link with this text is still there: on the page it was found on, or on another one."""
_ANCHORED: Final = (
    " FROM best AS b CROSS JOIN search.anchor_of AS o ON o.text = b.text WHERE {is_linked}"
)
_BEST: Final = (
    "WITH best (text, rank) AS MATERIALIZED"
    " (SELECT rowid, {rank} FROM search.link_text WHERE link_text MATCH ?) "
)
_LINKED: Final = (
    f"INSERT INTO temp.search_linked (id, rank) {_BEST.format(rank='bm25(link_text)')}"
    " SELECT o.target, b.rank{anchored}"
    " ON CONFLICT (id) DO UPDATE SET rank = excluded.rank WHERE excluded.rank < rank"
)
_ADD_CANDIDATES: Final = (
    "INSERT INTO temp.search_candidate (place, id) SELECT t.place, n.id"
    " FROM temp.search_linked AS n CROSS JOIN main.page_text AS t ON t.id = n.id"
    " WHERE NOT EXISTS (SELECT 1 FROM temp.search_hit h WHERE h.id = n.id)"
)
_CANDIDATES: Final = "temp.search_candidate"
_OWN_CANDIDATES: Final = (
    "SELECT c.id FROM search.page CROSS JOIN temp.search_candidate AS c ON c.place = page.rowid"
    " WHERE page MATCH ?"
)
_LISTED_CANDIDATES: Final = (
    f"SELECT c.id FROM temp.search_candidate AS c WHERE {IN_BITMAP.format(place='c.place')}"  # noqa: S608 - our own words
)
_LINKED_CANDIDATES: Final = " AND +o.target IN (SELECT c.id FROM temp.search_candidate AS c)"
_CLEARED: Final = (
    *("search_hit", "search_to_rank", "search_rank", "search_linked", "search_candidate"),
)
_ADD: Final = BulkInsert("temp.search_hit", "id")
_ADD_ALL: Final = "INSERT INTO temp.search_hit (id) SELECT id FROM temp.search_candidate"


class SearchHitTable:
    """Finds pages on one connection, to which the index is attached as `search`."""

    def __init__(self, connection: sqlite3.Connection, *, uses_anchors: bool) -> None:
        """`uses_anchors`: words without a field of their own are looked for in links, too."""
        self._connection = connection
        self._uses_anchors = uses_anchors
        (block,) = connection.execute("SELECT block FROM search.followed").fetchone()
        is_exact = connection.execute(_IS_EXACT, (block,)).fetchone()[0]
        current = "" if is_exact else _IS_CURRENT
        self._found, self._every = _PLACES + current, _EVERY_PLACE + current
        self._anchored = _ANCHORED.format(is_linked="1" if is_exact else _IS_LINKED)

    def fill(self, query: Query, not_linking_to: str = "") -> None:
        """Have the tables hold the pages that a query is for, and those that its links lead to.

        But for those that link to the URL `not_linking_to`, and itself.
        """
        self._clear()
        words, narrowings = words_and_narrowings(query)
        linked = self._rank_linked(query)
        if words is None or not is_for_texts(words):
            self._add_sets(query)
        else:
            self._add_hits(words)
            if linked and self._connection.execute(_ADD_CANDIDATES).rowcount > 0:
                self._add_linked(words)
            for narrowing, is_wanted in narrowings:
                self._narrow("NOT IN" if is_wanted else "IN", *pages_sql(narrowing))
        if not_linking_to:
            self._narrow("IN", *linking_sql(not_linking_to))

    def _add_hits(self, query: Query) -> None:
        """Find the pages that say what a query asks for; some parts of it by sets of pages."""
        others: list[Query] = []
        conditions: list[str] = []
        values: list[Value] = []
        pages = QueryPartPages(self._connection)
        for part in parts_of(query):
            inner = part.part if isinstance(part, SearchNot) else part
            listed = pages.page_bitmap_of(inner)
            if listed is None:
                others.append(part)
            else:
                conditions.append(_LISTED if inner is part else f"NOT {_LISTED}")
                values.append(listed)
        if others:
            conditions.insert(0, _MATCHES)
            values.insert(0, match_expression(SearchAll(tuple(others))))
        found = self._found if others else self._every
        sql = _HITS.format(found=found, conditions=" AND ".join(conditions))
        self._connection.execute(sql, values)

    def _narrow(self, test: str, sql: str, values: tuple[Value, ...]) -> None:
        """Leave out the pages that are, or are not, in what a query finds."""
        self._connection.execute(f"DELETE FROM temp.search_hit WHERE id {test} ({sql})", values)  # noqa: S608 - our own words

    def _clear(self) -> None:
        for table in _CLEARED:
            self._connection.execute(f"DELETE FROM temp.{table}")  # noqa: S608 - our own names

    def _rank_linked(self, query: Query) -> bool:
        """Look for links with words of a query; whether there are any."""
        linked = self._asked_links(query)
        if not linked:
            return False
        sql = _LINKED.format(anchored=self._anchored)
        return self._connection.execute(sql, (text_expression(linked),)).rowcount > 0

    def _asked_links(self, query: Query) -> list[SearchTerm]:
        """The terms of a query that are looked for in the texts of links."""
        return [term for term in terms_of(query) if self._asks_links(term)]

    def _asks_links(self, term: SearchTerm) -> bool:
        return term.field is SearchField.ANCHOR or (self._uses_anchors and term.field is None)

    def _add_linked(self, query: Query) -> None:
        """Those that it is for by what links to them say, too."""
        if is_for_any_term(query):  # with one of the words at least, and no other is asked for
            self._connection.execute(_ADD_ALL)
            return
        linked = self._linked_sql + _LINKED_CANDIDATES
        queries = PageQueries(_OWN_CANDIDATES, linked, _LISTED_CANDIDATES, _CANDIDATES)
        pages = self._sets(queries).pages(query)
        self._add_pages(pages)

    def _add_sets(self, query: Query) -> None:
        own = f"SELECT p.url{self._found} WHERE {_MATCHES}"
        listed = f"SELECT p.url{self._every} WHERE {_LISTED}"
        pages = self._sets(PageQueries(own, self._linked_sql, listed, ALL_TEXTS)).pages(query)
        self._add_pages(pages)

    def _add_pages(self, pages: set[int]) -> None:
        """In few statements: each is a transaction, which takes longer than a page."""
        _ADD.run(self._connection, sorted(pages))

    def _sets(self, queries: PageQueries) -> QueryPageSets:
        return QueryPageSets(self._connection, queries, self._asks_links)

    @property
    def _linked_sql(self) -> str:
        return _BEST.format(rank="0") + "SELECT o.target" + self._anchored
