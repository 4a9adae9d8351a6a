"""A network that goes away in the middle of a crawl, on a virtual clock."""

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest

from gossamer.engine.crawl import Crawl
from gossamer.engine.failures.network_outage import LONGEST_PAUSE_S
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.crawl_state import CrawlState
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.cases import each_case
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import NO_CHECKS, ROOT, FakeWeb, fake_rules

PAGES = 400
KINDS = [
    Visit(Outcome.DNS_FAILURE, detail=free_text("no such host")),
    Visit(Outcome.CONNECTION_REFUSED, detail=free_text("refused"), transient=True),
    Visit(Outcome.CONNECTION_FAILED, detail=free_text("unreachable"), transient=True),
    Visit(Outcome.CONNECTION_LOST, detail=free_text("reset"), transient=True),
    Visit(Outcome.TIMEOUT, detail=free_text("the deadline passed"), transient=True),
]


class Unplugged(FakeWeb):
    """Nothing answers between two moments; `probes` are the times at which robots.txt was asked."""

    def __init__(self, failure: Visit, gone_s: float = 0.1, back_s: float = 3600.0) -> None:
        super().__init__()
        self.failure = failure
        self.gone_s, self.back_s = gone_s, back_s
        self.probes: list[float] = []

    @property
    def gone(self) -> bool:
        return self.gone_s <= asyncio.get_running_loop().time() < self.back_s

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        begun_gone = self.gone
        visit = await super().fetch(url, kind, mode, conditions, path)
        return self.failure if begun_gone or self.gone else visit

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        self.probes.append(asyncio.get_running_loop().time())
        found = await super().fetch_text(url, conditions)
        return (self.failure, "") if self.gone else found


def many_pages(web: FakeWeb) -> None:
    web.page("/", *(f"/{n}" for n in range(PAGES)))
    for n in range(PAGES):
        web.page(f"/{n}")


def crawl(
    web: FakeWeb, person: Callable[[Crawl], None] = lambda _: None, **changes: object
) -> tuple[MemoryStore, list[Progress]]:
    """Crawl to the end; each progress at a change of state. `person` is told of those, too."""
    settings = {
        "roots": (f"{ROOT}/",),
        "obey_robots": False,
        "check_kinds": (),
        **NO_CHECKS,
        **changes,
    }
    store = MemoryStore(CrawlSettings(**settings))  # type: ignore[arg-type]  # field by field
    told: list[Progress] = []

    async def main() -> None:
        def heard(_: CrawlState) -> None:
            told.append(subject.progress())
            person(subject)

        subject = Crawl(
            await store.summary(),
            store,
            web,
            fake_rules,
            Scope(store.settings),
            on_state=heard,
            jitter=lambda: 0.5,
        )
        await subject.run()
        await asyncio.sleep(1.0)  # what the user did may end
        assert asyncio.all_tasks() == {asyncio.current_task()}

    run_virtual(main())
    return store, told


def outcomes(store: MemoryStore) -> Counter[Outcome]:
    return Counter(row.outcome for row in store.urls.values())


@each_case("failure", KINDS, ids=lambda visit: visit.outcome.name)
@each_case("workers", [1, 10])
def test_an_hour_without_a_network_costs_no_url(failure: Visit, workers: int) -> None:
    web = Unplugged(failure)
    many_pages(web)
    store, told = crawl(web, workers=workers, max_tries=1)
    assert outcomes(store) == {Outcome.PAGE: PAGES + 1}
    states = [p.state for p in told]
    assert states == [
        *(CrawlState.RUNNING, CrawlState.PAUSING, CrawlState.PAUSED),
        *(CrawlState.RUNNING, CrawlState.FINISHED),
    ]
    paused = told[2]
    assert paused.waits
    assert paused.active == 0
    assert "no host responds any more, not even http://site.test" in str(paused.notice)
    assert not told[3].waits
    assert told[3].notice is None
    pauses = [later - probe for probe, later in zip(web.probes, web.probes[1:], strict=False)]
    assert max(pauses) <= LONGEST_PAUSE_S + 1
    assert len(web.probes) < 3600 / LONGEST_PAUSE_S + 10


def test_the_crawl_goes_on_at_once_when_the_person_resumes() -> None:
    web = Unplugged(KINDS[1])
    many_pages(web)

    def person(subject: Crawl) -> None:
        if subject.state is CrawlState.PAUSED:
            web.back_s = 0.0
            asyncio.get_running_loop().call_later(0.5, subject.resume)

    store, told = crawl(web, person)
    assert outcomes(store) == {Outcome.PAGE: PAGES + 1}
    assert [p.state for p in told].count(CrawlState.PAUSED) == 1
    assert told[-1].seconds < 3.0


def test_a_person_who_pauses_is_not_overruled_by_the_network() -> None:
    web = Unplugged(KINDS[1], back_s=100.0)
    many_pages(web)
    resumed_at: list[float] = []

    def person(subject: Crawl) -> None:
        loop = asyncio.get_running_loop()
        if subject.state is CrawlState.PAUSED:
            loop.call_soon(subject.pause)
            loop.call_later(50_000.0, subject.resume)
        elif subject.state is CrawlState.RUNNING:
            resumed_at.append(loop.time())

    store, _ = crawl(web, person)
    assert outcomes(store) == {Outcome.PAGE: PAGES + 1}
    assert resumed_at[1] > 50_000.0


