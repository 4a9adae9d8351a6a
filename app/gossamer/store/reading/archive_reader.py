"""Reads where the archive has answers."""

import sqlite3
from typing import Final

from gossamer.model.archive_record import ArchiveRecord, RecordKind

_OF_URL: Final = (
    "SELECT kind, f.name, offset, length, digest, payload_offset, coalesce(url, '')"
    " FROM archive_record r JOIN archive_file f ON f.id = r.file WHERE r.id = ?"
    " ORDER BY url IS NOT NULL, file, offset"
)


def read_archive_records(connection: sqlite3.Connection, url_id: int) -> list[ArchiveRecord]:
    """Where the answer of a URL is archived: first its own, then those for what it loads."""
    rows = connection.execute(_OF_URL, (url_id,))
    return [ArchiveRecord(RecordKind(kind), *rest) for kind, *rest in rows]
