"""Runs the demo site in a child process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import structs

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import DemoSiteServing
from gossamer.model.settings.crawl_settings import CrawlSettings

_TIMEOUT_S = 15.0


def demo_settings(settings: CrawlSettings, url: str) -> CrawlSettings:
    """`settings` for a crawl of the demo site at `url`, whose sitemaps are there to be read."""
    return structs.replace(settings, roots=(url,), use_sitemaps=True)


@asynccontextmanager
async def demo_site() -> AsyncIterator[str]:
    """Serve the demo site on a free loopback port; yields its URL. CrawlHostError if it fails."""
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def receive(messages: list[DemoSiteServing]) -> None:
        if not url.done():
            url.set_result(messages[0].url)

    def gone() -> None:
        url.cancel()

    child: ChildProcess[DemoSiteServing] = await adopt(
        launch(ChildRole.DEMO_SITE),
        message_type=DemoSiteServing,
        on_messages=receive,
        on_closed=gone,
    )
    try:
        yield await _served(url)
    finally:
        await child.end(1.0)


async def _served(url: asyncio.Future[str]) -> str:
    done, _ = await asyncio.wait({url}, timeout=_TIMEOUT_S)
    if not done or url.cancelled():
        raise CrawlHostError("The demo site could not be started; try again.")
    return url.result()
