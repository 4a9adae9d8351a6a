"""Crawls shards on the nodes of a cluster: gives each a node, where its crawl host starts."""

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import Report, ShellHeartbeat
from gossamer.model.messages.node_messages import NodeRole
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_connection import DIED

if TYPE_CHECKING:
    from gossamer.cluster.cluster import Cluster
    from gossamer.cluster.node import CrawlNode
    from gossamer.cluster.node_link import NodeLink, RemoteWorker
    from gossamer.model.messages.node_messages import NodeGreeting

HEARTBEAT_S: Final = 1.0
SILENCE_S: Final = 10.0
"""Without a message of the coordinator for so long, a crawl host on a node commits and ends."""
_FIRST_LOOKS_S: Final = 1.5
"""How long to wait at first for a node for each shard: the scheduler is checked twice."""
_FIRST_NODES_S: Final = 3.0
"""How long to wait for all nodes it has, so that shards are divided among them."""
_LOOK_EVERY_S: Final = 0.1
SETTLED_S: Final = 5.0
"""Without a change among nodes for so long, shards may move: at a start they come one by one."""
LOG_NAME: Final = "coordinator.log"
"""In the folder of the shards: what became of nodes. Each shard has a log of its own there."""


def _log_to(path: Path) -> logging.Handler:
    """Write the cluster's log to a file; otherwise it would disturb the progress output.

    A file that cannot be written is ignored.
    """
    handler: logging.Handler = logging.NullHandler()
    with suppress(OSError):
        handler = logging.FileHandler(path, encoding="utf-8", delay=False)
    unknown = {"node": "", "error": ""}
    line = "%(asctime)s %(levelname)s %(message)s %(node)s %(error)s"
    handler.setFormatter(logging.Formatter(line, defaults=unknown))
    logging.getLogger().addHandler(handler)
    return handler


class ShardLocation:
    """The location of one shard's crawl host on a node: a source of that host."""

    def __init__(self, link: "NodeLink", page_workers: int) -> None:
        """`page_workers` is how many a shard has there."""
        self.link: Final = link
        self.page_workers: Final = page_workers

    def take(self, page_workers: int) -> Self:
        """The location itself: the node decides the number of page workers."""
        del page_workers
        return self

    async def connect(
        self, log: Path, on_reports: Callable[[list[Report]], None], on_gone: Callable[[], None]
    ) -> "RemoteWorker[Report]":
        """Start the crawl host. CrawlHostError if it does not come up, without `on_gone`."""
        del log  # what it writes before it has its log goes to that of the Dask worker
        is_up = False

        def gone() -> None:
            if is_up:
                on_gone()

        host: RemoteWorker[Report] = await self.link.open_worker(
            Report, on_reports, gone, NodeRole.CRAWL_HOST, self.page_workers
        )
        is_up = True
        return host


