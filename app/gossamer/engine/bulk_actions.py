"""What a person does to some URLs while the crawl runs: take out, hold back, or ask again."""

from collections.abc import Callable

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.crawl_policy import Policy
from gossamer.engine.fetch_attempt import FetchTasks
from gossamer.engine.interfaces import Store
from gossamer.engine.url_decisions import UrlDecisions
from gossamer.engine.url_stages import UrlStage
from gossamer.engine.url_tracker import UrlTracker
from gossamer.model.messages.crawl_messages import Action, UrlSelection
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.store_batch import UrlRow

_ASKED = frozenset({UrlState.DONE, UrlState.FAILED})
_TO_DO = frozenset({UrlState.QUEUED, UrlState.HELD})
_STOPPING = frozenset({Action.CANCEL, Action.HOLD})


class BulkActions:
    """Carries out acts on selections of URLs, wherever these are: in flight, in memory, on file."""

    def __init__(  # noqa: PLR0913, PLR0917 - where URLs are, and what changes them
        self,
        store: Store,
        tracker: UrlTracker,
        decisions: UrlDecisions,
        recorder: Recorder,
        policy: Policy,
        tasks: FetchTasks,
        rows_per_read: int,
    ) -> None:
        """Take the parts that know where a URL is, and how many rows to read at a time."""
        self._rows_per_read = rows_per_read
        self._store = store
        self._tracker = tracker
        self._decisions = decisions
        self._recorder = recorder
        self._policy = policy
        self._tasks = tasks
        self.stopped = False
        """Set when the crawl ends: what is not done by then is left."""
        self._by_action: dict[Action, Callable[[UrlRow], None]] = {
            Action.CANCEL: self._cancel,
            Action.RESTORE: self._restore,
            Action.RECRAWL: self._recrawl,
            Action.EXCLUDE: self._exclude,
            Action.INCLUDE: self._include,
            Action.HOLD: self._hold,
            Action.RELEASE: self._release,
            Action.FIRST: self._release,
        }

    async def do(self, selection: UrlSelection, action: Action) -> None:
        """Do it to each URL of the selection, a bounded number between two commits.

        EXCLUDE concerns those that the settings exclude by now, INCLUDE those that were excluded.
        """
        change = self._by_action[action]
        after, found = 0, True
        while found and not self.stopped:
            await self._recorder.commit()
            last_id = self._recorder.committed_id
            found = False
            while after < last_id and not self.stopped:
                rows = await self._part(selection, after, change)
                found = found or bool(rows)
                after = rows[-1].id if len(rows) == self._rows_per_read else last_id
            # Pages below it that had been answered may have led on meanwhile.
            found = found and selection.below is not None and action in _STOPPING

    async def _part(
        self, selection: UrlSelection, after: int, change: Callable[[UrlRow], None]
    ) -> list[UrlRow]:
        async with self._recorder.undisturbed:
            # What a look into the file shows holds but for what memory knows.
            rows = await self._store.selected(selection, after, self._rows_per_read)
            changing = [row.id for row in rows if self._is_changing(row)]
            if change == self._recrawl:
                changing.clear()  # it was asked just now
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
        """Whether what became of a URL stands in the next batch, not in the file yet."""
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
        """Queue what was taken out as `withdrawn`, if it is not refused for another reason."""
        entry = self._tracker.entry(row.id)
        if entry is not None:
            entry.withdrawn = None if entry.withdrawn is withdrawn else entry.withdrawn
        elif row.outcome is withdrawn and self._tracker.is_on_file(row.id):
            self._decide(row, self._policy.outcome_of(row))

    def _hold(self, row: UrlRow) -> None:
        entry = self._tracker.entry(row.id)
        if entry is not None and entry.stage is UrlStage.ANSWERED:
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
        elif self._tasks.cancel(row.id):
            entry.withdrawn = outcome
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
        if outcome.state is not UrlState.QUEUED and row.outcome.state in _ASKED:
            outcome = Outcome.PENDING_CHECK
        if outcome.state is UrlState.QUEUED:
            self._decide(row, outcome)

    def _decide(self, row: UrlRow, outcome: Outcome) -> None:
        if outcome.state is UrlState.QUEUED:
            self._decisions.queue_at_once(row, outcome)
        else:
            self._decisions.refuse(row, outcome)
        self._recorder.commit_soon()
