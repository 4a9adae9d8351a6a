"""Whatever process is killed: nothing committed is lost, nothing runs on, the crawl can go on."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing as closing_connection
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO

import psutil
import pytest

from gossamer.ipc import ChildRole
from gossamer.ipc.process_start import LaunchedProcess, launch
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError, DiskError, ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import HostHeartbeat, Report, Trouble
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.session import crawl_host_connection
from gossamer.session.crawl_host_connection import HostConnection
from gossamer.session.crawl_host_pool import CrawlHostPool, launched_host
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.session_factory import SessionFactory
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.store.writer_lock import holder_of
from gossamer.store.writing.writer import Writer
from tests.fakes.processes import child_processes
from tests.integration.crawling import (
    asked,
    assert_gone,
    closing,
    kill_together,
    new_session,
    page_workers,
    resume_all,
    run,
    sessions,
    summary,
    timed_session,
    trouble_of,
    until,
    until_rest,
)
from tests.integration.shells import shell
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.site import Gate

PAGES = 100
WORKERS = 8


@pytest.fixture
def star(site: Site) -> Site:
    """A root that links to many pages, each of which takes a moment."""
    paths = [f"/{number}" for number in range(PAGES)]
    site.page("/", links=paths)
    for path in paths:
        site.page(path, title=path, delay_s=0.02)
    return site


@pytest.fixture
def last(star: Site) -> Gate:
    """Holds the last page back: the crawl is not over before that is let go."""
    return star.slow(f"/{PAGES - 1}")


async def until_committed(session: CrawlSession) -> None:
    """Wait until some pages are in the project file, and others are not."""
    await until(session, lambda progress: progress.revision >= 3 and progress.fetched >= 30)


def assert_complete(site: Site, project: Path) -> None:
    found = asked(project)
    assert set(found) == {site.url("/"), *(site.url(f"/{n}") for n in range(PAGES))}
    assert {record.outcome for record in found.values()} == {Outcome.PAGE}
    assert summary(project).state is CrawlState.FINISHED


@pytest.mark.parametrize("processes", [1, 2])
def test_a_killed_page_worker_is_replaced(star: Site, tmp_path: Path, processes: int) -> None:
    project = tmp_path / "a.gossamer"
    gates = [star.slow(f"/{n}") for n in range(WORKERS)]

    async def main() -> None:
        async with new_session(
            project, star.url(), workers=WORKERS, processes=processes
        ) as session:
            await session.start()
            await star.wait_for_in_flight(WORKERS)
            held = len(star.paths)
            # One connection is to the host; who has no more than that is still starting.
            victims = [w for w in page_workers(session) if len(w.net_connections()) > 1]
            kill_together(victims)
            await star.wait_until(lambda: len(star.paths) == held + WORKERS)
            for gate in gates:
                gate.open()
            assert await until_rest(session) is CrawlState.FINISHED
            assert_gone(victims)

    run(main())
    assert_complete(star, project)
    again = [path for path in set(star.paths) if star.paths.count(path) == 2]
    assert sorted(again) == [f"/{n}" for n in range(WORKERS)], "what was in flight, no others"
    assert len(star.paths) == PAGES + 2 + WORKERS


def test_a_page_that_kills_its_worker_is_set_aside(star: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    star.hang("/7")

    async def kill_asker(session: CrawlSession, times: int) -> None:
        await star.wait_until(lambda: star.paths.count("/7") == times and star.in_flight == 1)
        (worker,) = page_workers(session)
        worker.kill()

    async def main() -> None:
        async with new_session(project, star.url(), workers=WORKERS) as session:
            await session.start()
            for times in (1, 2, 3):
                await kill_asker(session, times)
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    found = asked(project)
    assert found[star.url("/7")].outcome is Outcome.WORKER_DIED
    assert [r.outcome for r in found.values()].count(Outcome.PAGE) == PAGES


def test_a_killed_host_is_reported_and_the_crawl_can_be_resumed(
    star: Site, last: Gate, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"

    async def main() -> tuple[set[str], int]:
        async with new_session(project, star.url(), workers=WORKERS) as session:
            await session.start()
            await until_committed(session)
            orphans = page_workers(session)
            assert session.host_pid is not None
            os.kill(session.host_pid, signal.SIGKILL)
            trouble = await trouble_of(session)
            assert "Resume" in str(trouble.sentence)
            assert session.state is CrawlState.FAILED
            assert (session.progress.active, session.progress.in_flight) == (0, [])
            await asyncio.to_thread(assert_gone, orphans)
            await star.wait_for_disconnect()
            committed = set(asked(project))
            seen = len(star.paths)
            last.open()
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            return committed, seen

    committed, seen = run(main())
    assert committed
    again = star.paths[seen:]
    assert not committed & {star.url(path) for path in again}
    assert len(set(again)) == len(again)
    assert_complete(star, project)


def test_a_killed_shell_leaves_nothing_running(star: Site, last: Gate, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    run(_create(star, project))
    with shell(project) as process:
        star.block_until(lambda: star.ledger.request_count >= 100)
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) == 2, "the host and its page worker"
    assert_gone(family)
    star.block_until(lambda: star.open_connections == 0)
    assert summary(project).state is CrawlState.PAUSED
    committed = set(asked(project))
    assert committed
    seen = len(star.paths)
    last.open()
    resume_all(project)
    assert not committed & {star.url(path) for path in star.paths[seen:]}
    assert_complete(star, project)


def test_a_crawl_goes_on_although_its_former_process_has_not_noticed_the_death_of_its_shell(
    star: Site, last: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "a.gossamer"
    run(_create(star, project))
    looks = count(1)
    with shell(project) as process:
        star.block_until(lambda: star.ledger.request_count >= 100)
        host = psutil.Process(process.pid).children()[0]
        host.suspend()

    def holder_seen(path: Path) -> LockOwner | None:
        if next(looks) == 3:
            host.resume()
        return holder_of(path)

    monkeypatch.setattr(crawl_host_connection, "holder_of", holder_seen)
    last.open()
    resume_all(project)
    assert_complete(star, project)


async def _create(site: Site, project: Path) -> None:
    async with new_session(project, site.url(), workers=WORKERS):
        pass


@contextmanager
def stopped(pid: int | None) -> Iterator[None]:
    """The process does nothing for a while, as on a machine that swaps."""
    assert pid is not None
    process = psutil.Process(pid)
    process.suspend()
    try:
        yield
    finally:
        if process.is_running():
            process.resume()


def test_an_unresponsive_host_is_killed(star: Site, last: Gate, tmp_path: Path) -> None:
    timings = SessionTimings(command_s=0.2)
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with timed_session(timings, project, star.url(), workers=WORKERS) as session:
            await session.start()
            await star.wait_for_requests(30)
            with stopped(session.host_pid):
                await session.cancel()
            assert session.state is CrawlState.FAILED
            await star.wait_for_disconnect()
            assert_gone(child_processes())
            await session.start()
            await star.wait_for_requests(60)
            workers = page_workers(session)
            with stopped(session.host_pid):
                await session.close(timeout_s=0.2)
            assert_gone(workers)
            assert child_processes() == []

    run(main())
    last.open()
    resume_all(project)
    assert_complete(star, project)


def test_commands_wait_for_a_project_that_opens_slowly(star: Site, tmp_path: Path) -> None:
    timings = SessionTimings(command_s=0.2)
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with (
            timed_session(timings, project, star.url()) as session,
            asyncio.TaskGroup() as group,
        ):
            # An open transaction of another program: the host waits for it in order to write.
            with closing_connection(sqlite3.connect(project, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                group.create_task(session.start(), name="start")
                while session.host_pid is None:  # noqa: ASYNC110 - nobody is told
                    await asyncio.sleep(0.001)
                pausing = group.create_task(session.pause(now=True), name="pause")
                done, _ = await asyncio.wait({pausing}, timeout=1.0)
                assert not done
                session._timings = USUAL_TIMINGS  # noqa: SLF001 - it counts from the opening on
                other.execute("ROLLBACK")
            await pausing
            assert session.state is CrawlState.PAUSED
            assert session.host_pid is not None, "it was not killed"

    run(main())


def test_a_hung_host_is_killed_and_can_be_started_again(
    star: Site, last: Gate, tmp_path: Path
) -> None:
    project = tmp_path / "a.gossamer"

    async def hang(session: CrawlSession) -> Trouble:
        workers = page_workers(session)
        assert session.host_pid is not None
        psutil.Process(session.host_pid).suspend()
        session._alarm.end()  # noqa: SLF001 - it would wait for half a minute
        session._alarm.expect(0.5)  # noqa: SLF001 - likewise
        trouble = await trouble_of(session)
        assert session.state is CrawlState.FAILED
        await asyncio.to_thread(assert_gone, workers)
        return trouble

    async def main() -> None:
        async with new_session(project, star.url(), workers=WORKERS) as session:
            await session.start()
            await until(session, lambda p: p.fetched == PAGES)
            first = await hang(session)
            assert first.again
            assert "is being restarted" in str(first.sentence)
            await session.start()
            await star.wait_for_in_flight(1)
            again = await hang(session)
            assert not again.again, "it would hang for ever"
            assert "press resume" in str(again.sentence).lower()
            last.open()
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        assert child_processes() == []

    run(main())
    assert_complete(star, project)


@pytest.mark.usefixtures("last")
@pytest.mark.parametrize("noted", [True, False])
def test_a_cancel_is_stored_or_reported_when_the_host_is_killed(
    star: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, noted: bool
) -> None:
    path = tmp_path / "a.gossamer"

    def silent(project: Path) -> None:
        raise DiskError("{path} does not respond.", path=project)

    async def main() -> None:
        async with new_session(path, star.url(), workers=WORKERS) as session:

            async def killed(_: float) -> None:
                """As if its process had been killed before it could write what it told."""
                await HostConnection._end_host(session, PATIENCE_S)  # noqa: SLF001 - the real one
                with Writer(path) as writer:
                    writer.commit(StoreBatch(state=CrawlState.RUNNING))
                session.was_forced = True

            await session.start()
            await until_committed(session)
            with monkeypatch.context() as patch:
                patch.setattr(session, "_end_host", killed)
                if not noted:
                    patch.setattr("gossamer.store.project.mark_cancelled", silent)
                await session.cancel()
            assert session.state is (CrawlState.CANCELLED if noted else CrawlState.FAILED)

    run(main())
    assert summary(path).state is (CrawlState.CANCELLED if noted else CrawlState.RUNNING)


@pytest.mark.usefixtures("last")
def test_a_host_whose_crawl_is_paused_goes_on_to_be_heard_of(
    star: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be taken for a hung one."""
    beats: list[Report] = []
    heard = asyncio.Event()

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", star.url()) as session:
            receive = session._receive  # noqa: SLF001 - nobody else is told

            def count(reports: list[Report]) -> None:
                beats.extend(each for each in reports if isinstance(each, HostHeartbeat))
                if len(beats) >= 2:
                    heard.set()
                receive(reports)

            monkeypatch.setattr(session, "_receive", count)
            await session.start()
            await session.pause(now=True)
            beats.clear()
            heard.clear()
            await heard.wait()
            assert session.state is CrawlState.PAUSED

    run(main())


