"""News of a crawl, and who waits for some."""

import asyncio

from gossamer.model.messages import Progress
from gossamer.model.state import CrawlState
from gossamer.session.update_queue import UpdateStream


def test_a_state_that_lasts_for_one_telling_only_is_not_missed() -> None:
    async def main() -> None:
        news, now = UpdateStream(), [CrawlState.RUNNING]

        def tell(state: CrawlState) -> None:
            now[0] = state
            news.tell(Progress(state), Progress(state))

        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            group.create_task(news.until(lambda: now[0] is CrawlState.PAUSED), name="wait")
            await asyncio.sleep(0)
            tell(CrawlState.PAUSED)
            tell(CrawlState.RUNNING)

    asyncio.run(main())


def test_who_is_cancelled_waits_no_more() -> None:
    async def main() -> None:
        news = UpdateStream()
        asked: list[int] = []

        def never() -> bool:
            asked.append(1)
            return False

        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(news.until(never), name="wait")
            await asyncio.sleep(0)
            waiting.cancel()
        before = len(asked)
        news.tell(Progress(CrawlState.RUNNING), Progress(CrawlState.RUNNING))
        assert len(asked) == before

    asyncio.run(main())
