"""The jobs of a worker: how many run at once, and what becomes of those that wait."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    CancelJob,
    Cancelled,
    ConfigureWorker,
    Fetch,
    Fetched,
    NotBegun,
    ReturnJob,
    SetSlots,
)
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.page_worker.prefetched_jobs import STORED_S
from gossamer.page_worker.worker_job_loop import JobLoop
from tests.fakes.virtual_loop import run_virtual


class Site:
    """Answers when it is told to; it hears what the worker says."""

    congested = False

    def __init__(self) -> None:
        self.running: dict[int, asyncio.Event] = {}
        self.said: list[object] = []

    def send(self, message: object) -> None:
        self.said.append(message)

    async def run(self, job: Fetch) -> Fetched:
        self.running[job.job] = asyncio.Event()
        try:
            await self.running[job.job].wait()
        finally:
            del self.running[job.job]
        return Fetched(job.job, Visit(Outcome.PAGE))

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """It has no settings."""

    async def drop(self) -> None:
        """It keeps no connections."""

    def numbers(self, kind: type[Any]) -> list[int]:
        return [each.job for each in self.said if isinstance(each, kind)]


def jobs(*numbers: int) -> list[Any]:
    return [Fetch(number, f"http://a.test/{number}") for number in numbers]


def with_loop(test: Callable[[JobLoop, Site], Awaitable[None]]) -> None:
    async def main() -> None:
        site = Site()

        @asynccontextmanager
        async def opened(_: ConfigureWorker) -> AsyncIterator[Site]:
            yield site

        async with asyncio.TaskGroup() as group:
            loop = JobLoop(group)
            channel: Any = site
            working = group.create_task(loop.work(channel, opened), name="work")
            loop.receive([ConfigureWorker(CrawlSettings(roots=("http://a.test/",)))])
            await asyncio.sleep(0.01)
            await test(loop, site)
            loop.parent_gone()
            await working

    run_virtual(main())


def test_until_told_otherwise_all_run_at_once() -> None:
    async def test(loop: JobLoop, site: Site) -> None:
        loop.receive(jobs(*range(120)))
        await asyncio.sleep(0.01)
        assert len(site.running) == 120
        await asyncio.sleep(10)
        assert not site.numbers(NotBegun)

    with_loop(test)


def test_no_more_run_than_there_are_slots_and_the_oldest_is_next() -> None:
    async def test(loop: JobLoop, site: Site) -> None:
        loop.receive([SetSlots(2), *jobs(1, 2, 3, 4)])
        await asyncio.sleep(0.01)
        assert set(site.running) == {1, 2}
        site.running[2].set()
        await asyncio.sleep(0.01)
        assert set(site.running) == {1, 3}
        loop.receive([SetSlots(1)])
        site.running[1].set()
        await asyncio.sleep(0.01)
        assert set(site.running) == {3}
        loop.receive([SetSlots(2)])
        await asyncio.sleep(0.01)
        assert set(site.running) == {3, 4}

    with_loop(test)


def test_only_what_has_not_begun_is_given_back_at_once() -> None:
    async def test(loop: JobLoop, site: Site) -> None:
        loop.receive([SetSlots(1), *jobs(1, 2, 3)])
        await asyncio.sleep(0.01)
        loop.receive([ReturnJob(1), ReturnJob(3), ReturnJob(3), ReturnJob(9), CancelJob(2)])
        await asyncio.sleep(0.01)
        assert site.numbers(NotBegun) == [3]
        assert site.numbers(Cancelled) == [2]
        assert set(site.running) == {1}

    with_loop(test)


def test_what_waits_too_long_is_given_back_each_in_its_time() -> None:
    async def test(loop: JobLoop, site: Site) -> None:
        loop.receive([SetSlots(1), *jobs(1, 2)])
        await asyncio.sleep(STORED_S / 2)
        loop.receive(jobs(3))
        await asyncio.sleep(STORED_S * 0.6)
        assert site.numbers(NotBegun) == [2]
        await asyncio.sleep(STORED_S / 2)
        assert site.numbers(NotBegun) == [2, 3]
        loop.receive(jobs(4))
        site.running[1].set()
        await asyncio.sleep(3 * STORED_S)
        assert set(site.running) == {4}

    with_loop(test)


def test_cancelling_all_leaves_nothing_in_store() -> None:
    async def test(loop: JobLoop, site: Site) -> None:
        loop.receive([SetSlots(1), *jobs(1, 2), CancelAllJobs()])
        await asyncio.sleep(5 * STORED_S)
        assert not site.running
        assert site.said[-1] == AllJobsCancelled()
        loop.receive(jobs(3))
        await asyncio.sleep(0.01)
        assert set(site.running) == {3}

    with_loop(test)
