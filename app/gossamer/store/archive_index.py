"""The index of an archive: where it has the response for each URL.

It is a file of SQLite in the cache folder, which can be made again at any time. An archive of a
million records takes as little memory as one of ten: rows are written as they are found, and sorted
by SQLite.
"""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import astuple
from platformdirs import user_cache_path

from gossamer.model.archive_captures import (
    ArchivePart,
    Capture,
    CaptureKind,
    FetchTime,
    IndexEntry,
    OtherMethod,
    Packing,
)
from gossamer.model.errors import ProjectError
from gossamer.model.previous_crawl import PreviousPage
from gossamer.store.atomic_files import StagingFolder, make_private
from gossamer.store.bulk_insert import BulkInsert, Value
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import translated
from gossamer.store.stale_files import stale_files
from gossamer.urls.url_parsing import url_key

_VERSION: Final = 3
_ROWS: Final = 2_000
_TABLES: Final = f"""
PRAGMA user_version={_VERSION}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE part (id INTEGER PRIMARY KEY, path TEXT NOT NULL, start INTEGER NOT NULL,
    size INTEGER NOT NULL, packing INTEGER NOT NULL) STRICT;
CREATE TABLE capture (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, url TEXT NOT NULL,
    time REAL NOT NULL, part INTEGER NOT NULL, offset INTEGER NOT NULL, kind INTEGER NOT NULL,
    status INTEGER NOT NULL, is_page INTEGER NOT NULL, is_head INTEGER NOT NULL,
    record INTEGER NOT NULL, concurrent INTEGER NOT NULL, digest INTEGER NOT NULL,
    refers_url TEXT NOT NULL, refers_time REAL NOT NULL) STRICT;
CREATE TABLE other_method (record INTEGER NOT NULL, is_head INTEGER NOT NULL) STRICT;
CREATE TABLE fetch_time (record INTEGER PRIMARY KEY, ttfb_ms INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL) STRICT;
"""
_INDEXES: Final = """
CREATE INDEX other_records ON other_method (record);
UPDATE capture SET is_head = 1 WHERE record IN (SELECT record FROM other_method WHERE is_head)
    OR concurrent IN (SELECT record FROM other_method WHERE is_head);
DELETE FROM capture WHERE record IN (SELECT record FROM other_method WHERE NOT is_head)
    OR concurrent IN (SELECT record FROM other_method WHERE NOT is_head);
CREATE INDEX captures_by_url ON capture (key);
CREATE INDEX captures_by_digest ON capture (digest) WHERE digest;
CREATE INDEX pages ON capture (id) WHERE is_page;
"""
_COLUMNS: Final = (
    "key, url, time, part, offset, kind, status, is_page, is_head, record, concurrent, digest, "
    "refers_url, refers_time"
)
_FOUND: Final = (
    "SELECT id, time, part, offset, kind, status, digest, refers_url, refers_time, record "
)
_NOT_MODIFIED: Final = 304


class FoundCapture(NamedTuple):
    """A capture as the index has it."""

    id: int
    time: float
    part: ArchivePart
    offset: int
    kind: CaptureKind
    status: int
    digest: int
    refers_url: str
    refers_time: float
    record: int


def index_path(archives: Sequence[Path]) -> Path:
    """Where the index of these archives, as they are now, is kept; OSError if one is gone."""
    digest = blake2b(digest_size=16)
    for each in archives:
        status = each.stat()
        told = f"{os.fspath(each.absolute())}\0{status.st_size}\0{status.st_mtime_ns}\0"
        digest.update(told.encode("utf-8", "surrogateescape"))
    return archive_cache() / f"{digest.hexdigest()}-{_VERSION}.sqlite"


def archive_cache() -> Path:
    """The folder for what is made of archives to read them. It may not be there yet."""
    return user_cache_path("gossamer", appauthor=False) / "archives"


def write_index(
    path: Path,
    parts: Sequence[ArchivePart],
    found: Iterable[tuple[int, IndexEntry]],
) -> None:
    """Make the index at `path` of captures, each with the number of its part, whole in one step.

    Raises what `found` raises, and ProjectError where it cannot be written; nothing is left then.
    """
    with translated(path):
        make_private(path.parent)
        for unused in stale_files(path.parent, "*.sqlite"):
            with suppress(OSError):
                unused.unlink()
        with StagingFolder(path.parent) as aside:
            part = aside.new(path.name)
            with closing(sqlite3.connect(part, isolation_level=None)) as connection:
                connection.executescript(_TABLES)
                connection.execute("BEGIN")
                _fill(connection, parts, found)
                connection.execute("COMMIT")
                connection.executescript(f"BEGIN; {_INDEXES} COMMIT;")
            aside.put(part, path, replace=True)


