"""Runs a crawl: fetches until the frontier is empty; can be paused, cancelled and resumed.

URLs are taken from one queue, and each is fetched in a task of its own, one redirect hop per item.
The crawl is over when the queue is empty and nothing is in flight. Decisions are made synchronously
(`_changed`); results are admitted in one place, and committed many at a time.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final

import msgspec

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_delay_and_sitemaps import OtherRobotsRecords
from gossamer.engine.crawl_memory import CrawlMemory, EngineLimits
from gossamer.engine.crawl_paths import CrawlPaths
from gossamer.engine.dispatcher import Dispatcher
from gossamer.engine.failures.network_outage import OutageWatch
from gossamer.engine.fetch_attempt import AttemptRunner, FetchTasks
from gossamer.engine.former_pages import FormerPages
from gossamer.engine.interfaces import (
    Fetcher,
    PageList,
    PreviousCrawl,
    RulesFor,
    ScopePolicy,
    Store,
)
from gossamer.engine.job_prefetch import NO_JOB_PREFETCH, JobPrefetch
from gossamer.engine.over_budget_urls import OverBudgetUrls
from gossamer.engine.pause_reasons import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.engine.progress import Stopwatch
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.recording_text_fetcher import RecordingTextFetcher
from gossamer.engine.revisits import Revisits
from gossamer.engine.robots_cache import RobotsCache
from gossamer.engine.site_check_requests import SiteChecks
from gossamer.engine.sitemap_dates import SitemapDates
from gossamer.engine.url_outcomes import Reconsideration, UrlOutcomes
from gossamer.engine.user_commands import BulkActionExecutor, UserCommands
from gossamer.engine.visit_processing import Admission, ResultQueue
from gossamer.model.crawl_state import LIVE, PAUSES, CrawlState, at_rest, moved
from gossamer.model.discovery_rank import JUST_ARCHIVED, JUST_FORMER
from gossamer.model.errors import cause_of
from gossamer.model.messages.crawl_messages import BulkAction, ChangeSettings, Progress
from gossamer.model.messages.shard_messages import GrantPages, LinkBatch, ShardReport
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Translatable


class Crawl:
    """One run of a project's crawl. Its methods may be called while `run` is running."""

    def __init__(  # noqa: PLR0913 - the engine's ports and parts, each once
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
        limits: EngineLimits | None = None,
        previous: PreviousCrawl | None = None,
        archive: PageList | None = None,
        ahead: JobPrefetch = NO_JOB_PREFETCH,
    ) -> None:
        """Continue the project from `summary`; `on_state` is called with each new state.

        `ahead` is the prefetch of distant workers. A recrawl has a `previous` crawl, which knows
        the site already; a crawl from an `archive` reads all pages of that.
        """
        settings, limits = summary.settings, limits or EngineLimits()
        self._workers, self._ahead = workers or settings.workers, ahead
        self._on_state = on_state
        self._state = at_rest(summary.state)
        self._pauses = Pauses() if pauses is None else pauses
        self._group: asyncio.TaskGroup | None = None
        self._over, self._ended = asyncio.Event(), asyncio.Event()

        memory = CrawlMemory.of(summary, scope, limits)
        self._counters, self._batch = memory.counters, memory.batch
        self.shard_links: Final = memory.shard_links
        self._tracker, self._frontier = memory.tracker, memory.frontier
        self._stopwatch = Stopwatch(summary.seconds)
        decisions = UrlOutcomes(memory)
        reconsideration = Reconsideration(memory, decisions)
        self._refill = QueueRefill(store, memory, decisions)
        self._recorder = recorder = Recorder(
            store,
            fetcher,
            memory,
            self._refill,
            reconsideration,
            self._stopwatch,
            propagated_links=limits.propagated_links,
        )
        self._left_out = OverBudgetUrls(
            store, memory.batch, reconsideration, recorder, memory.traps, limits.rows_per_read
        )
        self._former = FormerPages(
            *(archive or previous, store, memory, decisions, recorder, summary.base_position),
            *(limits.rows_per_read, JUST_ARCHIVED if archive else JUST_FORMER),
        )
        self._site_checks = SiteChecks(memory, summary.site_checks)
        admission = Admission(memory, decisions, reconsideration, self._site_checks)
        dates = revisits = None
        if previous is not None:
            dates = SitemapDates(previous, memory, self._refill, is_resumed=summary.last_id > 0)
            revisits = Revisits(fetcher, previous, memory.policy, dates)
        self._results = ResultQueue(store, memory, admission, recorder, self._left_out, dates)

        self._network = OutageWatch(
            fetcher.fetch_text, lambda: len(self._tasks), self._network_lost
        )
        robots = RobotsCache(
            *(RecordingTextFetcher(revisits or fetcher, memory.batch), rules_for),
            *(settings.user_agent, OtherRobotsRecords(memory, recorder, self._results).apply),
            *(limits.robots_origins, memory.policy.root_origins),
        )
        attempts = AttemptRunner(
            fetcher,
            robots if settings.obey_robots else None,
            memory.policy,
            self._network,
            memory.frontier.back_off,
            revisits,
            CrawlPaths(store) if settings.archive else None,
        )
        self._tasks = FetchTasks(fetcher, attempts)
        self._dispatcher = Dispatcher(
            *(memory, decisions, recorder, self._results, self._site_checks, self._tasks),
            *(self._ahead, jitter, self._pause_for_trouble, self._changed),
        )
        bulk = BulkActionExecutor(
            store, memory, decisions, recorder, self._tasks, limits.rows_per_read
        )
        self._commands = UserCommands(memory, recorder, self._refill, self._left_out, fetcher, bulk)

    async def apply(self, actions: Iterable[BulkAction | ChangeSettings]) -> None:
        """Perform `actions` on a project without crawling it; its state stays as it is."""
        for action in actions:
            await self._commands.perform(action)
        await self._recorder.commit_all()

    async def run(self, actions: Iterable[BulkAction | ChangeSettings] = ()) -> CrawlState:
        """Perform `actions`, then crawl until done, cancelled or closed. Returns the final state.

        Raises ProjectError when the project file can no longer be read or written. On return or
        error, nothing is in flight and no task is left.
        """
        self._ahead.set_workers(self._workers)
        self._move(CrawlState.RUNNING)
        try:
            await self._results.seed()
            self._site_checks.resume()
            for action in actions:
                await self._commands.perform(action)
            async with asyncio.TaskGroup() as group:
                self._group = group
                recording = self._recorder.run(self._over.is_set, self._changed)
                group.create_task(self._essential(recording), name="recorder")
                self._changed()
                await self._essential(self._results.run(self._over.is_set, self._changed))
            await self._results.admit_all()
            await self._recorder.commit_all()
        except BaseExceptionGroup as group:
            raise cause_of(group) from group
        finally:
            self._group = None
            self._dispatcher.stop_timer()
            self._ended.set()
        return self._state

    def pause(
        self, reason: PauseReason = PauseReason.USER, sentence: Translatable | None = None
    ) -> None:
        """Start no new fetch; the crawl is paused once those in flight have finished."""
        if self._add_pause(reason, sentence):
            if reason is PauseReason.NODES:  # nobody is there who could finish it
                self._tasks.cancel_all()
            self._changed()

    async def pause_now(self) -> None:
        """Return what is in flight to the frontier; no connection is open afterwards."""
        if self._add_pause(PauseReason.USER):
            await self.refetch_in_flight()

    def end_pause(self, *reasons: PauseReason) -> None:
        """Resume, unless there is another reason to pause."""
        self._pauses.remove(*reasons)
        if not self._pauses.any and self._state in PAUSES:
            self._network.stop_waiting()
            self._move(CrawlState.RUNNING)
            self._changed()

    def resume(self) -> None:
        """Resume at the user's request, unless the disk prevents it."""
        self._network.stop_waiting()
        self.end_pause(*ENDED_BY_RESUME)

    async def cancel(self) -> None:
        """End the crawl. On return no connection is open and everything is committed."""
        if self._state in LIVE and self._state is not CrawlState.CANCELLING:
            self._pauses.clear()
            self._move(CrawlState.CANCELLING)
            await self._tasks.stop()
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
        self._ahead.set_workers(workers)
        self._changed()

    async def perform(self, action: BulkAction | ChangeSettings) -> bool:
        """Perform an action; returns whether that was done before the crawl was over."""
        if self._over.is_set():
            return False
        await self._commands.perform(action)
        self._changed()
        return not self._over.is_set()

    def take_links(self, links: LinkBatch) -> None:
        """Accept links from another shard of the crawl, unless the crawl is over."""
        self.shard_links.is_idle = False
        self._results.put_links(links)

    def acknowledge(self, shard: int, number: int) -> None:
        """Note that another shard has committed everything numbered up to `number`."""
        self.shard_links.acknowledge(shard, number)
        self._recorder.commit_soon()

    def finish(self) -> None:
        """End when nothing is left to do: no other shard has links for this one any more."""
        self.shard_links.may_finish = True
        self._changed()

    def grant_pages(self, grant: GrantPages) -> None:
        """Limit the pages fetched in all; what is in flight is not taken back."""
        self.shard_links.grant_pages(grant, self._counters.pages + self._tracker.active)
        self._changed()

    def shard_report(self, run: int) -> ShardReport:
        """What was exchanged with the other shards, and whether nothing is left to do here."""
        is_idle = self.shard_links.is_idle and self._recorder.idle
        pages, is_exhausted = self._counters.pages, self._is_exhausted
        return self.shard_links.report(run, pages, is_idle=is_idle, is_exhausted=is_exhausted)

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
            active=min(len(self._tasks), self._workers),
            notice=self._pauses.sentence,
            login_url=self._dispatcher.login.url,
            waits=self._pauses.end_by_themselves,
            in_flight=self._dispatcher.progress.in_flight(),
            hosts=self._dispatcher.progress.hosts(asyncio.get_running_loop().time()),
            retry=None if self._counters.statuses else self._dispatcher.progress.retry(),
        )

    # ---------------------------------------------------------------- decisions

    def _changed(self) -> None:
        """Do whatever is possible now. Called after every change that may allow more."""
        self.shard_links.is_idle = False
        if self._group is None or self._tasks.stopping or self._over.is_set():
            return
        if self._state is CrawlState.RUNNING:
            self._dispatcher.start(self._group, self._workers)
            self._read_more()
        is_at_work = self._state is CrawlState.RUNNING and not self._is_fetching_done
        if not (len(self._tasks) or is_at_work):
            self._dispatcher.release_held()
        if not self._tracker.active:
            self._rest()

    def _rest(self) -> None:
        """With nothing in flight, decide whether the crawl is over or paused."""
        if self._state is CrawlState.PAUSING:
            self._move(CrawlState.PAUSED)
        if self._batch or (self._frontier.wants_hosts and not len(self._frontier)):
            self._recorder.commit_now()
        self._read_more()
        if self._state is not CrawlState.RUNNING or self._commands.busy or not self._recorder.idle:
            return
        exhausted = self._is_exhausted
        if exhausted and self._group and self._left_out.begin():
            reopening = self._essential(self._left_out.reopen(self._changed))
            self._group.create_task(reopening, name="what was left out")
        elif exhausted and self._group and self._begins_former_pages():
            asking = self._essential(self._former.queue(self._changed))
            self._group.create_task(asking, name="former pages")
        elif self._is_fetching_done and not self._former.busy:
            self.shard_links.is_idle = True
            if self.shard_links.may_finish:
                self._end(CrawlState.FINISHED)

    def _begins_former_pages(self) -> bool:
        """Whether former pages are queued now: everything else was done without being cut short.

        If no page was read, because the server is down for example, its links are unknown.
        """
        is_in_vain = not self._counters.pages and not self._former.are_archived
        is_cut_short = self._dispatcher.page_limit_reached or is_in_vain
        return not (is_cut_short or self._former.busy) and self._former.begin()

    @property
    def _is_exhausted(self) -> bool:
        return not (len(self._frontier) or self._frontier.spilled or len(self._results))

    @property
    def _is_fetching_done(self) -> bool:
        return self._is_exhausted or self._dispatcher.page_limit_reached

    def _read_more(self) -> None:
        if self._frontier.runs_low:
            self._recorder.commit_now()
        elif self._frontier.wants_hosts or self._refill.wants_preferred:
            self._recorder.commit_soon()

    def _add_pause(self, reason: PauseReason, sentence: Translatable | None = None) -> bool:
        """Pause for `reason`; False if the crawl is over or about to be."""
        if reason is PauseReason.USER:
            self._network.stop_waiting()  # a user who pauses wants no requests
        if self._state is not CrawlState.RUNNING and self._state not in PAUSES:
            return False
        self._pauses.add(reason, sentence)
        if self._state is CrawlState.RUNNING:
            self._move(CrawlState.PAUSING)
            self._ahead.give_back()
        return True

    def _network_lost(self, notice: Translatable) -> None:
        if self._state is CrawlState.RUNNING and self._group is not None:
            go_on = partial(self.end_pause, PauseReason.NETWORK)
            self._network.wait(self._group, self.refetch_in_flight, go_on)
            self._add_pause(PauseReason.NETWORK, notice)

    def _pause_for_trouble(self, reason: PauseReason, sentence: Translatable) -> None:
        # A login that expires while the user pauses has to be reported too.
        if self._state is CrawlState.RUNNING or reason is PauseReason.LOGIN:
            self._add_pause(reason, sentence)

    async def refetch_in_flight(self) -> None:
        """Fetch everything in flight again, over new connections: the old ones are dead."""
        await self._tasks.stop()
        self._changed()

    def _end(self, state: CrawlState) -> None:
        self._network.stop_waiting()
        if self._state is not state:
            self._move(state)
        self._over.set()
        self._commands.stop()
        self._former.stopped = True
        self._results.wake()
        self._recorder.commit_now()

    def _move(self, state: CrawlState) -> None:
        self._state = moved(self._state, state)
        self._stopwatch.run(running=state in {CrawlState.RUNNING, CrawlState.PAUSING})
        self._batch.set_state(state)
        self._recorder.commit_now()
        self._on_state(state)

    async def _essential(self, work: Coroutine[Any, Any, None]) -> None:
        """Do `work`, which the crawl cannot do without: if it fails, nothing more is started."""
        try:
            await work
        except BaseException:
            self._group = None
            raise
