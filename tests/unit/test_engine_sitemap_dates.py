"""What sitemaps say was modified since is fetched first, wherever it waits."""

import asyncio
from collections.abc import Sequence

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.previous_crawl import PreviousPage, PreviousResponse, PreviousText
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import settings_of
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, fake_rules

OLD = [f"/old/{number}" for number in range(600)]
MODIFIED = [f"/modified/{number}" for number in range(90)]
EARLIER_S = 1e9


class AskedEarlier:
    """A previous crawl that knows when each URL was asked, and nothing else."""

    reads_alike = False

    def __init__(self) -> None:
        self.wanted: list[object] = []

    async def response(self, url: str) -> PreviousResponse | None:
        self.wanted.append(url)
        return None

    async def visit(
        self, url: str, known: PreviousResponse, settings: CrawlSettings
    ) -> Visit | None:
        self.wanted.append((url, known, settings))
        return None

    async def text(self, url: str) -> PreviousText | None:
        self.wanted.append(url)
        return None

    async def confirmed_text(self, url: str, known: PreviousText) -> Visit | None:
        raise AssertionError((url, known))

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        self.wanted.append((after, limit))
        return []

    async def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        return dict.fromkeys(urls, EARLIER_S)


def asked(queued_urls: int, *, lastmod_first: bool, resumed_after: int = 0) -> list[str]:
    """The paths in the order in which they are asked for; so many have room in memory.

    With `resumed_after` requests, the crawl is paused and resumed by another process.
    """
    web = FakeWeb()
    web.page("/")
    for path in (*OLD, *MODIFIED):
        web.page(path)
    web.sitemap("/old.xml", *OLD, modified="2001-01-01")
    web.sitemap("/new.xml", *MODIFIED, modified="2020-01-01")
    sitemaps = (f"{ROOT}/old.xml", f"{ROOT}/new.xml")
    settings = settings_of(workers=1, sitemaps=sitemaps, lastmod_first=lastmod_first)
    store = MemoryStore(settings)

    async def crawl() -> Crawl:
        return Crawl(
            await store.summary(),
            store,
            web,
            fake_rules,
            Scope(settings),
            jitter=lambda: 0.5,
            limits=EngineLimits(queued_urls=queued_urls),
            previous=AskedEarlier(),
        )

    async def main() -> CrawlState:
        if resumed_after:
            first = await crawl()
            async with asyncio.TaskGroup() as group:
                group.create_task(first.run())
                while len(web.paths_asked()) < resumed_after:  # noqa: ASYNC110 - virtual time
                    await asyncio.sleep(0.01)
                await first.close()
        return await (await crawl()).run()

    assert run_virtual(main()) is CrawlState.FINISHED
    paths = web.paths_asked()
    assert set(paths) == {"/", "/old.xml", "/new.xml", *OLD, *MODIFIED}
    return paths


@pytest.mark.parametrize(("queued_urls", "most_before"), [(8, 200), (40, 80), (10_000, 40)])
def test_what_was_modified_comes_first_whether_or_not_it_has_room_in_memory(
    queued_urls: int, most_before: int
) -> None:
    paths = asked(queued_urls, lastmod_first=True)
    last = max(paths.index(path) for path in MODIFIED)
    before = [path for path in paths[:last] if path in set(OLD)]
    assert len(before) <= most_before


def test_a_crawl_that_is_resumed_still_knows_what_was_modified() -> None:
    paths = asked(40, lastmod_first=True, resumed_after=6)
    assert set(paths[:6]) >= {"/old.xml", "/new.xml"}, "the second run reads no sitemap"
    last = max(paths.index(path) for path in MODIFIED)
    assert len([path for path in paths[:last] if path in set(OLD)]) <= 100


def test_without_the_setting_they_take_their_turn() -> None:
    paths = asked(40, lastmod_first=False)
    assert max(paths.index(path) for path in MODIFIED) > len(OLD)
