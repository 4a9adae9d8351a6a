"""What the tests of whole crawls share: sessions that end with the test, and waiting for them."""

import asyncio
import os
import select
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import psutil

from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.errors import DiskError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.outcome import UrlState
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.recrawl import start_recrawl
from gossamer.session.session_factory import SessionFactory
from gossamer.session.session_timings import SessionTimings
from gossamer.store.disk_errors import DISK_FULL
from gossamer.store.reading.reader import Reader
from tests.fakes.preloaded import preloaded_cluster_host, preloaded_host, start_forking
from tests.patience import PATIENCE_S

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T], deadline_s: float = PATIENCE_S) -> T:
    """Run `main` on a new loop; TimeoutError, and everything cancelled, after `deadline_s`."""
    return asyncio.run(in_time(main, deadline_s))


async def in_time(main: Coroutine[Any, Any, T], deadline_s: float = PATIENCE_S) -> T:
    """What `main` returns; TimeoutError, and everything cancelled, after `deadline_s`."""
    async with asyncio.timeout(deadline_s):
        return await main


PATIENT: Final = SessionTimings(silence_s=PATIENCE_S, command_s=PATIENCE_S, opening_s=PATIENCE_S)
"""A busy machine takes longer for some things than a user would wait."""


def sessions(timings: SessionTimings = PATIENT, *, is_on_cluster: bool = False) -> SessionFactory:
    """What makes sessions whose crawl hosts start in no time."""
    begin = preloaded_cluster_host if is_on_cluster else preloaded_host
    return SessionFactory(CrawlHostPool(begin=begin), timings)


@asynccontextmanager
async def timed_session(
    timings: SessionTimings, path: Path, root: str, **changes: object
) -> AsyncIterator[CrawlSession]:
    """A session on a new project; closed when the test is over, whatever becomes of it."""
    settings = CrawlSettings(**{"roots": (root,), "processes": 1, **changes})  # type: ignore[arg-type]  # field by field
    made = sessions(timings, is_on_cluster=bool(settings.cluster))
    async with closing(made.create(settings, path)) as session:
        yield session


def new_session(
    path: Path, root: str, **changes: object
) -> AbstractAsyncContextManager[CrawlSession]:
    """A session on a new project, which has time."""
    return timed_session(PATIENT, path, root, **changes)


@asynccontextmanager
async def closing(session: CrawlSession) -> AsyncIterator[CrawlSession]:
    """`session`, closed at the end."""
    try:
        yield session
    finally:
        await session.close()


async def until(session: CrawlSession, holds: Callable[[Progress], bool]) -> Progress:
    """Wait for progress that `holds` is true of. AssertionError when the crawl gets stuck."""
    async for report in session.updates():
        assert not isinstance(report, Trouble), report.sentence
        if holds(report):
            return report
    raise AssertionError(f"the session was closed in state {session.state}")


async def trouble_of(session: CrawlSession) -> Trouble:
    """Wait for trouble."""
    async for report in session.updates():
        if isinstance(report, Trouble):
            return report
    raise AssertionError(f"the session was closed in state {session.state}")


async def until_rest(session: CrawlSession) -> CrawlState:
    """Wait until the crawl is over; the state it ended in."""
    return (await until(session, lambda progress: progress.state not in LIVE)).state


def crawl_all(path: Path, root: str, **changes: object) -> None:
    """Crawl from `root` to the end into a new project."""

    async def main() -> None:
        async with new_session(path, root, **changes) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED, session.progress

    run(main())


def crawl_again(base: Path, new: Path, **changes: Any) -> Path:
    """Crawl a project again to the end."""

    async def main() -> None:
        session = start_recrawl(base, new, changes, sessions=sessions())
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED, session.progress

    run(main())
    return new


def resume_all(path: Path) -> None:
    """Go on with the project to the end."""

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED, session.progress

    run(main())


def records(path: Path) -> dict[str, UrlRecord]:
    """All URLs of a project, former pages too."""
    with Reader(path) as reader:
        rows = chain(reader.iterate(View.ALL), reader.iterate(View.FORMER))
        return {record.url: record for record in rows}


def asked(path: Path) -> dict[str, UrlRecord]:
    """The URLs of a project that were asked, for good."""
    done = {UrlState.DONE, UrlState.FAILED}
    return {url: record for url, record in records(path).items() if record.state in done}


def summary(path: Path) -> ProjectSummary:
    """The project as a whole."""
    with Reader(path) as reader:
        return reader.summary()


def page_workers(session: CrawlSession) -> list[psutil.Process]:
    """The page workers of a running crawl."""
    assert session.host_pid is not None
    return psutil.Process(session.host_pid).children()


def kill_together(processes: list[psutil.Process]) -> None:
    """Kill several processes so that none goes on when it hears of another's end.

    Some may have ended: those of a browser come and go.
    """
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def assert_gone(processes: list[psutil.Process]) -> None:
    """Wait until these have ended. Orphans may stay zombies until the system takes note."""
    for process in processes:
        try:
            descriptor = os.pidfd_open(process.pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([descriptor], [], [], PATIENCE_S)
        os.close(descriptor)
        assert ended, process


def open_files() -> int:
    """How many descriptors this process has open, also for what starts its crawl hosts."""
    start_forking()
    return psutil.Process().num_fds()


async def until_open_files(most: int) -> None:
    """Wait until no more are open: a site in this process notices a little later what is closed."""
    async with asyncio.timeout(PATIENCE_S):
        while open_files() > most:  # noqa: ASYNC110 - nobody tells of the end of a descriptor
            await asyncio.sleep(0.01)


def ms_since(start_ns: int, end_ns: int | None = None) -> float:
    """Milliseconds from one moment of ``time.monotonic_ns()`` to another, or to now."""
    return ((time.monotonic_ns() if end_ns is None else end_ns) - start_ns) / 1e6


def refuse_as_full(project: Path, _settings: object) -> None:
    """Stand in for `store_settings` on a full disk."""
    raise DiskError(DISK_FULL, path=project)
