"""Whole crawls of a web in memory into a project in memory, on a virtual clock."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.messages.crawl_messages import BulkAction
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import UrlRow
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import NO_CHECKS, ROOT, FakeWeb, absolute, fake_rules

Person = Callable[[Crawl], Awaitable[None]]
"""What a user does while a crawl runs."""


@dataclass
class Crawled:
    """A crawl that has ended, by path."""

    store: MemoryStore
    state: CrawlState

    def row(self, path: str) -> UrlRow:
        return self.store.by_url()[absolute(path)]

    def outcome(self, path: str) -> Outcome:
        return self.row(path).outcome

    def depth(self, path: str) -> int | None:
        depth = self.row(path).rank.depth
        return depth if depth < UNLINKED else None

    def fetched(self) -> set[str]:
        rows = self.store.urls.values()
        done = {UrlState.DONE, UrlState.FAILED}
        return {row.url.removeprefix(ROOT) for row in rows if row.outcome.state in done}


def settings_of(**changes: object) -> CrawlSettings:
    """Settings for the fake web that fetch pages alone, with these changes."""
    return CrawlSettings(**{**_FETCHED_ALONE, **changes})  # type: ignore[arg-type]  # field by field


_ROOT = {"roots": (ROOT + "/",), "obey_robots": False, **NO_CHECKS}
_FETCHED_ALONE = {**_ROOT, "check_kinds": ()}


def new_store(**changes: object) -> MemoryStore:
    """A project for the fake web, with these changes to the settings."""
    return MemoryStore(CrawlSettings(**{**_ROOT, **changes}))  # type: ignore[arg-type]  # field by field


def new_crawl(
    store: MemoryStore,
    web: FakeWeb,
    limits: EngineLimits | None = None,
    on_state: Callable[[CrawlState], None] = lambda _: None,
) -> Callable[[], Awaitable[Crawl]]:
    """What makes the crawl, on the loop."""

    async def make() -> Crawl:
        return Crawl(
            await store.summary(),
            store,
            web,
            fake_rules,
            Scope(store.settings),
            on_state=on_state,
            jitter=lambda: 0.5,
            limits=limits,
        )

    return make


def crawl(
    web: FakeWeb,
    settings: CrawlSettings | None = None,
    person: Person | None = None,
    store: MemoryStore | None = None,
    limits: EngineLimits | None = None,
) -> Crawled:
    """Crawl to the end while `person` acts."""
    store = store or MemoryStore(settings or settings_of())
    return Crawled(store, _run(new_crawl(store, web, limits), person))


def crawled_outcomes(
    web: FakeWeb,
    store: MemoryStore,
    person: Person | None = None,
    on_state: Callable[[CrawlState], None] = lambda _: None,
    actions: Sequence[BulkAction] = (),
    limits: EngineLimits | None = None,
) -> dict[str, Outcome]:
    """Crawl to the end while `person` acts; the outcomes by path."""
    _run(new_crawl(store, web, limits, on_state), person, actions)
    return {row.url.removeprefix(ROOT): row.outcome for row in store.urls.values()}


def _run(
    make: Callable[[], Awaitable[Crawl]], person: Person | None, actions: Sequence[BulkAction] = ()
) -> CrawlState:
    async def main() -> CrawlState:
        subject = await make()
        if person is None:
            state = await subject.run(actions)
        else:
            async with asyncio.TaskGroup() as group:
                group.create_task(_awaited(person(subject)), name="person")
                state = await subject.run(actions)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"tasks left over: {left}"
        return state

    return run_virtual(main())


async def _awaited(acting: Awaitable[None]) -> None:
    await acting
