import asyncio

import pytest

from gossamer.fetch.response_body import BodyMemory, ReservedBytes
from tests.fakes.virtual_loop import run_virtual


async def growing(reserved: ReservedBytes, *sizes: int) -> None:
    for size in sizes:
        await reserved.grow(size)


def test_a_body_that_does_not_fit_waits_until_memory_is_released() -> None:
    async def main() -> None:
        room = BodyMemory(10)
        first, second, third = room.reserve(), room.reserve(), room.reserve()
        await growing(first, 4)
        await growing(second, 6)
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(growing(third, 5), name="third")
            await asyncio.sleep(1)
            assert not waiting.done()
            second.end()
            await asyncio.sleep(1)
            assert waiting.done()

    run_virtual(main())


def test_the_first_body_may_use_as_much_as_it_needs() -> None:
    """Otherwise each might wait for the others."""

    async def main() -> None:
        room = BodyMemory(10)
        first, second = room.reserve(), room.reserve()
        await growing(first, 5)
        await growing(second, 5)
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(growing(second, 9), name="second")
            await growing(first, 9, 50)
            await asyncio.sleep(1)
            assert not waiting.done()
            first.end()
        await growing(second, 70)

    run_virtual(main())


def test_a_cancelled_waiter_does_not_block_others() -> None:
    async def main() -> None:
        room = BodyMemory(10)
        first, second, third = room.reserve(), room.reserve(), room.reserve()
        await growing(first, 9)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await growing(second, 9)
        second.end()
        first.end()
        first.end()
        await growing(third, 9)

    run_virtual(main())
