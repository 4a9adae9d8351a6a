"""Batches on their way to the project file, and queued URLs on their way back."""

import asyncio
from collections.abc import Callable, Collection

from gossamer.engine.counters import Stopwatch
from gossamer.engine.interfaces import Store
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.priority_buffer import PriorityBuffer
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.queue_window import Wanted
from gossamer.engine.requeueing import Reconsideration
from gossamer.engine.traps.trap_budgets import TrapBudgets
from gossamer.engine.url_decisions import UrlDecisions
from gossamer.engine.url_tracker import FrontierEntry, UrlTracker
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import UrlRow

COMMIT_EVERY_S = 0.15
"""While little is queued: the first pages are seen soon, and what the last ones leave to be written
when nothing is fetched any more is little."""
RARELY_S = 0.4
"""While much is queued. Each commit writes the same pages of the file again, those that nearly
every page of a site changes: half as many commits write a third less."""
_MUCH = 500
"""URLs that wait in memory."""
_LOAD = 20_000


class Recorder:
    """Commits what admission gathers, a few times a second, and refills the frontier."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is committed, and what is read
        self,
        store: Store,
        batch: PendingBatch,
        tracker: UrlTracker,
        frontier: Frontier,
        decisions: UrlDecisions,
        reconsideration: Reconsideration,
        traps: TrapBudgets,
        priorities: PriorityBuffer,
        stopwatch: Stopwatch,
        propagated_links: int,
    ) -> None:
        """Take the parts whose changes are committed, and those that take in what is read.

        Better ranks are carried on over so many links with one commit.
        """
        self._store = store
        self._batch = batch
        self._tracker = tracker
        self._frontier = frontier
        self._decisions = decisions
        self._reconsideration = reconsideration
        self._traps = traps
        self._priorities = priorities
        self._stopwatch = stopwatch
        self._due = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self.committed_id = batch.last_id
        self.revision = 0
        self.busy = False
        self._reach = propagated_links
        self._owing = False
        self.undisturbed = asyncio.Lock()
        """While it is held, nothing is committed or read into the frontier: what a look into the
        file shows stays true but for what memory knows to be in flight or decided."""

    @property
    def idle(self) -> bool:
        """Whether everything is committed and taken in, and better ways are carried on."""
        return not (self.busy or self._batch or self._owing)

    def commit_soon(self) -> None:
        """There is something to commit; it may wait a moment for company.

        Not so long that no more may be fetched meanwhile: half of what may wait is enough.
        """
        if self._batch.is_half_full:
            self.commit_now()
        elif self._timer is None and not self._due.is_set():
            wait_s = COMMIT_EVERY_S if len(self._frontier) < _MUCH else RARELY_S
            self._timer = asyncio.get_running_loop().call_later(wait_s, self.commit_now)

    def commit_now(self) -> None:
        """Commit at once."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._due.set()

    async def run(self, done: Callable[[], bool], after: Callable[[], None]) -> None:
        """Commit when due until `done` says so; `after` is called after each commit."""
        while not done():
            await self._due.wait()
            self._due.clear()
            self.busy = True
            try:
                async with self.undisturbed:
                    # Asked before: what is queued anew from now on is not in the file then.
                    wanted = self._frontier.wanted(_LOAD)
                    await self._commit()
                    await self._refill(wanted)
            finally:
                self.busy = False
            after()

    async def commit(self) -> None:
        """Commit what there is, and take in what it changed."""
        async with self.undisturbed:
            await self._commit()

    async def _commit(self) -> None:
        if not (self._batch or self._owing):
            return
        last_id = self._batch.last_id
        batch = self._batch.take()
        batch.budgets = self._traps.take_changes()
        batch.seconds, batch.reach = self._stopwatch.seconds, self._reach
        improved = await self._store.commit(batch)
        self.committed_id = last_id
        self.revision += 1
        self._reconsideration.committed(batch, improved)
        self._owing = batch.owing
        if self._owing:
            self.commit_now()

    async def commit_all(self) -> None:
        """Commit until nothing is left: what a commit changes is to be committed too.

        How far better ways are carried on is left to the next run.
        """
        self._reach = 0
        while self._batch:
            await self.commit()

    async def reconsider(self, outcomes: Collection[Outcome] | None = None) -> None:
        """Look again at what was refused for a reason that settings or better ways may lift.

        A crash may have kept the better way and lost what follows from it. Without `outcomes`, all
        that may change are looked at.
        """
        outcomes = self._reconsideration.outcomes if outcomes is None else outcomes
        after = 0
        more = True
        while more:
            async with self.undisturbed:
                rows = await self._store.refused(outcomes, after, _LOAD)
                self._reconsideration.resume(rows)
            more = len(rows) == _LOAD
            after = rows[-1].id if rows else after
            await self.commit()

    async def _refill(self, wanted: list[Wanted]) -> None:
        """Read what the frontier has room for, once: what is not committed yet is not there."""
        up_to = self.committed_id
        for part in wanted:
            rows = await self._store.queued(*part)
            whole = len(rows) < part.limit
            self._frontier.loaded(part, self._waiting(rows), up_to if whole else rows[-1].id)
        to_search = self._frontier.to_search
        if to_search is not None:
            host, limit = to_search
            rows = await self._store.queued_hosts(host, limit)
            firsts = [self._decisions.entry(row) for row in rows]
            self._frontier.searched(firsts, to_the_end=len(rows) < limit)
        if self._priorities.wanted:
            await self._priorities.refill(up_to)

    def _waiting(self, rows: list[UrlRow]) -> list[FrontierEntry]:
        """New entries for rows that are still queued and not in memory."""
        return [self._decisions.entry(row) for row in rows if self._tracker.is_on_file(row.id)]
