"""Chooses those of very many pages that have the highest Link Scores.

Sorting 80,000 pages takes 20 ms. All pages of a project are sorted once, at the second search that
needs it, and that serves until the project changes: during a crawl, that would be before the next
search.
"""

import sqlite3
from typing import Final

SCORE: Final = "coalesce(a.link_score, 0)"
TABLE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS search_score_order"
    " (position INTEGER PRIMARY KEY, place INTEGER, id INTEGER)"
)
_SORT: Final = f"""
    INSERT INTO temp.search_score_order (place, id) SELECT t.place, t.id
    FROM main.page_text AS t LEFT JOIN main.url_audit AS a ON a.id = t.id
    ORDER BY {SCORE} DESC, t.id
"""  # noqa: S608 - our own words
_CHOOSE_SORTED: Final = """
    INSERT INTO temp.search_to_rank (place, id) SELECT place, id FROM (
        SELECT o.place AS place, o.id AS id FROM temp.search_score_order AS o
        WHERE o.id IN (SELECT h.id FROM temp.search_hit AS h) ORDER BY o.position LIMIT ?
    ) ORDER BY place
"""
_CHOOSE: Final = f"""
    INSERT INTO temp.search_to_rank (place, id) SELECT t.place, t.id FROM (
        SELECT h.id AS id FROM temp.search_hit AS h LEFT JOIN main.url_audit AS a ON a.id = h.id
        ORDER BY {SCORE} DESC, h.id LIMIT ?
    ) AS c CROSS JOIN main.page_text AS t ON t.id = c.id ORDER BY t.place
"""  # noqa: S608 - our own words
_IS_SCORED: Final = "SELECT 1 FROM main.url_audit WHERE link_score > 0 LIMIT 1"
_CHOOSE_FIRST: Final = """
    INSERT INTO temp.search_to_rank (place, id) SELECT t.place, t.id FROM (
        SELECT h.id AS id FROM temp.search_hit AS h ORDER BY h.id LIMIT ?
    ) AS c CROSS JOIN main.page_text AS t ON t.id = c.id ORDER BY t.place
"""


def is_scored(connection: sqlite3.Connection) -> bool:
    """Whether any page has a Link Score; none has before the audit."""
    return connection.execute(_IS_SCORED).fetchone() is not None


class ScoreOrder:
    """Fills `temp.search_to_rank` from `temp.search_hit`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection on which TABLE is made before the first choice."""
        self._connection = connection
        self._asked: int | None = None
        self._sorted: int | None = None
        """Of which version of the project a choice was made, and the order is."""

    def choose(self, count: int) -> None:
        """Choose so many; of those with equal scores, the ones discovered first."""
        if not is_scored(self._connection):
            self._connection.execute(_CHOOSE_FIRST, (count,))
            return
        (version,) = self._connection.execute("PRAGMA main.data_version").fetchone()
        if version == self._asked and version != self._sorted:
            self._connection.execute("DELETE FROM temp.search_score_order")
            self._connection.execute(_SORT)
            self._sorted = version
        self._asked = version
        self._connection.execute(_CHOOSE_SORTED if version == self._sorted else _CHOOSE, (count,))
