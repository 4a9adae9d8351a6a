"""Starts fetches while there is room, and decides what each finished attempt leads to."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.failures.failure_guard import FailureGuard
from gossamer.engine.failures.login_watch import FinalVisit, LoginWatch
from gossamer.engine.failures.url_retries import (
    PartialResponses,
    back_off_s,
    max_tries,
    retry_delay_s,
)
from gossamer.engine.fetch_attempt import Attempt, FetchTasks
from gossamer.engine.former_pages import became_of
from gossamer.engine.job_prefetch import JobPrefetch
from gossamer.engine.pause_reasons import PauseReason
from gossamer.engine.progress import ProgressView
from gossamer.engine.site_check_requests import SiteChecks
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.engine.visit_processing import ResultQueue
from gossamer.model.discovery_rank import FORMER
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Visit


class Dispatcher:
    """Takes URLs from the frontier while there is room, and passes final visits on."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a fetch begins with, and what it ends with
        self,
        memory: CrawlMemory,
        decisions: UrlOutcomes,
        recorder: Recorder,
        results: ResultQueue,
        site_checks: SiteChecks,
        tasks: FetchTasks,
        ahead: JobPrefetch,
        jitter: Callable[[], float],
        on_trouble: Callable[[PauseReason, Translatable], None],
        changed: Callable[[], None],
    ) -> None:
        """`on_trouble` gets a reason to pause and a sentence when something is wrong.

        That is when nearly everything fails, and when a login has expired. `changed` is called
        when an attempt has ended, and when a host may be requested again.
        """
        self._policy = memory.policy
        self._counters = memory.counters
        self._batch = memory.batch
        self._shard_links = memory.shard_links
        self._tracker = memory.tracker
        self._frontier = memory.frontier
        self._decisions = decisions
        self._recorder = recorder
        self._results = results
        self._site_checks = site_checks
        self._tasks = tasks
        self._ahead = ahead
        self._jitter = jitter
        self._on_trouble = on_trouble
        self._changed = changed
        self._guard = FailureGuard()
        self.login = LoginWatch(memory.policy.settings, partial(on_trouble, PauseReason.LOGIN))
        self._partials = PartialResponses()
        self._timer: asyncio.TimerHandle | None = None
        self.progress = ProgressView(memory.frontier)
        """What is in flight, for the shells."""

    def start(self, group: asyncio.TaskGroup, workers: int) -> None:
        """Start what may be fetched now, in tasks of `group`, up to `workers` at once.

        Workers that prefetch jobs get more, but run no more than `workers` at once.
        """
        self.login.go_on()
        loop = asyncio.get_running_loop()
        now = loop.time()
        next_at = None
        room = workers + self._ahead.ahead - len(self._tasks)
        while room > 0 and self._may_start():
            is_ahead = len(self._tasks) >= workers
            entry = self._frontier.take(now, self._settled_unasked, ahead=is_ahead)
            if entry is None:
                next_at = self._frontier.next_at()
                break
            self.progress.started(entry)
            self._tasks.start(group, entry, self._ended)
            room -= 1
        if self._timer is not None:
            self.stop_timer()
        if next_at is not None:
            self._timer = loop.call_at(next_at, self._changed)

    def stop_timer(self) -> None:
        """Cancel the timer for the next host that may be requested."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def page_limit_reached(self) -> bool:
        """Whether the pages fetched and in flight reach the limit."""
        limit = self._shard_links.page_limit
        if limit is None:
            limit = self._policy.settings.max_pages
        return limit is not None and self._counters.pages + self._tracker.active >= limit

    def _may_start(self) -> bool:
        return self._batch.has_room(len(self._results)) and not self.page_limit_reached

    def _settled_unasked(self, entry: FrontierEntry) -> bool:
        """Settle an entry that need not be requested after all; whether that was so."""
        if self._policy.risk_met(entry):
            self._decisions.settle(entry, Outcome.ENDS_SESSION)
            self._recorder.commit_soon()
            return True
        if refusal := self._tasks.attempts.refusal(entry):
            self._conclude(entry, self._partials.best(entry, refusal))
        return refusal is not None

    def _conclude(self, entry: FrontierEntry, visit: Visit, text: str = "") -> None:
        """Record the final result of a URL: a response, or the reason not to request it."""
        if entry.site_check is not None:
            self._site_checks.visited(entry, visit, text)
            self._recorder.commit_soon()
        elif entry.rank.depth == FORMER:
            self._decisions.settle(entry, *became_of(visit))
            self._recorder.commit_soon()
        elif visit.outcome.state is UrlState.SKIPPED:
            self._decisions.settle(entry, visit.outcome, visit.detail)
            self._recorder.commit_soon()
        elif entry.external or not self.login.watches(entry):
            self._results.put(entry, visit)
        else:
            self._put(self.login.take(entry, visit))

    def _put(self, visits: Iterable[FinalVisit]) -> None:
        for entry, visit in visits:
            if not self._is_withdrawn(entry):
                self._results.put(entry, visit)

    def release_held(self) -> None:
        """Record what was held back because it might be a login form: nothing more will come."""
        self._put(self.login.release())

    def _ended(self, entry: FrontierEntry, attempt: Attempt | None) -> None:
        """Decide what becomes of a URL whose task has ended. None: it was cancelled."""
        self.progress.ended(entry)
        is_asked = attempt is None or attempt.is_asked
        self._frontier.release(entry, is_asked=is_asked, now=asyncio.get_running_loop().time())
        if attempt is not None:
            entry.tries += attempt.counts
        if self._is_withdrawn(entry):
            pass
        elif attempt is None or attempt.visit is None:
            self._frontier.requeue(entry)
        else:
            self._visited(entry, attempt.visit, attempt.text)
        self._changed()

    def _is_withdrawn(self, entry: FrontierEntry) -> bool:
        """Whether the user withdrew an entry in flight; then it is settled so."""
        if entry.withdrawn:
            self._decisions.settle(entry, entry.withdrawn)
            self._recorder.commit_soon()
        return entry.withdrawn is not None

    def _visited(self, entry: FrontierEntry, visit: Visit, text: str) -> None:
        now, settings = asyncio.get_running_loop().time(), self._policy.settings
        self._watch(entry, visit)
        if visit.retry_after_s:
            self._frontier.back_off(entry.host, now + back_off_s(visit))
            if self._ahead.ahead:
                self._ahead.give_back(self.progress.urls_of(entry.host))
        delay_s = retry_delay_s(settings, visit, entry, self._jitter())
        best = self._partials.best(entry, visit)
        if delay_s is None:
            self._conclude(entry, best, text)
        else:
            self._partials.keep(entry, best)
            again_at = self._frontier.postpone(entry, now + delay_s)
            self.progress.will_retry(entry, visit, again_at, max_tries(settings, entry))

    def _watch(self, entry: FrontierEntry, visit: Visit) -> None:
        """Report when nearly everything fails. External URLs and site checks do not count."""
        is_ours = not entry.external and entry.site_check is None and entry.rank.depth != FORMER
        counts = is_ours and visit.outcome.state is not UrlState.SKIPPED
        if not counts:
            return
        if self._policy.settings.guard and (sentence := self._guard.note(visit)):
            self._on_trouble(PauseReason.FAILURES, sentence)
