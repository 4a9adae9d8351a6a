"""A crawl comes to the same end whatever is answered first, and whatever a user does meanwhile.

Webs, delays, limits, workers, the pace of the disk and what the user does are made by chance
from one number; the clock is virtual.
"""

import asyncio
import os
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.model.crawl_state import LIVE, TRANSITIONS, CrawlState, at_rest
from gossamer.model.messages.crawl_messages import BulkAction, BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import REACH
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.actions import cancelled
from tests.fakes.memory_store import MemoryStore
from tests.fakes.random_web import Expected, RandomWeb
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb, fake_rules

PATIENCE_S = 100_000.0
"""On the virtual clock. The slowest web takes some minutes."""

numbers = st.integers(0, 2**64)


def settings_by(chance: random.Random, *, use_sitemaps: bool) -> CrawlSettings:
    checks = chance.choice([(), ("image",)])
    deepest = chance.choice([None, None, 0, 2, 4])
    return CrawlSettings(
        roots=(ROOT + "/",),
        workers=chance.choice([1, 2, 5, 50]),
        max_redirects=chance.choice([0, 1, 2, 3, 10]),
        max_depth=deepest,
        rate=chance.choice([None, None, None, 3.0]),
        obey_robots=True,
        use_sitemaps=use_sitemaps,
        check_kinds=checks,
        guard=False,
    )


class Person:
    """Does things to crawls at random moments, in the end for the last time; then resumes."""

    def __init__(self, chance: random.Random, deeds: list[str]) -> None:
        self._chance = chance
        self.crashes = 0
        self.left = chance.choices(deeds, k=chance.randint(0, 12)) if deeds else []

    async def perform(
        self, crawl: Crawl, store: MemoryStore, running: "asyncio.Task[CrawlState]"
    ) -> None:
        while self.left:
            await asyncio.sleep(self._chance.choice([0.0, 0.001, 0.05, 0.2, 1.0]))
            if crawl.state not in LIVE or running.done():
                return
            deed = self.left.pop()
            if deed == "crash":
                self.crashes += 1
                running.cancel()
                return
            await self._do(deed, crawl, store)
        if not running.done():
            crawl.resume()

    async def _do(self, deed: str, crawl: Crawl, store: MemoryStore) -> None:
        match deed:
            case "hold" | "release" | "first":
                await crawl.perform(
                    BulkAction(BulkActionKind(deed), self._selection([*store.urls, 999]))
                )
            case "pause":
                crawl.pause()
            case "pause now":
                await crawl.pause_now()
                assert not crawl.progress().in_flight
            case "resume":
                crawl.resume()
            case "cancel" | "close":
                await (crawl.cancel() if deed == "cancel" else crawl.close())
            case "workers":
                crawl.set_workers(self._chance.choice([1, 3, 40]))
            case "cancel url":
                await crawl.perform(cancelled(self._chance.choice([*store.urls, 999])))

    def _selection(self, ids: list[int]) -> UrlSelection:
        chance = self._chance
        return chance.choice(
            [
                UrlSelection(ids=tuple(chance.choices(ids, k=3))),
                UrlSelection(below=chance.choice(ids)),
                UrlSelection(folder=f"{ROOT}/{chance.choice(['', '1', '2', '12'])}"),
            ]
        )


class Story:
    """One project and everything that happens to it, until its crawl is finished."""

    def __init__(self, seed: int, deeds: list[str], limits: EngineLimits | None = None) -> None:
        self._limits = limits
        chance = random.Random(seed)
        self.random_web = RandomWeb.made_by(chance)
        self.settings = settings_by(chance, use_sitemaps=self.random_web.has_sitemaps)
        self.web: FakeWeb = self.random_web.served(chance)
        self.web.drop_s = chance.choice([0.0, 0.01, 1.0])
        self.store = MemoryStore(self.settings)
        pace = chance.choice([0.0, 0.01, 0.5])
        self.store.delay_s = lambda: chance.random() * pace
        self._person = Person(chance, deeds)
        self._chance = chance
        self._problems: list[str] = []
        self.transitions: set[tuple[CrawlState, CrawlState]] = set()
        """From which state to which its crawls went."""

    def run(self) -> None:
        run_virtual(self._run())

    async def _release(self) -> None:
        """Go on with all that was held back, and leave it alone."""
        self._person.left.clear()
        for selection in (UrlSelection(folder=f"{ROOT}/"), UrlSelection()):
            if any(row.outcome is Outcome.HELD for row in self.store.urls.values()):
                await self._crawl([BulkAction(BulkActionKind.RELEASE, selection)])

    def run_again(self) -> None:
        run_virtual(self._crawl())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self._problems.append(str(context)))
        async with asyncio.timeout(PATIENCE_S):
            while self.store.state is not CrawlState.FINISHED or self._person.left:
                await self._crawl()
                if self.store.state is CrawlState.FINISHED:
                    break
            await self._release()
        assert not self._problems

    async def _crawl(self, actions: Sequence[BulkAction] = ()) -> None:
        scope = Scope(self.settings)
        summary = await self.store.summary()
        self.settings = summary.settings
        states = [at_rest(summary.state)]
        crawl = Crawl(
            summary,
            self.store,
            self.web,
            fake_rules,
            scope,
            on_state=states.append,
            jitter=self._chance.random,
            limits=self._limits,
        )
        ended = False
        with suppress(asyncio.CancelledError):
            async with asyncio.TaskGroup() as group:
                running = group.create_task(crawl.run(actions), name="crawl")
                person = group.create_task(self._person.perform(crawl, self.store, running))
                await asyncio.wait([running])
                ended = not running.cancelled()
                person.cancel()
        self.transitions.update(pairwise(states))
        assert self.web.open == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}
        if ended:
            kept = (await self.store.summary()).outcomes
            counted = {Outcome(o): n for o, n in crawl.progress().outcomes.items()}
            assert counted == {outcome: n for outcome, n in kept.items() if n}
            assert self.store.state is crawl.state
            assert not (self.store.owed and crawl.state is CrawlState.FINISHED)
            summary, progress = await self.store.summary(), crawl.progress()
            assert progress.statuses == summary.statuses
            assert progress.outcomes == {int(each): n for each, n in summary.outcomes.items()}

    @property
    def crashes(self) -> int:
        return self._person.crashes

    @property
    def most_fetched(self) -> int:
        """How often a URL was fetched at most; what is found to be a sitemap may be once more."""
        answered = Counter(self.web.answered)
        sitemaps = {url for url, row in self.end.items() if row.rank.as_sitemap}
        return max((n - (n > 1 and url in sitemaps) for url, n in answered.items()), default=0)

    @property
    def end(self) -> dict[str, Expected]:
        return {row.url: Expected(row.outcome, row.rank) for row in self.store.urls.values()}

    @property
    def expected(self) -> dict[str, Expected]:
        taken_out = [row for row in self.store.urls.values() if row.outcome is Outcome.CANCELLED]
        cancelled = frozenset(row.url for row in taken_out)
        visits = self.store.visits
        read_before = frozenset(
            row.url
            for row in taken_out
            if row.id in visits and visits[row.id].outcome is not Outcome.CHECKED
        )
        knows_robots = bool(self.store.robots)
        return self.random_web.crawled(
            self.settings, cancelled, read_before, knows_robots=knows_robots
        )


