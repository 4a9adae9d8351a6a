"""Puts the pages that a query is for into tables of the connection, the best with their rank.

A page is found by what it says itself, and by the texts of the links to it. SQLite finds the first
by one expression for the whole query. Only where a word of the query is in the text of a link, or
something else than words is asked for, what its parts find is put together here. What a page must
not mention is asked of the page alone.
"""

import sqlite3
from typing import Final

from gossamer.model.link_kinds import LinkKind
from gossamer.model.search_query import (
    PAGE_FIELDS,
    Query,
    SearchAll,
    SearchAny,
    SearchField,
    SearchNarrowing,
    SearchNot,
    SearchTerm,
    terms_of,
)
from gossamer.store.reading.search_narrowing import pages_with
from gossamer.store.searching.match_expression import anchor_expression, match_expression

RANKED: Final = 5_000
"""Pages that are ranked; of more, first of all those with the words in title or headings."""
_RANKED_TEXTS: Final = 200
"""Texts of links that rank pages, where these are more."""
TABLES: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS search_hit (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS search_rank (id INTEGER PRIMARY KEY, rank REAL)",
)
_IS_EXACT: Final = """
    SELECT (SELECT max(id) FROM main.text_block) = (SELECT block FROM search.followed)
    AND (SELECT count(*) FROM main.page_text) = (SELECT count(*) FROM search.place)
"""
"""Whether each text of the index is one of the project: then the project need not be asked."""
_PLACES: Final = " FROM search.page CROSS JOIN search.place AS p ON p.id = page.rowid"
_FOUND: Final = f"{_PLACES} CROSS JOIN main.page_text AS t ON t.id = p.url AND t.place = p.id"
_ALL: Final = "INSERT INTO temp.search_hit (id) SELECT p.url{found} WHERE page MATCH ?"
_SOME: Final = "SELECT p.url{found} WHERE page MATCH ?"
_IMPORTANCE: Final = "(1 + coalesce(a.link_score, 0) / 50.0)"
"""A page that all others link to counts three times as much as one that none links to."""
_BEST: Final = (
    "REPLACE INTO temp.search_rank (id, rank)"  # noqa: S608 - our own words
    f" SELECT p.url, bm25(page, 4, 10, 5, 3, 1, 0) * {_IMPORTANCE}{_FOUND}"
    " LEFT JOIN main.url_audit AS a ON a.id = p.url"
    " WHERE page MATCH ? AND +p.url IN (SELECT id FROM temp.search_hit) LIMIT ?"
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
    "SELECT o.target FROM search.link_text CROSS JOIN search.anchor_of AS o"
    " ON o.text = link_text.rowid CROSS JOIN main.page_text AS t ON t.id = o.target"
    " WHERE link_text MATCH ? AND {is_linked}"
)
_ANCHOR_WEIGHT: Final = 0.5
"""Of what a link says beside what a page says: less than its title."""
_BEST_ANCHORED: Final = f"""
    INSERT INTO temp.search_rank (id, rank)
    WITH best (text, rank) AS MATERIALIZED (
        SELECT rowid, bm25(link_text) FROM search.link_text WHERE link_text MATCH ?1 LIMIT ?2
    )
    SELECT o.target, min(b.rank) * {_ANCHOR_WEIGHT} * {_IMPORTANCE}
    FROM best AS b CROSS JOIN search.anchor_of AS o ON o.text = b.text
    LEFT JOIN main.url_audit AS a ON a.id = o.target
    WHERE +o.target IN (SELECT id FROM temp.search_hit) GROUP BY o.target LIMIT {RANKED}
    ON CONFLICT (id) DO UPDATE SET rank = rank + excluded.rank
"""  # noqa: S608 - our own words


