"""Buffers new rows of an index in memory and writes them later in key order.

Each new row belongs somewhere else in such an index. Entered with every commit, the rows of a
commit would touch nearly as many pages as there are rows, and each page is written twice: into the
-wal file, and into the project's own. So they wait in a table in memory until many of them are
neighbours. Then each commit enters the next stretch of keys, as many rows as wait too many, from
the least key to the greatest and then from the least again. One such way is a lap.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

from gossamer.store.bulk_insert import BulkInsert, Value

MOST_AT_ONCE = 100_000
"""Rows that a commit enters at most."""
PART = 25_000
"""Rows that a transaction enters which does nothing else: there are many of them, one after the
other, and what each changes has to have room in the -wal file."""
_FIRST: Final = -(1 << 63)
_LAST: Final = (1 << 63) - 1


class DeferredIndex:
    """The new rows of one index, held in a table in memory until they are written.

    What a transaction adds and enters is rolled back with it, after which `forget` must be called.
    The owner counts what it adds with a mark that rises. Rows added up to the mark `entered` are in
    the file.
    """

    def __init__(
        self, connection: sqlite3.Connection, name: str, columns: str, entering: Sequence[str]
    ) -> None:
        """Make the table `temp.NAME`; the first two of `columns` are its key.

        `entering` are the statements that enter rows into the file: those of `temp.NAME` for which
        `{stretch}` holds.
        """
        key, second, *_ = columns.split(", ")
        connection.execute(
            f"CREATE TABLE temp.{name} ({columns}, PRIMARY KEY ({key}, {second})) WITHOUT ROWID"
        )
        stretch = f"{key} BETWEEN ? AND ?"
        self._connection = connection
        self._count_rows = f"SELECT count(*) FROM temp.{name}"  # noqa: S608 - our own words
        self._end = (
            f"SELECT {key} FROM temp.{name} WHERE {key} >= ?"  # noqa: S608 - our own words
            f" ORDER BY {key} LIMIT 1 OFFSET ?"
        )
        self._entering = [sql.format(stretch=stretch) for sql in entering]
        self._delete = f"DELETE FROM temp.{name} WHERE {stretch}"  # noqa: S608 - our own words
        self._insert = BulkInsert(f"temp.{name}", columns)
        self._width = columns.count(",") + 1
        self._waiting = self._next = self._lap = self.entered = 0
        self.forget(0, 0)

    def __len__(self) -> int:
        """How many rows wait."""
        return self._waiting

    def forget(self, entered: int, mark: int) -> None:
        """Take `entered` as the file has it and the mark of what is in the table: a lap begins."""
        (self._waiting,) = self._connection.execute(self._count_rows).fetchone()
        self.entered = entered
        self._begin(mark)

    def add(self, values: Sequence[Value]) -> None:
        """Have rows wait, given as one flat sequence of values."""
        self._insert.run(self._connection, values)
        self.added(len(values) // self._width)

    def added(self, number: int) -> None:
        """The owner has put so many rows into the table; below 0, taken out."""
        self._waiting += number

    def enter(self, allowed: int, mark: int) -> None:
        """Enter rows into the file, in the transaction that is open, until only `allowed` wait.

        At most MOST_AT_ONCE, and those with the same key. `mark` is that of the last rows added.
        """
        excess = min(self._waiting - allowed, MOST_AT_ONCE)
        while excess > 0:
            excess -= self._enter_stretch(excess, mark)
        if not self._waiting:
            self.entered = mark
            self._begin(mark)

    def complete(self, mark: int) -> bool:
        """Enter a part of all that waits; whether that was the last."""
        self.enter(max(self._waiting - PART, 0), mark)
        return not self._waiting

    def _enter_stretch(self, number: int, mark: int) -> int:
        """Enter about so many rows from where the lap is; how many it were, 0 at its end maybe."""
        found = self._connection.execute(self._end, (self._next, number - 1)).fetchone()
        stretch = (self._next, _LAST if found is None else found[0])
        for sql in self._entering:
            self._connection.execute(sql, stretch)
        entered = self._connection.execute(self._delete, stretch).rowcount
        self._waiting -= entered
        if stretch[1] == _LAST:
            self.entered = self._lap
            self._begin(mark)
        else:
            self._next = stretch[1] + 1
        return entered

    def _begin(self, mark: int) -> None:
        self._next = _FIRST
        self._lap = mark
