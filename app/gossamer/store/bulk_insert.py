"""Inserts many rows with few SQL statements."""

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

Value: TypeAlias = int | float | str | bytes | None
Row: TypeAlias = tuple[Value, ...]

NULL: Final = math.nan
"""SQLite stores it as NULL (https://www.sqlite.org/floatingpoint.html), and it is bound like any
number. With None, and with members of enums, sqlite3 takes several times as long: it looks first
whether somebody has taught it what they mean.
"""

# Below 999 parameters a statement runs on any SQLite.
_PARAMETERS = 900
_SHORTER: Final = 4
"""Of one statement, the next has this part of the rows."""
_LENGTHS = (1, 8, 64, 200, 500)
CHUNK = _LENGTHS[-1]
"""How many values go into one `IN (…)`."""


def listed(numbers: Iterable[int | str]) -> str:
    """Members of our own enums for `IN (…)`, as numbers."""
    return ", ".join(str(int(number)) for number in sorted(numbers))


class BulkInsert:
    """Executes `INSERT INTO table (columns) VALUES (…)` with many rows per statement.

    A statement with a hundred rows takes a third of the time of a hundred runs of one with a row.
    There are a few of each table: what is left over by the longest goes into shorter ones.
    """

    def __init__(self, table: str, columns: str, suffix: str = "") -> None:
        """Take the table, its columns separated by commas, and what follows the values."""
        width = columns.count(",") + 1
        # Table and columns are names from our own code, never from a file or the web.
        head = f"INSERT INTO {table} ({columns}) VALUES "  # noqa: S608 - names from our own code
        row = f"({marks(width)})"
        self._statements: list[tuple[int, str]] = []
        rows = _PARAMETERS // width
        while rows > 0:
            self._statements.append((rows * width, f"{head}{', '.join([row] * rows)} {suffix}"))
            rows = 1 if 1 < rows < _SHORTER else rows // _SHORTER

    def run(self, connection: sqlite3.Connection, values: Sequence[Value]) -> None:
        """Insert rows given as one flat sequence of values, row by row."""
        start = 0
        for length, statement in self._statements:
            stop = len(values) - (len(values) - start) % length
            if stop > start:
                parts = (values[at : at + length] for at in range(start, stop, length))
                connection.executemany(statement, parts)
                start = stop


def chunks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """`ids` in parts of at most CHUNK, for one `IN (…)` each.

    A part is filled up with its last id to one of a few lengths. To prepare a statement with
    hundreds of marks takes longer than to run it: so it is there already.
    """
    for start in range(0, len(ids), CHUNK):
        part = ids[start : start + CHUNK]
        length = next(length for length in _LENGTHS if length >= len(part))
        yield [*part, *[part[-1]] * (length - len(part))]


def marks(count: int) -> str:
    """`count` parameter marks, for `IN (…)`."""
    return ",".join("?" * count)
