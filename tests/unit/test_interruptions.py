"""What ends the start of a crawl, such as a login that waits for a site."""

import asyncio

from gossamer.session.interruptions import Interruptions


def test_work_that_takes_its_time_to_end_is_ended_once() -> None:
    async def main() -> tuple[object, bool]:
        interruptions, ending, may_end = Interruptions(), asyncio.Event(), asyncio.Event()
        is_wanted = interruptions.until_next()

        async def work() -> str:
            never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            try:
                return await never
            finally:
                ending.set()
                await may_end.wait()

        async with asyncio.TaskGroup() as tasks:
            waits = tasks.create_task(interruptions.unless_next(work()), name="wait")
            await asyncio.sleep(0)
            interruptions.interrupt()
            await ending.wait()
            interruptions.interrupt()
            may_end.set()
        return waits.result(), is_wanted()

    assert asyncio.run(main()) == (None, False)


def test_work_that_nothing_interrupts_gives_its_result() -> None:
    async def work() -> str:
        return "done"

    async def main() -> object:
        interruptions = Interruptions()
        interruptions.interrupt()
        return await interruptions.unless_next(work())

    assert asyncio.run(main()) == "done"
