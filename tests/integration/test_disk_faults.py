"""A disk that fails at any write: the crawl waits, goes on, and comes to what it would have.

In one process, with the real project file: see `tests.integration.hosting`.
"""

import asyncio
import errno
import os
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from gossamer.crawl_host.crawl_host import CrawlHost
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import damaged_file
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    BulkActionKind,
    Cancel,
    Close,
    Pause,
    Progress,
    Resume,
    SetWorkers,
    UrlSelection,
)
from gossamer.model.previous_crawl import PreviousPage
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import database
from gossamer.store.locking.database_descriptors import DatabaseFile
from gossamer.store.project import create
from tests.fakes.contents import Contents, contents
from tests.fakes.faulty_disk import FaultyDisk, failure
from tests.fakes.web import LOST, ROOT, FakeWeb
from tests.integration.crawling import asked, summary
from tests.integration.hosting import Hosting, Person, Told

LONG = bool(os.environ.get("GOSSAMER_LONG_TESTS"))
STEP = 1 if LONG else 31
"""Only each so many-th write fails; in the long form, all."""
STEP_OF_CODE = 1 if LONG else 59
"""Likewise, of the writes that fail with one code; those of other codes lie between them."""
CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY)


def web() -> FakeWeb:
    """A tree of pages, with redirects, what is not there, and what fails at first.

    Of responses that come at the same time, either may be the first, and it may be the other one
    after a pause. So each URL but the root and the logo is linked by one page.
    """
    made = FakeWeb(delay_s=lambda path: 0.05 + len(path) / 100)
    made.page("/", *(f"/{n}" for n in range(8)), images=("/logo",))
    for n in range(8):
        made.page(f"/{n}", *(f"/{n}/{m}" for m in range(4)), "/", images=("/logo",))
        made.page(f"/{n}/0", f"/{n}/gone")
        made.redirect(f"/{n}/1", f"/{n}/new")
        made.page(f"/{n}/new")
        made.page(f"/{n}/2")
        made.fails(f"/{n}/2", LOST)
        made.page(f"/{n}/3", f"http://elsewhere-{n}.test/")
    return made


class Undisturbed(NamedTuple):
    """A crawl without any failure: what it comes to, and how many writes it takes."""

    contents: Contents
    writes: int


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    path = tmp_path_factory.mktemp("undisturbed") / "truth.gossamer"
    with pytest.MonkeyPatch.context() as patch:
        disk = FaultyDisk(patch)
        hosting = Hosting(web())
        hosting.run(hosting.create(path, workers=4))
    return Undisturbed(contents(path), disk.writes)


@pytest.mark.parametrize("code", CODES)
def test_the_crawl_result_is_the_same_whichever_write_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, undisturbed: Undisturbed
) -> None:
    truth, writes = undisturbed
    assert writes > 100
    paused = 0
    begin = 1 + CODES.index(code) * STEP_OF_CODE // len(CODES)
    for first in range(begin, writes, STEP_OF_CODE):
        path = tmp_path / f"{first}.gossamer"
        with monkeypatch.context() as patch:
            served = web()
            hosting = Hosting(served)
            hosting.create(path, workers=4)
            disk = FaultyDisk(patch)
            # The first writes only look whether the file can be written: that is said at once.
            disk.fail_at(first + 2, code, times=1 + first % 3)
            told = hosting.run(path)
        assert told.trouble == []
        assert contents(path) == truth, f"write {first}"
        assert max(Counter(served.answered).values()) <= 2
        if told.notices:
            paused += 1
            (notice,) = told.notices
            assert path.name in notice
            waiting = next(p for p in told.progress if p.notice)
            assert (waiting.state, waiting.waits) == (CrawlState.PAUSED, True)
            assert (waiting.active, waiting.in_flight) == (0, [])
    assert paused > 0.8 * writes / STEP_OF_CODE, "but for the end, where all is committed"


class FakePreviousCrawl:
    """Knows nothing, and notes when its copies end."""

    reads_alike = False

    def __init__(self, events: list[str]) -> None:
        self._events = events

    async def drop(self) -> None:
        self._events.append("copies ended")

    async def response(self, _url: str) -> None:
        return None

    async def text(self, _url: str) -> None:
        return None

    async def pages(self, _after: int, _limit: int) -> list[PreviousPage]:
        return []

    async def fetched_at(self, _urls: Sequence[str]) -> dict[str, float]:
        return {}


