"""The pool of page workers, with real processes, and with such as do not start."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.audit.rules import page_titles, response_codes_internal, security
from gossamer.crawl_host.worker_kinds import WorkerKind, WorkerLink, page_workers, render_workers
from gossamer.crawl_host.worker_pool import SILENCE_S, WorkerPool
from gossamer.engine.interfaces import WorkerDiedError
from gossamer.ipc import ChildRole
from gossamer.model.errors import CrawlHostError
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.messages.worker_messages import Result, WorkerHeartbeat
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.preloaded import preloaded_child
from tests.fakes.processes import child_processes
from tests.integration.crawling import assert_gone, run
from tests.sites import Site

Deed = Callable[[WorkerPool], Awaitable[None]]


def with_pool(
    site: Site, size: int, deed: Deed, kind: WorkerKind | None = None, **limits: float
) -> None:
    """Run `deed` with a pool; `limits` are `silence_s` of the pool and `timeout_s` of a hop."""
    silence_s = limits.get("silence_s", SILENCE_S)
    timeout_s = limits.get("timeout_s", 30.0)
    settings = CrawlSettings(roots=(site.url(),), timeout_s=timeout_s, processes=size)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            workers = WorkerPool([kind or page_workers([])], silence_s=silence_s)
            workers.start(group, settings)
            try:
                await deed(workers)
            finally:
                await workers.close()
        assert child_processes() == []

    run(main())


def failing(*starts: int) -> WorkerKind:
    """Page workers of which these, counted from 1, cannot be started."""
    kind = page_workers([])
    number = count(1)

    async def start(*callbacks: Any) -> WorkerLink:
        if next(number) in starts:
            raise CrawlHostError("A helper process ended while starting.")
        return await kind.start(*callbacks)

    return replace(kind, start=start)


def test_jobs_wait_for_the_first_worker_and_are_distributed(site: Site) -> None:
    for n in range(6):
        site.page(f"/{n}", title=str(n))

    async def deed(workers: WorkerPool) -> None:
        visits = await asyncio.gather(*(workers.fetch(site.url(f"/{n}")) for n in range(6)))
        assert [visit.facts and visit.facts.title for visit in visits] == list("012345")

    with_pool(site, 2, deed)


def test_a_worker_that_was_started_in_advance_renders_and_the_others_end(
    site: Site, tmp_path: Path
) -> None:
    """It says that there is no browser, which only one that is to render looks for."""
    site.page("/")
    ahead = [preloaded_child(ChildRole.PAGE_WORKER) for _ in range(3)]
    first, *spares = [each.process for each in ahead]
    settings = CrawlSettings(
        roots=(site.url(),), render=RenderMode.ON, browser=str(tmp_path / "none"), processes=3
    )

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            workers = WorkerPool([page_workers(ahead), render_workers(ahead)])
            workers.start(group, settings)
            assert [each.poll() is None for each in spares] == [False, False]
            visit = await workers.fetch(site.url())
            assert visit.rendering is not None
            assert visit.rendering.render_outcome is RenderOutcome.NO_BROWSER
            assert [each.pid for each in child_processes()] == [first.pid]
            await workers.close()

    run(main())


def test_pages_come_with_their_issues_by_the_thresholds_in_force(site: Site) -> None:
    site.page("/", title="A title of some thirty letters")
    too_long = page_titles.TOO_LONG.number

    async def deed(workers: WorkerPool) -> None:
        page = await workers.fetch(site.url())
        assert too_long not in page.issues
        settings = CrawlSettings(roots=(site.url(),), timeout_s=30.0, title_max_length=20)
        workers.change_settings(settings)
        assert too_long in (await workers.fetch(site.url())).issues
        missing = await workers.fetch(site.url("/missing"))
        assert missing.issues == [
            security.HTTP_URLS.number,
            response_codes_internal.CLIENT_ERROR.number,
        ]

    with_pool(site, 1, deed)


def test_a_cancelled_job_closes_its_connection(site: Site) -> None:
    site.hang("/")

    async def deed(workers: WorkerPool) -> None:
        async with asyncio.TaskGroup() as group:
            fetching = group.create_task(workers.fetch(site.url()), name="fetch")
            await site.wait_for_in_flight(1)
            fetching.cancel()
        await site.wait_for_disconnect()

    with_pool(site, 1, deed)


def test_many_concurrent_jobs_are_started_and_cancelled(site: Site) -> None:
    """A worker begins them a few at a time."""
    many = 300
    for n in range(many):
        site.hang(f"/{n}")

    async def deed(workers: WorkerPool) -> None:
        async with asyncio.TaskGroup() as group:
            jobs = [
                group.create_task(workers.fetch(site.url(f"/{n}")), name=str(n))
                for n in range(many)
            ]
            await site.wait_for_in_flight(many)
            for job in jobs:
                job.cancel()
        await site.wait_for_disconnect()

    with_pool(site, 1, deed)


def test_many_jobs_are_dropped_at_any_stage(site: Site) -> None:
    many = 1000
    site.page("/")
    for n in range(many):
        site.hang(f"/{n}")

    async def deed(workers: WorkerPool) -> None:
        await workers.fetch(site.url())
        async with asyncio.TaskGroup() as group:
            jobs = [
                group.create_task(workers.fetch(site.url(f"/{n}")), name=str(n))
                for n in range(many)
            ]
            await site.wait_for_in_flight(1)
            for job in jobs:
                job.cancel()
            await workers.drop()
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE
        # What went out before the drop may be read later; what began after it would stay open.
        ledger = site.ledger
        await site.wait_until(lambda: (ledger.open_connections, ledger.in_flight) == (1, 0))

    with_pool(site, 1, deed)


def test_after_a_drop_no_connection_is_open(site: Site) -> None:
    site.page("/")

    async def deed(workers: WorkerPool) -> None:
        await workers.fetch(site.url())
        assert site.open_connections == 1
        await workers.drop()
        await site.wait_for_disconnect()
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE

    with_pool(site, 1, deed)


def test_a_stopped_worker_is_killed_by_a_drop_and_replaced(site: Site) -> None:
    site.page("/")

    async def deed(workers: WorkerPool) -> None:
        await workers.fetch(site.url())
        (stopped,) = child_processes()
        stopped.suspend()
        await workers.drop()
        await site.wait_for_disconnect()
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE
        assert_gone([stopped])

    with_pool(site, 1, deed)


def test_a_job_reports_that_its_worker_died(site: Site) -> None:
    site.hang("/hang")
    site.page("/")

    async def kill_it() -> None:
        await site.wait_for_in_flight(1)
        for child in child_processes():
            child.kill()

    async def deed(workers: WorkerPool) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(kill_it(), name="kill")
            with pytest.raises(WorkerDiedError):
                await workers.fetch(site.url("/hang"))
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE

    with_pool(site, 1, deed)


def test_a_stuck_worker_is_killed_with_its_jobs_and_replaced(site: Site) -> None:
    site.page("/")

    async def deed(workers: WorkerPool) -> None:
        await workers.fetch(site.url())
        (stuck,) = child_processes()
        stuck.suspend()
        jobs = (workers.fetch(site.url(f"/{n}")) for n in range(3))
        ends = await asyncio.gather(*jobs, return_exceptions=True)
        assert [str(end) for end in ends if isinstance(end, WorkerDiedError)] == [
            "the page worker hung and was killed"
        ] * 3
        assert_gone([stuck])
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE

    with_pool(site, 1, deed, silence_s=3.0, timeout_s=2.0)


def test_a_worker_that_waits_for_an_answer_says_that_it_is_not_stuck(site: Site) -> None:
    site.hang("/")
    pages = page_workers([])
    beaten = asyncio.Event()

    async def start(
        receive: Callable[[list[Result]], None], gone: Callable[[], None]
    ) -> WorkerLink:
        def heard(results: list[Result]) -> None:
            receive(results)
            if site.in_flight and any(isinstance(each, WorkerHeartbeat) for each in results):
                beaten.set()

        return await pages.start(heard, gone)

    async def deed(workers: WorkerPool) -> None:
        async with asyncio.TaskGroup() as group:
            fetching = group.create_task(workers.fetch(site.url()), name="fetch")
            await beaten.wait()
            fetching.cancel()

    with_pool(site, 1, deed, replace(pages, start=start))


@pytest.mark.parametrize("call", [1, 2])
def test_the_pool_runs_without_a_worker_that_fails_to_start(site: Site, call: int) -> None:
    site.page("/")

    async def deed(workers: WorkerPool) -> None:
        assert (await workers.fetch(site.url())).outcome is Outcome.PAGE

    with_pool(site, 2, deed, failing(call))


def test_the_pool_fails_without_any_worker(site: Site) -> None:
    async def deed(workers: WorkerPool) -> None:
        await workers.fetch(site.url())

    with pytest.raises(ExceptionGroup) as caught:
        with_pool(site, 2, deed, failing(1, 2))
    assert caught.group_contains(CrawlHostError)


def test_closing_does_not_wait_for_starting_workers(site: Site) -> None:
    async def deed(_: WorkerPool) -> None:
        while len(child_processes()) < 2:  # noqa: ASYNC110 - a process that starts tells nobody
            await asyncio.sleep(0.001)

    with_pool(site, 2, deed)
