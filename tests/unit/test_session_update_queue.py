"""Updates of a crawl, and those who wait for one."""

import asyncio

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.session.update_queue import UpdateStream


def test_a_state_that_lasts_for_one_update_only_is_not_missed() -> None:
    async def main() -> None:
        updates, now = UpdateStream(), [CrawlState.RUNNING]

        def publish(state: CrawlState) -> None:
            now[0] = state
            updates.publish(Progress(state), Progress(state))

        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            group.create_task(updates.until(lambda: now[0] is CrawlState.PAUSED), name="wait")
            await asyncio.sleep(0)
            publish(CrawlState.PAUSED)
            publish(CrawlState.RUNNING)

    asyncio.run(main())


def test_a_waiter_that_is_cancelled_is_not_asked_again() -> None:
    async def main() -> None:
        updates = UpdateStream()
        asked: list[int] = []

        def never() -> bool:
            asked.append(1)
            return False

        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(updates.until(never), name="wait")
            await asyncio.sleep(0)
            waiting.cancel()
        before = len(asked)
        updates.publish(Progress(CrawlState.RUNNING), Progress(CrawlState.RUNNING))
        assert len(asked) == before

    asyncio.run(main())
