"""Crawls of a web of several sites, as one and in shards, on a virtual clock and real files."""

import asyncio
import random
import shutil
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gossamer.crawl_host.shard_exchange import ShardExchange
from gossamer.engine.crawl import Crawl
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.shard_messages import FinishShard, GrantPages, LinkBatch, ShardReport
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import ShardIdentity
from gossamer.shards.link_exchange import Delivery, LinkExchange
from gossamer.shards.page_budget import PageBudget
from gossamer.shards.shard_folder import shard_path
from gossamer.store.shard_tables import become_shard
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.empty_project import make_empty_project
from tests.fakes.inline_store import InlineStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import NO_CHECKS, FakeWeb, fake_rules

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

SITES = [f"http{'s' * (number % 2)}://www.site{number}.test" for number in range(6)]
EXTERNAL = "http://elsewhere.test/"
CRAWL = "c0" * 16


def random_sites(chance: random.Random) -> FakeWeb:
    """Pages, redirects and images on several sites that link to each other."""
    delays: dict[str, float] = {}
    web = FakeWeb(delay_s=lambda url: delays.get(url, 0.05))
    urls = [f"{site}/" for site in SITES]
    urls += [f"{chance.choice(SITES)}/{number}" for number in range(chance.randint(0, 40))]
    for url in urls:
        kind = chance.random()
        delays[url] = chance.choice((0.001, 0.05, 0.3, 2.0))
        if kind < 0.25:
            web.redirect(url, EXTERNAL if kind < 0.02 else chance.choice(urls))
        elif kind < 0.9:
            web.page(
                url,
                *chance.choices([*urls, EXTERNAL], k=chance.randint(0, 4)),
                images=tuple(chance.choices(urls, k=chance.randint(0, 1))),
                nofollow=tuple(chance.choices([*urls, EXTERNAL], k=chance.randint(0, 1))),
            )
    return web


def settings_by(chance: random.Random) -> CrawlSettings:
    return CrawlSettings(
        roots=tuple(f"{site}/" for site in SITES[: chance.randint(1, len(SITES))]),
        workers=chance.choice([1, 3, 20]),
        max_redirects=chance.choice([0, 1, 3]),
        max_depth=chance.choice([None, None, 1, 3]),
        check_external=chance.random() < 0.5,
        guard=False,
        **NO_CHECKS,  # type: ignore[arg-type]  # field by field
    )


def crawl_at_once(path: Path, settings: CrawlSettings, web: FakeWeb) -> None:
    """Crawl into one project, which is new, or goes on."""
    if not path.exists():
        make_empty_project(path, settings)

    async def main() -> None:
        store = InlineStore()
        summary = await store.open(path)
        assert summary.shard is None
        await Crawl(summary, store, web, fake_rules, Scope(settings)).run()
        await store.close()

    run_virtual(main())


