"""Opens a project file to read it: queries that can be interrupted, errors as sentences."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from gossamer.model.outcome import FORMER_PAGES
from gossamer.store.bulk_insert import Value, chunks, listed, marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import open_for_reading, primary_code, translated_reading
from gossamer.store.reading.read_interrupted import ReadInterrupted
from gossamer.store.reading.row_mapping import Row
from gossamer.store.reading.sql_functions import SqlFunctions

_T = TypeVar("_T")


class ProjectConnection(ClosedOnExit):
    """A connection to a project file. One thread at a time; `interrupt` from any thread."""

    def __init__(self, path: Path) -> None:
        """Open the project at `path`; ProjectError, in one sentence, if it cannot be used."""
        self._path = path
        self._connection = open_for_reading(path)
        self._functions = SqlFunctions(self._connection)

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        with translated_reading(self._path):
            self._connection.close()

    def interrupt(self) -> None:
        """End the query that is running, if one is, on whatever thread. Call from any thread."""
        self._functions.interrupt_search()
        with suppress(sqlite3.ProgrammingError):  # closed meanwhile, on the thread that reads
            self._connection.interrupt()

    def has_former_pages(self) -> bool:
        """Whether pages of an earlier crawl were looked for, whatever has become of them."""
        query = f"SELECT 1 FROM url_count WHERE outcome IN ({listed(FORMER_PAGES)}) LIMIT 1"  # noqa: S608 - numbers
        return self._row(query, ()) is not None

    def _by_id(
        self, columns: str, joins: str, ids: Sequence[int], make: Callable[[Row], _T]
    ) -> Iterator[_T]:
        for chunk in chunks(ids):
            yield from self._made(
                make,
                f"SELECT {columns} FROM url u{joins} WHERE u.id IN ({marks(len(chunk))})",  # noqa: S608 - our own words
                chunk,
            )

    def _row(self, sql: str, values: Iterable[Value]) -> Row | None:
        return next(iter(self._rows(sql, values)), None)

    def _rows(self, sql: str, values: Iterable[Value]) -> list[Row]:
        """All rows at once: no query is open when this returns."""
        with self._reading():
            return self._connection.execute(sql, tuple(values)).fetchall()

    def _made(self, make: Callable[[Row], _T], sql: str, values: Iterable[Value]) -> list[_T]:
        with self._reading():
            cursor = self._connection.execute(sql, tuple(values))
            return [make(row) for row in cursor]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._functions.forget_ignored()
        with translated_reading(self._path):
            try:
                self._functions.update_tables()
                yield
            except sqlite3.OperationalError as e:
                if self._functions.failure is not None:
                    raise self._functions.failure from e
                if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                    raise ReadInterrupted from e
                raise