def test_url_stage_transitions_are_exactly_those_that_occur() -> None:
    seen: dict[CrawlState, set[CrawlState]] = {state: set() for state in CrawlState}

    stories = [
        Story(seed, ["pause", "pause now", "resume", "cancel", "close"]) for seed in range(60)
    ]
    stories.append(Story(0, []))
    for story in stories:
        story.run()
    stories[-1].run_again()
    for story in stories:
        for old, new in story.transitions:
            seen[old].add(new)
    assert seen == {state: set(moves) for state, moves in TRANSITIONS.items()}


def memory_of(capacity: int) -> EngineLimits:
    return EngineLimits(
        queued_urls=capacity,
        seen_urls=capacity,
        seen_hash_slots=capacity,
        propagated_links=min(capacity, REACH),
    )


CAPACITIES = pytest.mark.parametrize("capacity", [50_000, 8, 1])
EXAMPLES = settings(max_examples=int(os.environ.get("GOSSAMER_STORIES", "25")))
"""For each test. The long form has 10,000."""


@CAPACITIES
@EXAMPLES
@given(seed=numbers)
def test_crawl_result_is_independent_of_the_order_of_responses(capacity: int, seed: int) -> None:
    story = Story(seed, [], memory_of(capacity))
    story.run()
    assert story.end == story.expected
    answered = Counter(story.web.answered)
    assert story.most_fetched <= 1, "no URL is fetched twice"
    ends = story.end.items()
    asked = {url for url, row in ends if row.outcome.state is UrlState.DONE}
    asked |= {url for url, row in ends if row.outcome is Outcome.NO_SITEMAP}
    assert set(answered) | set(story.web.checked_well) == asked


@CAPACITIES
@EXAMPLES
@given(seed=numbers)
@example(seed=429_244)  # linked to while a sitemap is looked for in vain
def test_pausing_and_resuming_do_not_change_the_crawl_result(capacity: int, seed: int) -> None:
    story = Story(
        seed, ["pause", "pause now", "resume", "cancel", "close", "workers"], memory_of(capacity)
    )
    story.run()
    assert story.end == story.expected
    assert story.most_fetched <= 1, "no answer is thrown away"


@CAPACITIES
@EXAMPLES
@given(seed=numbers)
@example(seed=3_571_460_990_762_395_136)  # taken out between its check and its reading
def test_cancelled_urls_stay_cancelled(capacity: int, seed: int) -> None:
    deeds = ["cancel url", "cancel url", "cancel url", "pause", "pause now", "resume", "close"]
    story = Story(seed, deeds, memory_of(capacity))
    story.run()
    assert story.end == story.expected


@CAPACITIES
@EXAMPLES
@given(seed=numbers)
def test_holding_back_or_preferring_urls_does_not_change_the_crawl_result(
    capacity: int, seed: int
) -> None:
    deeds = ["hold", "hold", "hold", "release", "first", "pause", "resume", "close", "crash"]
    story = Story(seed, deeds, memory_of(capacity))
    story.run()
    assert story.end == story.expected
    assert story.most_fetched <= 1 + story.crashes, "in flight in a crash: again"


@CAPACITIES
@EXAMPLES
@given(seed=numbers)
def test_a_crash_does_not_change_the_crawl_result(capacity: int, seed: int) -> None:
    story = Story(
        seed, ["crash", "crash", "pause", "resume", "pause now", "workers"], memory_of(capacity)
    )
    story.run()
    assert story.end == story.expected
