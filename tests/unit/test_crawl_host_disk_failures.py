"""When a disk counts as silent: signs, clocks, and threads that work or wait."""

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.crawl_host.disk_failures import STALLED_AFTER_S, DiskStallTimer, StalledDisk
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.pause_reasons import PauseReason, Pauses
from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.errors import DiskError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import HostResponse, StoreBatch
from gossamer.model.translatable import Translatable
from gossamer.store import project
from gossamer.store.writing.writer import Writer
from tests.fakes.virtual_loop import VirtualLoop, run_virtual

if TYPE_CHECKING:
    from gossamer.engine.crawl import Crawl

LOOK_S = 0.1
LONG_S = 60.0


class FakeCrawl:
    """Notes why it is paused."""

    def __init__(self) -> None:
        self.pauses = Pauses()

    def pause(self, reason: PauseReason, sentence: Translatable) -> None:
        self.pauses.add(reason, sentence)

    def end_pause(self, reason: PauseReason) -> None:
        self.pauses.remove(reason)


def paused_at(
    sign: Callable[[float], object], *, for_s: float = LONG_S, stopped_s: float = 0.0
) -> float | None:
    """After how many seconds a crawl is paused that is looked at `for_s`; None if it is not.

    Before the last look nothing runs for `stopped_s`.
    """

    async def looked() -> float | None:
        loop = cast("VirtualLoop", asyncio.get_running_loop())
        crawl = FakeCrawl()
        disk = StalledDisk(Path("a.gossamer"), DiskStallTimer(lambda: sign(loop.time())))
        while loop.time() < for_s:
            disk.check(cast("Crawl", crawl))
            if PauseReason.DISK_STALLED in crawl.pauses:
                return loop.time()
            await asyncio.sleep(LOOK_S)
        loop.jump(stopped_s)
        disk.check(cast("Crawl", crawl))
        return loop.time() if crawl.pauses.any else None

    return run_virtual(looked())


def test_a_writer_that_does_not_get_on_is_waited_for_so_long() -> None:
    paused_s = paused_at(lambda _: "the same")
    assert paused_s == pytest.approx(STALLED_AFTER_S, abs=2 * LOOK_S)


def test_a_writer_that_gets_on_slowly_is_not_silent() -> None:
    assert paused_at(lambda now_s: now_s // (STALLED_AFTER_S - 1)) is None


def test_nothing_to_write_is_no_silence() -> None:
    assert paused_at(lambda _: None) is None


def test_who_was_stopped_itself_did_not_wait_for_its_disk() -> None:
    assert paused_at(lambda _: "the same", for_s=1.0, stopped_s=3600.0) is None


@pytest.mark.skipif(sys.platform != "linux", reason="tells the processor time of a thread")
def test_the_sign_of_the_writer_changes_while_it_works_and_not_while_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=("http://site.test/",)))
    go_on, waits, works = threading.Event(), threading.Event(), threading.Event()

    def slow(_: Writer, _limit: int) -> dict[str, int]:
        while not works.is_set():
            pass
        waits.set()
        go_on.wait(10)
        return {}

    async def main() -> None:
        store = StoreThread()
        assert store.activity() is None
        await store.open(path)
        assert store.activity() is None
        monkeypatch.setattr(Writer, "budgets", slow)
        async with asyncio.TaskGroup() as group:
            group.create_task(store.budgets(1), name="call")
            while (first := store.activity()) is None:  # noqa: ASYNC110 - the thread tells nobody
                await asyncio.sleep(0)
            while store.activity() == first:  # noqa: ASYNC110 - likewise
                await asyncio.sleep(0)
            works.set()
            await asyncio.to_thread(waits.wait, 10)
            # From `set` to where it waits is some way.
            while (still := store.activity()) != store.activity():  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0)
            assert still is not None
            go_on.set()
        assert store.activity() is None
        await store.close()

    asyncio.run(main())


def test_a_project_whose_archive_cannot_be_used_is_opened_again_when_it_can(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=("http://site.test/",), archive=True))
    folder = archive_folder(path)

    async def main() -> bool:
        store = StoreThread()
        await store.open(path)
        await store.repair_archive(is_needed=True)
        await store.discard()
        folder.rmdir()
        folder.touch()  # a file, where a folder should be
        for _ in range(2):
            with pytest.raises(DiskError, match=folder.name):
                await store.open_again()
        folder.unlink()
        summary = await store.open_again()
        await store.close()
        return summary.settings.archive

    assert asyncio.run(main())
    assert folder.is_dir()


def test_an_archive_that_was_moved_away_is_not_made_anew(tmp_path: Path) -> None:
    """Empty, it would be taken for one that has lost its files."""
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=("http://site.test/",), archive=True))
    folder = archive_folder(path)
    record = ArchiveRecord(RecordKind.RESPONSE, "a-20260101000000-1-00000.warc.gz", 0, 9, b"")
    told = HostResponse("http://site.test/robots.txt", [record])

    async def main() -> None:
        store = StoreThread()
        await store.open(path)
        await store.repair_archive(is_needed=True)
        await store.commit(StoreBatch(host_responses=[told]))
        await store.discard()
        folder.rmdir()
        with pytest.raises(DiskError, match="is missing; put it back"):
            await store.open_again()
        await store.close()

    asyncio.run(main())
    assert not folder.exists()


@pytest.mark.parametrize("is_needed", [False, True])
def test_an_archive_is_made_for_a_crawl_that_writes_to_it(tmp_path: Path, is_needed: bool) -> None:
    path = tmp_path / "a.gossamer"
    project.create(path, CrawlSettings(roots=("http://site.test/",), archive=True))

    async def main() -> None:
        store = StoreThread()
        await store.open(path)
        await store.repair_archive(is_needed=is_needed)
        await store.close()

    asyncio.run(main())
    assert archive_folder(path).exists() is is_needed


def test_a_writer_that_waits_for_its_disk_is_still_for_so_long() -> None:
    signs = iter([1, 1, 2, 2, 2, None, 2])

    async def main() -> list[float]:
        stall_timer, found = DiskStallTimer(lambda: next(signs)), []
        for _ in range(7):
            found.append(stall_timer.seconds())
            await asyncio.sleep(1.0)
        return found

    assert run_virtual(main()) == [0.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0]
