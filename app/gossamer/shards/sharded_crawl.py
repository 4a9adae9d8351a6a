"""Coordinates the shards of one crawl: starts them, carries their links, and ends the crawl."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from pathlib import Path
from typing import Final

from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError, KnownError
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.messages.shard_messages import FinishShard, LinkBatch, ShardReport
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_connection import DIED
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.update_queue import UpdateStream
from gossamer.shards.link_exchange import Delivery, LinkExchange
from gossamer.shards.page_budget import PageBudget
from gossamer.shards.shard_nodes import ShardNodes
from gossamer.shards.shard_session import ShardSession
from gossamer.shards.summed_progress import summed
from gossamer.store import project
from gossamer.store.reading.reader import Reader

MOST_DEATHS: Final = 5
"""How often in a row the process of a shard may end without having fetched anything."""


_TRY_AGAIN_S: Final = 0.2
_LOOK_EVERY_S: Final = 1.0
"""Between two checks whether shards should move to other nodes."""


class ShardedCrawl:
    """A crawl in shards, to a shell much like the session of one project.

    A shard whose process dies continues from its file in a new one. Use it on one loop.
    """

    def __init__(self, paths: Sequence[Path], hosts: CrawlHostPool) -> None:
        """`paths` are the files of all shards, by number; ProjectError if they cannot be used."""
        self.shards = [self._opened(path, hosts) for path in paths]
        limit, fetched = self.settings.max_pages, [each.progress.pages for each in self.shards]
        budget = None if limit is None else PageBudget(limit, fetched)
        self._exchange = LinkExchange(len(self.shards), budget)
        self._idle: set[int] = set()
        self._updates = UpdateStream()
        self._untold: list[Trouble] = []
        """What went wrong before anyone read updates: shards start on nodes by themselves."""
        self._tasks: list[asyncio.Task[None]] = []
        self._deaths = [0] * len(self.shards)
        self._fetched = [0] * len(self.shards)
        self._is_ending = self._closed = False
        self._nodes: ShardNodes | None = None
        self._balancing: asyncio.Task[None] | None = None
        self.was_forced = False
        """Whether a process had to be ended by force."""

    def _opened(self, path: Path, hosts: CrawlHostPool) -> ShardSession:
        project.check(path)
        with Reader(path) as reader:
            return ShardSession(path, reader.summary(), hosts, self._heard)

    @property
    def settings(self) -> CrawlSettings:
        """The settings of the whole crawl, which each shard has."""
        return self.shards[0].settings

    @property
    def progress(self) -> Progress:
        """Of the whole crawl."""
        return summed([shard.progress for shard in self.shards], self._idle)

    @property
    def state(self) -> CrawlState:
        """Where the crawl stands: finished when all shards are."""
        return self.progress.state

    def choose_cluster(self, choice: ClusterChoice) -> None:
        """Have all shards fetch there; no project stores this."""
        for shard in self.shards:
            shard.choose_cluster(choice)

    def crawl_on_nodes(self, choice: ClusterChoice) -> None:
        """Have each shard crawled on a node of that cluster, which sees its file."""
        files = [shard.path.absolute() for shard in self.shards]
        self._nodes = ShardNodes(choice, self.settings, files)
        for shard in self.shards:
            shard.use_nodes(self._nodes, self._publish_progress)

    def share_secrets(self) -> None:
        """Give all shards the secrets of the first one."""
        for shard in self.shards[1:]:
            shard.add_secrets(self.shards[0].known_secrets)

    async def start(self) -> None:
        """Start all shards. Raises as `CrawlSession.start` does; then none runs."""
        if self._nodes is not None:
            for shard in self.shards:  # before any node waits for it, or refuses its secrets
                await shard.complete_secrets()
            await self._nodes.begin(has_secrets=bool(self.shards[0].known_secrets))
            self._begin_following(self._follow_on_node)
            self._begin_balancing(self._nodes)
            return
        for number in range(len(self.shards)):
            await self._start_first(number)
        self._begin_following(self._follow_started)

    def _begin_following(self, follow: Callable[[int], Coroutine[None, None, None]]) -> None:
        loop, numbers = asyncio.get_running_loop(), range(len(self.shards))
        self._tasks = self._tasks or [
            loop.create_task(follow(number), name=f"shard {number + 1}") for number in numbers
        ]

    def _begin_balancing(self, nodes: ShardNodes) -> None:
        if self._balancing is None:
            loop = asyncio.get_running_loop()
            self._balancing = loop.create_task(self._balance(nodes), name="move shards")

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        """The progress of the whole, then newer ones and each trouble; ends with `close`."""
        with self._updates.subscribed(self.progress) as queue:
            for trouble in self._untold:
                queue.put(trouble, self.progress)
            self._untold.clear()
            while not self._closed:
                for report in await queue.get():
                    yield report

    async def renew_login(self) -> bool:
        """Leave it to the user: a login holds for one shard, and each may need another."""
        return False

    async def close(self) -> None:
        """Pause all now, commit, end their processes."""
        self._is_ending = True
        if self._nodes is not None:
            self._nodes.end_waits()
        if self._balancing is not None:
            self._balancing.cancel()
            await asyncio.wait({self._balancing})
        await asyncio.gather(*(shard.close() for shard in self.shards))
        self.was_forced = self.was_forced or any(shard.was_forced for shard in self.shards)
        self._closed = True
        await asyncio.gather(*self._tasks)
        if self._nodes is not None:
            await self._nodes.end()
        self._updates.wake_readers()
        if self._balancing is not None and not self._balancing.cancelled():
            self._balancing.result()

    def force(self) -> None:
        """End all processes at once. What was committed is kept."""
        self.was_forced = True
        for shard in self.shards:
            shard.force()

    # ---------------------------------------------------------------- shards

    def _publish_progress(self) -> None:
        self._updates.publish(self.progress, self.progress)

    async def _start(self, number: int) -> None:
        self.shards[number].page_limit = self._exchange.page_limit_of(number)
        await self.shards[number].start()

    async def _start_first(self, number: int) -> None:
        """Start a shard with all others, again if its process dies meanwhile."""
        while True:
            try:
                await self._start(number)
            except CrawlHostError as e:
                if e.said.template != DIED or self._is_ending or self.was_forced:
                    raise
                if not self._may_start(number):
                    raise
                await asyncio.sleep(_TRY_AGAIN_S)
            else:
                return

    async def _follow_on_node(self, number: int) -> None:
        """Start a shard as soon as there is a node; then as every other."""
        if (why := await self._restart(number, has_died=False)) is not None:
            self._tell(why)
        await self._follow(number)

    async def _follow_started(self, number: int) -> None:
        """Follow a shard; restart it if its process has died while others were being started.

        Nobody received its reports then.
        """
        if self.shards[number].state is CrawlState.FAILED:
            await self._lose(number, Trouble(Translatable(DIED), CrawlHostError.exit_code))
        await self._follow(number)

    async def _follow(self, number: int) -> None:
        """Receive a shard's reports; restart it when its process has died."""
        shard = self.shards[number]
        async for news in shard.updates():
            if isinstance(news, Progress):
                self._updates.publish(self.progress, self.progress)
                if news.state is CrawlState.FINISHED:
                    self._exchange.ended(number)
                    self._finish_if_over()  # one may have been lost, and be back since
                    await self._start_those_with_links()
                continue
            await self._lose(number, news)

    async def _lose(self, number: int, trouble: Trouble) -> None:
        """Restart a shard whose process has ended, or report its trouble."""
        self._exchange.lost(number)
        self._idle.discard(number)
        if trouble.exit_code != CrawlHostError.exit_code:
            self._updates.publish(trouble, self.progress)
        elif (why := await self._restart(number)) is not None:
            is_told = why.said.template == DIED  # no more than that it died again
            self._updates.publish(trouble if is_told else _trouble_of(why), self.progress)

    async def _balance(self, nodes: ShardNodes) -> None:
        """Move shards, one at a time, to nodes that have joined."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            number = self._to_move(nodes.crowded(asyncio.get_running_loop().time()))
            if number is not None:
                nodes.note_moved()
                await self._move(number)

    def _to_move(self, crowded: Collection[object]) -> int | None:
        """One that is at work on such a node; None for none."""
        for number, shard in enumerate(self.shards):
            at_work = shard.state is CrawlState.RUNNING and number not in self._idle
            if at_work and shard.place is not None and shard.place.link in crowded:
                return number
        return None

    async def _move(self, number: int) -> None:
        """Continue a shard in a new process, on the node with the fewest.

        It ends properly, so only what was in flight is requested again.
        """
        await self.shards[number].let_go()
        if self.shards[number].state is not CrawlState.PAUSED:
            return  # it died or came to its end meanwhile, and who follows it sees to that
        self._exchange.lost(number)
        self._idle.discard(number)
        if (why := await self._restart(number, has_died=False)) is not None:
            self._tell(why)

    async def _restart(self, number: int, *, has_died: bool = True) -> CrawlHostError | None:
        """Restart a shard; why it was given up, if it died too often without progress."""
        why = CrawlHostError(DIED)
        while not (self._is_ending or self.was_forced):  # its file is as sound as the others'
            if has_died and not self._may_start(number):
                return why
            has_died = True
            try:
                await self._start(number)
            except CrawlHostError as e:
                why = e
                await asyncio.sleep(_TRY_AGAIN_S)
                continue
            except KnownError as e:
                self._tell(e)
            break
        return None

    def _may_start(self, number: int) -> bool:
        """Whether it makes sense to start a shard again. A lost node does not count against it."""
        shard = self.shards[number]
        has_got_on = shard.progress.fetched > self._fetched[number]
        before = 0 if has_got_on else self._deaths[number]
        self._deaths[number] = before + (not shard.is_node_lost)
        self._fetched[number] = shard.progress.fetched
        return self._deaths[number] <= MOST_DEATHS

    def _tell(self, error: KnownError) -> None:
        """Report to the shell why the crawl cannot continue."""
        trouble = _trouble_of(error)
        if not self._updates.has_readers:
            self._untold.append(trouble)
        self._updates.publish(trouble, self.progress)

    async def _start_those_with_links(self) -> None:
        for number in [] if self._is_ending else self._exchange.to_start:
            try:
                await self._start(number)
            except KnownError as e:
                self._tell(e)

    def _heard(self, number: int, message: ShardReport | LinkBatch) -> None:
        try:
            if isinstance(message, ShardReport):
                (self._idle.add if message.is_idle else self._idle.discard)(number)
                deliveries = self._exchange.report(number, message)
            else:
                deliveries = self._exchange.batch(message)
        except KnownError as e:  # a file was replaced by an older copy
            self._tell(e)
            return
        self._deliver(deliveries)
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        if self._exchange.is_over:
            for shard in self.shards:
                shard.tell(FinishShard())

    def _deliver(self, deliveries: Sequence[Delivery]) -> None:
        for delivery in deliveries:
            self.shards[delivery.shard].tell(delivery.message)


def _trouble_of(error: KnownError) -> Trouble:
    return Trouble(error.said, error.exit_code)
