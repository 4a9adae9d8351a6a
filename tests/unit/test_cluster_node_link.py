"""The conversation with a node, without Dask and without time."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gossamer.cluster.node_link import CALL_EVERY_S, LOST_AFTER_S, NodeLink, RemoteWorker
from gossamer.ipc.channel import encoded
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.node_messages import (
    EndWorker,
    ForWorker,
    FromWorker,
    WorkerClosed,
)
from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    Cancelled,
    Fetch,
    Fetched,
    Result,
    WorkerHeartbeat,
)
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.fakes.called_node import FakeNode, Heard
from tests.fakes.virtual_loop import run_virtual


def with_node(
    test: Callable[[FakeNode, NodeLink, RemoteWorker[Result], Heard], Awaitable[None]],
) -> None:
    async def main() -> None:
        node, heard = FakeNode(), Heard()
        link = NodeLink("n", node.exchange)

        async def talk() -> None:
            with pytest.raises((TimeoutError, asyncio.CancelledError)):
                await link.converse()

        async with asyncio.TaskGroup() as group:
            talking = group.create_task(talk(), name="talk")
            worker = await link.open_worker(Result, heard.messages.extend, heard.closed)
            await test(node, link, worker, heard)
            talking.cancel()

    run_virtual(main())


def test_no_more_than_twenty_calls_a_second_however_much_there_is_to_say() -> None:
    async def test(node: FakeNode, _: NodeLink, worker: RemoteWorker[Result], __: Heard) -> None:
        before = node.calls
        for _number in range(1_000):
            worker.send(WorkerHeartbeat())
            node.reports.append(FromWorker(worker.number, encoded([WorkerHeartbeat()])))
            await asyncio.sleep(0.01)
        assert node.calls - before <= 201

    with_node(test)


def test_messages_of_one_call_arrive_together_in_their_order() -> None:
    async def test(node: FakeNode, _: NodeLink, worker: RemoteWorker[Result], heard: Heard) -> None:
        assert heard.messages == [WorkerHeartbeat()]
        assert worker.pid == 101
        await asyncio.sleep(0.01)
        worker.send(WorkerHeartbeat())
        worker.send(WorkerHeartbeat())
        worker.kill()
        await asyncio.sleep(0.2)
        both = ForWorker(worker.number, encoded([WorkerHeartbeat()] * 2))
        assert node.seen[-2:] == [both, EndWorker(worker.number)]
        assert (worker.closed, heard.closings) == (True, 1)

    with_node(test)


def test_a_cancel_takes_two_calls_at_most() -> None:
    async def test(node: FakeNode, _: NodeLink, worker: RemoteWorker[Result], heard: Heard) -> None:
        loop = asyncio.get_running_loop()
        for wait_s in (0.0, 0.013, 0.049):
            await asyncio.sleep(wait_s)
            heard.messages.clear()
            cancelled_at_s = loop.time()
            worker.send(CancelAllJobs())
            await asyncio.sleep(2 * CALL_EVERY_S + 0.002)
            assert heard.messages == [AllJobsCancelled()]
            assert node.cancelled_at_s[-1] - cancelled_at_s <= CALL_EVERY_S + 0.001

    with_node(test)


def test_a_node_that_does_not_answer_is_lost_with_its_workers_in_time() -> None:
    async def test(node: FakeNode, link: NodeLink, _: RemoteWorker[Result], heard: Heard) -> None:
        node.hangs = True
        await asyncio.sleep(LOST_AFTER_S + 0.2)
        assert link.is_lost
        assert heard.closings == 1
        with pytest.raises(CrawlHostError, match="is lost"):
            await link.open_worker(Result, heard.messages.extend, heard.closed)

    with_node(test)


def test_a_worker_that_sends_nonsense_is_ended() -> None:
    async def test(node: FakeNode, _: NodeLink, worker: RemoteWorker[Result], heard: Heard) -> None:
        node.reports.append(FromWorker(worker.number, encoded(["rubbish"])))
        await asyncio.sleep(0.3)
        assert EndWorker(worker.number) in node.seen
        assert heard.closings == 1

    with_node(test)


def test_what_a_former_worker_still_says_is_ignored() -> None:
    async def test(node: FakeNode, _: NodeLink, worker: RemoteWorker[Result], heard: Heard) -> None:
        worker.kill()
        await asyncio.sleep(0.3)
        node.reports.append(FromWorker(worker.number, encoded([WorkerHeartbeat()])))
        node.reports.append(WorkerClosed(worker.number))
        await asyncio.sleep(0.3)
        assert len(heard.messages) == 1
        assert heard.closings == 1

    with_node(test)


def test_a_worker_that_cannot_be_started_says_why() -> None:
    async def test(node: FakeNode, link: NodeLink, _: RemoteWorker[Result], __: Heard) -> None:
        node.refuses = True
        other = Heard()
        with pytest.raises(CrawlHostError, match="no memory"):
            await link.open_worker(Result, other.messages.extend, other.closed)
        assert other.closings == 0

    with_node(test)


def test_a_worker_that_does_not_start_in_time_is_ended_and_another_may_be_started() -> None:
    async def test(node: FakeNode, link: NodeLink, _: RemoteWorker[Result], __: Heard) -> None:
        node.starts_none = True
        other = Heard()
        with pytest.raises(CrawlHostError, match="did not start in time"):
            await link.open_worker(Result, other.messages.extend, other.closed)
        await asyncio.sleep(0.3)
        assert isinstance(node.seen[-1], EndWorker)
        assert other.closings == 0, "it was never there"
        node.starts_none = False
        await link.open_worker(Result, other.messages.extend, other.closed)

    with_node(test)


def test_a_node_tells_what_it_has_and_how_fast_it_is() -> None:
    async def test(node: FakeNode, link: NodeLink, worker: RemoteWorker[Result], _: Heard) -> None:
        for job in range(4):
            worker.send(Fetch(job, "http://a.test/"))
        state = link.state()
        assert (state.name, state.workers, state.active) == ("n", 1, 4)
        await asyncio.sleep(1)
        done = [Cancelled(0), Fetched(1, Visit(Outcome.PAGE))]
        node.reports.append(FromWorker(worker.number, encoded(done)))
        await asyncio.sleep(1)
        state = link.state()
        assert (state.active, round(state.per_second)) == (2, 1)

    with_node(test)
