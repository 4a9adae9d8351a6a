"""Makes the database files beside projects: series, outbox and search index.

Several processes share them. A project file is made by `store/project.py`.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.store.atomic_files import StagingFolder
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.locking.folder_lock import locked_folder

_PRAGMAS: Final = "PRAGMA application_id={}; PRAGMA user_version={}; PRAGMA synchronous=OFF;"
"""It is flushed as it gets its place."""


class DatabaseKind(NamedTuple):
    """What identifies a kind of database file, and the SQL that makes its tables."""

    application_id: int
    version: int
    tables: str
    can_shrink: bool = False  # by PRAGMA incremental_vacuum


def make_database(path: Path, kind: DatabaseKind) -> None:
    """Make an empty file of this kind, whole in one step, if there is none; OSError.

    Of several threads and processes that make it at the same time, one does, and the others find
    it: nobody removes the journal of a file that somebody uses already.
    """
    with locked_folder(path.parent):
        if path.exists():
            return
        with suppress(FileExistsError), StagingFolder(path.parent) as aside:
            part = filled_database(aside, path.name, kind)
            remove_beside(path)
            aside.put(part, path, replace=False)


def filled_database(aside: StagingFolder, name: str, kind: DatabaseKind) -> Path:
    """A new file of this kind in a staging folder."""
    part = aside.new(name)
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        if kind.can_shrink:
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # before anything else
        connection.executescript(_PRAGMAS.format(kind.application_id, kind.version))
        connection.executescript(f"BEGIN; {kind.tables} COMMIT;")
    return part


def remove_beside(path: Path) -> None:
    """Remove what SQLite keeps beside a file that is gone, or about to be replaced.

    It would undo in the new file what was to be undone in the old one.
    """
    for end in BESIDE:
        path.with_name(path.name + end).unlink(missing_ok=True)
