"""A crawl host uses no connection to a database in two threads at a time."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, Self, TypeVar

import pytest

from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.store import database, project
from gossamer.store.locking.database_descriptors import FileConnection
from gossamer.store.writing.writer import Writer
from tests.fakes.web import FakeWeb
from tests.integration.hosting import Hosting

P = ParamSpec("P")
T = TypeVar("T")


class WatchedConnection(FileConnection):
    """Notes which threads use connections, and when one is used while it is in use."""

    threads: ClassVar[set[str]] = set()
    overlaps: ClassVar[list[str]] = []

    def __init__(self, file_name: str, **options: Any) -> None:
        self._in_use = threading.Lock()
        super().__init__(file_name, **options)

    def alone(self, use: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """What `use` returns; nobody else should use the connection meanwhile."""
        name = threading.current_thread().name
        self.threads.add(name.partition("_")[0])
        if not self._in_use.acquire(blocking=False):
            self.overlaps.append(name)
            return use(*arguments, **options)
        try:
            return use(*arguments, **options)
        finally:
            self._in_use.release()

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        return self.cursor(WatchedCursor).execute(*arguments)

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        return self.cursor(WatchedCursor).executemany(*arguments)

    def close(self) -> None:
        self.alone(super().close)


class WatchedCursor(sqlite3.Cursor):
    """Each step of a statement is a use of its connection."""

    def execute(self, *arguments: Any) -> Self:
        return self._alone(super().execute, *arguments)

    def executemany(self, *arguments: Any) -> Self:
        return self._alone(super().executemany, *arguments)

    def fetchone(self) -> object:
        return self._alone(super().fetchone)

    def fetchall(self) -> list[Any]:
        return self._alone(super().fetchall)

    def __next__(self) -> object:
        return self._alone(super().__next__)

    def _alone(self, use: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        assert isinstance(self.connection, WatchedConnection)
        return self.connection.alone(use, *arguments, **options)


def test_each_connection_has_one_thread_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recrawl reads the previous crawl while it writes its own project."""
    web = FakeWeb()
    web.page("/", *(f"/{number}" for number in range(50)))
    for number in range(50):
        web.page(f"/{number}", "/", f"/{number + 1}")
    hosting = Hosting(web, threads=True)
    first = hosting.create(tmp_path / "first.gossamer")
    hosting.run(first)
    with Writer(first) as writer:
        summary = writer.summary()
    again = tmp_path / "again.gossamer"
    reference = PreviousCrawlReference(str(first), summary.created_at)
    project.create(again, summary.settings, reference)
    monkeypatch.setattr(database, "FileConnection", WatchedConnection)
    assert hosting.run(again).trouble == []
    assert WatchedConnection.threads == {"store", "previous"}
    assert WatchedConnection.overlaps == []
