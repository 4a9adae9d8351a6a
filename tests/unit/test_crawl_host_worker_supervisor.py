"""Several kinds of workers in one pool, without processes."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from gossamer.crawl_host.worker_kinds import node_workers, page_workers, render_workers
from gossamer.crawl_host.worker_pool import SILENCE_S, WorkerPool
from gossamer.engine.interfaces import NodeGivenUpError, NodeLostError, WorkerDiedError
from gossamer.engine.job_prefetch import NotBegunError
from gossamer.model.errors import BugError, CrawlHostError
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.workers import FakeKind, FakeWorker

SETTINGS = CrawlSettings(roots=("http://site.test/",))
URL = "http://site.test/a"
LOST = "lost"
NODE_LOST = "node lost"
GIVEN_UP = "given up"
GIVEN_BACK = "given back"


_ENDS: dict[type[WorkerDiedError], str] = {NodeLostError: NODE_LOST, NodeGivenUpError: GIVEN_UP}


class Ask:
    """Gives a pool jobs; what becomes of each is the result of a task."""

    def __init__(self, pool: WorkerPool, group: asyncio.TaskGroup) -> None:
        self._pool = pool
        self._group = group

    def __call__(self, kind: FetchKind = FetchKind.PAGE) -> "asyncio.Task[str]":
        return self._group.create_task(self._ask(kind), name=kind.name)

    async def _ask(self, kind: FetchKind) -> str:
        try:
            return str((await self._pool.fetch(URL, kind)).detail)
        except WorkerDiedError as e:
            return _ENDS.get(type(e), LOST)
        except NotBegunError:
            return GIVEN_BACK


def with_pool(
    test: Callable[[WorkerPool, Ask], Awaitable[None]],
    *kinds: FakeKind,
    settings: CrawlSettings = SETTINGS,
) -> None:
    async def main() -> None:
        pool = WorkerPool([kind.declaration for kind in kinds])
        async with asyncio.TaskGroup() as group:
            pool.start(group, settings)
            await asyncio.sleep(0)
            await test(pool, Ask(pool, group))
            await pool.close()

    run_virtual(main())


def test_each_job_goes_to_the_kind_of_worker_that_takes_it() -> None:
    browser = FakeKind(FetchKind.PAGE)
    plain = FakeKind(FetchKind.CHECK, FetchKind.TEXT, FetchKind.SITEMAP)

    async def test(_: WorkerPool, ask: Ask) -> None:
        for kind in FetchKind:
            taker = browser if kind is FetchKind.PAGE else plain
            fetching = ask(kind)
            await asyncio.sleep(0)
            (worker,) = taker.started
            assert [job.kind for job in worker.jobs.values()] == [kind]
            worker.answer()
            assert await fetching == URL

    with_pool(test, browser, plain)


def test_all_kinds_are_configured_alike_and_go_on_by_new_settings() -> None:
    kinds = [FakeKind(FetchKind.PAGE, workers=2), FakeKind(FetchKind.CHECK)]

    async def test(pool: WorkerPool, _: Ask) -> None:
        live = replace(SETTINGS, timeout_s=7.0, title_max_length=50, rate=3.0, exclude=("x",))
        pool.change_settings(replace(live, max_depth=3))
        for kind in kinds:
            for worker in kind.started:
                assert [told.settings for told in worker.configured] == [
                    SETTINGS,
                    live,
                ]

    with_pool(test, *kinds)


def test_no_two_kinds_take_the_same_jobs() -> None:
    pool = WorkerPool([page_workers([]), FakeKind(FetchKind.PAGE).declaration])
    with pytest.raises(BugError):
        pool.start(asyncio.TaskGroup(), CrawlSettings(roots=("https://a.test/",)))


def test_page_workers_take_every_job_there_is() -> None:
    assert page_workers([]).takes(DEFAULTS) == set(FetchKind)


def test_where_pages_are_rendered_all_jobs_go_to_the_render_worker() -> None:
    rendering = replace(DEFAULTS, render=RenderMode.ON)
    assert render_workers([]).takes(rendering) == set(FetchKind)
    assert not page_workers([]).takes(rendering)
    assert not render_workers([]).takes(DEFAULTS)


def test_on_a_cluster_all_jobs_go_to_nodes_those_too_that_are_rendered() -> None:
    for render in RenderMode:
        remote = replace(DEFAULTS, render=render, cluster="local:2")
        assert node_workers().takes(remote) == set(FetchKind)
        assert not page_workers([]).takes(remote)
        assert not render_workers([]).takes(remote)
    assert not node_workers().takes(DEFAULTS)


def test_workers_that_render_share_the_pace_of_hosts_as_they_come_and_go() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=2)

    async def test(_: WorkerPool, __: Ask) -> None:
        first, second = kind.started
        assert [told.sharers for told in first.configured] == [1, 2]
        assert [told.sharers for told in second.configured] == [2]
        second.kill()
        assert first.configured[-1].sharers == 1
        await asyncio.sleep(1)
        assert [worker.configured[-1].sharers for worker in (first, kind.started[2])] == [2, 2]

    with_pool(test, kind, settings=replace(SETTINGS, render=RenderMode.ON))


def test_no_more_workers_render_than_a_host_may_have_requests_at_once() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=3)

    async def test(_: WorkerPool, ask: Ask) -> None:
        jobs = [ask() for _ in range(6)]
        await asyncio.sleep(1)
        assert [len(worker.jobs) for worker in kind.started] == [3, 3, 0]
        assert {worker.configured[-1].sharers for worker in kind.started} == {2}
        for worker in kind.started[:2] * 3:
            worker.answer()
        await asyncio.gather(*jobs)

    with_pool(test, kind, settings=replace(SETTINGS, render=RenderMode.ON, max_per_host=2))


def test_workers_with_a_store_share_the_requests_of_the_crawl_as_they_come_and_go() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=3, has_store=True)

    async def test(pool: WorkerPool, __: Ask) -> None:
        pool.set_workers(8)
        assert [worker.slots for worker in kind.started] == [3, 3, 2]
        kind.started[0].kill()
        assert [worker.slots for worker in kind.started[1:]] == [4, 4]
        await asyncio.sleep(10)
        assert [worker.slots for worker in kind.started[1:]] == [3, 3, 2]
        pool.set_workers(2)
        assert [worker.slots for worker in kind.started[1:]] == [1, 1, 0]

    with_pool(test, kind)


def test_a_worker_gets_jobs_by_its_slots_and_by_how_many_it_should_have_in_store() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=3, has_store=True)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        pool.set_workers(2)
        quick, slow, idle = kind.started
        quick.ahead = 3
        assert pool.ahead == 3
        jobs = [ask() for _ in range(5)]
        await asyncio.sleep(0)
        assert [len(worker.jobs) for worker in (quick, slow, idle)] == [4, 1, 0]
        for worker in (*[quick] * 4, slow):
            worker.answer()
        await asyncio.gather(*jobs)

    with_pool(test, kind)


def test_what_is_given_back_says_so_and_a_text_is_asked_of_another_worker() -> None:
    kind = FakeKind(FetchKind.PAGE, FetchKind.TEXT, workers=2, has_store=True)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        pool.set_workers(2)
        page, text = ask(), ask(FetchKind.TEXT)
        await asyncio.sleep(0)
        pool.give_back([URL + "/other"])
        assert sum(len(worker.jobs) for worker in kind.started) == 2
        pool.give_back([URL])
        assert await page == GIVEN_BACK
        (worker,) = [each for each in kind.started if each.jobs]
        worker.answer()
        assert await text == URL

    with_pool(test, kind)


def test_a_kind_with_few_slots_has_no_more_jobs_at_once() -> None:
    slow = FakeKind(FetchKind.PAGE, workers=2, jobs_each=3)

    async def test(_: WorkerPool, ask: Ask) -> None:
        jobs = [ask() for _ in range(20)]
        finished = [0]
        while not all(job.done() for job in jobs):
            await asyncio.sleep(1)
            assert [len(worker.jobs) for worker in slow.started] == [3, 3] or finished[-1] >= 14
            slow.started[len(finished) % 2].answer()
            await asyncio.sleep(1)
            finished.append(sum(job.done() for job in jobs))
        assert all(later == earlier + 1 for earlier, later in pairwise(finished))

    with_pool(test, slow)


def test_a_worker_of_another_version_is_counted_and_the_others_do_the_jobs() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=3, refused=2)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        fetching = ask()
        await asyncio.sleep(1)
        (worker,) = kind.started
        worker.answer()
        await fetching
        assert pool.failed_starts == 2

    with_pool(test, kind)


def test_a_crawl_ends_in_one_sentence_when_no_worker_speaks_its_version() -> None:
    kind = FakeKind(FetchKind.PAGE, workers=3, refused=3)

    async def test(_: WorkerPool, ask: Ask) -> None:
        await ask()

    with pytest.raises(ExceptionGroup) as caught:
        with_pool(test, kind)
    (error,) = caught.value.exceptions
    assert isinstance(error, CrawlHostError)
    assert "another version" in str(error)


def test_a_worker_that_is_lost_gives_its_jobs_back_and_is_replaced_by_one_of_its_kind() -> None:
    mortal, other = FakeKind(FetchKind.PAGE), FakeKind(FetchKind.CHECK)

    async def test(_: WorkerPool, ask: Ask) -> None:
        fetching = ask()
        checking = ask(FetchKind.CHECK)
        await asyncio.sleep(0)
        mortal.started[0].kill()
        assert await fetching == LOST
        await asyncio.sleep(10)
        assert (len(mortal.started), len(other.started)) == (2, 1)
        other.started[0].answer()
        await checking

    with_pool(test, mortal, other)


def test_jobs_of_a_node_that_is_given_up_are_told_from_those_of_a_lost_one() -> None:
    node = FakeKind(FetchKind.PAGE)

    async def test(_: WorkerPool, ask: Ask) -> None:
        found = []
        for flag in ("is_lost", "is_given_up"):
            asked = ask()
            await asyncio.sleep(10)
            setattr(node.started[-1], flag, True)
            node.started[-1].kill()
            found.append(await asked)
        assert found == [NODE_LOST, GIVEN_UP]
        await asyncio.sleep(10)

    with_pool(test, node)


def test_a_worker_whose_job_takes_long_is_ended_when_its_heartbeats_stop() -> None:
    kind = FakeKind(FetchKind.PAGE)

    async def test(_: WorkerPool, ask: Ask) -> None:
        fetching = ask()
        for silence_s in [0.9 * SILENCE_S] * 5:
            await asyncio.sleep(silence_s)
            kind.started[0].beat()
        assert not kind.started[0].closed
        await asyncio.sleep(1.1 * SILENCE_S)
        assert await fetching == LOST

    with_pool(test, kind)


def test_a_drop_leaves_no_job_with_any_kind_and_says_how_long_that_took(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "gossamer.crawl_host.worker_pool")
    kinds = [FakeKind(FetchKind.PAGE), FakeKind(FetchKind.CHECK)]

    async def test(pool: WorkerPool, ask: Ask) -> None:
        jobs = [ask(kind) for kind in (FetchKind.PAGE, FetchKind.CHECK) for _ in "abc"]
        await asyncio.sleep(0)
        assert [len(kind.started[0].jobs) for kind in kinds] == [3, 3]
        await pool.drop()
        assert [kind.started[0].jobs for kind in kinds] == [{}, {}]
        for job in jobs:
            job.cancel()

    with_pool(test, *kinds)
    assert [vars(each)["took_ms"] for each in caplog.records] == [0]


async def use(worker: FakeWorker, ask: Ask) -> None:
    """Have it do a job: it may have a connection open since."""
    fetching = ask()
    await asyncio.sleep(0)
    worker.answer()
    await fetching


def test_a_drop_does_not_wait_for_a_worker_that_has_had_no_job() -> None:
    """It may be starting on a node, and would reply when it has."""
    kind = FakeKind(FetchKind.PAGE)

    async def test(pool: WorkerPool, _: Ask) -> None:
        (worker,) = kind.started
        worker.drops_late = True
        await pool.drop()
        assert (pool.silent_after_ms, worker.closed) == (0, False)

    with_pool(test, kind)


def test_drops_at_the_same_time_all_end_and_no_healthy_worker_is_killed() -> None:
    kind = FakeKind(FetchKind.PAGE)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        (worker,) = kind.started
        await use(worker, ask)
        worker.drops_late = True
        async with asyncio.TaskGroup() as group:
            drops = [group.create_task(pool.drop(), name="drop") for _ in range(3)]
            await asyncio.sleep(0.01)
            for ended in range(3):
                assert sum(drop.done() for drop in drops) == ended
                worker.let_go()
                await asyncio.sleep(0.01)
        assert kind.started == [worker]

    with_pool(test, kind)


def test_drops_at_the_same_time_end_when_the_worker_does_not_respond() -> None:
    kind = FakeKind(FetchKind.PAGE)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        (worker,) = kind.started
        await use(worker, ask)
        worker.drops_late = True
        async with asyncio.timeout(1), asyncio.TaskGroup() as group:
            group.create_task(pool.drop(), name="first drop")
            await asyncio.sleep(0.01)
            group.create_task(pool.drop(), name="second drop")
        assert worker.closed

    with_pool(test, kind)


def test_a_drop_given_up_does_not_end_the_next_one_before_its_time() -> None:
    kind = FakeKind(FetchKind.PAGE)

    async def test(pool: WorkerPool, ask: Ask) -> None:
        (worker,) = kind.started
        await use(worker, ask)
        worker.drops_late = True
        async with asyncio.TaskGroup() as group:
            given_up = group.create_task(pool.drop(), name="first drop")
            await asyncio.sleep(0.01)
            given_up.cancel()
            drop = group.create_task(pool.drop(), name="second drop")
            await asyncio.sleep(0.01)
            worker.let_go()
            await asyncio.sleep(0.01)
            assert not drop.done()
            worker.let_go()

    with_pool(test, kind)


@pytest.mark.parametrize("turns", range(5))
def test_a_drop_does_not_wait_for_a_worker_that_is_gone_by_then(turns: int) -> None:
    kind = FakeKind(FetchKind.PAGE)

    async def test(pool: WorkerPool, _: Ask) -> None:
        async with asyncio.timeout(1), asyncio.TaskGroup() as group:
            group.create_task(pool.drop(), name="drop")
            for _turn in range(turns):
                await asyncio.sleep(0)
            kind.started[0].kill()

    with_pool(test, kind)
