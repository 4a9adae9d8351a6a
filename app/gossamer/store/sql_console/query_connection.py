"""A connection for queries of people: it reads one project, and can do nothing else."""

import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from gossamer.model.errors import KnownError, QueryLimitError, UsageError
from gossamer.model.project_queries import Filter, View
from gossamer.model.query_limits import QueryLimits
from gossamer.model.sql_tokens import name_in, quoted, words
from gossamer.model.translatable import Sentence
from gossamer.store.bulk_insert import marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import damaged, open_for_reading, primary_code, translated
from gossamer.store.reading.sql_functions import QUERY_FUNCTIONS, SqlFunctions
from gossamer.store.sql_console.query_permissions import (
    HIDDEN_COLUMNS,
    TABLE_FUNCTIONS,
    QueryPermissions,
)

_OPERATIONS: Final = 10_000
"""Of SQLite's machine, between two looks at the clock: about a tenth of a millisecond."""
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16 * 1024 * 1024,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 5_000_000,
}
_OF_VIEWS: Final = ("is_external", "error_count")
_UNKNOWN_TABLE: Final = re.compile(r"no such table: (?:temp\.)?(?P<name>.+)", re.DOTALL)
_UNKNOWN_COLUMN: Final = re.compile(r"no such column: (?:.+\.)?(?P<name>.+)", re.DOTALL)
_MOST_MADE: Final = 60
"""Views that one query may name."""
_OUT_OF_MEMORY: Final[Sentence] = (
    "The query needs more than the {limit} MB of memory that it may use; query fewer rows or "
    "columns, or group and sort less at once."
)
_TOO_BIG: Final[Sentence] = (
    "The query produces a text or blob of more than {limit} MB; produce smaller ones."
)
_TOO_SLOW: Final[Sentence] = (
    "The query was still running after {seconds} s; narrow it down, have it explained, or allow "
    "more time."
)
_FULL: Final[Sentence] = (
    "The query needs more space for temporary files than there is; query fewer rows, or sort less."
)


class QueryCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Nobody waits for the result any more."""


class QueryConnection(ClosedOnExit):
    """Reads one project for a query. One thread at a time.

    `define` and `fill` give it views and tables, which are temporary and its own; `run` then
    compiles and runs a single statement of a user, which can read what is there and no more.
    """

    def __init__(
        self, path: Path, limits: QueryLimits, is_cancelled: Callable[[], bool] = lambda: False
    ) -> None:
        """Open the project at `path`; ProjectError, in one sentence, if it cannot be used."""
        self._path = path
        self._limits = limits
        self._is_cancelled = is_cancelled
        self._deadline_s = time.monotonic() + limits.time_s
        self._running: sqlite3.Cursor | None = None
        self._connection = open_for_reading(path, "mode=ro")
        with translated(path):
            functions = SqlFunctions(self._connection)
            functions.prepare(View.EXTERNAL, Filter())
            functions.update_tables()
            waiting = self._connection.execute("SELECT 1 FROM unindexed_source LIMIT 1")
            self.is_indexed = waiting.fetchone() is None
            """Whether all links are in `inlink`."""
            for name in TABLE_FUNCTIONS:  # SQLite sets them up once, which no query may
                self._connection.execute(f"SELECT 1 FROM {name}('[]')")  # noqa: S608 - our own words
            self._connection.text_factory = _text
            self._permissions = QueryPermissions(
                (*QUERY_FUNCTIONS, *_OF_VIEWS), ("url_note", "url_segment")
            )

    def close(self) -> None:
        """Close the file. Does nothing the second time."""
        if self._running is not None:
            self._running.close()  # SQLite keeps files open for what it has not finished
        self._connection.close()

    def add_function(self, name: str, arguments: int, make: Callable[..., Any]) -> None:
        """Let queries call a function of ours, which always gives the same for the same values."""
        self._connection.create_function(name, arguments, make, deterministic=True)
        self._permissions.allow_function(name)

    def define(self, name: str, select: str) -> None:
        """Make a view of our own SQL."""
        with self._making():
            self._connection.execute(f"CREATE TEMP VIEW {quoted(name)} AS {select}")
        self._permissions.tables.add(name.lower())

    def fill(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Make a table with these rows."""
        names = ", ".join(map(quoted, columns))
        with self._making():
            self._connection.execute(f"CREATE TEMP TABLE {quoted(name)} ({names})")
            insert = f"INSERT INTO temp.{quoted(name)} VALUES ({marks(len(columns))})"  # noqa: S608 - our own words
            self._connection.executemany(insert, (self._timely(row) for row in rows))
        self._permissions.tables.add(name.lower())

    def _timely(self, row: Sequence[Any]) -> Sequence[Any]:
        self.check_time()
        return row

    def check_time(self) -> None:
        """Raise QueryLimitError if time is up, QueryCancelled if nobody waits."""
        if self._is_cancelled():
            raise QueryCancelled
        if time.monotonic() > self._deadline_s:
            raise too_slow(self._limits)

    @contextmanager
    def _making(self) -> Iterator[None]:
        """Inside, our own statements may write to what is temporary."""
        with self._told():
            self._connection.set_authorizer(None)
            self._connection.set_progress_handler(None, 0)
            self._connection.execute("PRAGMA query_only=OFF")
            try:
                yield
            finally:
                self._connection.execute("PRAGMA query_only=ON")

    def _lock(self) -> None:
        """From now on nothing but reading is possible, within the limits."""
        self._connection.set_authorizer(None)
        self._connection.execute("PRAGMA query_only=ON")
        for limit, value in _LIMITS.items():
            self._connection.setlimit(limit, value)
        self._connection.set_progress_handler(self._is_over, _OPERATIONS)
        self._connection.set_authorizer(self._permissions.decide)

    def _is_over(self) -> bool:
        return self._is_cancelled() or time.monotonic() > self._deadline_s

    def compile(
        self, sql: Callable[[], str], make: Callable[[str], bool], known: Sequence[str]
    ) -> None:
        """See that SQLite can compile `sql`; `make` makes the view with a name that is not there.

        `sql` is asked again after each view, which may know more names; `known` are those of views.

        UsageError, in one sentence, for what it cannot; QueryLimitError.
        """
        for _ in range(_MOST_MADE):
            self._lock()
            try:
                with self._told():
                    self._connection.execute(f"EXPLAIN {sql()}").close()
                return  # noqa: TRY300 - the only way out
            except _UnknownColumnError as e:
                raise self._unknown_column(e.name, sql()) from e
            except _UnknownTableError as e:
                self._connection.set_authorizer(None)
                if not make(e.name):
                    raise UsageError(
                        "There is no table or view {name}; similar names: {near}.",
                        name=e.name,
                        near=", ".join(get_close_matches(e.name, known, 5, 0.4) or known[:5]),
                    ) from e
        raise UsageError(
            "The query names more than {most} views; use fewer in one query.", most=_MOST_MADE
        )

    def _unknown_column(self, name: str, sql: str) -> UsageError:
        """What to say of a column that nothing has that the query names."""
        self._connection.set_authorizer(None)
        known: set[str] = set()
        for table in self._permissions.tables.intersection(map(name_in, words(sql))):
            found = self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            known.update(column for (column,) in found)
        known -= {column for _, column in HIDDEN_COLUMNS} | {name.lower()}  # of another table
        near = get_close_matches(name.lower(), sorted(known), 5, 0.4)
        if not near:
            return UsageError("There is no column {name} in what the query reads.", name=name)
        return UsageError(
            "There is no column {name}; similar names: {near}.", name=name, near=", ".join(near)
        )

    def run(self, sql: str) -> "QueryResult":
        """Begin to run `sql`. Raises what `compile` raises."""
        self._lock()
        with self._told():
            cursor = self._connection.execute(sql)
        names = tuple(str(name) for name, *_ in cursor.description or ())
        self._running = cursor
        return QueryResult(names, self._rows(cursor))

    def _rows(self, cursor: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        with self._told():
            for row in cursor:
                yield row if _ODD.isdisjoint(map(type, row)) else tuple(map(_cell, row))
                if self._is_over():
                    self.check_time()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what SQLite says of a query into a sentence."""
        self._permissions.denied = None
        try:
            yield
        except MemoryError as e:
            raise self._out_of_memory() from e
        except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError) as e:
            raise self._fault(e) from e

    def _fault(self, error: Exception) -> Exception:
        code = primary_code(error) if isinstance(error, sqlite3.Error) else -1
        if (limit := self._exceeded(code)) is not None:
            return limit
        if self._permissions.denied is not None:
            return UsageError(self._permissions.denied)
        if found := _UNKNOWN_TABLE.fullmatch(str(error)):
            return _UnknownTableError(found["name"])
        if found := _UNKNOWN_COLUMN.fullmatch(str(error)):
            return _UnknownColumnError(found["name"])
        if code in _DAMAGED:
            return damaged(self._path)
        return UsageError("SQLite cannot run the query: {reason}.", reason=_reason(error))

    def _exceeded(self, code: int) -> Exception | None:
        """What to say if a limit ended the query."""
        if code == sqlite3.SQLITE_INTERRUPT:
            return QueryCancelled() if self._is_cancelled() else too_slow(self._limits)
        if code == sqlite3.SQLITE_NOMEM:
            return self._out_of_memory()
        if code == sqlite3.SQLITE_TOOBIG:
            megabytes = _LIMITS[sqlite3.SQLITE_LIMIT_LENGTH] >> 20
            return QueryLimitError(_TOO_BIG, limit=megabytes)
        return QueryLimitError(_FULL) if code == sqlite3.SQLITE_FULL else None

    def _out_of_memory(self) -> KnownError:
        return QueryLimitError(_OUT_OF_MEMORY, limit=self._limits.memory_bytes >> 20)


def limit_memory(limits: QueryLimits) -> None:
    """Let SQLite take no more memory in this process than a query may, on all connections.

    Nobody can raise the limit afterwards, so this is for a process that runs one query.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA hard_heap_limit={limits.memory_bytes}")


class QueryResult:
    """The result of a query: the names of its columns, and its rows as they are read."""

    def __init__(self, columns: tuple[str, ...], rows: Iterator[tuple[Any, ...]]) -> None:
        self.columns = columns
        self.rows = rows
        self.is_current = True
        """Whether the audit has decided all that it says of issues."""


class _UnknownNameError(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _UnknownTableError(_UnknownNameError):
    pass


class _UnknownColumnError(_UnknownNameError):
    pass


_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def too_slow(limits: QueryLimits) -> QueryLimitError:
    """What is said of a query that did not end in time."""
    return QueryLimitError(_TOO_SLOW, seconds=f"{limits.time_s:g}")


def _reason(error: Exception) -> str:
    text = str(error).strip().rstrip(".")
    return f"{text[:500]}…" if len(text) > 500 else text  # noqa: PLR2004 - a line or two


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


_ODD: Final = frozenset({bytes, float})
"""Types of which files cannot hold each value."""


def _cell(value: Any) -> Any:  # noqa: ANN401 - what SQLite gives
    """As files can hold it: a blob is a text of hexadecimal digits."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and value in {float("inf"), float("-inf")}:
        return "Infinity" if value > 0 else "-Infinity"
    return value
