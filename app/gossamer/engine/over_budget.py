"""What budgets against traps left out, and how it is queued after all."""

import asyncio
from collections.abc import Callable

from gossamer.engine.admission import Admission
from gossamer.engine.ports import Store
from gossamer.engine.recorder import Recorder
from gossamer.engine.trap_budgets import MAX_KINDS, TrapBudgets
from gossamer.model.store_batch import UrlRow

_PART = 10_000
"""URLs that are looked at between two commits."""


class OverBudgetUrls:
    """Looks through what was left out, when a budget has room again or the person raises it."""

    def __init__(
        self,
        store: Store,
        admission: Admission,
        recorder: Recorder,
        traps: TrapBudgets,
    ) -> None:
        """Take the parts that know of it."""
        self._store = store
        self._admission = admission
        self._recorder = recorder
        self._traps = traps
        self._turn = asyncio.Lock()
        self.busy = False
        self.stopped = False
        """Set when the crawl ends: what is not queued by then stays left out."""

    def begins(self) -> bool:
        """Whether `reopen` has something to do: a budget refused something and was paid back."""
        self.busy = self._traps.has_repaid
        return self.busy

    async def restore(self) -> None:
        """Go on with the budgets of earlier runs."""
        self._traps.restore(await self._store.budgets(MAX_KINDS))

    async def change(self, budget: int) -> None:
        """Go on with another budget; a larger one has room for more."""
        if self._traps.set_budget(budget):
            await self.reopen()

    async def reopen(self, after: Callable[[], None] = lambda: None) -> None:
        """Queue what its budget has room for by now; then call `after`."""
        async with self._turn:
            self.busy = self._admission.has_left_out
            try:
                await self._reopen()
            finally:
                self.busy = False
        after()

    async def _reopen(self) -> None:
        self._traps.reopen()
        # What was found last is nearest to an end, if there is one.
        before, found = self._admission.last_id + 1, self._admission.has_left_out
        while found and not self.stopped:
            await self._recorder.commit()
            async with self._recorder.undisturbed:
                rows = await self._store.left_out(before, _PART)
                sources = await self._store.by_id([row.parent for row in rows if row.parent])
                self._lift(rows, {source.id: source for source in sources})
            found = len(rows) == _PART
            before = rows[-1].id if rows else before
        await self._recorder.commit()

    def _lift(self, rows: list[UrlRow], sources: dict[int, UrlRow]) -> None:
        for row in rows:
            source = sources.get(row.parent or 0)
            if source is not None and self._traps.grants(row.detail, row.url, source.url):
                self._admission.lift(row, source.rank.clicked())
