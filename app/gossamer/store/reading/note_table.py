"""Provides the notes on URLs: a temporary table on the connection, from the series file.

`url_note` has the text of a URL and what was noted about it. Notes stay with the series: a project
shows those that there are now, also those written in another crawl of the site.
"""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gossamer.model.errors import ProjectError
from gossamer.model.series_contents import BETWEEN_NOTES, Note, NoteSubject, is_series_id
from gossamer.store.series_file import Series
from gossamer.store.series_paths import series_path

_TABLE: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS url_note (url TEXT PRIMARY KEY, text TEXT NOT NULL)"
)
"""It is there already if what was to be read next was given up."""


class NoteTable:
    """Keeps `url_note` on one connection in sync with the series."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._path: str | None = None
        self._stamp: tuple[int, ...] | None = None
        self.notes: Sequence[Note] = ()
        """All notes of the series, the oldest first."""

    def update(self) -> None:
        """Look whether anybody has written a note; that costs some microseconds."""
        if self._path is None:
            self._execute(_TABLE)
            self._path = self._find()
        stamp = _stamp_of(self._path)
        if stamp != self._stamp:
            self._use(self._read() if stamp else ())
            self._stamp = stamp  # last: what is given up on the way is done again

    def _find(self) -> str:
        (series,) = self._connection.execute("SELECT series FROM project").fetchone()
        return str(series_path(series)) if is_series_id(series) else ""

    def _read(self) -> Sequence[Note]:
        try:
            return Series(Path(self._path or "")).notes()
        except ProjectError:  # whoever opens the series says so, and mends it
            return ()

    def _use(self, notes: Sequence[Note]) -> None:
        if notes == self.notes:
            return
        texts: dict[str, list[str]] = defaultdict(list)
        for note in notes:
            if note.subject is NoteSubject.URL:
                texts[note.about].append(note.text)
        self._execute("DELETE FROM temp.url_note")
        for url, found in texts.items():
            self._execute("INSERT INTO temp.url_note VALUES (?, ?)", url, BETWEEN_NOTES.join(found))
        self.notes = notes

    def _execute(self, sql: str, *values: str) -> None:
        # The connection is one that only reads; this table is its own.
        self._connection.execute("PRAGMA query_only=OFF")
        try:
            self._connection.execute(sql, values)
        finally:
            self._connection.execute("PRAGMA query_only=ON")


def _stamp_of(path: str) -> tuple[int, ...] | None:
    """What changes with each change of a file; None where there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - asked at every read: a Path takes twice as long
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
