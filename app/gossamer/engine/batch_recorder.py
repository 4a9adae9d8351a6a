"""Commits pending batches several times a second, then has the frontier refilled."""

import asyncio
from collections.abc import Callable, Collection

from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.interfaces import Fetcher, Store
from gossamer.engine.progress import Stopwatch
from gossamer.engine.queue_refill import QueueRefill
from gossamer.engine.url_outcomes import Reconsideration
from gossamer.model.outcome import Outcome

FIRST_S = 0.02
"""For the first commits of a run: somebody waits for its first URLs."""
_FIRST_COMMITS = 2
"""The roots, and the first page."""
COMMIT_EVERY_S = 0.15
"""While little is queued: the first pages appear soon, and little is left to write after the last
fetch."""
RARELY_S = 0.4
"""While much is queued. Each commit rewrites those pages of the file that nearly every page of a
site changes: half as many commits write a third less."""
_MUCH = 500
"""URLs that wait in memory."""
_ROWS_PER_READ = 20_000


class Recorder:
    """Commits the pending batch several times a second, and refills the frontier."""

    def __init__(  # noqa: PLR0913 - what a commit is made of, each once
        self,
        store: Store,
        fetcher: Fetcher,
        memory: CrawlMemory,
        refill: QueueRefill,
        reconsideration: Reconsideration,
        stopwatch: Stopwatch,
        *,
        propagated_links: int,
    ) -> None:
        """Commit the batch of `memory` to `store`; the other parts take in what that changed.

        One commit propagates better ranks over at most so many links.
        """
        self._store = store
        self._certificates = fetcher.certificates
        self._certificates_told = 0
        self._batch = memory.batch
        self._frontier = memory.frontier
        self._traps = memory.traps
        self._shard_links = memory.shard_links
        self._refill = refill
        self._reconsideration = reconsideration
        self._stopwatch = stopwatch
        self._due = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self.committed_id = memory.batch.last_id
        self.revision = 0
        self.busy = False
        self._reach = propagated_links
        self._owing = False
        self.undisturbed = asyncio.Lock()
        """While it is held, nothing is committed or read into the frontier: what was read from the
        file stays true, except for what memory knows to be in flight or decided."""

    @property
    def idle(self) -> bool:
        """Whether everything is committed and taken in, and better ranks are propagated."""
        return not (self.busy or self._batch or self._owing)

    def commit_soon(self) -> None:
        """Commit soon: what there is may wait a moment for more.

        It does not wait until fetching has to stop: a half-full batch is committed at once.
        """
        if self._batch.is_half_full:
            self.commit_now()
        elif self._timer is None and not self._due.is_set():
            self._timer = asyncio.get_running_loop().call_later(self._wait_s, self.commit_now)

    @property
    def _wait_s(self) -> float:
        if self.revision < _FIRST_COMMITS:
            return FIRST_S
        return COMMIT_EVERY_S if len(self._frontier) < _MUCH else RARELY_S

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
                    wanted = self._refill.wanted()
                    await self._commit()
                    await self._refill.refill(wanted, self.committed_id)
            finally:
                self.busy = False
            after()

    async def commit(self) -> None:
        """Commit the pending batch, and take in what that changed."""
        async with self.undisturbed:
            await self._commit()

    async def _commit(self) -> None:
        if not (self._batch or self._owing):
            return
        last_id = self._batch.last_id
        batch = self._batch.take()
        batch.budgets = self._traps.take_changes()
        batch.certificates = list(self._certificates[self._certificates_told :])
        self._certificates_told += len(batch.certificates)
        batch.seconds, batch.reach = self._stopwatch.seconds, self._reach
        improved = await self._store.commit(batch)
        self.committed_id = last_id
        self.revision += 1
        self._shard_links.committed(batch)
        self._reconsideration.committed(batch, improved)
        self._owing = batch.owing
        if self._owing:
            self.commit_now()

    async def commit_all(self) -> None:
        """Commit until nothing is left: what a commit changes needs a commit too.

        Propagating better ranks further is left to the next run.
        """
        self._reach = 0
        while self._batch:
            await self.commit()

    async def reconsider(self, outcomes: Collection[Outcome] | None = None) -> None:
        """Reconsider URLs refused for a reason that settings or better ranks may lift.

        A crash may have kept the better rank and lost what follows from it. Without `outcomes`, all
        outcomes that may change are reconsidered.
        """
        outcomes = self._reconsideration.outcomes if outcomes is None else outcomes
        after = 0
        more = True
        while more:
            async with self.undisturbed:
                rows = await self._store.refused(outcomes, after, _ROWS_PER_READ)
                self._reconsideration.resume(rows)
            more = len(rows) == _ROWS_PER_READ
            after = rows[-1].id if rows else after
            await self.commit()
