"""How many URLs there are of each kind, kept as they change: `url_count` and `status_count`."""

import sqlite3
from collections import Counter

from app.model.outcome import Outcome
from app.store.bulk import Insert

NO_STATUS = 0
"""Stands in `status_count` for visits without a usable answer."""

_URLS = Insert(
    "url_count",
    "outcome, depth, urls",
    "ON CONFLICT (outcome, depth) DO UPDATE SET urls = urls + excluded.urls",
)
_STATUSES = Insert(
    "status_count",
    "status, urls, size_bytes",
    "ON CONFLICT (status) DO UPDATE"
    " SET urls = urls + excluded.urls, size_bytes = size_bytes + excluded.size_bytes",
)


class Tallies:
    """Counts what a transaction changes. To count millions of rows anew takes seconds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._urls: Counter[tuple[int, int]] = Counter()
        self._statuses: Counter[int] = Counter()
        self._sizes: Counter[int] = Counter()

    def forget(self) -> None:
        """Forget what is not written: after a rollback."""
        self._urls.clear()
        self._statuses.clear()
        self._sizes.clear()

    def url(self, outcome: int, depth: int, number: int = 1) -> None:
        """There are so many URLs more of this outcome at this depth."""
        self._urls[int(outcome), depth] += number

    def answer(self, status: int | None, size_bytes: int, number: int = 1) -> None:
        """There are so many answers more of this status and size."""
        key = status or NO_STATUS
        self._statuses[key] += number
        self._sizes[key] += number * size_bytes

    def flush(self) -> None:
        """Write the counts, in the transaction that is open."""
        urls = ((*kind, number) for kind, number in self._urls.items() if number)
        _URLS.run(self._connection, [value for row in urls for value in row])
        statuses = self._statuses
        _STATUSES.run(
            self._connection,
            [value for key in statuses for value in (key, statuses[key], self._sizes[key])],
        )
        self.forget()


def count_statuses(connection: sqlite3.Connection) -> dict[int, int]:
    """HTTP status → URLs. ValueError for what is no number."""
    rows = connection.execute("SELECT status, urls FROM status_count WHERE urls > 0")
    return {status: int(number) for status, number in rows if status != NO_STATUS}


def count_outcomes(connection: sqlite3.Connection) -> dict[Outcome, int]:
    """Outcome → URLs. ValueError for what is no outcome."""
    rows = connection.execute("SELECT outcome, total(urls) FROM url_count GROUP BY outcome")
    return {Outcome(outcome): int(number) for outcome, number in rows if number}


def count_depths(connection: sqlite3.Connection, outcomes: list[int], below: int) -> dict[int, int]:
    """Depth, if lower than `below` → URLs with one of these outcomes."""
    listed = ", ".join(map(str, outcomes))
    rows = connection.execute(
        f"SELECT depth, total(urls) FROM url_count WHERE outcome IN ({listed}) AND depth < ?"  # noqa: S608 - numbers
        " GROUP BY depth",
        (below,),
    )
    return {depth: int(number) for depth, number in rows if number}