class ShardNodes:
    """The nodes that crawl the shards of one crawl. It is the cluster's `NodeUse`."""

    def __init__(self, choice: ClusterChoice, settings: CrawlSettings, files: list[Path]) -> None:
        """Each node must see `files`, those of all shards."""
        self._choice = choice
        self._settings = settings
        self._files = files
        self._links: dict[NodeLink, int] = {}
        """The nodes, and how many page workers each is good for."""
        self._changed_s = 0.0
        """When a node came or went, or a shard was moved, the last time."""
        self._cluster: Cluster | None = None
        self._running: asyncio.Task[None] | None = None
        self._is_ending = False
        self._log: logging.Handler | None = None

    async def begin(self, *, has_secrets: bool) -> None:
        """Connect to the cluster, and give its nodes a moment. Does nothing the second time.

        CrawlHostError if there is none.
        """
        from gossamer.cluster.cluster import Cluster  # noqa: PLC0415 - Dask: few crawls have it

        if self._running is not None:
            return
        self._log = _log_to(self._files[0].with_name(LOG_NAME))
        loop = asyncio.get_running_loop()
        self._cluster = Cluster(self._choice, self, has_secrets=has_secrets)
        self._running = loop.create_task(self._cluster.run(), name="nodes for shards")
        connected = loop.create_task(self._cluster.connected.wait(), name="connect to scheduler")
        try:
            await asyncio.wait({self._running, connected}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            connected.cancel()
        began_s = loop.time()
        while loop.time() < began_s + _FIRST_NODES_S:
            has_looked = loop.time() >= began_s + _FIRST_LOOKS_S
            if self._running.done() or self._has_enough(has_looked=has_looked):
                break
            await asyncio.sleep(_LOOK_EVERY_S)
        self._ensure_running()

    async def place(self, wait: Callable[[Translatable], None]) -> ShardLocation:
        """A location on the node with the fewest shards.

        While there is no node, `wait` gets the reason. CrawlHostError if the crawl is ending.
        """
        told = None
        while not (usable := [each for each in self._links if not each.is_lost]):
            self._ensure_running()
            trouble = None if self._cluster is None else self._cluster.trouble
            if trouble is not None and trouble != told:
                told = trouble
                wait(trouble)
            await asyncio.sleep(_LOOK_EVERY_S)
        link = min(usable, key=lambda each: each.workers)
        return ShardLocation(link, self._page_workers(self._links[link]))

    def crowded(self, now_s: float) -> Collection["NodeLink"]:
        """The nodes from which a shard should move to another node with at least two fewer.

        None while nodes come and go, or a shard has just moved. With one fewer, it would be
        interrupted for nothing.
        """
        usable = [each for each in self._links if not each.is_lost]
        if self._is_ending or not usable or now_s < self._changed_s + SETTLED_S:
            return ()
        fewest = min(each.workers for each in usable)
        return {each for each in usable if each.workers >= fewest + 2}

    def note_moved(self) -> None:
        """Note that a shard moves: it gets time to start."""
        self._changed_s = asyncio.get_running_loop().time()

    def end_waits(self) -> None:
        """End all waits for a node: the crawl is ending."""
        self._is_ending = True
        self._links.clear()

    async def end(self) -> None:
        """Let go of all nodes; return when that is done."""
        self.end_waits()
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})
        if self._log is not None:
            logging.getLogger().removeHandler(self._log)
            self._log.close()

    def _page_workers(self, cores: int) -> int:
        """How many a shard has on a node, where the user has not said how many there are."""
        shards = len(self._files)
        if self._settings.processes:
            return max(self._settings.processes // shards, 1)
        return max(cores // ceil(shards / len(self._links)), 1)

    def _has_enough(self, *, has_looked: bool) -> bool:
        """Whether there is a node for each shard, or no more to be expected at the moment."""
        if len(self._links) >= len(self._files):
            return True
        return has_looked and self._cluster is not None and self._cluster.has_tried_all

    def _ensure_running(self) -> None:
        """Raise CrawlHostError if no node will come any more."""
        if self._running is not None and self._running.done() and not self._is_ending:
            self._running.result()
        if self._is_ending:
            raise CrawlHostError(DIED)

    # ---------------------------------------------------------------- what nodes are used for

    async def prepare(self, node: "CrawlNode", name: str, greeting: "NodeGreeting") -> None:
        """Make sure that the node sees the shards, and has a browser if pages are rendered."""
        from gossamer.cluster.node_actor import ensure_browser, ensure_shared  # noqa: PLC0415 - likewise

        del greeting
        await ensure_shared(node, name, self._files[0])
        if self._settings.renders_pages:
            await ensure_browser(node, name, self._settings.browser)

    async def close(self) -> None:
        """Nothing to do: the nodes are already released."""
        self._links.clear()

    async def employ(self, link: "NodeLink", greeting: "NodeGreeting") -> None:
        """Crawl shards there, and send their hosts signs that they are still wanted."""
        self._links[link] = greeting.cores
        self._changed_s = asyncio.get_running_loop().time()
        try:
            while True:
                link.tell_all(ShellHeartbeat())
                await asyncio.sleep(HEARTBEAT_S)
        finally:
            self._links.pop(link, None)
            self._changed_s = asyncio.get_running_loop().time()
