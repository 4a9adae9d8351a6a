"""Opens and checks project files, and translates SQLite errors into ProjectErrors."""

import errno
import re
import shutil
import sqlite3
import stat
import threading
import time
from collections.abc import Container, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from gossamer.model.errors import DAMAGED, BugError, DiskError, ProjectError
from gossamer.model.translatable import Sentence, system_reason
from gossamer.store.disk_errors import DISK_FULL, READ_ONLY, UNREADABLE
from gossamer.store.locking.database_descriptors import DatabaseFile, FileConnection
from gossamer.store.locking.file_identity import ensure_own_files, file_of
from gossamer.store.path_errors import folder_error, missing_error
from gossamer.store.schema import APPLICATION_ID, TABLES, VERSION

BUSY_TIMEOUT_S = 10.0
_NO_ROOM_BYTES = 64 * 1024
_READING_S = 2.0
_READ_BYTES = 1024 * 1024
_MAGIC = b"SQLite format 3\0"
# Where the header of every SQLite file holds them: https://www.sqlite.org/fileformat2.html#the_database_header
_HEADER_SIZE = 100
_USER_VERSION = slice(60, 64)
_APPLICATION_ID = slice(68, 72)

_OF_THE_DISK: dict[int, Sentence] = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_BUSY: "{path} is open in another program; close it there, then try again.",
    sqlite3.SQLITE_LOCKED: "{path} is open in another program; close it there, then try again.",
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: "{path} cannot be opened; check its permissions.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened; check its permissions and its folder's.",
    sqlite3.SQLITE_IOERR: UNREADABLE,
}
"""What may pass."""
_SENTENCES: dict[int, Sentence] = {
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_TOOBIG: "{path} cannot hold a text this long; crawl again with a lower cap.",
}

_SAID_OF_DAMAGE = ("decode to UTF-8", "unsupported file format", "integer overflow")
"""Damage for which SQLite has no code of its own."""


class MalformedContentError(Exception):
    """The rows are inconsistent. Becomes a ProjectError, see `translated`."""


def check_header(path: Path, version: int = VERSION) -> None:
    """Raise ProjectError unless `path` is a project file of this version, by its first bytes."""
    found = file_version(path)
    if found > version:
        raise ProjectError(
            "{path} was made by a newer Gossamer; update Gossamer to open it.", path=path
        )
    if 0 < found < version:
        raise ProjectError(
            "{path} was made by an older Gossamer; run 'gossamer info' to upgrade it.", path=path
        )
    if found != version:
        raise ProjectError(
            "{path} has an unknown version ({found}); crawl again.", path=path, found=found
        )