def test_copies_of_a_recrawl_end_before_its_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the archive is repaired, which may remove or cut the file with the copies."""
    events: list[str] = []

    @asynccontextmanager
    async def opened(*_: object) -> AsyncIterator[FakePreviousCrawl]:
        yield FakePreviousCrawl(events)

    def heard(_host: CrawlHost, progress: Progress) -> None:
        if progress.waits:
            events.append("waits")

    monkeypatch.setattr("gossamer.crawl_host.crawl_host._opened_previous", opened)
    hosting = Hosting(web())
    path = hosting.create(tmp_path / "a.gossamer", workers=4)
    FaultyDisk(monkeypatch).fail_at(30, sqlite3.SQLITE_FULL)
    told = hosting.run(path, heard)
    assert told.progress[-1].state is CrawlState.FINISHED
    assert events == ["copies ended", "waits"]


def test_the_crawl_result_is_the_same_whenever_the_host_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Undisturbed
) -> None:
    path = tmp_path / "a.gossamer"
    with monkeypatch.context() as patch:
        hosting = Hosting(web())
        hosting.create(path, workers=4)
        photographs = tmp_path / "photographs"
        photographs.mkdir()
        FaultyDisk(patch).photograph(path, photographs, every=STEP)
        hosting.run(path)
    killed = sorted(photographs.glob("*.gossamer"))
    assert len(killed) > 100 / STEP
    for left in killed:
        committed = set(asked(left))
        served = web()
        with monkeypatch.context() as patch:
            Hosting(served).run(left)
        assert contents(left) == undisturbed.contents, left.name
        assert not committed.intersection(served.answered), left.name


def web_with_a_short_cut() -> FakeWeb:
    """A long way to many pages, some of them too far, and a slow page that links to the first."""
    made = FakeWeb(delay_s=lambda path: 3.0 if path == "/slow" else 0.01)
    made.page("/", "/a", "/slow")
    made.page("/slow", "/hub")
    for path, on in pairwise(("/a", "/b", "/c", "/hub")):
        made.page(path, on)
    made.page("/hub", *(f"/{n}" for n in range(6)))
    for n in range(6):
        made.redirect(f"/{n}", f"/{n}/new")
        made.page(f"/{n}/new", *(f"/{n}/{m}" for m in range(3)), "/hub")
        for m in range(3):
            made.page(f"/{n}/{m}", f"/{n}/{m}/deep")
            made.page(f"/{n}/{m}/deep", f"/{n}/{m}/deeper", "/slow")
    return made


def owes(path: Path) -> bool:
    """Whether better ways are still to be carried on in a project."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT 1 FROM owed").fetchone() is not None


def test_rank_propagation_survives_a_kill_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"workers": 4, "max_depth": 6}
    truth_path, path = tmp_path / "truth.gossamer", tmp_path / "a.gossamer"
    photographs = tmp_path / "photographs"
    photographs.mkdir()
    hosting = Hosting(web_with_a_short_cut())
    hosting.run(hosting.create(truth_path, **settings))
    slow = EngineLimits(propagated_links=2)
    hosting = Hosting(web_with_a_short_cut(), limits=slow)
    hosting.create(path, **settings)
    with monkeypatch.context() as photographed:
        FaultyDisk(photographed).photograph(path, photographs, every=STEP)
        hosting.run(path)
    truth = contents(truth_path)
    assert truth == contents(path)
    killed = [left for left in sorted(photographs.glob("*.gossamer")) if owes(left)]
    assert len(killed) > 20 / STEP
    for left in killed:
        Hosting(web_with_a_short_cut(), limits=slow).run(left)
        assert contents(left) == truth, left.name
        assert not owes(left)


