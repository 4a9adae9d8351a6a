"""How a node gathers what it tells, in virtual time."""

import asyncio

import pytest

from gossamer.cluster.node_link import CALL_EVERY_S
from gossamer.cluster.report_queue import GATHER_S, MOST_BYTES, ReportQueue
from gossamer.model.messages.node_messages import FromWorker, NodeReport, WorkerClosed
from tests.fakes.virtual_loop import run_virtual

FIRST, SECOND, HUGE = FromWorker(1, b"a"), FromWorker(2, b"b"), FromWorker(3, bytes(MOST_BYTES))


async def gathered_while(
    queue: ReportQueue, *reports: NodeReport
) -> tuple[list[NodeReport], float]:
    """What one call returns and when, if each report comes 10 ms after the one before."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.TaskGroup() as group:
        call = group.create_task(queue.gathered(), name="call")
        for report in reports:
            await asyncio.sleep(0.01)
            queue.add(report)
        taken = await call
        return taken, loop.time() - began


def test_results_of_quick_servers_come_with_the_call_that_brought_the_jobs() -> None:
    async def main() -> None:
        taken, took_s = await gathered_while(ReportQueue(), FIRST, SECOND)
        assert taken == [FIRST, SECOND]
        assert took_s == pytest.approx(GATHER_S)
        assert GATHER_S < CALL_EVERY_S

    run_virtual(main())


def test_the_end_of_a_worker_is_told_at_once_and_once() -> None:
    async def main() -> None:
        queue = ReportQueue()
        taken, took_s = await gathered_while(queue, FIRST, WorkerClosed(1))
        assert taken == [FIRST, WorkerClosed(1)]
        assert took_s < GATHER_S
        taken, took_s = await gathered_while(queue)
        assert not taken
        assert took_s == pytest.approx(GATHER_S)

    run_virtual(main())


def test_what_one_answer_has_no_room_for_comes_with_the_next_in_its_order() -> None:
    async def main() -> None:
        queue = ReportQueue()
        for report in (FIRST, HUGE, SECOND):
            queue.add(report)
        assert [await queue.gathered() for _ in range(4)] == [[FIRST], [HUGE], [SECOND], []]

    run_virtual(main())


def test_what_workers_have_sent_is_read_when_a_call_comes_and_before_it_returns() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        began, read_at = loop.time(), []

        async def read_arrived() -> None:
            read_at.append(loop.time() - began)
            queue.add(FIRST)

        queue = ReportQueue(read_arrived)
        assert await queue.gathered() == [FIRST, FIRST]
        assert read_at == pytest.approx([0.0, GATHER_S])

    run_virtual(main())