def test_a_host_that_exits_at_once_is_reported(site: Site, tmp_path: Path) -> None:
    begun: list[LaunchedProcess] = []

    def begin(page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
        """At first a page worker, which understands nothing of what is said to a host, and ends."""
        if begun:
            return launched_host(page_workers, stderr)
        begun.append(launch(ChildRole.PAGE_WORKER, stderr=stderr))
        return begun[0]

    sessions = SessionFactory(CrawlHostPool(begin=begin))

    async def main() -> None:
        settings = CrawlSettings(roots=(site.url(),))
        async with closing(sessions.create(settings, tmp_path / "a.gossamer")) as session:
            with pytest.raises(CrawlHostError):
                await session.start()
            assert session.state is CrawlState.NEW
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_a_project_is_crawled_by_one_session_at_a_time(star: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    gate = star.slow("/0")

    async def main() -> None:
        async with new_session(project, star.url(), workers=WORKERS) as session:
            await session.start()
            async with closing(sessions().open(project)) as other:
                before = other.progress
                for _ in range(2):
                    with pytest.raises(ProjectError):
                        await other.start()
                    assert other.progress is before
            gate.open()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert_complete(star, project)


def test_a_missing_project_file_is_reported(star: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, star.url()) as session:
            project.unlink()
            with pytest.raises(ProjectError):
                await session.start()

    run(main())
    assert star.paths == []


def test_a_host_we_killed_is_not_taken_for_another_instance(
    star: Site, last: Gate, tmp_path: Path
) -> None:
    """As when a window is closed by force, or the project opened again at once."""
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, star.url(), workers=WORKERS) as session:
            await session.start()
            await until_committed(session)
            session.force()
            last.open()
            again = sessions().open(project)
            again.ensure_free()
            assert again.held_by is None
            await again.start()
            assert await until_rest(again) is CrawlState.FINISHED
            await again.close()

    run(main())
    assert_complete(star, project)
