"""Ranks the pages of a search by their words; of very many, those with the highest Link Scores.

SQLite finds pages ten times as fast as it ranks them, so those to rank are chosen between
(ADR 72).
"""

import sqlite3
from typing import Final, TypeAlias

from gossamer.model.search_query import Query
from gossamer.store.reading.score_order import SCORE, ScoreOrder, is_scored
from gossamer.store.reading.score_order import TABLE as SCORE_ORDER
from gossamer.store.searching.index_columns import COLUMN_WEIGHTS
from gossamer.store.searching.match_expression import any_expression
from gossamer.store.searching.query_analysis import ranking_terms

Ranked: TypeAlias = tuple[int, float, int]
"""A page, its rank and its Link Score."""
MOST_RANKED: Final = 20_000
"""Pages that are all ranked by their words."""
CHOSEN: Final = 10_000
"""Of more pages, those that are."""
RANKED: Final = 1_000
"""Pages that come by their rank; those behind them stand in the order of discovery."""
RANKING_TABLES: Final = (
    SCORE_ORDER,
    "CREATE TEMP TABLE IF NOT EXISTS search_hit (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS search_linked (id INTEGER PRIMARY KEY, rank REAL)",
    "CREATE TEMP TABLE IF NOT EXISTS search_to_rank (place INTEGER PRIMARY KEY, id INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS search_rank (id INTEGER PRIMARY KEY, rank REAL)",
)
"""What was found; what links with words of the query lead to, ranked by the best of their texts;
which pages are to be ranked by their own words; and their ranks. The least rank is the best one."""
_ANCHOR_WEIGHT: Final = 0.5
"""Of what a link says beside what a page says: less than its title."""
_IMPORTANCE: Final = f"(1 + {SCORE} / 50.0)"
"""A page that all others link to counts three times as much as one that none links to."""
_RANK: Final = f"(coalesce(r.rank, 0) + {_ANCHOR_WEIGHT} * coalesce(n.rank, 0))"
_RANKS: Final = (
    " LEFT JOIN temp.search_rank AS r ON r.id = h.id"
    " LEFT JOIN temp.search_linked AS n ON n.id = h.id"
)
_SCORED_RANK: Final = f"{_RANK} * {_IMPORTANCE}"
_SCORED_RANKS: Final = f"{_RANKS} LEFT JOIN main.url_audit AS a ON a.id = h.id"
HIT_RANK: Final = (
    f"(SELECT {_SCORED_RANK} FROM temp.search_hit AS h{_SCORED_RANKS} WHERE h.id = u.id)"  # noqa: S608 - our own words
)
"""The rank of URL u among what the search last found."""
_BEST: Final = (
    f"SELECT h.id, {_SCORED_RANK}, {SCORE} FROM {{pages}} AS h{_SCORED_RANKS}"  # noqa: S608 - our own words
    " ORDER BY 2, 3 DESC, 1 LIMIT ?"
)
_BEST_UNSCORED: Final = f"SELECT h.id, {_RANK}, 0 FROM {{pages}} AS h{_RANKS} ORDER BY 2, 1 LIMIT ?"  # noqa: S608 - our own words
"""The same where no page has a Link Score, as before the audit."""
BEST_FIRST: Final = _BEST.format(pages="temp.search_hit")
_CHOSEN: Final = "temp.search_to_rank"
_LINKED: Final = (
    "(SELECT id FROM temp.search_linked WHERE rank <= ? AND id IN (SELECT id FROM temp.search_hit))"
)
"""Those not chosen, which have but the rank of links, that may be better than another."""
_LEAST_IMPORTANCE: Final = (
    f"SELECT coalesce(min({_ANCHOR_WEIGHT} * {_IMPORTANCE}), 1)"  # noqa: S608 - our own words
    " FROM temp.search_to_rank AS c LEFT JOIN main.url_audit AS a ON a.id = c.id"
)
"""What the rank of links is multiplied by: of those not chosen, it is no greater."""
_SLACK: Final = 0.999
"""For what is lost in rounding."""
_CHOOSE_ALL: Final = (
    "INSERT INTO temp.search_to_rank (place, id) SELECT t.place, t.id"
    " FROM temp.search_hit AS h CROSS JOIN main.page_text AS t ON t.id = h.id"
)
_BY_WORDS: Final = (
    "INSERT INTO temp.search_rank (id, rank)"  # noqa: S608 - our own words
    f" SELECT c.id, bm25(page, {', '.join(map(str, COLUMN_WEIGHTS.values()))})"
    " FROM search.page CROSS JOIN temp.search_to_rank AS c ON c.place = page.rowid"
    " WHERE page MATCH ?"
)
"""https://www.sqlite.org/fts5.html#the_bm25_function."""


def rank_hits(connection: sqlite3.Connection, query: Query, order: ScoreOrder) -> None:
    """Rank what was found by the words of a query that it says: all, or those that are CHOSEN."""
    (found,) = connection.execute("SELECT count(*) FROM temp.search_hit").fetchone()
    is_many = found > MOST_RANKED
    terms = ranking_terms(query, of_many=is_many)
    if is_many:
        order.choose(CHOSEN if terms else RANKED)
    else:
        connection.execute(_CHOOSE_ALL)
    if terms and found:
        connection.execute(_BY_WORDS, (any_expression(terms),))


def best_hits(connection: sqlite3.Connection, count: int) -> list[int]:
    """The best of what was found, in order; `count` is RANKED at most.

    They are among those that were to be ranked, or that links with words of the query lead to: all
    others have no rank, and lower Link Scores than those that were chosen.
    """
    best, importance = _BEST_UNSCORED, _ANCHOR_WEIGHT
    if is_scored(connection):
        best = _BEST
        (importance,) = connection.execute(_LEAST_IMPORTANCE).fetchone()
    found = connection.execute(best.format(pages=_CHOSEN), (count,)).fetchall()
    last = found[-1][1] if len(found) == count else 0
    found += connection.execute(best.format(pages=_LINKED), (_SLACK * last / importance, count))
    found.sort(key=_order)
    return list(dict.fromkeys(url_id for url_id, _, _ in found))[:count]


def _order(row: Ranked) -> tuple[float, int, int]:
    url_id, rank, score = row
    return rank, -score, url_id
