"""A disk that fails at a chosen write, is slow, or shows what a power cut would leave of a file."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.store import database
from gossamer.store.locking.database_descriptors import FileConnection

_WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT")
_IN_MEMORY = ("INSERT INTO temp.", "DELETE FROM temp.")
_READS = ("SELECT", "WITH", "PRAGMA quick_check")
Deed = Callable[[int], None]


class FaultyDisk:
    """Every statement that writes is counted, from 1, on all connections that are made meanwhile.

    `deed` is called with the number before the statement runs: it fails, waits or looks.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writes = 0
        self.deed: Deed = lambda _: None
        self.reading: Callable[[], None] = lambda: None
        """Called before a statement that only reads; it may fail too."""
        disk = self

        class Counted(sqlite3.Connection):
            def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
                disk._write(sql)
                return super().execute(sql, *parameters)

            def executemany(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
                disk._write(sql)
                return super().executemany(sql, *parameters)

        class CountedFileConnection(Counted, FileConnection):
            """What the store opens."""

        connect = sqlite3.connect

        def connected(*arguments: Any, **named: Any) -> sqlite3.Connection:
            return connect(*arguments, **named, factory=Counted)

        monkeypatch.setattr(sqlite3, "connect", connected)
        monkeypatch.setattr(database, "FileConnection", CountedFileConnection)

    def fail_at(self, first: int, code: int, times: int = 1) -> None:
        """Let the statement with this number fail, and those after it until it was so often."""

        def deed(number: int) -> None:
            if first <= number < first + times:
                raise failure(code)

        self.deed = deed

    def photograph(self, project: Path, folder: Path, every: int) -> None:
        """Copy the project before each so many-th write, as `kill -9` would leave it there."""

        def deed(number: int) -> None:
            if number % every == 0:
                for suffix in ("", "-wal"):
                    source = project.with_name(project.name + suffix)
                    if source.exists():
                        shutil.copy(source, folder / f"{number}.gossamer{suffix}")

        self.deed = deed

    def _write(self, sql: str) -> None:
        sql = sql.lstrip()
        if sql.startswith(_WRITES) and not sql.startswith(_IN_MEMORY):
            self.writes += 1
            self.deed(self.writes)
        elif sql.startswith(_READS):
            self.reading()


def failure(code: int) -> sqlite3.OperationalError:
    """What sqlite3 raises for a result code of SQLite."""
    error = sqlite3.OperationalError(f"failure {code}")
    error.sqlite_errorcode = code
    return error
