"""Writes where the archive has responses: the tables `archive_file` and `archive_record`."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from errno import ENOENT
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, Self

from msgspec.structs import replace

from gossamer.model.archive_record import (
    ArchiveRecord,
    RecordKind,
    archive_folder,
    is_archive_file,
)
from gossamer.model.errors import DiskError
from gossamer.model.store_batch import HostResponse, StoreBatch, VisitRow
from gossamer.model.translatable import Sentence
from gossamer.store.bulk_insert import NULL, BulkInsert, Value, chunks, marks
from gossamer.store.disk_errors import disk_error
from gossamer.store.writing.storable_text import clean_url

_INSERT: Final = BulkInsert(
    "archive_record", "file, offset, length, kind, id, url, digest, payload_offset"
)
_ENDS: Final = (
    "SELECT name, (SELECT offset + length FROM archive_record r WHERE r.file = f.id"
    " ORDER BY offset DESC LIMIT 1) AS ending FROM archive_file f"
    " WHERE node IS NULL AND ending IS NOT NULL"
)
_REMOVE_OF_HOST: Final = "DELETE FROM archive_record WHERE id IS NULL AND url = ?"
_FILES_MISSING: Final[Sentence] = (
    "Files of the archive {path} are missing. If the folder itself is still there, the crawl goes "
    "on without them."
)
_FORGET: Final = """
    DELETE FROM archive_record WHERE offset + length > ?
    AND file = (SELECT id FROM archive_file WHERE name = ?) RETURNING id, kind, url
"""
"""`url IS NULL` after RETURNING is wrong in SQLite 3.40.1."""
_WITH_OWN_RECORD: Final = f"""
    SELECT count(DISTINCT id) FROM archive_record WHERE kind <> {RecordKind.DOM:d} AND url IS NULL
"""  # noqa: S608 - our own number
_OTHERS: Final = "SELECT name FROM archive_file WHERE node IS NOT NULL"


def ensure_archived(project: Path, batch: StoreBatch) -> None:
    """Raise DiskError if the archive rejected one of the responses."""
    visits = (row.visit.archive_errno for row in batch.visits)
    for errno in chain(visits, (each.errno for each in batch.host_responses)):
        if errno:
            if errno == ENOENT:
                raise DiskError(_FILES_MISSING, path=archive_folder(project))
            problem = OSError(errno, "")
            raise disk_error(archive_folder(project), problem) from problem


def add_archive_records(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write where the responses of visits are archived, in the open transaction.

    None of the URLs may have any: see `remove_archive_records`.
    """
    _add(connection, [(row.id, each) for row in rows for each in row.visit.archived])


def write_host_responses(connection: sqlite3.Connection, responses: Iterable[HostResponse]) -> None:
    """Write where responses that belong to no URL are archived, replacing earlier ones."""
    last = {clean_url(each.url): each.archived for each in responses}
    connection.executemany(_REMOVE_OF_HOST, [(url,) for url in last])
    _add(
        connection,
        [(None, replace(each, url=url)) for url, found in last.items() for each in found],
    )


def _add(connection: sqlite3.Connection, records: list[tuple[int | None, ArchiveRecord]]) -> None:
    if not records:
        return
    files = _file_ids(connection, {(each.file, each.node, each.folder) for _, each in records})
    records.sort(key=lambda pair: (files[pair[1].file], pair[1].offset))
    values: list[Value] = []
    for url_id, each in records:
        url = clean_url(each.url)
        values += (files[each.file], each.offset, each.length, int(each.kind), url_id or NULL)
        values += (url or NULL, each.digest)
        values.append(NULL if each.payload_offset is None else each.payload_offset)
    _INSERT.run(connection, values)


def remove_archive_records(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove the locations of the responses of URLs that are visited again."""
    connection.executemany("DELETE FROM archive_record WHERE id = ?", [(each,) for each in ids])


class ArchiveEnds(NamedTuple):
    """The files of an archive, and where the last record that the project names ends.

    Files of which it names none any more are left out. Of `others`, nothing is cut off or missed:
    they are on nodes, and somebody may have copied them.
    """

    own: dict[str, int]
    others: frozenset[str]

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        """As the project has it, without files of other names than ours: they may be anywhere."""
        own = {name: end for name, end in connection.execute(_ENDS) if is_archive_file(name)}
        others = {name for (name,) in connection.execute(_OTHERS) if is_archive_file(name)}
        return cls(own, frozenset(others))


def forget_archived(connection: sqlite3.Connection, whole: Mapping[str, int]) -> int:
    """Remove the places of records beyond what is `whole` of each file.

    So goes a file that is not `whole` at all. Returns how many URLs have no record of a response of
    their own any more: those whose DOM alone is lost do.
    """
    lost: set[int] = set()
    for name, size in whole.items():
        rows = connection.execute(_FORGET, (size, name))
        lost.update(
            url_id
            for url_id, kind, url in rows
            if url_id is not None and kind != RecordKind.DOM and url is None
        )
    connection.execute("DELETE FROM archive_file WHERE id NOT IN (SELECT file FROM archive_record)")
    return len(lost) - _still_archived(connection, list(lost))


def _still_archived(connection: sqlite3.Connection, ids: Sequence[int]) -> int:
    """How many of these URLs have a record of a response of their own."""
    found = 0
    for chunk in chunks(ids):
        query = f"{_WITH_OWN_RECORD} AND id IN ({marks(len(chunk))})"
        (count,) = connection.execute(query, chunk).fetchone()
        found += count
    return found


def _file_ids(
    connection: sqlite3.Connection, files: Iterable[tuple[str, str, str]]
) -> dict[str, int]:
    found = {}
    for name, node, folder in sorted(files):
        row = (name, node or None, folder or None)
        connection.execute(
            "INSERT OR IGNORE INTO archive_file (name, node, folder) VALUES (?, ?, ?)", row
        )
        query = "SELECT id FROM archive_file WHERE name = ?"
        (found[name],) = connection.execute(query, (name,)).fetchone()
    return found