def file_version(path: Path) -> int:
    """The version of a project file; ProjectError if `path` is none, by its first bytes.

    The file is only read, and nothing is set up next to it.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise folder_error(path)
        if not stat.S_ISREG(mode):  # reading a pipe may never end
            raise ProjectError("{path} is not a file; choose a .gossamer file.", path=path)
        application_id, version = _ids_in_header(path)
    except FileNotFoundError:
        raise missing_error(path) from None
    except OSError as e:
        if e.errno == errno.EIO:
            raise DiskError(UNREADABLE, path=path) from e
        raise DiskError(
            "{path} cannot be read ({reason}); check its permissions.",
            path=path,
            reason=system_reason(e),
        ) from e
    if application_id != APPLICATION_ID:
        raise ProjectError("{path} is not a Gossamer project; choose a .gossamer file.", path=path)
    return version


def _ids_in_header(path: Path) -> tuple[int, int]:
    """The application id and the version in the header of a file; zeros if it has no such header.

    SQLite would take 0.4 ms to open the file for that. `DatabaseFile` keeps the locks.
    """
    with DatabaseFile(path) as file:
        header = file.read(_HEADER_SIZE)
    if not header.startswith(_MAGIC):
        return 0, 0
    return (
        int.from_bytes(header[_APPLICATION_ID], "big"),
        int.from_bytes(header[_USER_VERSION], "big"),
    )


def check_schema(connection: sqlite3.Connection, path: Path, tables: str = TABLES) -> None:
    """Raise ProjectError unless every table and index is as `tables`, our own SQL, makes it.

    Tables of others with their indexes do no harm. Refused is what would run, or could: triggers,
    views, virtual tables, and indexes on our tables, which say what may be written.
    """
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    expected = expected_schema(tables)
    found = {name: sql for _, name, _, sql in rows}
    if not all(_is_same(found.get(name), sql) for name, sql in expected.items()):
        raise ProjectError(
            "{path} was modified by another program; use an earlier copy.", path=path
        )
    for kind, name, table, sql in rows:
        if (
            sql is not None
            and name not in expected
            and not _is_harmless(kind, table, sql, expected)
        ):
            raise ProjectError(
                "{path} was modified by another program, which added the {kind} {name!r}; remove "
                "it, or use an earlier copy.",
                path=path,
                kind=kind,
                name=name,
            )
    if connection.execute("SELECT 1 FROM project").fetchone() is None:
        raise damaged(path)


def _is_harmless(kind: str, table: str, sql: str, ours: Container[str]) -> bool:
    """Whether something that is not ours does nothing by itself."""
    if kind == "index":
        return table not in ours
    return kind == "table" and not sql.upper().startswith("CREATE VIRTUAL")


def check_pages(connection: sqlite3.Connection, path: Path, budget_s: float) -> None:
    """Raise ProjectError if a look at the pages of the file, as long as `budget_s`, finds damage.

    A file too large for that is looked at in part; what is damaged elsewhere is noticed when it is
    read.
    """
    with interrupted_after(connection, budget_s) as over:
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.OperationalError as e:
            if primary_code(e) != sqlite3.SQLITE_INTERRUPT:
                raise
            return
    # Interrupted, it may also complain that it did not come to all pages.
    if not over.is_set() and found != ("ok",):
        raise damaged(path)


@contextmanager
def interrupted_after(connection: sqlite3.Connection, budget_s: float) -> Iterator[threading.Event]:
    """Interrupt what is read inside after so long; the event is set then."""
    over = threading.Event()

    def stop() -> None:
        over.set()
        connection.interrupt()

    timer = threading.Timer(budget_s, stop)
    timer.daemon = True
    timer.start()
    try:
        yield over
    finally:
        timer.cancel()
        timer.join()


@cache
def expected_schema(tables: str = TABLES) -> dict[str, str]:
    """The SQL of each table and index that `tables` makes, by name."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(tables)
        rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return dict(rows.fetchall())


def _is_same(found: str | None, expected: str) -> bool:
    """Whether SQL is the same but for white space: ALTER TABLE writes it otherwise than people."""
    return found == expected or (found is not None and _plain(found) == _plain(expected))