def test_a_dead_host_among_living_ones_fails_as_ever() -> None:
    web = FakeWeb()
    dead = [f"http://dead.test/{n}" for n in range(40)]
    web.page("/", *(f"/{n}" for n in range(20)), *dead)
    for n in range(20):
        web.page(f"/{n}")
    for url in dead:
        web.fails(url, *[KINDS[0]] * 4)
    store, told = crawl(web, host_match="strict", check_external=True, check_kinds=("anchor",))
    assert outcomes(store)[Outcome.DNS_FAILURE] == len(dead)
    assert [p.state for p in told] == [CrawlState.RUNNING, CrawlState.FINISHED]


def test_a_list_of_dead_hosts_does_not_bother_the_living_one() -> None:
    web = Unplugged(KINDS[0], gone_s=9e9)
    roots = tuple(f"http://dead{n}.test/" for n in range(90))  # with more, the guard pauses
    for url in roots:
        web.fails(url, *[KINDS[0]] * 4)
    web.page("/")
    store, told = crawl(web, roots=(f"{ROOT}/", *roots), list_only=True)
    assert outcomes(store) == {Outcome.PAGE: 1, Outcome.DNS_FAILURE: len(roots)}
    assert CrawlState.PAUSED not in {p.state for p in told}
    assert 1 <= len(web.probes) <= 2


def test_a_crawl_that_never_had_a_network_ends_as_ever() -> None:
    web = Unplugged(KINDS[0], gone_s=0.0)
    store, told = crawl(web)
    assert outcomes(store) == {Outcome.DNS_FAILURE: 1}
    assert told[-1].state is CrawlState.FINISHED
    assert web.probes == []


def test_as_long_as_nothing_answers_it_is_told_what_is_waited_for() -> None:
    web = Unplugged(KINDS[1], gone_s=0.0, back_s=3.0)
    web.page("/", "/a")
    web.page("/a")
    told: dict[str, None] = {}

    async def main() -> None:
        store = MemoryStore(CrawlSettings(roots=(f"{ROOT}/",), check_kinds=()))
        scope = Scope(store.settings)
        subject = Crawl(await store.summary(), store, web, fake_rules, scope, jitter=lambda: 0.5)

        async def watch() -> None:
            while subject.state is not CrawlState.FINISHED:
                retry = subject.progress().retry
                told[str(retry and retry.said)] = None
                await asyncio.sleep(0.05)

        async with asyncio.TaskGroup() as group:
            group.create_task(watch(), name="watch")
            await subject.run()
        assert subject.progress().pages == 2

    web.delay_s = lambda _: 0.5
    run_virtual(main())
    waited = [f"retrying in {seconds} s (attempt 2 of 4)" for seconds in (5, 4, 3, 2, 1)]
    assert [line.partition("refuses connections; ")[2].rstrip(".") for line in told] == [
        "",
        *waited,
        "retrying now (attempt 2 of 4)",
    ]


def test_without_the_guard_every_failure_counts() -> None:
    web = Unplugged(KINDS[1])
    many_pages(web)
    store, told = crawl(web, guard=False, max_tries=1)
    assert outcomes(store)[Outcome.CONNECTION_REFUSED] > PAGES / 2
    assert [p.state for p in told] == [CrawlState.RUNNING, CrawlState.FINISHED]


@pytest.mark.parametrize("deed", ["cancel", "close"])
def test_a_crawl_that_waits_for_the_network_can_be_ended(deed: str) -> None:
    web = Unplugged(KINDS[4], back_s=9e9)
    many_pages(web)
    endings: list[asyncio.Task[None]] = []

    def person(subject: Crawl) -> None:
        if subject.state is CrawlState.PAUSED and not endings:
            end = subject.cancel if deed == "cancel" else subject.close
            loop = asyncio.get_running_loop()
            loop.call_later(500.0, lambda: endings.append(loop.create_task(end())))

    store, _ = crawl(web, person)
    assert endings
    assert store.state is (CrawlState.CANCELLED if deed == "cancel" else CrawlState.PAUSED)
    assert set(outcomes(store)) == {Outcome.PAGE, Outcome.PENDING}


def test_what_is_in_flight_is_asked_anew_over_new_connections() -> None:
    web = FakeWeb(delay_s=lambda path: 0.01 if path == "/" else 100.0)
    web.page("/", "/a", "/b")
    web.page("/a")
    web.page("/b")

    async def wake(subject: Crawl) -> None:
        await asyncio.sleep(50.0)
        await subject.refetch_in_flight()
        assert subject.state is CrawlState.RUNNING

    waking: list[asyncio.Task[None]] = []

    def person(subject: Crawl) -> None:
        if subject.state is CrawlState.RUNNING and not waking:
            waking.append(asyncio.get_running_loop().create_task(wake(subject)))

    store, told = crawl(web, person, max_tries=1)
    assert outcomes(store) == {Outcome.PAGE: 3}
    assert web.dropped == 1
    assert Counter(web.paths_asked()) == {"/": 1, "/a": 2, "/b": 2}
    assert {v.tries for v in store.visits.values()} == {1}
    assert [p.state for p in told] == [CrawlState.RUNNING, CrawlState.FINISHED]
