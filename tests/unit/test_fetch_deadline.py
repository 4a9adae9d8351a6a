import asyncio

import pytest

from gossamer.fetch.timeouts import GRACE_S, Deadline, ServerTime, TooSlowError, too_slow_at
from tests.cases import each_case
from tests.fakes.virtual_loop import VirtualLoop, run_virtual


@each_case(
    ("received", "seconds"),
    [(0, 10.0), (999, 10.0), (1_000, 10.0), (1_100, 11.0), (60_000, 600.0)],
)
def test_when_a_body_becomes_too_slow(received: int, seconds: float) -> None:
    assert too_slow_at(received) == pytest.approx(seconds)


def test_the_grace_can_be_shorter() -> None:
    assert too_slow_at(0, 0.5) == pytest.approx(0.5)
    assert too_slow_at(100, 0.5) == pytest.approx(1.0)


def now() -> float:
    return asyncio.get_running_loop().time()


def deadline(total_s: float, grace_s: float = GRACE_S) -> Deadline:
    return Deadline(asyncio.get_running_loop(), ServerTime(now), total_s, grace_s)


async def for_ever(limit: Deadline) -> None:
    with limit:
        await asyncio.Event().wait()


async def dripping(limit: Deadline, sizes: list[int]) -> None:
    with limit:
        for size in sizes:
            limit.pace(size)
            await asyncio.sleep(1.0)


def test_the_deadline_cancels_the_code() -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError, match="no complete response within 30 s"):
            await for_ever(deadline(30.0))
        assert now() == 30.0

    run_virtual(main())


def test_code_within_the_deadline_is_not_cancelled() -> None:
    async def main() -> None:
        await dripping(deadline(30.0), [0])
        await asyncio.sleep(60.0)

    run_virtual(main())


def test_a_body_is_too_slow() -> None:
    async def main() -> None:
        with pytest.raises(TooSlowError):
            await dripping(deadline(300.0, grace_s=2.5), [0, 200, 450, 450, 450])
        assert now() == 4.5

    run_virtual(main())


def test_only_time_spent_by_the_server_counts() -> None:
    async def resting(limit: Deadline, spent: ServerTime) -> None:
        with limit:
            await asyncio.sleep(4.0)
            spent.pause()
            await asyncio.sleep(100.0)
            spent.resume()
            await asyncio.Event().wait()

    async def main() -> None:
        spent = ServerTime(now)
        limit = Deadline(asyncio.get_running_loop(), spent, 10.0)
        with pytest.raises(TimeoutError):
            await resting(limit, spent)
        assert now() == 110.0

    run_virtual(main())


def test_data_that_arrived_in_time_counts_although_read_late() -> None:
    """The process was busy when time was up: it looks at its connections before it gives up."""

    async def reading(limit: Deadline, spent: ServerTime) -> None:
        with limit:
            asyncio.get_running_loop().call_at(10.0, came_at_9, spent)
            await asyncio.sleep(15.0)
            spent.record_bytes(lambda: 0.0)

    def came_at_9(spent: ServerTime) -> None:
        asyncio.get_running_loop().call_soon(spent.record_bytes, lambda: 1.0)

    async def main() -> None:
        spent = ServerTime(now)
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await reading(Deadline(asyncio.get_running_loop(), spent, 10.0), spent)
        assert now() == 11.0

    run_virtual(main())


async def stopped(limit: Deadline, from_s: float, to_s: float) -> None:
    """Let the process be stopped from one time to another, while something is waited for."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.call_at(from_s, loop.jump, to_s - from_s)
    with limit:
        await asyncio.sleep(to_s + 1.0)


async def draining(limit: Deadline) -> None:
    with limit:
        limit.pace(0)
        await asyncio.sleep(14.5)
        limit.shorten(0.5)
        await asyncio.Event().wait()


def test_who_checks_late_waits_once_more_for_as_long_as_it_was_late() -> None:
    async def main() -> None:
        await stopped(deadline(10.0), 7.0, 12.0)
        assert now() == 13.0

    run_virtual(main())


@each_case(("to_s", "ends_s"), [(10.05, 10.05), (10.5, 11.0), (10.9, 11.8)])
def test_who_checks_late_does_not_wait_for_longer_than_that(to_s: float, ends_s: float) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError, match="no complete response within 10 s"):
            await stopped(deadline(10.0), 7.0, to_s)
        assert now() == pytest.approx(ends_s)

    run_virtual(main())


@each_case(
    ("stops", "ends_s"),
    [
        ([(7.0, 3_607.0)], 3_617.0),  # for no longer than the deadline was
        ([(7.0, 12.0), (13.0, 18.0)], 18.0),  # once only: it would have ended at 14
    ],
)
def test_what_a_late_check_grants_is_bounded(
    stops: list[tuple[float, float]], ends_s: float
) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        for from_s, to_s in stops:
            loop.call_at(from_s, loop.jump, to_s - from_s)
        with pytest.raises(TimeoutError):
            await for_ever(deadline(10.0))
        assert now() == pytest.approx(ends_s)

    run_virtual(main())


def test_a_shorter_deadline_is_not_extended_by_what_was_late_before() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        loop.call_at(9.5, loop.jump, 4.5)
        with pytest.raises(TooSlowError):
            await draining(deadline(60.0))
        assert now() == pytest.approx(15.0)

    run_virtual(main())


@pytest.mark.parametrize("at_s", [1.0, 30.0], ids=["before", "as time is up"])
def test_an_outside_cancel_is_not_turned_into_a_timeout(at_s: float) -> None:
    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(for_ever(deadline(30.0)), name="for ever")
            await asyncio.sleep(at_s)
            task.cancel()
            await asyncio.wait([task])
        assert task.cancelled()

    run_virtual(main())


def test_exceptions_inside_are_passed_on() -> None:
    async def main() -> None:
        with pytest.raises(ZeroDivisionError), deadline(30.0):
            raise ZeroDivisionError
        await asyncio.sleep(60.0)

    run_virtual(main())