def _plain(sql: str) -> str:
    return re.sub(r"\s*([(),]|\s)\s*", r"\1", sql)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode: transactions are begun and ended by name.

    Takes a file whose header has been checked; checks the schema.
    """
    with translated(path):
        connection = opened(path, "mode=rw")
        try:
            check_schema(connection, path)
            connection.execute("PRAGMA journal_mode=WAL")
            # A power cut may undo the last commits but never damages the file, and a
            # crash of the program alone undoes nothing: https://www.sqlite.org/pragma.html#pragma_synchronous
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA cache_size=-32768")
            connection.execute("PRAGMA temp_store=MEMORY")
            # What forbids writing is told now, not at the first commit.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        return connection


def open_for_reading(path: Path, mode: str = "mode=rw") -> sqlite3.Connection:
    """A checked connection that changes nothing. Usable on any thread, one at a time.

    With `mode=ro` SQLite itself keeps all statements from writing: for queries of others, while
    another connection is open.
    """
    check_header(path)
    with translated(path):
        try:
            # Not mode=ro: if it is the last to close the file, such a connection leaves the
            # -wal and -shm files lying about. query_only keeps our statements from writing.
            return _checked_reader(path, mode)
        except sqlite3.OperationalError as e:
            if primary_code(e) not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}:
                raise
            return _open_unchanging(path)


def _open_unchanging(path: Path) -> sqlite3.Connection:
    """Read a file next to which SQLite cannot keep its side files: nobody can be writing it.

    Commits that are only in the -wal file would be left out, so there must be none.
    """
    wal = file_of(path).with_name(f"{file_of(path).name}-wal")
    if wal.exists() and wal.stat().st_size:
        raise ProjectError(
            "The folder of {path} is not writable and the project was not closed; copy it "
            "together with {log} to another folder.",
            path=path,
            log=wal.name,
        )
    return _checked_reader(path, "mode=ro&immutable=1")


def _checked_reader(path: Path, mode: str) -> sqlite3.Connection:
    connection = opened(path, mode)
    try:
        connection.execute("PRAGMA query_only=ON")
        # A million rows are sorted in runs of the cache's size. In runs of 8 MiB that takes half
        # the time that one run in memory takes, and a tenth of the memory.
        connection.execute("PRAGMA cache_size=-8192")
        connection.execute("PRAGMA temp_store=FILE")
        check_schema(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def opened(path: Path, mode: str) -> sqlite3.Connection:
    """A connection on which nothing of the file runs; `mode` is the query of an SQLite URI."""
    file = file_of(path)
    ensure_own_files(file)
    connection = FileConnection(
        f"{file.as_uri()}?{mode}",
        file=file,
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ProjectError, or into BugError where the fault is ours.

    That a query was interrupted is none.
    """
    try:
        yield
    except (
        MalformedContentError,
        UnicodeDecodeError,  # in what SQLite says of a damaged schema
    ) as e:
        raise damaged(path) from e
    except sqlite3.Error as e:
        if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
            raise  # somebody asked for it, and knows
        passing = DISK_FULL if _is_full(path, e) else _OF_THE_DISK.get(primary_code(e))
        if passing is not None:
            raise DiskError(passing, path=path) from e
        sentence = _SENTENCES.get(primary_code(e))
        if sentence is None and any(words in str(e) for words in _SAID_OF_DAMAGE):
            sentence = DAMAGED
        if sentence == DAMAGED:
            ensure_readable(path)
        if sentence is None:
            raise BugError(f"SQLite: {e}") from e
        raise ProjectError(sentence, path=path) from e


def ensure_readable(path: Path) -> None:
    """Raise DiskError if the disk does not give the file, or its -wal file, at the moment.

    Of such a failure SQLite says the same as of damage. A large file is read in part.
    """
    file = file_of(path)
    until_s = time.monotonic() + _READING_S
    try:
        for name in (file.name, f"{file.name}-wal"):
            with suppress(FileNotFoundError), DatabaseFile(file.with_name(name)) as read:
                while time.monotonic() < until_s and read.read(_READ_BYTES):
                    pass
    except OSError as e:
        raise DiskError(UNREADABLE, path=path) from e


def _is_full(path: Path, error: sqlite3.Error) -> bool:
    """Whether an input or output error is one: of the -shm file SQLite tells it so."""
    if primary_code(error) != sqlite3.SQLITE_IOERR:
        return False
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM_BYTES
    except OSError:
        return False


@contextmanager
def translated_reading(path: Path) -> Iterator[None]:
    """Like `translated`; a value that is no outcome, number or text where one stands is damage."""
    with translated(path):
        try:
            yield
        except (ValueError, TypeError, OverflowError) as e:
            raise damaged(path) from e


def sqlite_version() -> str:
    """The version of the library that is in use."""
    return sqlite3.sqlite_version


def damaged(path: Path) -> ProjectError:
    """The error that says that a project file holds what we never wrote."""
    return ProjectError(DAMAGED, path=path)


def primary_code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite; -1 where the error came from Python's module."""
    code: int = getattr(error, "sqlite_errorcode", -1)
    return code & 0xFF if code >= 0 else code
