"""Batches on their way to the project file, and queued URLs on their way back."""

import asyncio
from collections.abc import Callable

from app.engine.admission import Admission
from app.engine.frontier import Frontier
from app.engine.ports import Store

COMMIT_EVERY_S = 0.15
_LOAD = 20_000


class Recorder:
    """Commits what admission gathers, some seven times a second, and refills the frontier."""

    def __init__(
        self,
        store: Store,
        admission: Admission,
        frontier: Frontier,
        seconds: Callable[[], float],
    ) -> None:
        """Take the store, and `seconds`, the time spent crawling so far."""
        self._store = store
        self._admission = admission
        self._frontier = frontier
        self._seconds = seconds
        self._due = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self.committed_id = admission.last_id
        self.revision = 0
        self.busy = False

    @property
    def idle(self) -> bool:
        """Whether everything is committed and taken in."""
        return not self.busy and not self._admission.batch

    def soon(self) -> None:
        """There is something to commit; it may wait a moment for company."""
        if self._timer is None and not self._due.is_set():
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(COMMIT_EVERY_S, self.now)

    def now(self) -> None:
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
                await self.commit()
                await self._refill()
            finally:
                self.busy = False
            after()

    async def commit(self) -> None:
        """Commit what there is, and take in what it changed."""
        batch = self._admission.take_batch()
        if not batch:
            return
        batch.seconds = self._seconds()
        last_id = self._admission.last_id
        improved = await self._store.commit(batch)
        self.committed_id = last_id
        self.revision += 1
        self._admission.improved(improved)

    async def commit_all(self) -> None:
        """Commit until nothing is left: what a commit changes is to be committed too."""
        while self._admission.batch:
            await self.commit()

    async def reconsider(self) -> None:
        """Look again at what was refused for a reason that settings or better ways may lift.

        A crash may have kept the better way and lost what follows from it.
        """
        after = 0
        outcomes = self._admission.reconsidered
        while rows := await self._store.refused(outcomes, after, _LOAD):
            self._admission.resumed(rows)
            after = rows[-1].id

    async def _refill(self) -> None:
        while self._frontier.wants_more:
            up_to = self.committed_id
            rows = await self._store.queued(self._frontier.loaded_id, _LOAD)
            if len(rows) == _LOAD:
                up_to = rows[-1].id
            self._frontier.loaded([self._admission.entry(row) for row in rows], up_to)
            if len(rows) < _LOAD:
                break