class Full:
    """A crawl on a disk that is full from its 30th write on, until `free`."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.web = web()
        self._hosting = Hosting(self.web)
        self._hosting.create(path, workers=4)
        self.disk = FaultyDisk(monkeypatch)
        self.disk.fail_at(30, sqlite3.SQLITE_FULL, times=10**6)

    def free(self) -> None:
        self.disk.deed = lambda _: None

    def run_hearing(self, hears: Person) -> Told:
        return self._hosting.run(self.path, hears)

    def run(self, hears: Callable[[CrawlHost, int], None]) -> Told:
        heard = 0

        def person(host: CrawlHost, progress: Progress) -> None:
            nonlocal heard
            if progress.state is CrawlState.PAUSED:
                hears(host, heard)
                heard += 1

        return self._hosting.run(self.path, person)


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Full:
    return Full(tmp_path / "a.gossamer", monkeypatch)


def test_a_full_disk_is_retried_with_growing_delays(full: Full) -> None:
    times: list[float] = []

    def hears(_: CrawlHost, heard: int) -> None:
        times.append(asyncio.get_running_loop().time())
        if heard == 8:
            full.free()

    told = full.run(hears)
    assert told.progress[-1].state is CrawlState.FINISHED
    pauses = [round(later - time) for time, later in pairwise(times)]
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    assert len({p.seconds for p in told.progress if p.waits}) == 1, "it does not crawl meanwhile"


def test_commands_given_while_the_disk_is_full_are_executed_afterwards(full: Full) -> None:
    def hears(host: CrawlHost, heard: int) -> None:
        if heard == 0:
            exclude = BulkAction(BulkActionKind.EXCLUDE, UrlSelection(folder=f"{ROOT}/7/"))
            host.receive([SetWorkers(2), exclude, Resume()])
            full.free()

    told = full.run(hears)
    assert told.progress[-1].state is CrawlState.FINISHED
    assert told.progress[-1].workers == 2
    assert [u for u in asked(full.path) if "/7/" in u] == []
    assert summary(full.path).settings.exclude != ()


def test_freed_disk_space_does_not_override_a_pause_by_the_user(full: Full) -> None:
    hour_s = 3600.0

    def hears(host: CrawlHost, heard: int) -> None:
        loop = asyncio.get_running_loop()
        if heard == 0:
            host.receive([Pause()])
        elif heard == 1:
            full.free()
            loop.call_at(loop.time() + hour_s, lambda: host.receive([Resume()]))
            resumed.append(loop.time() + hour_s)

    resumed: list[float] = []
    told = full.run(hears)
    paused = [p for p in told.progress if p.notice]
    assert [p.waits for p in paused] == [True, False]
    assert told.progress[-1].state is CrawlState.FINISHED
    assert len(resumed) == 1


def test_a_crawl_that_the_user_has_paused_before_its_disk_fails_waits_for_the_user(
    full: Full,
) -> None:
    full.free()
    hour_s = 3600.0
    seen: list[Progress] = []

    def hears(host: CrawlHost, progress: Progress) -> None:
        if progress.fetched >= 20 and progress.state is CrawlState.RUNNING and not seen:
            seen.append(progress)
            host.receive([Pause()])
        elif progress.state is CrawlState.PAUSED and len(seen) == 1:
            seen.append(progress)
            full.disk.fail_at(0, sqlite3.SQLITE_FULL, times=10**6)
            host.receive([BulkAction(BulkActionKind.EXCLUDE, UrlSelection(folder=f"{ROOT}/7/"))])
        elif progress.notice and len(seen) == 2:
            seen.append(progress)
            full.free()
            loop = asyncio.get_running_loop()
            loop.call_later(hour_s, lambda: host.receive([Resume()]))

    told = full.run_hearing(hears)
    assert [p.waits for p in told.progress if p.notice] == [False]
    assert told.progress[-1].state is CrawlState.FINISHED


@pytest.mark.parametrize("heard_first", [0, 3])
def test_a_crawl_waiting_for_disk_space_can_be_closed(full: Full, heard_first: int) -> None:
    def hears(host: CrawlHost, heard: int) -> None:
        if heard == heard_first:
            host.receive([Close()])

    told = full.run(hears)
    assert told.trouble == []
    assert told.progress[-1].state is CrawlState.PAUSED
    full.free()
    full.run(lambda _host, _heard: None)
    assert contents(full.path).state is CrawlState.FINISHED


def test_a_crawl_waiting_for_disk_space_can_be_cancelled(full: Full) -> None:
    def hears(host: CrawlHost, heard: int) -> None:
        if heard == 0:
            full.free()
            host.receive([Cancel()])

    told = full.run(hears)
    assert told.progress[-1].state is CrawlState.CANCELLED
    assert summary(full.path).state is CrawlState.CANCELLED


def test_a_cancel_that_cannot_be_stored_is_reported(full: Full) -> None:
    def hears(host: CrawlHost, heard: int) -> None:
        if heard == 0:
            host.receive([Cancel()])

    told = full.run(hears)
    (trouble,) = told.trouble
    assert trouble.exit_code == 4
    assert "is full" in str(trouble.sentence)


def test_closing_with_a_full_disk_reports_it_and_does_not_wait(full: Full) -> None:
    full.free()

    def hears(host: CrawlHost, progress: Progress) -> None:
        if progress.fetched >= 20 and progress.state is CrawlState.RUNNING:
            full.disk.fail_at(0, sqlite3.SQLITE_FULL, times=10**6)
            host.receive([Close()])

    told = full.run_hearing(hears)
    assert [t.exit_code for t in told.trouble] == [4]
    full.free()
    full.run(lambda _host, _heard: None)
    assert contents(full.path).state is CrawlState.FINISHED


def test_a_moved_project_file_is_complete_and_is_waited_for(tmp_path: Path, full: Full) -> None:
    full.free()
    aside = tmp_path / "elsewhere.gossamer"
    seen: list[int] = []

    def hears(_: CrawlHost, progress: Progress) -> None:
        if progress.fetched >= 20 and not aside.exists() and not seen:
            full.path.rename(aside)
        if progress.waits and not seen:
            seen.append(len(asked(aside)))
            wal = full.path.with_name(f"{full.path.name}-wal")
            assert not wal.exists() or not wal.stat().st_size
            aside.rename(full.path)

    told = full.run_hearing(hears)
    (notice,) = told.notices
    assert "is missing" in notice
    assert seen[0] > 0
    assert contents(full.path).state is CrawlState.FINISHED


def test_another_file_in_its_place_is_not_written(tmp_path: Path, full: Full) -> None:
    full.free()
    aside = tmp_path / "elsewhere.gossamer"
    other = b"not a project"

    def hears(_: CrawlHost, progress: Progress) -> None:
        if progress.fetched >= 20 and not aside.exists():
            full.path.rename(aside)
            full.path.write_bytes(other)

    told = full.run_hearing(hears)
    (trouble,) = told.trouble
    assert "is not a Gossamer project" in str(trouble.sentence)
    assert full.path.read_bytes() == other
    assert asked(aside)


def test_another_project_in_its_place_is_not_written(tmp_path: Path, full: Full) -> None:
    full.free()
    aside = tmp_path / "elsewhere.gossamer"
    other = tmp_path / "other.gossamer"
    create(other, CrawlSettings(roots=("http://other.example/",)))

    def hears(_: CrawlHost, progress: Progress) -> None:
        if progress.fetched >= 20 and not aside.exists():
            full.path.rename(aside)
            other.rename(full.path)

    told = full.run_hearing(hears)
    (trouble,) = told.trouble
    assert "was replaced by another project" in str(trouble.sentence)
    assert not contents(full.path).urls
    assert asked(aside)


class FailingReads:
    """For some seconds the disk gives nothing that is not read already; SQLite calls it damage."""

    def __init__(self, patch: pytest.MonkeyPatch, disk: FaultyDisk, first: int) -> None:
        self._reads = 0
        self._first = first
        self._until_s: float | None = None
        self.seconds = 3.0
        disk.reading = self.read

        def opened_unless_it_fails(path: Path) -> DatabaseFile:
            if self._fails():
                raise OSError(errno.EIO, "Input/output error")
            return DatabaseFile(path)

        patch.setattr(database, "DatabaseFile", opened_unless_it_fails)

    def read(self) -> None:
        self._reads += 1
        if self._reads == self._first:
            self._until_s = self._now() + self.seconds
        if self._fails():
            raise failure(sqlite3.SQLITE_CORRUPT)

    def _fails(self) -> bool:
        return self._until_s is not None and self._now() < self._until_s

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


@pytest.mark.parametrize("seconds", [3.0, 50.0])
def test_temporary_read_errors_are_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, undisturbed: Undisturbed
) -> None:
    waited = 0
    for first in range(40, 400, 40 if LONG else 90):
        path = tmp_path / f"{first}.gossamer"
        with monkeypatch.context() as patch:
            hosting = Hosting(web())
            hosting.create(path, workers=4)
            FailingReads(patch, FaultyDisk(patch), first).seconds = seconds
            told = hosting.run(path)
        assert told.trouble == []
        assert contents(path) == undisturbed.contents, f"read {first}"
        if told.notices:
            waited += 1
            (notice,) = told.notices
            assert "cannot be read or written; check its disk" in notice
    assert waited


def test_apparent_damage_is_read_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Undisturbed
) -> None:
    path = tmp_path / "a.gossamer"
    with monkeypatch.context() as patch:
        hosting = Hosting(web())
        hosting.create(path, workers=4)
        disk = FaultyDisk(patch)
        disk.fail_at(60, sqlite3.SQLITE_CORRUPT)
        told = hosting.run(path)
    assert told.trouble == []
    assert "damaged" not in str(told.notices)
    assert contents(path) == undisturbed.contents


def test_permanent_damage_ends_the_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.gossamer"
    with monkeypatch.context() as patch:
        hosting = Hosting(web())
        hosting.create(path, workers=4)
        disk = FaultyDisk(patch)
        disk.fail_at(60, sqlite3.SQLITE_CORRUPT, times=1_000_000)
        (trouble,) = hosting.run(path).trouble
    assert damaged_file(trouble.sentence) == path
    assert trouble.exit_code == 4
