"""Nodes hold jobs in store: their slots are never empty for want of a call, and never too full."""

import asyncio
from itertools import pairwise

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from tests.fakes.far_nodes import FarNode, crawl_on_nodes
from tests.fakes.virtual_crawl import settings_of
from tests.fakes.web import FakeWeb

_LINKS = 8
_OTHER = "http://other.test/"


def tree(pages: int, *beside: str) -> FakeWeb:
    """A site of so many pages that take 20 ms, each with links to the next few; `/` has others."""
    site = FakeWeb(delay_s=lambda _: 0.02)
    names = ["/", *(f"/{number}" for number in range(1, pages))]
    for number, name in enumerate(names):
        below = names[_LINKS * number + 1 : _LINKS * number + 1 + _LINKS]
        site.page(name, *below, *(() if number else beside))
    return site


def settings(workers: int, **changes: object) -> CrawlSettings:
    return settings_of(workers=workers, max_similar=10**9, **changes)


@pytest.mark.parametrize(
    ("workers", "answer_s", "pages"),
    [(10, 0.02, 600), (200, 0.2, 2_000), (20, 2.0, 100)],
)
def test_slots_do_not_wait_for_calls(workers: int, answer_s: float, pages: int) -> None:
    web = tree(pages)
    web.delay_s = lambda _: answer_s
    done = crawl_on_nodes(web, settings(workers))
    assert len(done.fetched()) == pages == len(web.asked)
    assert web.most_open == workers
    assert done.seconds < 1.1 * pages * answer_s / workers + 1 + 4 * answer_s
    assert all(node.calls <= 20 * done.seconds + 1 for node in done.nodes)


def test_a_node_that_is_far_away_has_more_in_store() -> None:
    web = tree(1_200)
    done = crawl_on_nodes(web, settings(10), trip_s=0.05)
    assert len(done.fetched()) == 1_200 == len(web.asked)
    assert web.most_open == 10
    call_s = 0.13
    assert done.seconds < 1_200 / 10 * (0.02 + call_s) / 2, "half as long as without a store"


def test_a_slow_node_gets_fewer_jobs_and_holds_nothing_up() -> None:
    web = tree(1_000)
    slow = tree(1_000)
    slow.delay_s = lambda _: 1.0

    async def person(_: Crawl, nodes: list[FarNode]) -> None:
        nodes[0].web = slow

    done = crawl_on_nodes(web, settings(10), person=person)
    assert len(done.fetched()) == 1_000
    assert done.nodes[0].taken < 100
    assert done.seconds < 1_000 * 0.02 / 5 + 4


def test_a_host_with_a_pace_keeps_it_while_the_slots_are_full() -> None:
    others = [f"{_OTHER}{number}" for number in range(8)]
    web = tree(1_500, *others)
    asked_s: list[float] = []

    def delay_s(path: str) -> float:
        if path.startswith(_OTHER):
            asked_s.append(asyncio.get_running_loop().time())
        return 0.02

    web.delay_s = delay_s
    crawl_on_nodes(web, settings(10, check_external=True, external_rate=2.0))
    assert len(asked_s) == len(others)
    assert all(later - earlier >= 0.5 - 0.06 for earlier, later in pairwise(asked_s))
    assert asked_s[-1] < 0.8 * len(others), "others do not keep it from its turn"
    assert web.most_open == 10


def test_a_host_that_wants_to_be_left_alone_gets_no_more_of_what_is_in_store() -> None:
    web = tree(800)
    asked_s: list[float] = []
    busy_s: list[float] = []

    def delay_s(path: str) -> float:
        now_s = asyncio.get_running_loop().time()
        asked_s.append(now_s)
        if path == "/500":
            busy_s.append(now_s)
        return 0.02

    web.delay_s = delay_s
    busy = Visit(Outcome.SERVER_ERROR, status=503, retry_after_s=30.0, transient=True)
    web.fails("/500", busy)
    done = crawl_on_nodes(web, settings(10))
    assert len(done.fetched()) == 800
    pause_s, begins_s = max((later - earlier, earlier) for earlier, later in pairwise(asked_s))
    assert pause_s > 25
    assert 0 <= begins_s - busy_s[0] < 0.15, "what began before the node was told, and no more"


def test_pausing_gives_back_what_has_not_begun_and_all_is_asked_once() -> None:
    web = tree(600)
    web.delay_s = lambda _: 0.4
    open_then: list[int] = []

    async def person(crawl: Crawl, _: list[FarNode]) -> None:
        for _turn in range(3):
            await asyncio.sleep(3)
            crawl.pause()
            asked = len(web.asked)
            await asyncio.sleep(1.5)
            assert crawl.state is CrawlState.PAUSED
            open_then.append(len(web.asked) - asked)
            crawl.resume()

    done = crawl_on_nodes(web, settings(20), person=person)
    assert len(open_then) == 3
    assert max(open_then) <= 6, "those that began before the pause was heard of"
    assert len(web.asked) == len(done.fetched()) == 600


def test_cancelling_ends_all_and_a_lost_node_costs_what_it_had() -> None:
    web = tree(2_000)

    async def person(crawl: Crawl, nodes: list[FarNode]) -> None:
        await asyncio.sleep(1)
        nodes[0].die()
        await asyncio.sleep(2)
        assert crawl.progress().active == 10
        crawl.set_workers(4)
        await asyncio.sleep(0.5)
        web.most_open = 0
        await asyncio.sleep(1)
        assert web.most_open == 4
        await crawl.cancel()
        assert web.open == 0

    done = crawl_on_nodes(web, settings(10), person=person)
    assert done.state is CrawlState.CANCELLED
    asked_twice = len(web.asked) - len(set(web.asked))
    assert 0 < asked_twice <= 5 + 25, "what the node had: its slots, and results under way"
