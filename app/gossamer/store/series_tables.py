"""The tables of a series file: makes the file, opens it, and repairs a damaged one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from gossamer.model.errors import DAMAGED, BugError, ProjectError
from gossamer.model.series_contents import CrawlSnapshot, Note
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.bulk_insert import marks
from gossamer.store.database import MalformedContentError, expected_schema, opened, translated
from gossamer.store.locking.database_descriptors import DatabaseFile
from gossamer.store.locking.folder_lock import locked_folder
from gossamer.store.shared_database import (
    DatabaseKind,
    filled_database,
    make_database,
    remove_beside,
)

SERIES_APPLICATION_ID: Final = 0x476F5365
"""b"GoSe", so that `file` and we know the file of a series."""
SERIES_VERSION: Final = 1

SERIES_TABLES: Final = """
CREATE TABLE series (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    gathered INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE crawl (
    created_at REAL PRIMARY KEY,
    project TEXT NOT NULL,
    root TEXT NOT NULL,
    state TEXT NOT NULL,
    ended_at REAL NOT NULL,
    seconds REAL NOT NULL,
    urls INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    median_ms INTEGER,
    p90_ms INTEGER,
    high INTEGER NOT NULL,
    medium INTEGER NOT NULL,
    low INTEGER NOT NULL,
    audited INTEGER NOT NULL
);
CREATE TABLE crawl_issue (
    rule INTEGER NOT NULL,
    created_at REAL NOT NULL REFERENCES crawl (created_at),
    urls INTEGER NOT NULL,
    PRIMARY KEY (rule, created_at)
) WITHOUT ROWID;
CREATE TABLE note (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at REAL NOT NULL,
    author TEXT NOT NULL,
    subject TEXT NOT NULL,
    about TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX note_about ON note (subject, about);
CREATE TABLE saved_filter (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    tab TEXT NOT NULL,
    filter TEXT NOT NULL
);
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO series (id) VALUES (1);
"""
SERIES_KIND: Final = DatabaseKind(SERIES_APPLICATION_ID, SERIES_VERSION, SERIES_TABLES)
KEPT_TABLES: Final = ("crawl", "crawl_issue", "note", "saved_filter", "setting")
"""What is taken over from a damaged file as far as it can be read."""
_KINDS: Final = {"crawl": CrawlSnapshot, "note": Note}
"""What the rows of a table are."""
_JSON: Final[dict[str, tuple[str, Any]]] = {
    "saved_filter": ("filter", dict),
    "setting": ("value", object),
}
"""The column of a table that has JSON, and of what kind that is."""


class SeriesDamagedError(ProjectError):
    """The file of a series is damaged: it can be rebuilt from the projects."""


def series_damaged(path: Path) -> SeriesDamagedError:
    """The error that says so."""
    return SeriesDamagedError(
        "The series file {path} is damaged; open the series again to rebuild it from its projects.",
        path=path,
    )


@contextmanager
def opened_series(path: Path) -> Iterator[sqlite3.Connection]:
    """Inside, a connection to a series file in autocommit mode.

    SeriesDamagedError for what is none or is damaged, also inside; ProjectError where the disk or
    its version forbids it.
    """
    try:
        with translated(path), closing(_connection(path)) as connection:
            yield connection
    except ProjectError as e:
        raise series_damaged(path) if e.said.template == DAMAGED else e from e


def _connection(path: Path) -> sqlite3.Connection:
    connection = opened(path, "mode=rw")
    try:
        _check_header(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_header(connection: sqlite3.Connection, path: Path) -> None:
    (kind,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if kind != SERIES_APPLICATION_ID:
        raise MalformedContentError
    if version != SERIES_VERSION:
        raise ProjectError(
            "{path} was made by a newer Gossamer; update Gossamer to open it.", path=path
        )


def make_series_file(path: Path) -> None:
    """Make the file of a series, empty, if there is none; OSError if it cannot be made."""
    make_database(path, SERIES_KIND)


def check_series_file(path: Path) -> None:
    """Raise SeriesDamagedError if the file is damaged, ProjectError if it cannot be used."""
    with opened_series(path) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()
        found = dict(rows)
        is_whole = all(
            found.get(name) == sql for name, sql in expected_schema(SERIES_TABLES).items()
        )
        if not is_whole or connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise series_damaged(path)
        for table in (*_KINDS, *_JSON):  # of a byte that is another, SQLite knows nothing
            if not all(_is_sound(table, row) for row in _rows_of(connection, table)):
                raise series_damaged(path)


def _rows_of(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    rows = connection.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own names
    names = [name for name, *_ in rows.description]
    return (dict(zip(names, row, strict=True)) for row in rows)


def _is_sound(table: str, row: dict[str, Any]) -> bool:
    """Whether a row is what we write."""
    try:
        if table in _KINDS:
            msgspec.convert(row, _KINDS[table], strict=False)
        elif table in _JSON:
            column, kind = _JSON[table]
            msgspec.json.decode(row[column], type=kind)
    except (ValueError, TypeError):
        return False
    return True


def repair_series_file(path: Path) -> Path | None:
    """Put a damaged file aside and make a new one of all rows of it that can be read.

    Returns where the damaged one is now; None if another thread or process has repaired it
    meanwhile: its copy of the damaged one stays. Nobody writes while it is repaired. OSError if
    that cannot be.
    """
    with locked_folder(path.parent):
        try:
            check_series_file(path)
        except SeriesDamagedError:
            return _repaired(path)
        return None


def _repaired(path: Path) -> Path:
    kept = next(each for each in _names_aside(path) if not each.exists())
    with StagingFolder(path.parent) as aside:
        part = filled_database(aside, path.name, SERIES_KIND)
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            _salvage(path, connection)
        copy = aside.new(kept.name)
        with DatabaseFile(path) as damaged:
            copy.write_bytes(damaged.read())
        aside.put(copy, kept, replace=False)
        remove_beside(path)
        aside.put(part, path, replace=True)
    return kept


def _names_aside(path: Path) -> Iterator[Path]:
    """Names for a damaged file: what was put aside before may be the only copy of something."""
    yield path.with_name(f"{path.name}.damaged")
    yield from (path.with_name(f"{path.name}.damaged-{number}") for number in count(2))


def _salvage(damaged: Path, target: sqlite3.Connection) -> None:
    """Copy the rows that SQLite can still read."""
    with (
        suppress(sqlite3.Error, ProjectError, BugError),
        closing(opened(damaged, "mode=ro&immutable=1")) as source,
    ):
        source.text_factory = lambda text: text.decode(errors="replace")
        for table in KEPT_TABLES:
            with suppress(sqlite3.Error):
                _copy_rows(source, target, table)


def _copy_rows(source: sqlite3.Connection, target: sqlite3.Connection, table: str) -> None:
    columns = [name for _, name, *_ in target.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks(len(columns))})"  # noqa: S608 - our own names
    for row in source.execute(f"SELECT {names} FROM {table}"):  # noqa: S608 - our own names
        if _is_sound(table, dict(zip(columns, row, strict=True))):
            with suppress(sqlite3.IntegrityError):
                target.execute(insert, row)
