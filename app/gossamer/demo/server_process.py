"""Runs the demo server in a child process until its parent ends."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from gossamer.demo.server import serve
from gossamer.ipc.child_connection import ParentGoneError, connect_to_parent
from gossamer.model.messages.crawl_messages import DemoSiteServing

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel


def serve_parent() -> int:
    """Serve on a free loopback port, send the parent the URL, end with the parent."""
    with suppress(ParentGoneError), serve() as url:
        asyncio.run(_keep_company(url))
    return 0


async def _keep_company(url: str) -> None:
    channel: Channel[DemoSiteServing] = await connect_to_parent(
        DemoSiteServing, lambda _: None, lambda: None
    )
    channel.send(DemoSiteServing(url))
    await channel.wait_closed()