class ShardedFake:
    """A crawl in shards: their engines and files, and what carries links between them.

    `crashes` shards, by their numbers, are ended at random moments, and go on from their files. The
    whole may be ended too: paused, or as by a power cut, which leaves the files `as_torn`.
    """

    def __init__(
        self,
        folder: Path,
        settings: CrawlSettings,
        web: FakeWeb,
        shards: int,
        chance: random.Random,
    ) -> None:
        self.paths = [shard_path(folder, number, shards) for number in range(shards)]
        self._web = web
        self._settings = settings
        self._chance = chance
        budget = (
            None if settings.max_pages is None else PageBudget(settings.max_pages, [0] * shards)
        )
        self._exchange = LinkExchange(shards, budget)
        self._ends: list[_ShardEnd | None] = [None] * shards
        self.deaths = 0
        self._is_stopped = False
        for number, path in enumerate(self.paths):
            make_empty_project(path, settings)
            become_shard(path, ShardIdentity(CRAWL, number, shards))

    def run(
        self,
        crashes: Sequence[int] = (),
        stop_after_s: float | None = None,
        torn_into: Path | None = None,
    ) -> None:
        run_virtual(self._run(list(crashes), stop_after_s, torn_into))

    async def _run(
        self, crashes: list[int], stop_after_s: float | None, torn_into: Path | None
    ) -> None:
        async with asyncio.timeout(2_000), asyncio.TaskGroup() as group:
            living = [group.create_task(self._live(n)) for n in range(len(self.paths))]
            group.create_task(self._crash(crashes))
            if stop_after_s is not None:
                await asyncio.wait(living, timeout=stop_after_s)
                await self._stop(torn_into)

    async def _stop(self, torn_into: Path | None) -> None:
        """End all at one moment; if `torn_into`, have the files there as they were in it."""
        self._is_stopped = True
        if torn_into is not None:
            for path in self.paths:
                for file in path.parent.glob(f"{path.name}*"):
                    if not file.name.endswith((".lock", "-shm")):
                        shutil.copyfile(file, torn_into / file.name)
            self.paths = [torn_into / path.name for path in self.paths]
        for end in filter(None, list(self._ends)):
            if torn_into is None and end.crawl.state is CrawlState.RUNNING:
                await end.crawl.close()
            else:
                end.crawling.cancel()

    async def _crash(self, crashes: list[int]) -> None:
        for number in crashes:
            await asyncio.sleep(self._chance.choice([0.0, 0.01, 0.1, 0.4, 1.0]))
            end = self._ends[number]
            if end is not None and not self._is_stopped:
                self.deaths += 1
                end.crawling.cancel()

    async def _live(self, number: int) -> None:
        """Crawl one shard until it has finished, from its file again whenever it was ended."""
        state: CrawlState | None = None
        while state is not CrawlState.FINISHED and not self._is_stopped:
            state = await self._one_life(number)
        if not self._is_stopped:
            self._exchange.ended(number)
            self._finish_if_over()

    async def _one_life(self, number: int) -> CrawlState | None:
        store = InlineStore(self._chance.choice([0.0, 0.02, 0.3]))
        path = self.paths[number]
        summary = await store.open(path)
        if self._is_stopped:
            await store.close()
            return None
        assert summary.shard is not None
        web = copy(self._web)  # with its own count of what is in flight
        crawl = Crawl(summary, store, web, fake_rules, Scope(self._settings))
        if (limit := self._exchange.page_limit_of(number)) is not None:
            crawl.grant_pages(GrantPages(limit, 0))
        async with asyncio.TaskGroup() as group:
            end = _ShardEnd(self, number, group.create_task(crawl.run()))
            exchange = ShardExchange(summary.shard, store, cast("Channel[object]", end))  # type: ignore[arg-type]  # what is sent stays here
            end.crawl, end.exchange = crawl, exchange
            self._ends[number] = end
            pumping = group.create_task(exchange.run(crawl))
            with suppress(asyncio.CancelledError):
                await asyncio.wait([end.crawling])
            self._ends[number] = None
            pumping.cancel()
        await store.discard() if end.crawling.cancelled() else await store.close()
        if end.crawling.cancelled():
            self._exchange.lost(number)
            return None
        return end.crawling.result()

    def heard(self, number: int, message: ShardReport | LinkBatch) -> None:
        if isinstance(message, ShardReport):
            deliveries = self._exchange.report(number, message)
        else:
            deliveries = self._exchange.batch(message)
        for delivery in deliveries:
            self._deliver(delivery)
        assert not self._exchange.to_start
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        if self._exchange.is_over:
            for end in self._ends:
                if end is not None:
                    end.exchange.obey(end.crawl, FinishShard())

    def _deliver(self, delivery: Delivery) -> None:
        """Some time later, to whichever run of the shard there is then."""

        def arrive() -> None:
            end = self._ends[delivery.shard]
            if end is not None:
                end.exchange.obey(end.crawl, delivery.message)

        asyncio.get_running_loop().call_later(self._chance.choice([0.0, 0.01, 0.5]), arrive)


class _ShardEnd:
    """The shard's end of its channel."""

    congested = False
    crawl: Crawl
    exchange: ShardExchange

    def __init__(
        self, crawls: ShardedFake, number: int, crawling: "asyncio.Task[CrawlState]"
    ) -> None:
        self._crawls = crawls
        self._number = number
        self.crawling = crawling

    def send(self, message: object) -> None:
        if not self.crawling.done():
            self._crawls.heard(self._number, cast("ShardReport | LinkBatch", message))
