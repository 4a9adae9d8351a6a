"""No host holds up another, however much of it is queued and however little memory there is."""

import asyncio
import random
from itertools import pairwise

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.engine.interfaces import RulesFor
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.discovery_rank import Rank
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_parsing import host_of
from tests.fakes.engine import empty_frontier
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import NO_CHECKS, ROOT, FakeRules, FakeWeb, fake_rules


def asked_at(
    web: FakeWeb,
    capacity: int,
    rules_for: RulesFor = fake_rules,
    store_delay_s: float = 0.001,
    /,
    **changes: object,
) -> dict[str, float]:
    """Crawl to the end with a little memory; when each URL was asked, on the loop's clock."""
    settings = {
        "roots": (ROOT + "/",),
        "obey_robots": False,
        "check_kinds": (),
        **NO_CHECKS,
        **changes,
    }
    store = MemoryStore(CrawlSettings(**settings))  # type: ignore[arg-type]  # field by field
    store.delay_s = lambda: store_delay_s
    when: dict[str, float] = {}
    fetch = web.fetch

    async def timed(url: str, *args: object, **more: object) -> object:
        assert url not in when, "asked twice"
        when[url] = asyncio.get_running_loop().time()
        return await fetch(url, *args, **more)  # type: ignore[arg-type]  # passed on

    web.fetch = timed  # type: ignore[method-assign, assignment]  # the same, timed

    async def main() -> None:
        scope = Scope(store.settings)
        limits = EngineLimits(queued_urls=capacity)
        await Crawl(await store.summary(), store, web, rules_for, scope, limits=limits).run()

    run_virtual(main())
    assert set(when) == set(store.by_url())
    return when


@pytest.mark.parametrize("capacity", [1, 8, 100, 50_000])
def test_a_slow_external_host_does_not_hold_up_the_site(capacity: int) -> None:
    web = FakeWeb()
    web.page("/", *[f"http://slow.test/{n}" for n in range(250)], *[f"/{n}" for n in range(50)])
    for n in range(50):
        web.page(f"/{n}", f"/{n}/a", f"/{n}/b")
    when = asked_at(web, capacity, check_external=True, external_rate=0.5)
    assert max(t for url, t in when.items() if url.startswith(ROOT)) < 30
    slow = [t for url, t in when.items() if "slow" in url]
    assert 498 <= max(slow) - min(slow) < 550, "its own pace, no slower"


@pytest.mark.parametrize("capacity", [8, 40, 400])
def test_slow_hosts_do_not_hold_up_each_other(capacity: int) -> None:
    web = FakeWeb()
    hosts = [f"http://{n}.test" for n in range(20)]
    web.page("/", *[f"{host}/{n}" for host in hosts[:20] for n in range(25)])
    web.page("/", *web.visits[ROOT + "/"].targets, *[f"{host}/" for host in hosts[20:]], "/later")
    web.page("/later", *[f"{host}/later" for host in hosts])
    when = asked_at(web, capacity, check_external=True, external_rate=1.0, workers=30)
    if capacity == 400:  # there are places for all hosts: none takes longer than it must
        assert max(when.values()) < 30
    assert max(when.values()) < 1_500


@pytest.mark.parametrize("seed", range(3))
def test_every_url_of_every_host_is_asked_once(seed: int) -> None:
    chance = random.Random(seed)
    web = FakeWeb(delay_s=lambda _: chance.choice([0.001, 0.1, 1.0]))
    hosts = [f"http://{n}.test" for n in range(chance.randint(1, 12))]
    pages = [f"/{n}" for n in range(20)]
    for path in ["/", *pages]:
        external = [f"{chance.choice(hosts)}/{chance.randint(0, 9)}" for _ in range(8)]
        web.page(path, *chance.choices(pages, k=4), *external)
    changes = {"external_rate": chance.choice([5.0, 100.0]), "workers": chance.choice([1, 5, 50])}
    asked_at(web, chance.choice([1, 3, 8, 60]), fake_rules, 0.01, check_external=True, **changes)


def test_memory_is_bounded_however_many_hosts_there_are() -> None:
    frontier = empty_frontier(1_000)
    for number in range(1, 20_001):
        host = f"{number % 7_000}.test"
        frontier.add_new(FrontierEntry(number, f"http://{host}/{number}", Rank(0), None, host))
    assert len(frontier) <= 2_000
    assert frontier.spilled


def test_one_site_alone_has_a_large_share_of_the_memory() -> None:
    frontier = empty_frontier(1_000)
    for number in range(1, 20_001):
        frontier.add_new(FrontierEntry(number, f"http://a.test/{number}", Rank(0), None, "a.test"))
    assert len(frontier) == 500


def test_those_who_wait_for_robots_keep_its_delay_among_themselves() -> None:
    web = FakeWeb()
    hosts = ["http://site.test", "https://site.test", "http://site.test:8080"]
    web.page("/", *[f"{host}/{n}" for n in range(4) for host in hosts])
    for host in hosts:
        for n in range(4):
            web.page(f"{host}/{n}")

    def slow(*_: object) -> FakeRules:
        return FakeRules((), crawl_delay_s=3.0)

    roots = tuple(f"{host}/{n}" for n in range(4) for host in hosts)
    when = asked_at(web, 50_000, slow, roots=(ROOT + "/", *roots), obey_robots=True)
    by_host: dict[str, list[float]] = {}
    for url, moment in when.items():
        by_host.setdefault(host_of(url), []).append(moment)
    for moments in by_host.values():
        moments.sort()
        assert all(later - sooner >= 3.0 for sooner, later in pairwise(moments))
    assert min(by_host["site.test"]) >= 3.0, "its robots.txt was asked for first"
    assert max(map(max, by_host.values())) < 40
