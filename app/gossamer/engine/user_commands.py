"""Executes user commands on a running crawl: bulk actions and changed settings."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.fetch_attempt import FetchTasks
from gossamer.engine.interfaces import Fetcher, Store
from gossamer.engine.over_budget_urls import OverBudgetUrls
from gossamer.engine.queue.host_queues import HostRate
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.engine.url_tracker import UrlStage
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    BulkActionKind,
    ChangeSettings,
    UrlSelection,
)
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import UrlRow
from gossamer.urls.url_filters import settings_after

_ASKED = frozenset({UrlState.DONE, UrlState.FAILED})
_TO_DO = frozenset({UrlState.QUEUED, UrlState.HELD})
_STOPPING = frozenset({BulkActionKind.CANCEL, BulkActionKind.HOLD})


class BulkActionExecutor:
    """Executes bulk actions on URLs, whether in flight, in memory or in the file."""

    def __init__(
        self,
        store: Store,
        memory: CrawlMemory,
        decisions: UrlOutcomes,
        recorder: Recorder,
        tasks: FetchTasks,
        rows_per_read: int,
    ) -> None:
        """`rows_per_read` rows are read at a time."""
        self._rows_per_read = rows_per_read
        self._store = store
        self._tracker = memory.tracker
        self._policy = memory.policy
        self._decisions = decisions
        self._recorder = recorder
        self._tasks = tasks
        self.stopped = False
        """Set when the crawl ends: what is not done by then is left."""
        self._by_kind: dict[BulkActionKind, Callable[[UrlRow], None]] = {
            BulkActionKind.CANCEL: self._cancel,
            BulkActionKind.RESTORE: self._restore,
            BulkActionKind.RECRAWL: self._recrawl,
            BulkActionKind.EXCLUDE: self._exclude,
            BulkActionKind.INCLUDE: self._include,
            BulkActionKind.HOLD: self._hold,
            BulkActionKind.RELEASE: self._release,
            BulkActionKind.FIRST: self._release,
        }

    async def perform(self, kind: BulkActionKind, selection: UrlSelection) -> None:
        """Perform the action on each URL of the selection, a bounded number between two commits.

        EXCLUDE applies to URLs that the settings exclude by now, INCLUDE to those that were
        excluded.
        """
        change = self._by_kind[kind]
        after, found = 0, True
        while found and not self.stopped:
            await self._recorder.commit()
            last_id = self._recorder.committed_id
            found = False
            while after < last_id and not self.stopped:
                rows = await self._part(selection, after, change)
                found = found or bool(rows)
                after = rows[-1].id if len(rows) == self._rows_per_read else last_id
            # Pages below it that were fetched before may have led on meanwhile.
            found = found and selection.below is not None and kind in _STOPPING

    async def _part(
        self, selection: UrlSelection, after: int, change: Callable[[UrlRow], None]
    ) -> list[UrlRow]:
        async with self._recorder.undisturbed:
            # What the file shows holds except for what memory knows.
            rows = await self._store.selected(selection, after, self._rows_per_read)
            changing = [row.id for row in rows if self._is_changing(row)]
            if change == self._recrawl:
                changing.clear()  # it was fetched just now
            for row in rows:
                change(row)
        await self._recorder.commit()
        if changing:
            async with self._recorder.undisturbed:
                for row in await self._store.by_id(changing):
                    change(row)
            await self._recorder.commit()
        return rows

    def _is_changing(self, row: UrlRow) -> bool:
        """Whether the outcome of a URL is in the next batch, not in the file yet."""
        return self._tracker.stage(row.id) in {UrlStage.DECIDED, UrlStage.VISITED}

    def _cancel(self, row: UrlRow) -> None:
        self._withdraw(row, Outcome.CANCELLED)

    def _exclude(self, row: UrlRow) -> None:
        if self._policy.outcome_of(row) is Outcome.EXCLUDED:
            self._withdraw(row, Outcome.EXCLUDED)

    def _restore(self, row: UrlRow) -> None:
        self._readmit(row, Outcome.CANCELLED)

    def _include(self, row: UrlRow) -> None:
        self._readmit(row, Outcome.EXCLUDED)

    def _readmit(self, row: UrlRow, withdrawn: Outcome) -> None:
        """Queue a URL that was withdrawn, if it is not refused for another reason."""
        entry = self._tracker.entry(row.id)
        if entry is not None:
            entry.withdrawn = None if entry.withdrawn is withdrawn else entry.withdrawn
        elif row.outcome is withdrawn and self._tracker.is_on_file(row.id):
            self._decide(row, self._policy.outcome_of(row))

    def _hold(self, row: UrlRow) -> None:
        entry = self._tracker.entry(row.id)
        if entry is not None and entry.stage is UrlStage.FETCHED:
            entry.holds_links = True  # too late for itself
        elif row.outcome is not Outcome.HELD:
            self._withdraw(row, Outcome.HELD)

    def _withdraw(self, row: UrlRow, outcome: Outcome) -> None:
        entry = self._tracker.entry(row.id)
        if entry is None:
            if row.outcome.state in _TO_DO and self._tracker.is_on_file(row.id):
                self._decisions.refuse(row, outcome)
        elif entry.is_queued:
            self._decisions.withdraw(entry, outcome)
        elif entry.stage is UrlStage.IN_FLIGHT:
            entry.withdrawn = outcome
            self._tasks.cancel(row.id)  # unless its response is held back, for the sake of a login
            return
        self._recorder.commit_soon()

    def _release(self, row: UrlRow) -> None:
        entry = self._tracker.entry(row.id)
        if entry is not None:
            entry.holds_links = False
        self._readmit(row, Outcome.HELD)

    def _recrawl(self, row: UrlRow) -> None:
        if row.outcome.state in _TO_DO or not self._tracker.is_on_file(row.id):
            return
        outcome = self._policy.outcome_of(row)
        if outcome is Outcome.ENDS_SESSION:
            return  # it was requested before there was a login
        if outcome.state is not UrlState.QUEUED and row.outcome.state in _ASKED:
            outcome = Outcome.PENDING_CHECK
        if outcome.state is UrlState.QUEUED:
            self._decisions.queue_at_once(row, outcome, asked_again=True)
            self._recorder.commit_soon()

    def _decide(self, row: UrlRow, outcome: Outcome) -> None:
        if outcome.state is UrlState.QUEUED:
            self._decisions.queue_at_once(row, outcome)
        else:
            self._decisions.refuse(row, outcome)
        self._recorder.commit_soon()


_OF_FOLDERS = frozenset({BulkActionKind.EXCLUDE, BulkActionKind.INCLUDE})


class UserCommands:
    """Executes user commands in order; changed settings are saved with the next commit."""

    def __init__(
        self,
        memory: CrawlMemory,
        recorder: Recorder,
        refill: QueueRefill,
        left_out: OverBudgetUrls,
        fetcher: Fetcher,
        bulk: BulkActionExecutor,
    ) -> None:
        """The arguments are the parts that the user's commands concern."""
        self._batch = memory.batch
        self._frontier = memory.frontier
        self._policy = memory.policy
        self._recorder = recorder
        self._refill = refill
        self._left_out = left_out
        self._fetcher = fetcher
        self._bulk = bulk
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def busy(self) -> bool:
        """Whether a command is being carried out."""
        return self._waiting > 0 or self._left_out.busy

    def stop(self) -> None:
        """Leave the rest undone: the crawl ends."""
        self._bulk.stopped = self._left_out.stopped = True

    async def perform(self, action: BulkAction | ChangeSettings) -> None:
        """Perform an action. Returns once its decisions are committed."""
        self._waiting += 1
        try:
            async with self._turn:
                await (
                    self._change(action)
                    if isinstance(action, ChangeSettings)
                    else self._perform(action)
                )
        finally:
            self._waiting -= 1

    async def _perform(self, action: BulkAction) -> None:
        kind, selection = action.kind, action.selection
        if kind in _OF_FOLDERS and not selection.folder:
            return
        self._go_on_by(settings_after(self._policy.settings, action))
        await self._bulk.perform(kind, selection)
        if kind is BulkActionKind.FIRST:
            self._refill.prefer(selection)
            self._recorder.commit_now()

    async def _change(self, change: ChangeSettings) -> None:
        before = self._policy.settings
        # Folders that were acted on are known here first.
        exclude = dict.fromkeys((*before.exclude, *change.settings.exclude))
        settings = replace(change.settings, turns=before.turns, exclude=tuple(exclude))
        self._go_on_by(settings)
        self._frontier.set_pace(HostRate.of(settings))
        self._fetcher.change_settings(settings)
        await self._recorder.commit()
        if settings.exclude != before.exclude:
            await self._bulk.perform(BulkActionKind.EXCLUDE, UrlSelection())
        if settings.max_depth != before.max_depth:
            await self._recorder.reconsider(frozenset({Outcome.TOO_DEEP, Outcome.CHECKED}))
        await self._left_out.change(settings.max_similar)

    def _go_on_by(self, settings: CrawlSettings) -> None:
        if settings != self._policy.settings:
            self._policy.change(settings)
            self._batch.set_settings(settings)
