"""Maintains the `extreme` table: the slowest and the largest pages."""

import sqlite3
from collections.abc import Iterable, Sequence

from gossamer.model.outcome import PAGES
from gossamer.model.overview_data import Extreme, ExtremePage, OverviewData
from gossamer.model.store_batch import VisitRow
from gossamer.store.count_tables import count_depths, count_times, count_types

KEPT = 100
"""Pages kept of each kind. Those shown are fewer: where pages are asked again and are no longer
extreme, those behind them move up."""

_RANKED = "SELECT id FROM extreme WHERE kind = ? ORDER BY value DESC, id LIMIT ?"


class TopPages:
    """Maintains the most extreme pages; finding them among millions would take seconds.

    A page that is not among them costs two comparisons.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._new: list[tuple[int, int, int]] = []
        self._least: dict[Extreme, int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget what is not written: after a rollback."""
        self._new = []
        self._least = {kind: self._least_of(kind) for kind in Extreme}

    def add(self, rows: Iterable[VisitRow]) -> None:
        """Take what was visited."""
        slow, large = self._least[Extreme.SLOWEST], self._least[Extreme.LARGEST]
        for row in rows:
            if row.outcome not in PAGES:
                continue
            if row.visit.elapsed_ms > slow:
                self._new.append((int(Extreme.SLOWEST), row.visit.elapsed_ms, row.id))
            size_bytes = row.visit.size_bytes or 0
            if size_bytes > large:
                self._new.append((int(Extreme.LARGEST), size_bytes, row.id))

    def remove(self, ids: Sequence[int]) -> None:
        """Take URLs out that are visited again, in the transaction that is open."""
        self._connection.executemany(
            "DELETE FROM extreme WHERE id = ?", [(url_id,) for url_id in ids]
        )

    def flush(self) -> None:
        """Write what is new, in the transaction that is open."""
        if not self._new:
            return
        self._connection.executemany(
            "INSERT INTO extreme (kind, value, id) VALUES (?, ?, ?)", self._new
        )
        for kind in {kind for kind, _, _ in self._new}:
            self._connection.execute(
                f"DELETE FROM extreme WHERE kind = ? AND id NOT IN ({_RANKED})",  # noqa: S608 - our own words
                (kind, kind, KEPT),
            )
        self.forget()

    def _least_of(self, kind: Extreme) -> int:
        """The value above which a page belongs to the extreme ones; below 0 while there is room."""
        row = self._connection.execute(
            "SELECT value FROM extreme WHERE kind = ? ORDER BY value DESC LIMIT 1 OFFSET ?",
            (int(kind), KEPT - 1),
        ).fetchone()
        return -1 if row is None else int(row[0])


def read_figures(connection: sqlite3.Connection, limit: int) -> OverviewData:
    """See `Reader.figures`. ValueError for what is no number."""
    return OverviewData(
        depths=count_depths(connection, PAGES),
        times=count_times(connection),
        types=count_types(connection, limit),
        slowest=_pages(connection, Extreme.SLOWEST, limit),
        largest=_pages(connection, Extreme.LARGEST, limit),
    )


def _pages(connection: sqlite3.Connection, kind: Extreme, limit: int) -> list[ExtremePage]:
    rows = connection.execute(
        "SELECT e.id, u.url, e.value FROM extreme e JOIN url u ON u.id = e.id"
        " WHERE e.kind = ? ORDER BY e.value DESC, e.id LIMIT ?",
        (int(kind), limit),
    )
    return [ExtremePage(url_id, url, int(value)) for url_id, url, value in rows]
