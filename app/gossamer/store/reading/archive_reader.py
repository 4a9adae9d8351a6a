"""Reads where the archive has responses, and the DOMs that scripts made of pages."""

import sqlite3
from typing import Final, NamedTuple

from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.model.outcome import Outcome
from gossamer.store.field_sql import URL_JOINS, read_sql

_CONTENT_TYPE: Final = next(each for each in URL_FIELDS if each.name == "content_type")
_DOM: Final = f"kind = {RecordKind.DOM:d}"
_RECORDS: Final = (
    "SELECT kind, f.name, offset, length, digest, payload_offset, coalesce(url, ''),"
    " coalesce(f.node, ''), coalesce(f.folder, '')"
    " FROM archive_record r JOIN archive_file f ON f.id = r.file"
    " WHERE f.name NOT GLOB '*[/\\:]*'"  # nobody who wrote it named files elsewhere
)
_SELECT: Final = f"{_RECORDS} AND NOT {_DOM}"
_DOM_OF_URL: Final = f"{_RECORDS} AND r.id = ? AND {_DOM} ORDER BY file DESC, offset DESC LIMIT 1"
_OF_URL: Final = f"{_SELECT} AND r.id = ? ORDER BY url IS NOT NULL, kind = 3, file, offset"
_OF_HOST: Final = f"{_SELECT} AND r.id IS NULL AND r.url = ? ORDER BY kind = 3, file, offset"
_FOR_PAGE: Final = f"{_SELECT} AND r.url = ? ORDER BY kind = 3 LIMIT 1"
_REMOTE: Final = (
    "SELECT f.node, f.folder, count(DISTINCT f.id), coalesce(sum(r.length), 0) FROM archive_file f"
    " LEFT JOIN archive_record r ON r.file = f.id WHERE f.node IS NOT NULL"
    " GROUP BY f.node, f.folder ORDER BY f.node, f.folder"
)
_REMOTE_FILES: Final = (
    "SELECT name, node, folder FROM archive_file WHERE node IS NOT NULL"
    " AND id IN (SELECT file FROM archive_record) ORDER BY node, folder, name"
)
_ENDS: Final = (
    "SELECT name, max(offset + length) FROM archive_record r JOIN archive_file f ON f.id = r.file"
    " GROUP BY f.id"
)


class RemoteFile(NamedTuple):
    """A file with records of an archive, in a folder of a cluster node."""

    name: str
    node: str
    folder: str


class RemoteArchive(NamedTuple):
    """The part of an archive on a cluster node: files in one of its folders, and their bytes."""

    node: str
    folder: str
    files: int
    size_bytes: int


def read_remote_archives(connection: sqlite3.Connection) -> list[RemoteArchive]:
    """What stays on which node, as far as the project names it."""
    return [RemoteArchive(*row) for row in connection.execute(_REMOTE)]


def read_remote_files(connection: sqlite3.Connection) -> list[RemoteFile]:
    """The files that stay on nodes, as far as the project names records in them."""
    return [RemoteFile(*row) for row in connection.execute(_REMOTE_FILES)]


def read_archive_ends(connection: sqlite3.Connection) -> dict[str, int]:
    """Where the last record that the project names ends, by file."""
    return dict(connection.execute(_ENDS).fetchall())


_UNARCHIVED: Final = (
    f"SELECT coalesce({read_sql(_CONTENT_TYPE)}, ''), count(*) FROM url u"  # noqa: S608 - our own words
    f"{URL_JOINS['v']}{URL_JOINS['visit_content_type']}"
    f" WHERE v.status BETWEEN 200 AND 299 AND u.outcome <> {int(Outcome.CHECKED)}"
    " AND NOT EXISTS (SELECT 1 FROM archive_record r WHERE r.id = u.id AND r.url IS NULL)"
    " GROUP BY 1 ORDER BY 2 DESC, 1"
)


def read_archive_records(connection: sqlite3.Connection, url_id: int) -> list[ArchiveRecord]:
    """Where the response for a URL is archived: first its own, then those for what it loads.

    The record with the body comes before that of a 304, which confirms it.
    """
    rows = connection.execute(_OF_URL, (url_id,))
    return [ArchiveRecord(RecordKind(kind), *rest) for kind, *rest in rows]


def read_response_record(connection: sqlite3.Connection, url_id: int) -> ArchiveRecord | None:
    """Where the last response for a URL itself is archived; None if it is not.

    That of a 304 only if the response that it confirms is lost.
    """
    own = [each for each in read_archive_records(connection, url_id) if not each.url]
    whole = [each for each in own if each.kind is not RecordKind.NOT_MODIFIED]
    return next(reversed(whole or own), None)


def read_dom_record(connection: sqlite3.Connection, url_id: int) -> ArchiveRecord | None:
    """Where the DOM that scripts made of a page is archived; None if it is not."""
    row = connection.execute(_DOM_OF_URL, (url_id,)).fetchone()
    return None if row is None else ArchiveRecord(RecordKind(row[0]), *row[1:])


def read_host_records(connection: sqlite3.Connection, url: str) -> list[ArchiveRecord]:
    """Where the response for what is no URL of the crawl is archived, such as a robots.txt."""
    rows = connection.execute(_OF_HOST, (url,))
    return [ArchiveRecord(RecordKind(kind), *rest) for kind, *rest in rows]


def read_record_for_page(connection: sqlite3.Connection, url: str) -> ArchiveRecord | None:
    """Where a response for `url` to a rendered page is archived."""
    row = connection.execute(_FOR_PAGE, (url,)).fetchone()
    return None if row is None else ArchiveRecord(RecordKind(row[0]), *row[1:])


def read_unarchived_types(connection: sqlite3.Connection) -> dict[str, int]:
    """How many URLs with a good response are not in the archive, by content type, most first.

    Those of other hosts, which were only checked, are not counted.
    """
    return dict(connection.execute(_UNARCHIVED).fetchall())
