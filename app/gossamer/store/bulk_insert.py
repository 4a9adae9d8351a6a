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
_LENGTHS = (1, 8, 64, 200, 500)
CHUNK = _LENGTHS[-1]
"""How many values go into one `IN (…)`."""


def listed(numbers: Iterable[int | str]) -> str:
    """Members of our own enums for `IN (…)`, as numbers."""
    return ", ".join(str(int(number)) for number in sorted(numbers))


class BulkInsert:
    """Executes `INSERT INTO table (columns) VALUES (…)` with many rows per statement.

    A statement with a hundred rows takes half the time of a hundred runs of one with a row.
    """

    def __init__(self, table: str, columns: str, suffix: str = "") -> None:
        """Take the table, its columns separated by commas, and what follows the values."""
        self._width = columns.count(",") + 1
        self._rows = _PARAMETERS // self._width
        # Table and columns are names from our own code, never from a file or the web.
        head = f"INSERT INTO {table} ({columns}) VALUES "  # noqa: S608 - names from our own code
        row = f"({marks(self._width)})"
        self._one = f"{head}{row} {suffix}"
        self._many = f"{head}{', '.join([row] * self._rows)} {suffix}"

    def run(self, connection: sqlite3.Connection, values: Sequence[Value]) -> None:
        """Insert rows given as one flat sequence of values, row by row."""
        step = self._width * self._rows
        whole = len(values) // step * step
        if whole:
            connection.executemany(
                self._many, (values[start : start + step] for start in range(0, whole, step))
            )
        if whole < len(values):
            connection.executemany(
                self._one,
                (
                    values[start : start + self._width]
                    for start in range(whole, len(values), self._width)
                ),
            )


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
