"""The project's writer on its thread: what waits for a commit, and what does not."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable
from pathlib import Path

import pytest

from app.host.store_thread import StoreThread
from app.model.errors import DiskError
from app.model.outcome import Outcome
from app.model.rows import Batch, Rank, UrlRow
from app.model.settings import CrawlSettings
from app.store import project
from tests.fakes.faulty_disk import FaultyDisk, failure

ROOT = "http://a.test/"
DEADLINE_S = 30.0


def new(number: int) -> UrlRow:
    return UrlRow(number, f"{ROOT}{number}", Rank(1), Outcome.PENDING)


class Held:
    """A commit that is held up at its first insertion, on the thread of the writer."""

    def __init__(self, disk: FaultyDisk) -> None:
        self._begun = threading.Event()
        self._let = threading.Event()
        self._first = disk.writes + 2  # after BEGIN
        disk.deed = self._hold

    def _hold(self, number: int) -> None:
        if number == self._first:
            self._begun.set()
            assert self._let.wait(DEADLINE_S)

    async def begun(self) -> None:
        assert await asyncio.to_thread(self._begun.wait, DEADLINE_S)

    def let_go(self) -> None:
        self._let.set()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FaultyDisk:
    return FaultyDisk(monkeypatch)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "a.gossamer"
    project.create(found, CrawlSettings(roots=(ROOT,)))
    return found


def test_a_look_up_does_not_wait_for_the_end_of_a_commit(path: Path, disk: FaultyDisk) -> None:
    async def main() -> list[str]:
        store, order = StoreThread(path), list[str]()
        await store.open()
        await store.commit(Batch(new=[new(1)]))
        held = Held(disk)

        async def commit() -> None:
            await store.commit(Batch(new=[new(2)]))
            order.append("committed")

        async def look_up() -> None:
            assert await store.lookup([new(1).url, new(3).url]) == {new(1).url: new(1)}
            order.append("looked up")

        async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
            group.create_task(commit(), name="commit")
            await held.begun()
            group.create_task(look_up(), name="look-up")
            await asyncio.sleep(0)  # it waits by now
            held.let_go()
        await store.close()
        return order

    assert asyncio.run(main()) == ["looked up", "committed"]


def test_a_look_up_that_is_given_up_meanwhile_harms_nothing(path: Path, disk: FaultyDisk) -> None:
    async def main() -> None:
        store = StoreThread(path)
        await store.open()
        held = Held(disk)
        async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
            commit = group.create_task(store.commit(Batch(new=[new(1)])), name="commit")
            await held.begun()
            looking = group.create_task(store.lookup([new(1).url]), name="look-up")
            await asyncio.sleep(0)
            looking.cancel()
            held.let_go()
        assert looking.cancelled()
        assert commit.result() == []
        assert await store.lookup([new(1).url]) == {new(1).url: new(1)}
        await store.close()

    asyncio.run(main())


async def failing(call: Awaitable[object]) -> None:
    with pytest.raises(DiskError):
        await call


def test_a_look_up_that_fails_in_a_commit_fails_that_too(
    path: Path, disk: FaultyDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite may have rolled back: what follows would be written outside of any transaction."""

    def fail(*_: object) -> None:
        raise failure(sqlite3.SQLITE_IOERR)

    async def main() -> None:
        store = StoreThread(path)
        await store.open()
        held = Held(disk)
        with monkeypatch.context() as patch:
            patch.setattr("app.store.url_indexes.UrlIndexes.find", fail)
            async with asyncio.timeout(DEADLINE_S), asyncio.TaskGroup() as group:
                group.create_task(failing(store.commit(Batch(new=[new(1)]))), name="commit")
                await held.begun()
                group.create_task(failing(store.lookup([new(1).url])), name="look-up")
                await asyncio.sleep(0)
                held.let_go()
        assert await store.lookup([new(1).url]) == {}, "nothing of it was written"
        await store.close()

    asyncio.run(main())
