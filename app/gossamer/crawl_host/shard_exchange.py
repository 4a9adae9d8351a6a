"""Exchanges links with the other shards of a crawl, through the coordinator."""

import asyncio
from typing import Final

from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.ipc.channel import Channel
from gossamer.model.messages.crawl_messages import HostCommand
from gossamer.model.messages.shard_messages import (
    FinishShard,
    GrantPages,
    LinkBatch,
    LinksTaken,
    ShardReport,
)
from gossamer.model.shards import PeerCounts, ShardIdentity

LOOK_EVERY_S: Final = 0.05
MOST_LINKS: Final = 1_000
"""Links per batch. One batch at a time is under way to each shard, so this bounds memory."""


class SendWindow:
    """Decides which links to send: one batch to each shard, until it is committed there."""

    def __init__(self) -> None:
        """Nothing is under way."""
        self._taken: dict[int, int] = {}
        self._under_way: dict[int, int] = {}

    def taken(self, message: LinksTaken) -> None:
        """Note that another shard has committed links; batches under way may get lost."""
        shard = message.receiver
        self._taken[shard] = max(self._taken.get(shard, 0), message.number)
        if message.again:
            self._under_way.pop(shard, None)

    def after(self, shard: int, counts: PeerCounts) -> int | None:
        """The number after which links are to be sent to a shard now; None for none."""
        after = max(self._taken.get(shard, 0), counts.acknowledged)
        is_free = self._under_way.get(shard, 0) <= after
        return after if is_free and after < counts.sent else None

    def sent(self, batch: LinkBatch) -> None:
        """Note that `batch` is under way."""
        self._under_way[batch.receiver] = batch.last


class ShardExchange:
    """The exchange of a shard's crawl host with the coordinator."""

    def __init__(
        self, identity: ShardIdentity, store: StoreThread, channel: Channel[HostCommand]
    ) -> None:
        """The arguments are the shard, the source of its links, and the coordinator."""
        self._identity = identity
        self._store = store
        self._channel = channel
        self._window = SendWindow()
        self._run = 0
        self._last: ShardReport | None = None
        self._due = asyncio.Event()

    def obey(
        self, crawl: Crawl, command: LinkBatch | LinksTaken | GrantPages | FinishShard
    ) -> None:
        """Carry out a message of the coordinator."""
        match command:
            case LinkBatch():
                crawl.take_links(command)
            case LinksTaken():
                self._window.taken(command)
                crawl.acknowledge(command.receiver, command.number)
                self._due.set()
            case GrantPages():
                crawl.grant_pages(command)
                self._due.set()
            case FinishShard():
                crawl.finish()

    async def run(self, crawl: Crawl) -> None:
        """Report the progress of `crawl` and send its links as long as it runs.

        Nothing from an earlier run counts, as its links may not have been committed.
        """
        self._run += 1
        self._window = SendWindow()
        while True:
            report = crawl.shard_report(self._run)
            if report != self._last:
                self._last = report
                self._channel.send(report)
            await self._send_links(report)
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._due.wait()
            except TimeoutError:
                continue
            self._due.clear()

    async def _send_links(self, report: ShardReport) -> None:
        for shard, counts in report.peers.items():
            after = self._window.after(shard, counts)
            if after is None or self._channel.congested:
                continue
            # No more than was reported: the coordinator must know of links before they come.
            limit = min(MOST_LINKS, counts.sent - after)
            links = await self._store.outgoing(shard, after, limit)
            if links:
                batch = LinkBatch(self._identity.number, shard, after + 1, links)
                self._window.sent(batch)
                self._channel.send(batch)
