"""The reasons for which a crawl is paused, in every order in which they can come and go."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from itertools import combinations, permutations, product
from typing import Final

from gossamer.engine.crawl import Crawl
from gossamer.engine.pause_reasons import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.model.crawl_state import CrawlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.urls.scope_and_limits import Scope
from tests.cases import each_case
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, fake_rules

ALL = tuple(PauseReason)
SOME = 5
"""So many come and go in every order."""
SETS = [reasons for size in range(len(ALL) + 1) for reasons in combinations(ALL, size)]


@cache
def sentence(reason: PauseReason) -> Translatable:
    return Translatable(reason.name)


def paused_for(*reasons: PauseReason) -> Pauses:
    pauses = Pauses()
    for reason in reasons:
        add(pauses, reason)
    return pauses


def add(pauses: Pauses, reason: PauseReason) -> None:
    pauses.add(reason, None if reason is PauseReason.USER else sentence(reason))


def test_a_crawl_is_paused_until_every_reason_has_gone_in_whatever_order() -> None:
    def go_in_every_order(pauses: Pauses, left: tuple[PauseReason, ...]) -> None:
        assert pauses.any is bool(left)
        if not left:
            assert pauses.sentence is None
            assert not pauses.end_by_themselves
        for reason in left:
            pauses.remove(reason)
            assert reason not in pauses
            go_in_every_order(pauses, tuple(each for each in left if each is not reason))
            add(pauses, reason)

    for some in combinations(ALL, SOME):
        go_in_every_order(paused_for(*some), some)
    for coming in permutations(ALL, SOME):
        pauses = paused_for(*coming)
        for reason in sorted(coming, key=ALL.index):
            assert pauses.any
            pauses.remove(reason)
            assert reason not in pauses
        assert not pauses.any
        assert pauses.sentence is None
        assert not pauses.end_by_themselves


@each_case("reasons", SETS, ids=lambda reasons: "+".join(r.name for r in reasons))
def test_the_crawl_resumes_by_itself_unless_the_user_is_needed(
    reasons: tuple[PauseReason, ...],
) -> None:
    needed = {PauseReason.USER, PauseReason.FAILURES, PauseReason.LOGIN}.intersection(reasons)
    assert paused_for(*reasons).end_by_themselves is (bool(reasons) and not needed)


@each_case("reasons", SETS, ids=lambda reasons: "+".join(r.name for r in reasons))
def test_only_the_disk_and_missing_nodes_prevent_the_user_from_resuming(
    reasons: tuple[PauseReason, ...],
) -> None:
    pauses = paused_for(*reasons)
    pauses.remove(*ENDED_BY_RESUME)
    lasting = {PauseReason.DISK_FAILED, PauseReason.DISK_STALLED}
    lasting |= {PauseReason.ARCHIVE, PauseReason.NODES}
    left = lasting.intersection(reasons)
    assert {reason for reason in PauseReason if reason in pauses} == left
    assert pauses.end_by_themselves is bool(left)


def test_other_reasons_never_override_a_pause_by_the_user() -> None:
    others = [reason for reason in PauseReason if reason is not PauseReason.USER]
    for order in permutations(others, SOME):
        pauses = paused_for(PauseReason.USER)
        for reason in order:
            pauses.add(reason, sentence(reason))
            assert not pauses.end_by_themselves
        pauses.remove(*order)
        assert pauses.any
        assert not pauses.end_by_themselves


def test_the_sentence_shown_does_not_depend_on_the_order() -> None:
    pauses = Pauses()

    def come_in_every_order(come: tuple[PauseReason, ...]) -> None:
        explained = [r for r in PauseReason if r in come and r is not PauseReason.USER]
        assert pauses.sentence == (sentence(explained[0]) if explained else None), come
        for reason in ALL if len(come) < SOME else ():
            if reason not in come:
                add(pauses, reason)
                come_in_every_order((*come, reason))
                pauses.remove(reason)

    come_in_every_order(())


def test_a_reason_that_comes_again_keeps_its_sentence_unless_it_brings_another() -> None:
    pauses = paused_for(PauseReason.NETWORK)
    pauses.add(PauseReason.NETWORK)
    assert pauses.sentence == sentence(PauseReason.NETWORK)
    pauses.add(PauseReason.NETWORK, Translatable("another"))
    assert pauses.sentence == Translatable("another")


def test_a_crawl_that_is_over_is_not_paused() -> None:
    pauses = paused_for(*ALL)
    pauses.clear()
    assert not pauses.any
    assert pauses.sentence is None


def test_without_nodes_nothing_stays_in_flight_and_no_time_is_counted() -> None:
    """What they had in flight would wait for others, and the crawl be about to pause for ever."""
    are_there = True
    web = FakeWeb(delay_s=lambda _: 1.0 if are_there else 1e6)
    web.page("/", *(f"/{n}" for n in range(9)))
    store = MemoryStore(CrawlSettings(roots=(f"{ROOT}/",), obey_robots=False, workers=3))

    async def act(crawl: Crawl) -> None:
        nonlocal are_there
        await asyncio.sleep(0.5)
        are_there = False
        await asyncio.sleep(5)
        assert crawl.progress().active == 3
        crawl.pause(PauseReason.NODES, sentence(PauseReason.NODES))
        await asyncio.sleep(1)
        before = crawl.progress()
        assert (before.state, before.active) == (CrawlState.PAUSED, 0)
        await asyncio.sleep(1_000)
        assert crawl.progress().seconds == before.seconds
        are_there = True
        crawl.end_pause(PauseReason.NODES)

    async def main() -> tuple[CrawlState, int]:
        scope = Scope(store.settings)
        crawl = Crawl(await store.summary(), store, web, fake_rules, scope)
        async with asyncio.TaskGroup() as group:
            group.create_task(act(crawl), name="nodes")
            return await crawl.run(), crawl.progress().fetched

    assert run_virtual(main()) == (CrawlState.FINISHED, 10)


async def _pause(crawl: Crawl, pauses: Pauses) -> None:
    pauses.add(PauseReason.USER)
    crawl.pause()


async def _pause_now(crawl: Crawl, pauses: Pauses) -> None:
    pauses.add(PauseReason.USER)
    await crawl.pause_now()
    assert crawl.state is CrawlState.PAUSED


async def _resume(crawl: Crawl, pauses: Pauses) -> None:
    pauses.remove(*ENDED_BY_RESUME)
    crawl.resume()


async def _stall(crawl: Crawl, pauses: Pauses) -> None:
    pauses.add(PauseReason.DISK_STALLED, sentence(PauseReason.DISK_STALLED))
    crawl.pause(PauseReason.DISK_STALLED, sentence(PauseReason.DISK_STALLED))


async def _answer(crawl: Crawl, pauses: Pauses) -> None:
    pauses.remove(PauseReason.DISK_STALLED)
    crawl.end_pause(PauseReason.DISK_STALLED)


STEPS: Final = (_pause, _pause_now, _resume, _stall, _answer)


@each_case(
    "steps, ends",
    [
        *((steps, CrawlState.FINISHED) for steps in product(STEPS, repeat=3)),
        *((steps, CrawlState.CANCELLED) for steps in product(STEPS, repeat=2)),
    ],
)
def test_a_crawl_runs_when_the_set_is_empty_and_can_be_cancelled_at_any_moment(
    steps: tuple[Callable[[Crawl, Pauses], Awaitable[None]], ...], ends: CrawlState
) -> None:
    web = FakeWeb(delay_s=lambda _: 1.0)
    web.page("/", *(f"/{n}" for n in range(9)))
    store = MemoryStore(CrawlSettings(roots=(f"{ROOT}/",), obey_robots=False, workers=1))

    async def act(crawl: Crawl) -> None:
        expected = Pauses()
        for step in steps:
            await asyncio.sleep(1.5)
            await step(crawl, expected)
            await asyncio.sleep(1.5)
            progress = crawl.progress()
            assert progress.state is (CrawlState.PAUSED if expected.any else CrawlState.RUNNING)
            assert (progress.notice, progress.waits) == (
                expected.sentence,
                expected.end_by_themselves,
            )
        if ends is CrawlState.CANCELLED:
            await crawl.cancel()
            assert (crawl.progress().notice, crawl.progress().waits) == (None, False)
        crawl.end_pause(*PauseReason)

    async def main() -> CrawlState:
        scope = Scope(store.settings)
        crawl = Crawl(await store.summary(), store, web, fake_rules, scope)
        async with asyncio.TaskGroup() as group:
            group.create_task(act(crawl), name="user and disk")
            return await crawl.run()

    assert run_virtual(main()) is ends
