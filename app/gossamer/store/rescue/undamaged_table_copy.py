"""Copies the undamaged tables of a project through SQLite, which is faster than salvage."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from gossamer.model.errors import BugError, KnownError
from gossamer.store.database import (
    check_schema,
    expected_schema,
    opened,
    primary_code,
    translated,
)
from gossamer.store.locking.file_identity import file_of
from gossamer.store.rescue.row_salvage import READ, columns_of
from gossamer.store.row_validation import makes_sense

SOURCE: Final = "damaged"
"""What the damaged project is called where it is attached."""
UNCHANGED: Final = "mode=ro&immutable=1"
_LOOK_EVERY: Final = 500_000
"""Steps of SQLite after which it is asked whether the user has changed their mind."""
_OF_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})


class CopyStopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """A query was stopped because the user cancelled."""


def whole_in(source: Path, stops: Callable[[], bool]) -> frozenset[str]:
    """The tables that SQLite can read; none where it cannot even open the file.

    Raises Stopped soon after `stops` says so.
    """
    file = file_of(source)
    wal = file.with_name(f"{file.name}-wal")
    if wal.exists() and wal.stat().st_size:
        # Without its -shm file, which is not ours to make, SQLite would leave that out.
        return frozenset()
    try:
        with (
            translated(source),
            closing(opened(source, UNCHANGED)) as connection,
            stopping(connection, stops),
        ):
            check_schema(connection, source)
            return frozenset(whole_tables(connection))
    except (KnownError, BugError):
        return frozenset()


@contextmanager
def stopping(connection: sqlite3.Connection, stops: Callable[[], bool]) -> Iterator[None]:
    """Inside, a long query ends with Stopped soon after `stops` says so."""
    connection.set_progress_handler(stops, _LOOK_EVERY)
    try:
        if stops():
            raise CopyStopped
        yield
    except sqlite3.OperationalError as e:
        if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
            raise CopyStopped from e
        raise
    finally:
        connection.set_progress_handler(None, 0)


def whole_tables(source: sqlite3.Connection) -> Iterator[str]:
    """The tables of a project that SQLite can read and that we could have written."""
    for name in READ:
        try:
            (found,) = source.execute(f"PRAGMA quick_check({name})").fetchone()
            if found == "ok" and makes_sense(source, name):
                yield name
        except UnicodeDecodeError:
            continue
        except sqlite3.Error as e:
            if primary_code(e) not in _OF_DAMAGE:
                raise


def copy_tables(
    scratch: sqlite3.Connection, attached: str, names: frozenset[str]
) -> frozenset[str]:
    """Make the tables in `scratch`, and fill these from an attached project; which could be.

    That takes a fraction of the time in which its pages are read here.
    """
    copied = set()
    for name in READ:
        scratch.execute(expected_schema()[name])
    for name in names:
        columns = ", ".join(columns_of(name))
        put = scratch.execute(
            f"INSERT OR IGNORE INTO main.{name} ({columns}) SELECT {columns} FROM {attached}.{name}"  # noqa: S608 - our own names
        )
        (there,) = scratch.execute(f"SELECT count(*) FROM {attached}.{name}").fetchone()  # noqa: S608 - our own names
        if put.rowcount == there:
            copied.add(name)
        else:  # rows that are there twice: which of them is right its page may tell
            scratch.execute(f"DELETE FROM main.{name}")  # noqa: S608 - our own names
    return frozenset(copied)
