"""Queues URLs that trap budgets left out, once there is room for them."""

import asyncio
from collections.abc import Callable

from gossamer.engine.batch_recorder import Recorder
from gossamer.engine.interfaces import Store
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.traps.budget_keys import budget_key
from gossamer.engine.traps.trap_budgets import TrapBudgets
from gossamer.engine.url_outcomes import Reconsideration
from gossamer.model.store_batch import UrlRow


class OverBudgetUrls:
    """Queues left-out URLs when a budget has room again or the user raises it."""

    def __init__(
        self,
        store: Store,
        batch: PendingBatch,
        reconsideration: Reconsideration,
        recorder: Recorder,
        traps: TrapBudgets,
        rows_per_read: int,
    ) -> None:
        """`rows_per_read` rows are examined between two commits."""
        self._rows_per_read = rows_per_read
        self._store = store
        self._batch = batch
        self._reconsideration = reconsideration
        self._recorder = recorder
        self._traps = traps
        self._turn = asyncio.Lock()
        self.busy = False
        self.stopped = False
        """Set when the crawl ends: what is not queued by then stays left out."""

    def begin(self) -> bool:
        """Whether `reopen` has something to do: a budget refused something and was paid back."""
        self.busy = self._traps.has_repaid
        return self.busy

    async def restore(self) -> None:
        """Restore the budgets of earlier runs."""
        self._traps.restore(await self._store.budgets(self._traps.max_kinds))

    async def change(self, budget: int) -> None:
        """Set another budget; a larger one has room for more."""
        if self._traps.set_budget(budget):
            await self.reopen()

    async def reopen(self, after: Callable[[], None] = lambda: None) -> None:
        """Queue what the budgets have room for by now; then call `after`."""
        async with self._turn:
            self.busy = self._reconsideration.has_left_out
            try:
                await self._reopen()
            finally:
                self.busy = False
        after()

    async def _reopen(self) -> None:
        self._traps.reopen()
        # What was found last is nearest to the end of a trap, if it has one.
        before, found = self._batch.last_id + 1, self._reconsideration.has_left_out
        while found and not self.stopped:
            await self._recorder.commit()
            async with self._recorder.undisturbed:
                rows = await self._store.left_out(before, self._rows_per_read)
                sources = await self._store.by_id([row.parent for row in rows if row.parent])
                self._queue(rows, {source.id: source for source in sources})
            found = len(rows) == self._rows_per_read
            before = rows[-1].id if rows else before
        await self._recorder.commit()

    def _queue(self, rows: list[UrlRow], sources: dict[int, UrlRow]) -> None:
        for row in rows:
            source = sources.get(row.parent or 0)
            budget = budget_key(row.detail)
            if source is not None and self._traps.grants(budget, row.url, source.url, source.id):
                # Of a page of another shard, only the depth of its link is known.
                self._reconsideration.queue_left_out(row, source.rank.clicked().merged(row.rank))
