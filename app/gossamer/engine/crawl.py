"""The crawl: workers on one frontier until it is empty, with pause, cancel and a durable trail.

URLs are taken from one queue, and each is fetched in a task of its own, one redirect hop per item.
The crawl is over when the queue is empty and nothing is in flight. Decisions are made synchronously
(`_pump`); results are admitted in one place, and committed many at a time.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any

import msgspec

from gossamer.engine.admission import Admission
from gossamer.engine.attempt import FetchAttempt
from gossamer.engine.counters import Counters, Stopwatch
from gossamer.engine.delay_timer import DelayTimer
from gossamer.engine.failure_guard import FailureGuard
from gossamer.engine.frontier import Frontier
from gossamer.engine.host_queues import FrontierEntry
from gossamer.engine.network_outage import OutageWatch
from gossamer.engine.over_budget import OverBudgetUrls
from gossamer.engine.partial_answers import PartialAnswers
from gossamer.engine.pauses import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.engine.policy import Policy
from gossamer.engine.politeness import HostRate
from gossamer.engine.ports import Fetcher, RulesFor, ScopePolicy, Store
from gossamer.engine.priority_buffer import PriorityBuffer
from gossamer.engine.progress import ProgressView
from gossamer.engine.recorder import MAX_UNCOMMITTED, MAX_UNCOMMITTED_LINKS, Recorder
from gossamer.engine.result_queue import ResultQueue
from gossamer.engine.seen_urls import SeenUrls
from gossamer.engine.trap_budgets import TrapBudgets
from gossamer.engine.user_commands import UserCommands
from gossamer.model.errors import cause_of
from gossamer.model.messages import Act, Change, Progress
from gossamer.model.outcome import UrlState
from gossamer.model.page import Visit
from gossamer.model.state import LIVE, PAUSES, CrawlState, at_rest, moved
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Translatable

FRONTIER_CAPACITY = 50_000
KNOWN_CAPACITY = 100_000


class Crawl:
    """One run of the crawl of one project. The methods answer to the person while `run` runs."""

    def __init__(  # noqa: PLR0913 - the engine's ports, each once
        self,
        summary: ProjectSummary,
        store: Store,
        fetcher: Fetcher,
        rules_for: RulesFor,
        scope: ScopePolicy,
        *,
        workers: int | None = None,
        pauses: Pauses | None = None,
        on_state: Callable[[CrawlState], None] = lambda _: None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """Take the project as it stands and the ports. `on_state` is told of each new state."""
        self._workers = workers or summary.settings.workers
        self._fetcher = fetcher
        self._jitter = jitter
        self._on_state = on_state
        self._policy = Policy(summary.settings, scope)
        self._counters = Counters(summary)
        self._frontier = Frontier(FRONTIER_CAPACITY, HostRate.of(summary.settings))
        self._frontier.restore(summary.last_id)
        self._known = SeenUrls(KNOWN_CAPACITY, complete=summary.last_id == 0)
        traps = TrapBudgets(summary.settings.max_similar)
        parts = (self._policy, traps, self._known, self._frontier, self._counters)
        self._admission = Admission(*parts, summary.last_id)
        self._guard = FailureGuard()
        self._pauses = pauses or Pauses()
        urls = (store, self._admission, self._frontier)
        self._preferences = PriorityBuffer(*urls, summary.settings.turns)
        self._recorder = Recorder(*urls, self._preferences, lambda: self._stopwatch.seconds)
        self._left_out = OverBudgetUrls(store, self._admission, self._recorder, traps)
        self._intake = ResultQueue(*urls, self._known, self._policy, self._recorder, self._left_out)
        self._asker = FetchAttempt(
            fetcher, rules_for, summary.settings, self._intake.learnt_rules, self._frontier.back_off
        )
        self._network = OutageWatch(
            self._asker.ask,
            fetcher.fetch_text,
            lambda: len(self._tasks),
            self._network_lost,
            lambda: self._policy.settings.guard,
        )
        self._state = at_rest(summary.state)
        self._stopwatch = Stopwatch(summary.seconds)
        self._group: asyncio.TaskGroup | None = None
        self._tasks: dict[int, asyncio.Task[Visit | None]] = {}
        self._showing = ProgressView(self._frontier)
        self._partials = PartialAnswers()
        changed = (self._preferences, self._left_out)
        self._acts = UserCommands(
            *urls, self._policy, self._recorder, *changed, fetcher, self._tasks
        )
        self._wake = DelayTimer(self._pump)
        self._dropping = 0
        self._over = asyncio.Event()
        self._ended = asyncio.Event()

    async def apply(self, acts: Iterable[Act | Change]) -> None:
        """Do `acts` to a project that is not to be crawled now; its state stays as it is."""
        for act in acts:
            await self._acts.act(act)
        await self._recorder.commit_all()

    async def run(self, acts: Iterable[Act | Change] = ()) -> CrawlState:
        """Do `acts`, then crawl until nothing is queued, or cancelled or closed; the state then.

        Raises ProjectError when the project file cannot be read or written any more. When this
        returns or raises, nothing is in flight and no task is left.
        """
        self._move(CrawlState.RUNNING)
        try:
            await self._intake.seed()
            for act in acts:
                await self._acts.act(act)
            async with asyncio.TaskGroup() as group:
                self._group = group
                recording = self._recorder.run(self._over.is_set, self._pump)
                group.create_task(self._essential(recording), name="recorder")
                self._pump()
                await self._essential(self._intake.run(self._over.is_set, self._pump))
            await self._intake.admit_all()
            await self._recorder.commit_all()
        except BaseExceptionGroup as group:
            raise cause_of(group) from group
        finally:
            self._group = None
            self._wake.at(None)
            self._ended.set()
        return self._state

    def pause(
        self, reason: PauseReason = PauseReason.USER, sentence: Translatable | None = None
    ) -> None:
        """Start no new fetch; when those in flight have finished, the crawl is paused."""
        if self._add_pause(reason, sentence):
            self._pump()

    async def pause_now(self) -> None:
        """Cancel what is in flight back into the frontier; on return no connection is open."""
        if self._add_pause(PauseReason.USER):
            await self.fetch_anew()

    def end_pause(self, *reasons: PauseReason) -> None:
        """Go on, unless there is another reason to pause."""
        self._pauses.remove(*reasons)
        if not self._pauses and self._state in PAUSES:
            self._network.give_up()
            self._move(CrawlState.RUNNING)
            self._pump()

    def resume(self) -> None:
        """Go on at the user's word, unless the disk does not let us."""
        self._network.give_up()
        self.end_pause(*ENDED_BY_RESUME)

    async def cancel(self) -> None:
        """End the crawl. On return no connection is open and everything is committed."""
        if self._state in LIVE and self._state is not CrawlState.CANCELLING:
            self._pauses.clear()
            self._move(CrawlState.CANCELLING)
            await self._stop_fetching()
            self._end(CrawlState.CANCELLED)
        await self._ended.wait()

    async def close(self) -> None:
        """Pause now and end the run; the project can be resumed."""
        await self.pause_now()
        if self._state in PAUSES:
            self._end(CrawlState.PAUSED)
        await self._ended.wait()

    def set_workers(self, workers: int) -> None:
        """Change how many URLs may be in flight at once."""
        self._workers = workers
        self._pump()

    async def act(self, act: Act | Change) -> bool:
        """Whether the act or change was carried out before the crawl was over."""
        if self._over.is_set():
            return False
        await self._acts.act(act)
        self._pump()
        return not self._over.is_set()

    @property
    def state(self) -> CrawlState:
        """Where the crawl stands."""
        return self._state

    @property
    def revision(self) -> int:
        """Rises with every commit."""
        return self._recorder.revision

    def progress(self) -> Progress:
        """Everything the shells show while the crawl runs."""
        return msgspec.structs.replace(
            self._counters.progress(self._state, self._stopwatch.seconds),
            revision=self._recorder.revision,
            workers=self._workers,
            active=len(self._tasks),
            notice=self._pauses.sentence,
            waits=self._pauses.end_by_themselves,
            in_flight=self._showing.in_flight(),
            hosts=self._showing.hosts(asyncio.get_running_loop().time()),
            retry=None if self._counters.statuses else self._showing.retry(),
        )

    # ---------------------------------------------------------------- decisions

    def _pump(self) -> None:
        """Do whatever the state allows now. Called after everything that may change it."""
        if self._group is None or self._dropping or self._over.is_set():
            return
        if self._state is CrawlState.RUNNING:
            self._start_fetches()
        if not self._admission.active:
            self._rest()

    def _start_fetches(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._may_start():
            if (entry := self._frontier.take(now, self._settled_by_robots)) is None:
                break
            self._start(entry)
        self._wake.at(self._frontier.next_at() if self._may_start() else None)
        self._read_more()

    def _may_start(self) -> bool:
        waiting = len(self._admission.batch.visits) + len(self._intake)
        return (
            len(self._tasks) < self._workers
            and waiting < MAX_UNCOMMITTED
            and self._admission.weight < MAX_UNCOMMITTED_LINKS
            and not self._page_limit_reached()
        )

    def _page_limit_reached(self) -> bool:
        limit = self._policy.settings.max_pages
        return limit is not None and self._counters.pages + len(self._admission.active) >= limit

    def _rest(self) -> None:
        """Nothing is in flight: see whether the crawl is over, or paused."""
        if self._state is CrawlState.PAUSING:
            self._move(CrawlState.PAUSED)
        if self._admission.batch or (self._frontier.wants_hosts and not len(self._frontier)):
            self._recorder.now()
        self._read_more()
        if self._state is not CrawlState.RUNNING or self._acts.busy or not self._recorder.idle:
            return
        exhausted = not (len(self._frontier) or self._frontier.spilled or len(self._intake))
        if exhausted and self._group and self._left_out.begins():
            reopening = self._essential(self._left_out.reopen(self._pump))
            self._group.create_task(reopening, name="what was left out")
        elif exhausted or self._page_limit_reached():
            self._end(CrawlState.FINISHED)

    def _read_more(self) -> None:
        if self._frontier.runs_low:
            self._recorder.now()
        elif self._frontier.wants_hosts or self._preferences.wanted:
            self._recorder.soon()

    def _add_pause(self, reason: PauseReason, sentence: Translatable | None = None) -> bool:
        """Whether the crawl could be paused: it was neither over nor about to be."""
        if reason is PauseReason.USER:
            self._network.give_up()  # a user who pauses wants no requests
        if self._state is not CrawlState.RUNNING and self._state not in PAUSES:
            return False
        self._pauses.add(reason, sentence)
        if self._state is CrawlState.RUNNING:
            self._move(CrawlState.PAUSING)
        return True

    def _network_lost(self, notice: Translatable) -> None:
        if self._state is CrawlState.RUNNING and self._group is not None:
            go_on = partial(self.end_pause, PauseReason.NETWORK)
            self._network.wait(self._group, self.fetch_anew, go_on)
            self._add_pause(PauseReason.NETWORK, notice)

    async def fetch_anew(self) -> None:
        """Have all that is in flight asked again, over new connections: the old ones are dead."""
        await self._stop_fetching()
        self._pump()

    def _end(self, state: CrawlState) -> None:
        self._network.give_up()
        if self._state is not state:
            self._move(state)
        self._over.set()
        self._acts.stop()
        self._intake.wake()
        self._recorder.now()

    def _move(self, state: CrawlState) -> None:
        self._state = moved(self._state, state)
        self._stopwatch.run(running=state in {CrawlState.RUNNING, CrawlState.PAUSING})
        self._admission.batch.state = state
        self._recorder.now()
        self._on_state(state)

    def _settled_by_robots(self, entry: FrontierEntry) -> bool:
        if refusal := self._asker.refusal(entry.url):
            self._conclude(entry, self._partials.best(entry, refusal))
        return refusal is not None

    def _conclude(self, entry: FrontierEntry, visit: Visit) -> None:
        """Take what came of a URL for good: an answer, or that it is not to be asked."""
        if visit.outcome.state is not UrlState.SKIPPED:
            self._intake.answered(entry, visit)
            return
        self._admission.active.pop(entry.id, None)
        self._admission.decided(entry.id, entry.outcome, visit.outcome, visit.detail)
        self._recorder.soon()

    # ---------------------------------------------------------------- fetching

    def _start(self, entry: FrontierEntry) -> None:
        if self._group is None:
            return
        self._admission.active[entry.id] = entry
        self._showing.began(entry)
        task = self._group.create_task(self._network.ask(entry), name=entry.url)
        self._tasks[entry.id] = task
        # A callback, because a task that is cancelled before its first step never runs.
        task.add_done_callback(partial(self._asked, entry))

    def _asked(self, entry: FrontierEntry, task: asyncio.Task[Visit | None]) -> None:
        """Decide what becomes of a task that ended: cancelled, to be tried again, or arrived."""
        del self._tasks[entry.id]
        self._showing.ended(entry)
        self._frontier.released(entry)
        visit = None if task.cancelled() or entry.withdrawn else task.result()
        if visit is None:
            self._put_back(entry)
        else:
            self._answered(entry, visit)
        self._pump()

    def _answered(self, entry: FrontierEntry, visit: Visit) -> None:
        now = asyncio.get_running_loop().time()
        self._watch(entry, visit)
        self._frontier.back_off(entry.host, now + self._policy.back_off_s(visit))
        delay_s = self._policy.retry_delay_s(visit, entry, self._jitter())
        best = self._partials.best(entry, visit)
        if delay_s is None:
            self._conclude(entry, best)
        else:
            del self._admission.active[entry.id]
            self._partials.keep(entry, best)
            again_at = self._frontier.postpone(entry, now + delay_s)
            self._showing.asks_again(entry, visit, again_at, self._policy.max_tries(entry))

    def _watch(self, entry: FrontierEntry, visit: Visit) -> None:
        """Pause when nearly everything fails. What is not ours to crawl does not count."""
        counts = not (entry.external or visit.outcome.state is UrlState.SKIPPED)
        sentence = self._guard.note(visit) if counts and self._policy.settings.guard else None
        if sentence and self._state is CrawlState.RUNNING:
            self._add_pause(PauseReason.FAILURES, sentence)

    def _put_back(self, entry: FrontierEntry) -> None:
        del self._admission.active[entry.id]
        if entry.withdrawn:
            self._admission.settle(entry, entry.withdrawn)
            self._recorder.soon()
        else:
            self._frontier.requeue(entry)

    async def _stop_fetching(self) -> None:
        """Cancel every fetch; on return no connection is open."""
        self._dropping += 1  # no state is told before it is true
        try:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)
            await self._fetcher.drop()
        finally:
            self._dropping -= 1

    async def _essential(self, work: Coroutine[Any, Any, None]) -> None:
        """Do `work`, without which the crawl cannot go on: when it fails, nothing is started."""
        try:
            await work
        except BaseException:
            self._group = None
            raise
