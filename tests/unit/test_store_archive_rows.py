"""What a project forgets of an archive whose files have gone missing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from gossamer.model.archive_record import RecordKind
from gossamer.store.schema import TABLES
from gossamer.store.writing.archive_rows import forget_archived

HERE, GONE = "a-20260101000000-1-00000.warc.gz", "a-20260101000000-1-00001.warc.gz"
PAGES = 600
"""More than one statement asks about."""


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        connection.executemany("INSERT INTO archive_file (name) VALUES (?)", [(HERE,), (GONE,)])
        yield connection


def add(
    connection: sqlite3.Connection, file: str, kind: RecordKind, *ids: int, url: str | None = None
) -> None:
    connection.executemany(
        "INSERT INTO archive_record (file, offset, length, kind, id, url, digest)"
        " SELECT id, (SELECT count(*) FROM archive_record), 1, ?, ?, ?, x'00'"
        " FROM archive_file WHERE name = ?",
        [(int(kind), each, url, file) for each in ids],
    )


def test_urls_whose_dom_alone_is_lost_have_a_record(connection: sqlite3.Connection) -> None:
    pages = range(1, PAGES + 1)
    add(connection, HERE, RecordKind.RESPONSE, *pages)
    add(connection, GONE, RecordKind.DOM, *pages)
    assert forget_archived(connection, {GONE: 0}) == 0
    assert connection.execute("SELECT name FROM archive_file").fetchall() == [(HERE,)]


def test_urls_without_a_record_of_their_own_are_counted_once(
    connection: sqlite3.Connection,
) -> None:
    pages = range(1, PAGES + 1)
    add(connection, GONE, RecordKind.RESPONSE, *pages)
    add(connection, GONE, RecordKind.NOT_MODIFIED, *pages)
    add(connection, HERE, RecordKind.DOM, 1)
    add(connection, HERE, RecordKind.RESPONSE, 2, url="http://a.test/hop")
    add(connection, HERE, RecordKind.REVISIT, 3)
    add(connection, GONE, RecordKind.RESPONSE, PAGES + 1, url="http://a.test/hop")
    assert forget_archived(connection, {GONE: 0}) == PAGES - 1
