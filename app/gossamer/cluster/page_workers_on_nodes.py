"""Runs page workers on nodes, as many as suit each."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from gossamer.cluster.archive_collector import ArchiveCollector
from gossamer.cluster.node import CrawlNode
from gossamer.cluster.node_actor import ensure_browser, ensure_room
from gossamer.cluster.node_archive import NodeArchive
from gossamer.cluster.node_link import NodeLink, RemoteWorker
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.node_messages import NodeGreeting
from gossamer.model.messages.worker_messages import ConfigureWorker, Result
from gossamer.model.settings.archive_settings import ArchiveOnNodes

_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 5.0
_LONG_LIFE_S: Final = 10.0

StartRemote: TypeAlias = Callable[..., Any]
Offer: TypeAlias = Callable[[StartRemote], None]
"""Gets how to start the next worker: a `StartWorker` of the crawl host."""


class PageWorkersOnNodes:
    """Offers the supervisor of a crawl a slot for each page worker of each node."""

    def __init__(self, configure: ConfigureWorker, offer: Offer) -> None:
        """`offer` starts workers."""
        self._settings = configure.settings
        self._offer = offer
        place = configure.archive
        self._archive = None if place is None else Path(place.folder)
        collects = self._settings.archive_on_nodes is ArchiveOnNodes.COLLECT
        self._collector = (
            ArchiveCollector(self._archive) if self._archive is not None and collects else None
        )

    async def prepare(
        self, node: CrawlNode, name: str, greeting: NodeGreeting
    ) -> NodeArchive | None:
        """Make sure that the node has a browser if pages are rendered, and room for its archive."""
        if self._settings.renders_pages:
            await ensure_browser(node, name, self._settings.browser)
        archive = self._archive_on(greeting)
        if archive is not None:
            await ensure_room(node, name, archive)
        return archive

    async def employ(self, link: NodeLink, greeting: NodeGreeting) -> None:
        """Keep its workers running until cancelled."""
        settings = self._settings
        workers = 1 if settings.renders_pages else settings.processes or greeting.cores
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(_refill(link, self._offer), name=f"worker of {link.name}")

    async def close(self) -> None:
        """Return when nothing is written to the archive any more."""
        if self._collector is not None:
            await asyncio.to_thread(self._collector.close)

    def _archive_on(self, greeting: NodeGreeting) -> NodeArchive | None:
        """Where the workers of a node archive."""
        if self._archive is None:
            return None
        base = greeting.archives if self._collector is None else greeting.scratch
        return NodeArchive(f"{base}/{self._archive.name}", self._collector)


async def _refill(link: NodeLink, offer: Offer) -> None:
    """Offer a slot for a worker on the node, and again whenever that worker is gone."""
    loop = asyncio.get_running_loop()
    pause_s = _FIRST_PAUSE_S
    while True:
        gone = asyncio.Event()
        offer(partial(_start, link, gone))
        began = loop.time()
        await gone.wait()
        lived_long = loop.time() > began + _LONG_LIFE_S
        pause_s = _FIRST_PAUSE_S if lived_long else min(2 * pause_s, _LONGEST_PAUSE_S)
        await asyncio.sleep(pause_s)


async def _start(
    link: NodeLink,
    gone: asyncio.Event,
    on_messages: Callable[[list[Result]], None],
    on_closed: Callable[[], None],
) -> RemoteWorker[Result]:
    def worker_closed() -> None:
        gone.set()
        on_closed()

    try:
        return await link.open_worker(Result, on_messages, worker_closed)
    except CrawlHostError:
        gone.set()
        raise
