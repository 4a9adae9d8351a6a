"""The rows that the SQL console has of a result: packed, sorted and dropped in parts."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import islice
from typing import Any, Final

from gossamer.sql_console.packed_rows import packed, unpacked

ROWS_PER_TURN: Final = 1_000
"""Rows that are sorted or copied in one turn of the loop: some milliseconds."""
_FREED: Final = 20_000
_KEPT: Final = 256
"""Rows that stay unpacked: those in sight, all of whose cells are requested."""
Row = tuple[Any, ...]


class ResultRows:
    """Rows of a result, in its order."""

    def __init__(self, packed_rows: list[bytes]) -> None:
        """Take these rows, see `packed`."""
        self._packed = packed_rows
        self._unpacked: dict[int, Row] = {}
        self._uses = 0
        self._unused = asyncio.Event()
        self._unused.set()

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> "ResultRows":
        """Rows that are not packed yet."""
        return cls([packed(row) for row in rows])

    def __len__(self) -> int:
        return len(self._packed)

    def row(self, position: int) -> Row:
        """The row at a position; it is kept for a while."""
        row = self._unpacked.get(position)
        if row is None:
            if len(self._unpacked) >= _KEPT:
                self._unpacked.clear()
            row = self._unpacked[position] = unpacked(self._packed[position])
        return row

    def rows(self, positions: Iterable[int]) -> Iterator[Row]:
        """The rows at these positions; none is kept."""
        return (unpacked(self._packed[position]) for position in positions)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep all rows meanwhile: `forget` waits. For what takes several turns of the loop."""
        self._uses += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._uses -= 1
            if not self._uses:
                self._unused.set()

    async def forget(self) -> None:
        """Drop all, a part in each turn of the loop: to free a million takes a moment."""
        await self._unused.wait()
        self._unpacked.clear()
        while self._packed:
            del self._packed[-_FREED:]
            await asyncio.sleep(0)


async def sorted_positions(rows: ResultRows, column: int, *, descending: bool) -> list[int]:
    """The positions of the rows, sorted by a column: NULL, numbers, texts; a stable sort.

    A part in each turn of the loop. With a thread, the window would wait for the interpreter with
    each cell that it paints, and for all that one call of `sorted` compares.
    """
    with rows.in_use():
        return await _sorted_positions(rows, column, descending=descending)


async def _sorted_positions(rows: ResultRows, column: int, *, descending: bool) -> list[int]:
    cells: list[Any] = []
    by_kind: tuple[list[int], list[int], list[int]] = ([], [], [])
    for begin in range(0, len(rows), ROWS_PER_TURN):
        positions = range(begin, min(begin + ROWS_PER_TURN, len(rows)))
        for position, row in zip(positions, rows.rows(positions), strict=True):
            kind, cell = _kind(row[column])
            cells.append(cell)
            by_kind[kind].append(position)
        await asyncio.sleep(0)
    found: list[int] = []
    for positions_of_kind in reversed(by_kind) if descending else by_kind:
        await _add_sorted(found, positions_of_kind, cells.__getitem__, descending=descending)
    return found


def _kind(cell: Any) -> tuple[int, Any]:  # noqa: ANN401 - any type that SQLite has
    if cell is None:
        return 0, 0
    return (1, cell) if isinstance(cell, int | float) else (2, str(cell).casefold())


async def _add_sorted(
    found: list[int], positions: list[int], key: Callable[[int], Any], *, descending: bool
) -> None:
    parts = []
    for begin in range(0, len(positions), ROWS_PER_TURN):
        part = positions[begin : begin + ROWS_PER_TURN]
        parts.append(sorted(part, key=key, reverse=descending))
        await asyncio.sleep(0)
    merged = merge(*parts, key=key, reverse=descending)
    while some := list(islice(merged, ROWS_PER_TURN)):
        found += some
        await asyncio.sleep(0)
