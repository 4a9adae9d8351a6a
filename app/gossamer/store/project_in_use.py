"""Finds out whether any process has a project open, even only for reading."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gossamer.store.locking.file_identity import file_of


def is_in_use(path: Path) -> bool:
    """Whether another connection has the project file open, or nobody can tell.

    Whoever reads or writes it in WAL mode holds a shared lock on it as long as the connection is
    open: https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory. Changes nothing.
    """
    try:
        address = f"{file_of(path).absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("SELECT 1 FROM project").fetchone()
    except (sqlite3.Error, OSError, ValueError):
        return True
    return False
