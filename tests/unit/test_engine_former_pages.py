"""Pages of the previous crawl to which nothing leads now are asked for at the end, each once."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import FORMER
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.previous_crawl import PreviousPage, PreviousResponse, PreviousText
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import settings_of
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, absolute, fake_rules

LEFT = 7


class OldSite:
    """A previous crawl that only knows which pages there were: some that are, others that were."""

    reads_alike = False

    def __init__(self) -> None:
        self.texts_asked: list[str] = []
        paths = [
            "/",
            "/a",
            *(f"/left{n}" for n in range(LEFT)),
            *(f"/gone{n}" for n in range(LEFT)),
        ]
        self._pages = [
            PreviousPage(n, absolute(path), ROOT + "/") for n, path in enumerate(paths, 1)
        ]

    async def response(self, url: str) -> PreviousResponse | None:
        assert url
        return None

    async def visit(
        self, url: str, known: PreviousResponse, settings: CrawlSettings
    ) -> Visit | None:
        raise AssertionError((url, known, settings))

    async def text(self, url: str) -> PreviousText | None:
        self.texts_asked.append(url)
        return None

    async def confirmed_text(self, url: str, known: PreviousText) -> Visit | None:
        raise AssertionError((url, known))

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        await asyncio.sleep(0.01)
        return [page for page in self._pages if page.id > after][:limit]

    async def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        assert urls
        return {}


def web_of() -> FakeWeb:
    web = FakeWeb()
    web.page("/", "/a")
    web.page("/a", "/")
    for number in range(LEFT):
        web.page(f"/left{number}", "/unheard-of")
    return web


def run_once(store: MemoryStore, web: FakeWeb, rows: int, *, close_after: int = 0) -> CrawlState:
    """Crawl until the end, or until so many were checked."""

    async def main() -> CrawlState:
        crawl = Crawl(
            await store.summary(),
            store,
            web,
            fake_rules,
            Scope(store.settings),
            jitter=lambda: 0.5,
            limits=EngineLimits(rows_per_read=rows),
            previous=OldSite(),
        )
        if not close_after:
            return await crawl.run()
        async with asyncio.TaskGroup() as group:
            enough = asyncio.Event()

            def delay_s(_path: str) -> float:
                if len(web.checked) >= close_after:
                    enough.set()
                return 0.01

            web.delay_s = delay_s
            running = group.create_task(crawl.run())
            await enough.wait()
            await crawl.close()
        return running.result()

    return run_virtual(main())


def assert_all_known(store: MemoryStore) -> None:
    found = {row.url.removeprefix(ROOT): row for row in store.urls.values()}
    assert found.pop("/").outcome is found.pop("/a").outcome is Outcome.PAGE
    assert len(found) == 2 * LEFT, "links of former pages are not followed"
    for path, row in found.items():
        expected = Outcome.GONE if "gone" in path else Outcome.NO_LONGER_LINKED
        assert (row.outcome, row.rank.depth, row.parent) == (expected, FORMER, 1)
    assert len(store.visits) == 2


@pytest.mark.parametrize("rows", [1, 3, 10_000])
def test_each_is_checked_once_and_has_no_visit(rows: int) -> None:
    store, web = MemoryStore(settings_of()), web_of()
    assert run_once(store, web, rows) is CrawlState.FINISHED
    assert_all_known(store)
    assert Counter(web.checked) == dict.fromkeys(web.checked, 1)
    checked = len(web.checked)
    assert run_once(store, web, rows) is CrawlState.FINISHED
    assert len(web.checked) == checked, "another run asks for none again"


@pytest.mark.parametrize("rows", [1, 3, 10_000])
def test_crashes_change_nothing(rows: int) -> None:
    store, web, crashes = MemoryStore(settings_of()), web_of(), 0
    while store.state is not CrawlState.FINISHED:
        store.fail_at = store.commits + 4
        with suppress(ProjectError):
            run_once(store, web, rows)
        crashes += 1
        assert crashes < 100
        web.open = 0
    assert crashes > 1
    assert_all_known(store)


@pytest.mark.parametrize("checked", [1, 3, 2 * LEFT - 1])
def test_a_crawl_that_is_closed_among_them_goes_on_there(checked: int) -> None:
    store, web = MemoryStore(settings_of(workers=1)), web_of()
    assert run_once(store, web, 3, close_after=checked) is CrawlState.PAUSED
    assert run_once(store, web, 3) is CrawlState.FINISHED
    assert_all_known(store)


def test_a_page_limit_leaves_them_alone() -> None:
    store, web = MemoryStore(settings_of(max_pages=1)), web_of()
    assert run_once(store, web, 3) is CrawlState.FINISHED
    assert not web.checked


def test_a_crawl_that_read_no_page_cannot_say_what_is_no_longer_linked() -> None:
    store, web = MemoryStore(settings_of()), FakeWeb()
    assert run_once(store, web, 3) is CrawlState.FINISHED
    assert not web.checked
    assert {row.url for row in store.urls.values()} == {ROOT + "/"}


def test_nobody_asks_for_them_who_does_not_want_to_know() -> None:
    store, web = MemoryStore(settings_of(check_former_pages=False)), web_of()
    assert run_once(store, web, 3) is CrawlState.FINISHED
    assert not web.checked


def test_robots_txt_is_obeyed() -> None:
    store, web = MemoryStore(settings_of(obey_robots=True)), web_of()
    web.robots = "Disallow: /left\nDisallow: /gone"
    assert run_once(store, web, 3) is CrawlState.FINISHED
    assert not web.checked
    found = [row for row in store.urls.values() if row.rank.depth == FORMER]
    assert {row.outcome for row in found} == {Outcome.NO_LONGER_LINKED}
    assert all("robots.txt" in str(row.detail) for row in found)