class FoundPages:
    """Finds pages on one connection, to which the index is attached as `search`."""

    def __init__(self, connection: sqlite3.Connection, *, uses_anchors: bool) -> None:
        """`uses_anchors`: words without a field of their own are looked for in links, too."""
        self._connection = connection
        self._uses_anchors = uses_anchors
        (is_exact,) = connection.execute(_IS_EXACT).fetchone()
        self._found = _PLACES if is_exact else _FOUND
        self._anchored_sql = _ANCHORED.format(is_linked="1" if is_exact else _IS_LINKED)
        self._anchored: dict[SearchTerm, frozenset[int]] = {}

    def fill(self, query: Query) -> None:
        """Have the tables hold the pages that a query is for."""
        for table in ("search_hit", "search_rank"):
            self._connection.execute(f"DELETE FROM temp.{table}")  # noqa: S608 - our own names
        if isinstance(query, SearchTerm) and query.field is None and self._uses_anchors:
            self._fill_with(query)
            return
        if not self._is_beyond_texts(query):
            words = match_expression(query)
            sql = _ALL.format(found=self._found)
            self._rank_by_pages(query, self._connection.execute(sql, (words,)).rowcount)
            return
        pages = sorted(self._pages(query))
        self._connection.executemany(
            "INSERT INTO temp.search_hit (id) VALUES (?)", ((url_id,) for url_id in pages)
        )
        own = [term for term in terms_of(query) if term.field is not SearchField.ANCHOR]
        if own:
            self._rank_by_pages(SearchAny(tuple(own)), len(pages))
        for term in self._anchored:
            self._rank_by_links(term, len(pages))

    def _fill_with(self, term: SearchTerm) -> None:
        """The pages with one term, which are many at times: without bringing them here."""
        sql = _ALL.format(found=self._found)
        count = self._connection.execute(sql, (match_expression(term),)).rowcount
        linked = f"INSERT OR IGNORE INTO temp.search_hit (id) {self._anchored_sql}"
        count += self._connection.execute(linked, (anchor_expression(term),)).rowcount
        self._rank_by_pages(term, count)
        self._rank_by_links(term, count)

    def _rank_by_links(self, term: SearchTerm, count: int) -> None:
        texts = RANKED if count <= RANKED else _RANKED_TEXTS
        self._connection.execute(_BEST_ANCHORED, (anchor_expression(term), texts))

    def _rank_by_pages(self, query: Query, count: int) -> None:
        """Rank what was found by what the pages say, of so many."""
        fields = PAGE_FIELDS if count <= RANKED else (SearchField.TITLE, SearchField.HEADINGS)
        self._connection.execute(_BEST, (match_expression(query, fields), RANKED))

    def _is_beyond_texts(self, query: Query, *, is_negated: bool = False) -> bool:
        """Whether links or facets decide about a part of a query, which no index of texts knows."""
        if isinstance(query, SearchNarrowing):
            return True
        if isinstance(query, SearchTerm):
            if query.field is SearchField.ANCHOR:
                self._anchors_of(query)
                return True
            is_asked = self._uses_anchors and query.field is None and not is_negated
            return is_asked and bool(self._anchors_of(query))
        if isinstance(query, SearchNot):
            return self._is_beyond_texts(query.part, is_negated=True)
        decide = [self._is_beyond_texts(part, is_negated=is_negated) for part in query.parts]
        return any(decide)  # all were asked: ranks need what each found

    def _anchors_of(self, term: SearchTerm) -> frozenset[int]:
        if term not in self._anchored:
            found = self._connection.execute(self._anchored_sql, (anchor_expression(term),))
            self._anchored[term] = frozenset(url_id for (url_id,) in found)
        return self._anchored[term]

    def _pages(self, query: Query, *, is_negated: bool = False) -> set[int]:
        """The pages that a part of a query is for."""
        if not self._is_beyond_texts(query, is_negated=is_negated):
            sql = _SOME.format(found=self._found)
            rows = self._connection.execute(sql, (match_expression(query),))
            return {url_id for (url_id,) in rows}
        if isinstance(query, SearchTerm | SearchNarrowing):
            return self._pages_of_one(query)
        if isinstance(query, SearchNot):
            return self._every() - self._pages(query.part, is_negated=True)
        if isinstance(query, SearchAny):
            return set().union(*self._parts(query.parts, SearchAny, is_negated=is_negated))
        return set.intersection(*self._parts(query.parts, SearchAll, is_negated=is_negated))

    def _pages_of_one(self, query: SearchTerm | SearchNarrowing) -> set[int]:
        if isinstance(query, SearchNarrowing):
            return pages_with(self._connection, query)
        linked = set(self._anchors_of(query))
        if query.field is SearchField.ANCHOR:
            return linked
        return linked | self._pages(query, is_negated=True)

    def _parts(
        self,
        parts: tuple[Query, ...],
        kind: type[SearchAll] | type[SearchAny],
        *,
        is_negated: bool,
    ) -> list[set[int]]:
        """What each part finds; those about which no link decides are one for SQLite."""
        of_links = [part for part in parts if self._is_beyond_texts(part, is_negated=is_negated)]
        others = tuple(part for part in parts if part not in of_links)
        joined: list[Query] = [kind(others)] if others else []
        return [self._pages(part, is_negated=is_negated) for part in (*of_links, *joined)]

    def _every(self) -> set[int]:
        return {url_id for (url_id,) in self._connection.execute("SELECT id FROM main.page_text")}
