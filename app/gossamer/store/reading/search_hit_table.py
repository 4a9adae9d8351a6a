"""Puts the pages of a query into a table of the connection, with what they are ranked by.

A page is found by what it says itself, and by the texts of the links to it. SQLite finds the first
by one expression for the whole query. Links add pages and take none away, so only the pages that
links lead to, and that were not found by then, are looked at one by one. What a page must not
mention is asked of the page alone.
"""

import sqlite3
from typing import Final, TypeAlias

from gossamer.model.link_kinds import LinkKind
from gossamer.model.search_query import (
    Query,
    SearchField,
    SearchTerm,
    terms_of,
)
from gossamer.store.reading.page_sets import CANDIDATE, PageSets
from gossamer.store.reading.search_narrowing import pages_sql
from gossamer.store.searching.match_expression import (
    any_expression,
    match_expression,
    text_expression,
)
from gossamer.store.searching.query_shapes import (
    counts_all,
    is_any,
    is_any_without,
    is_for_texts,
    is_quick,
    says_much,
    split,
)

Ranked: TypeAlias = tuple[int, float, int]
"""A page, its rank and its Link Score."""
TABLES: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS search_hit (id INTEGER PRIMARY KEY, rank REAL)",
    "CREATE TEMP TABLE IF NOT EXISTS search_linked (id INTEGER PRIMARY KEY, rank REAL)",
    CANDIDATE,
)
"""What was found, ranked by its own words; what links with words of the query lead to, ranked by
the best of their texts. The least rank is the best one."""
_ANCHOR_WEIGHT: Final = 0.5
"""Of what a link says beside what a page says: less than its title."""
_IMPORTANCE: Final = "(1 + coalesce(a.link_score, 0) / 50.0)"
"""A page that all others link to counts three times as much as one that none links to."""
_RANK: Final = (
    f"(coalesce(h.rank, 0) + {_ANCHOR_WEIGHT} * coalesce(n.rank, 0)) * {_IMPORTANCE}"
    " FROM temp.search_hit AS h LEFT JOIN temp.search_linked AS n ON n.id = h.id"
    " LEFT JOIN main.url_audit AS a ON a.id = h.id"
)
HIT_RANK: Final = f"(SELECT {_RANK} WHERE h.id = u.id)"
"""The rank of URL u among what the search last found."""
BEST_FIRST: Final = f"SELECT h.id, {_RANK} ORDER BY 2, coalesce(a.link_score, 0) DESC, h.id LIMIT ?"
_IS_EXACT: Final = """
    SELECT (SELECT max(id) FROM main.text_block) = (SELECT block FROM search.followed)
    AND (SELECT count(*) FROM main.page_text) = (SELECT count(*) FROM search.place)
"""
"""Whether each text of the index is one of the project: then the project need not be asked."""
_PLACES: Final = " FROM search.page CROSS JOIN search.place AS p ON p.id = page.rowid"
_FOUND: Final = f"{_PLACES} CROSS JOIN main.page_text AS t ON t.id = p.url AND t.place = p.id"
_OWN_RANK: Final = "bm25(page, 4, 10, 5, 3, 1, 0)"
"""By address, title, headings, description and text: https://www.sqlite.org/fts5.html#the_bm25_function."""
_FIRST: Final = (
    f"SELECT p.url, ({{rank}} + {_ANCHOR_WEIGHT} * coalesce(n.rank, 0)) * {_IMPORTANCE},"
    " coalesce(a.link_score, 0){found} LEFT JOIN temp.search_linked AS n ON n.id = p.url"
    " LEFT JOIN main.url_audit AS a ON a.id = p.url"
    " WHERE page MATCH ? ORDER BY 2, 3 DESC, 1 LIMIT ?"
)
_FIRST_LINKED: Final = (
    f"SELECT n.id, {_ANCHOR_WEIGHT} * n.rank * {_IMPORTANCE}, coalesce(a.link_score, 0)"  # noqa: S608 - our own words
    " FROM temp.search_linked AS n LEFT JOIN main.url_audit AS a ON a.id = n.id"
    " ORDER BY 2, 3 DESC, 1 LIMIT ?"
)
_HITS: Final = (
    "INSERT INTO temp.search_hit (id, rank) SELECT p.url, {rank}{found} WHERE page MATCH ?"
)
_RANKS: Final = (
    "REPLACE INTO temp.search_hit (id, rank)"  # noqa: S608 - our own words
    f" SELECT p.url, {_OWN_RANK}{{found}} WHERE page MATCH ? AND EXISTS"
    " (SELECT 1 FROM temp.search_hit h WHERE h.id = p.url AND h.rank IS NULL)"
)
_IS_LINKED: Final = f"""
    (EXISTS (SELECT 1 FROM search.place s JOIN main.page_text f ON f.id = s.url AND f.place = s.id
        WHERE s.id = o.place)
    OR EXISTS (SELECT 1 FROM main.inlink i JOIN main.link l ON l.source = i.source
        AND l.target = o.target AND l.text = o.text AND l.kind = {int(LinkKind.ANCHOR)}
        WHERE i.target = o.target))
"""  # noqa: S608 - our own words
"""That a link with this text is still there: on the page it was found on, or on another one."""
_ANCHORED: Final = (
    " FROM best AS b CROSS JOIN search.anchor_of AS o ON o.text = b.text"
    " CROSS JOIN main.page_text AS t ON t.id = o.target WHERE {is_linked}"
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
_IS_ANY_LINKED: Final = (
    "SELECT EXISTS (WITH best (text) AS"
    " (SELECT rowid FROM search.link_text WHERE link_text MATCH ?) SELECT 1{anchored})"
)
_ADD_CANDIDATES: Final = (
    "INSERT INTO temp.search_candidate (place, id) SELECT t.place, n.id"
    " FROM temp.search_linked AS n CROSS JOIN main.page_text AS t ON t.id = n.id"
    " WHERE NOT EXISTS (SELECT 1 FROM temp.search_hit h WHERE h.id = n.id)"
)
_ADD_CANDIDATE: Final = (
    "INSERT INTO temp.search_candidate (place, id)"
    " SELECT place, id FROM main.page_text WHERE id = ?"
)
_CANDIDATES: Final = "SELECT c.id FROM temp.search_candidate AS c"
_OWN_CANDIDATES: Final = (
    "SELECT c.id FROM search.page CROSS JOIN temp.search_candidate AS c ON c.place = page.rowid"
    " WHERE page MATCH ?"
)
_LINKED_CANDIDATES: Final = " AND +o.target IN (SELECT c.id FROM temp.search_candidate AS c)"
_EVERY: Final = "SELECT id FROM main.page_text"
_ADD: Final = "INSERT INTO temp.search_hit (id) VALUES (?)"
_ADD_ALL: Final = "INSERT INTO temp.search_hit (id) SELECT id FROM temp.search_candidate"


class SearchHitTable:
    """Finds pages on one connection, to which the index is attached as `search`."""

    def __init__(self, connection: sqlite3.Connection, *, uses_anchors: bool) -> None:
        """`uses_anchors`: words without a field of their own are looked for in links, too."""
        self._connection = connection
        self._uses_anchors = uses_anchors
        (is_exact,) = connection.execute(_IS_EXACT).fetchone()
        self._found = _PLACES if is_exact else _FOUND
        self._anchored = _ANCHORED.format(is_linked="1" if is_exact else _IS_LINKED)

    def fill(self, query: Query) -> None:
        """Have the tables hold the pages that a query is for."""
        self._clear()
        words, narrowings = split(query)
        linked = self._rank_linked(query)
        if words is None or not is_for_texts(words):
            self._add_sets(query)
            return
        self._add_own(words)
        if linked and self._connection.execute(_ADD_CANDIDATES).rowcount > 0:
            self._add_linked(words)
        for narrowing, is_wanted in narrowings:
            sql, values = pages_sql(narrowing)
            test = "NOT IN" if is_wanted else "IN"
            self._connection.execute(f"DELETE FROM temp.search_hit WHERE id {test} ({sql})", values)  # noqa: S608 - our own words

    def first(self, query: Query, count: int) -> list[int] | None:
        """So many of the best of those pages, in order, which is found sooner than all of them.

        None where it is not: what `fill` finds is the same.
        """
        words, narrowings = split(query)
        if words is None or narrowings or not is_quick(words):
            return None
        if not is_any_without(words) and self._is_any_linked(words):
            return None
        self._clear()
        is_linked = self._rank_linked(words)
        rank = _OWN_RANK if all(map(says_much, terms_of(words))) else "0"
        sql = _FIRST.format(rank=rank, found=self._found)
        found = self._connection.execute(sql, (match_expression(words), count)).fetchall()
        if is_linked:
            found += self._first_linked(words, {each[0] for each in found}, count)
        found.sort(key=lambda each: (each[1], -each[2], each[0]))
        return [url_id for url_id, _, _ in found[:count]]

    def _first_linked(self, query: Query, known: set[int], count: int) -> list[Ranked]:
        """The best of the pages that a query is for only by the links to them.

        If it is for one by its text, too, and that is not `known`, `count` others are better.
        """
        rows: list[Ranked] = self._connection.execute(_FIRST_LINKED, (count,)).fetchall()
        others = [row for row in rows if row[0] not in known]
        if is_any(query) or not others:
            return others
        self._connection.executemany(_ADD_CANDIDATE, ((row[0],) for row in others))
        wanted = self._candidates(query)
        return [row for row in others if row[0] in wanted]

    def _clear(self) -> None:
        for table in ("search_hit", "search_linked", "search_candidate"):
            self._connection.execute(f"DELETE FROM temp.{table}")  # noqa: S608 - our own names

    def _rank_linked(self, query: Query) -> bool:
        """Look for links with words of a query; whether there are any."""
        linked = self._asked_links(query)
        if not linked:
            return False
        sql = _LINKED.format(anchored=self._anchored)
        return self._connection.execute(sql, (text_expression(linked),)).rowcount > 0

    def _is_any_linked(self, query: Query) -> bool:
        """Whether any link to a page has a word of a query."""
        linked = self._asked_links(query)
        if not linked:
            return False
        sql = _IS_ANY_LINKED.format(anchored=self._anchored)
        (is_any_linked,) = self._connection.execute(sql, (text_expression(linked),)).fetchone()
        return bool(is_any_linked)

    def _asked_links(self, query: Query) -> list[SearchTerm]:
        """The terms of a query that are looked for in the texts of links."""
        return [term for term in terms_of(query) if self._asks_links(term)]

    def _asks_links(self, term: SearchTerm) -> bool:
        return term.field is SearchField.ANCHOR or (self._uses_anchors and term.field is None)

    def _add_own(self, query: Query) -> None:
        """The pages that a query is for by what they say."""
        is_ranked = counts_all(query) and all(map(says_much, terms_of(query)))
        sql = _HITS.format(rank=_OWN_RANK if is_ranked else "NULL", found=self._found)
        self._connection.execute(sql, (match_expression(query),))
        if not is_ranked:
            self._rank(query)

    def _add_linked(self, query: Query) -> None:
        """Those that it is for by what links to them say, too."""
        if is_any(query):  # with one of the words at least, and no other is asked for
            self._connection.execute(_ADD_ALL)
            return
        pages = self._candidates(query)
        self._connection.executemany(_ADD, zip(pages, strict=True))
        if pages:
            self._rank(query)

    def _candidates(self, query: Query) -> set[int]:
        linked = self._linked_sql + _LINKED_CANDIDATES
        return self._sets(_OWN_CANDIDATES, linked, _CANDIDATES).pages(query)

    def _add_sets(self, query: Query) -> None:
        own = f"SELECT p.url{self._found} WHERE page MATCH ?"
        pages = self._sets(own, self._linked_sql, _EVERY).pages(query)
        self._connection.executemany(_ADD, zip(sorted(pages), strict=True))
        self._rank(query)

    def _sets(self, own: str, linked: str, every: str) -> PageSets:
        return PageSets(self._connection, own, linked, self._asks_links, every)

    @property
    def _linked_sql(self) -> str:
        return _BEST.format(rank="0") + "SELECT o.target" + self._anchored

    def _rank(self, query: Query) -> None:
        """Rank those that have no rank yet by the words of a query that they say."""
        own = [term for term in terms_of(query) if term.field is not SearchField.ANCHOR]
        own = list(filter(says_much, own))
        if own:
            self._connection.execute(_RANKS.format(found=self._found), (any_expression(own),))
