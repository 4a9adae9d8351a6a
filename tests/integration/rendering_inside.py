"""Pages rendered in the test's own process, by all that a render worker does it with.

For browsers that do not answer: the deadlines are the test's.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.page_worker.page_worker import open_runner
from gossamer.page_worker.rendering_fetcher import open_rendering
from gossamer.render.browser_process import BrowserTimings
from tests.integration.crawling import run


def rendered_visits(
    settings: CrawlSettings,
    timings: BrowserTimings,
    urls: Sequence[str],
    when_first: Callable[[], None] = lambda: None,
) -> list[Visit]:
    """Fetch and render pages all at once, but for the first; `when_first` is done."""
    opening = partial(open_rendering, timings=timings)

    async def main() -> list[Visit]:
        async with open_runner(ConfigureWorker(settings), opening) as runner:

            async def visit(url: str) -> Visit:
                return (await runner.run(Fetch(0, url))).visit

            first = await visit(urls[0])
            when_first()
            return [first, *await asyncio.gather(*map(visit, urls[1:]))]

    return run(main())
