"""What a person does to some URLs while the crawl runs: take out, hold back, or ask again."""

import asyncio
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from gossamer.engine.admission import Admission
from gossamer.engine.frontier import Frontier
from gossamer.engine.policy import Policy
from gossamer.engine.ports import Store
from gossamer.engine.recorder import Recorder
from gossamer.model.messages import Action, UrlSelection
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.page import Visit
from gossamer.model.store_batch import UrlRow

_PART = 10_000
"""URLs that are dealt with between two commits."""
_ASKED = frozenset({UrlState.DONE, UrlState.FAILED})
_TO_DO = frozenset({UrlState.QUEUED, UrlState.HELD})
_STOPPING = frozenset({Action.CANCEL, Action.HOLD})


class BulkActions:
    """Carries out acts on selections of URLs, wherever these are: in flight, in memory, on file."""

    def __init__(
        self,
        store: Store,
        admission: Admission,
        frontier: Frontier,
        recorder: Recorder,
        policy: Policy,
        tasks: Mapping[int, asyncio.Task[Visit | None]],
    ) -> None:
        """Take the parts that know where a URL is, and tasks by id."""
        self._store = store
        self._admission = admission
        self._frontier = frontier
        self._recorder = recorder
        self._policy = policy
        self._tasks = tasks
        self.stopped = False
        """Set when the crawl ends: what is not done by then is left."""

    @property
    def _deeds(self) -> dict[Action, Callable[[UrlRow], None]]:
        return {
            Action.CANCEL: self._take_out,
            Action.RESTORE: self._restore,
            Action.RECRAWL: self._ask_again,
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
        deed = self._deeds[action]
        after, found = 0, True
        while found and not self.stopped:
            await self._recorder.commit()
            last_id = self._recorder.committed_id
            found = False
            while after < last_id and not self.stopped:
                rows = await self._part(selection, after, deed)
                found = found or bool(rows)
                after = rows[-1].id if len(rows) == _PART else last_id
            # Pages below it that had been answered may have led on meanwhile.
            found = found and selection.below is not None and action in _STOPPING

    async def _part(
        self, selection: UrlSelection, after: int, deed: Callable[[UrlRow], None]
    ) -> list[UrlRow]:
        async with self._recorder.undisturbed:
            # What a look into the file shows holds but for what memory knows.
            rows = await self._store.selected(selection, after, _PART)
            changing = [row.id for row in rows if self._is_changing(row)]
            if deed == self._ask_again:
                changing.clear()  # it was asked just now
            for row in rows:
                deed(row)
        await self._recorder.commit()
        if changing:
            async with self._recorder.undisturbed:
                for row in await self._store.by_id(changing):
                    deed(row)
            await self._recorder.commit()
        return rows

    def _is_changing(self, row: UrlRow) -> bool:
        """Whether the file does not tell yet what became of a URL."""
        return self._admission.has_taken(row.id) and row.id not in self._admission.active

    def _take_out(self, row: UrlRow) -> None:
        self._withdraw(row, Outcome.CANCELLED)

    def _exclude(self, row: UrlRow) -> None:
        if self._policy.fate_of(row) is Outcome.EXCLUDED:
            self._withdraw(row, Outcome.EXCLUDED)

    def _restore(self, row: UrlRow) -> None:
        self._take_back(row, Outcome.CANCELLED)

    def _include(self, row: UrlRow) -> None:
        self._take_back(row, Outcome.EXCLUDED)

    def _take_back(self, row: UrlRow, withdrawn: Outcome) -> None:
        entry = self._admission.active.get(row.id)
        if entry is not None:
            entry.withdrawn = None if entry.withdrawn is withdrawn else entry.withdrawn
        elif row.outcome is withdrawn and not self._admission.has_taken(row.id):
            self._queue(row, self._policy.fate_of(row))

    def _hold(self, row: UrlRow) -> None:
        entry = self._admission.active.get(row.id)
        if entry is not None and row.id not in self._tasks:
            entry.holds = True  # answered: too late for itself
        elif row.outcome is not Outcome.HELD:
            self._withdraw(row, Outcome.HELD)

    def _withdraw(self, row: UrlRow, outcome: Outcome) -> None:
        task = self._tasks.get(row.id)
        if task is not None:
            self._admission.active[row.id].withdrawn = outcome
            task.cancel()
            return
        entry = self._frontier.withdraw(row.id)
        if entry is not None:
            self._admission.settle(entry, outcome)
        elif row.outcome.state in _TO_DO and not self._admission.has_taken(row.id):
            detail = self._policy.detail(row.url, outcome)
            self._admission.decided(row.id, row.outcome, outcome, detail)
        self._recorder.soon()

    def _release(self, row: UrlRow) -> None:
        entry = self._admission.active.get(row.id)
        if entry is not None:
            entry.holds = False
        self._take_back(row, Outcome.HELD)

    def _ask_again(self, row: UrlRow) -> None:
        if row.outcome.state in _TO_DO or self._admission.has_taken(row.id):
            return
        fate = self._policy.fate_of(row)
        if fate.state is not UrlState.QUEUED and row.outcome.state in _ASKED:
            fate = Outcome.PENDING_CHECK
        if fate.state is UrlState.QUEUED:
            self._queue(row, fate)

    def _queue(self, row: UrlRow, fate: Outcome) -> None:
        self._admission.decided(row.id, row.outcome, fate, self._policy.detail(row.url, fate))
        if fate.state is UrlState.QUEUED:
            self._frontier.readmitted(self._admission.entry(replace(row, outcome=fate)))
        self._recorder.soon()