def _fill(
    connection: sqlite3.Connection,
    parts: Sequence[ArchivePart],
    found: Iterable[tuple[int, IndexEntry]],
) -> None:
    connection.executemany(
        "INSERT INTO part VALUES (?, ?, ?, ?, ?)",
        [
            (number, str(each.path.absolute()), each.start, each.size, int(each.packing))
            for number, each in enumerate(parts)
        ],
    )
    insert = BulkInsert("capture", _COLUMNS)
    rows: list[Value] = []
    for number, each in found:
        if isinstance(each, OtherMethod):
            others = [(record, int(each.is_head)) for record in each.records]
            connection.executemany("INSERT INTO other_method VALUES (?, ?)", others)
            continue
        if isinstance(each, FetchTime):
            connection.execute("INSERT OR IGNORE INTO fetch_time VALUES (?, ?, ?)", astuple(each))
            continue
        rows += _row(number, each)
        if len(rows) >= _ROWS:
            insert.run(connection, rows)
            rows.clear()
    insert.run(connection, rows)


def _row(part: int, each: Capture) -> tuple[Value, ...]:
    # Surrogates that no file can hold do not get through the parser of addresses.
    return (
        *(url_key(each.url), each.url, each.time, part, each.offset, int(each.kind)),
        *(each.status, int(each.is_page), 0, each.record, each.concurrent, each.digest),
        *(each.refers_url, each.refers_time),
    )


class ArchiveIndex(ClosedOnExit):
    """An index, open for reading, by one thread."""

    def __init__(self, path: Path) -> None:
        """Open it; ProjectError if that cannot be."""
        if not path.exists():  # it has another name when the archive has another size or time
            raise ProjectError(
                "The archive has changed since it was read; try again when nothing writes to it."
            )
        with translated(path):
            address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._parts = {
                number: ArchivePart(Path(name), start, size, Packing(packing))
                for number, name, start, size, packing in self._connection.execute(
                    "SELECT id, path, start, size, packing FROM part"
                )
            }
        cache = archive_cache()
        unpacked = (part.path for part in self._parts.values() if part.path.parent == cache)
        for used in (path, *unpacked):
            with suppress(OSError):
                os.utime(used)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def capture(self, url: str, moment: float, *, of_head: bool = False) -> FoundCapture | None:
        """The capture of a serialised URL that is to be used; None if there is none.

        It is the last one up to `moment`, in Unix time, or the first after it. One of a HEAD
        request does only where the response to one is wanted: `of_head`.
        """
        row = self._connection.execute(
            f"{_FOUND} FROM capture WHERE key = ? AND url = ? AND is_head <= ?"
            " ORDER BY status = ?, time > ?, CASE WHEN time > ? THEN time ELSE -time END, -id"
            " LIMIT 1",
            (url_key(url), url, int(of_head), _NOT_MODIFIED, moment, moment),
        ).fetchone()
        return None if row is None else self._found(row)

    def times(self, capture: FoundCapture) -> tuple[int, int]:
        """Milliseconds to the first byte and the last one; 0 where the archive does not say."""
        row = self._connection.execute(
            "SELECT ttfb_ms, elapsed_ms FROM fetch_time WHERE record = ?", (capture.record,)
        ).fetchone()
        return row or (0, 0)

    def original(self, revisit: FoundCapture, url: str) -> FoundCapture | None:
        """The capture of another time with the body of a revisit; None where it is not here.

        A body whose digest is another's is not it, even at the same URL.
        """
        named = revisit.refers_url or url
        rows = self._connection.execute(
            f"{_FOUND} FROM capture WHERE key = :key AND url = :url AND kind != :kind"
            " AND status != :status AND (digest = :digest OR NOT digest OR NOT :digest)"
            " ORDER BY digest != :digest, abs(time - :time), id LIMIT 1",
            {
                "key": url_key(named),
                "url": named,
                "kind": int(CaptureKind.REVISIT),
                "status": _NOT_MODIFIED,
                "digest": revisit.digest,
                "time": revisit.refers_time or revisit.time,
            },
        ).fetchall()
        if not rows and revisit.digest:
            rows = self._connection.execute(
                f"{_FOUND} FROM capture WHERE digest = ? AND digest AND kind != ?"
                " ORDER BY id LIMIT 1",
                (revisit.digest, int(CaptureKind.REVISIT)),
            ).fetchall()
        return self._found(rows[0]) if rows else None

    def pages(self, after: int, limit: int) -> list[PreviousPage]:
        """Up to `limit` captures of pages with an id above `after`, by id."""
        rows = self._connection.execute(
            "SELECT id, url FROM capture WHERE is_page AND NOT is_head AND id > ?"
            " ORDER BY id LIMIT ?",
            (after, limit),
        )
        return [PreviousPage(number, url, "") for number, url in rows]

    @property
    def size(self) -> int:
        """How many captures there are."""
        return int(self._connection.execute("SELECT count(*) FROM capture").fetchone()[0])

    def _found(self, row: tuple[Any, ...]) -> FoundCapture:
        number, moment, part, offset, kind, *rest = row
        return FoundCapture(number, moment, self._parts[part], offset, CaptureKind(kind), *rest)
