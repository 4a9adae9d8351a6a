"""How long a page may take, apart from the time in which it waits for its turn."""

import asyncio

import pytest

from gossamer.render.page_deadline import PageDeadline
from tests.fakes.virtual_loop import run_virtual


async def ends_after_s(deadline: PageDeadline, *waits: tuple[float, float]) -> float:
    """When the deadline ends a block in which requests wait from one time to another."""
    loop = asyncio.get_running_loop()
    begun_s = loop.time()

    async def wait(since_s: float, until_s: float) -> None:
        await asyncio.sleep(since_s)
        with deadline.paused():
            await asyncio.sleep(until_s - since_s)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(wait(*each)) for each in waits]
        with pytest.raises(TimeoutError):
            async with deadline:
                await loop.create_future()
        for each in tasks:
            each.cancel()
    return loop.time() - begun_s


def test_a_page_that_waits_for_nothing_ends_in_time() -> None:
    assert run_virtual(ends_after_s(PageDeadline(20))) == pytest.approx(20)


def test_time_stands_while_any_request_waits_for_its_turn() -> None:
    waits = ((5, 30), (10, 40), (50, 60))
    assert run_virtual(ends_after_s(PageDeadline(20), *waits)) == pytest.approx(65)


def test_nobody_waits_for_ever() -> None:
    deadline = PageDeadline(20, max_pause_s=100)
    assert run_virtual(ends_after_s(deadline, (5, 1_000))) == pytest.approx(120)


def test_a_request_that_waits_after_the_end_changes_nothing() -> None:
    async def main() -> None:
        deadline = PageDeadline(20)
        async with deadline:
            await asyncio.sleep(1)
        with deadline.paused():
            await asyncio.sleep(100)

    run_virtual(main())
