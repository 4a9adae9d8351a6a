"""What a person does to single URLs while the crawl runs."""

import asyncio
from collections.abc import Mapping

from app.engine.admission import Admission
from app.engine.frontier import Entry, Frontier
from app.engine.ports import Store
from app.engine.recorder import Recorder
from app.model.outcome import Outcome, UrlState
from app.model.page import Visit


class Deeds:
    """Takes URLs out of the crawl, wherever they are."""

    def __init__(
        self,
        store: Store,
        admission: Admission,
        frontier: Frontier,
        recorder: Recorder,
        tasks: Mapping[int, asyncio.Task[Visit]],
    ) -> None:
        """Take the parts that know where a URL is, and the tasks of those in flight by id."""
        self._store = store
        self._admission = admission
        self._frontier = frontier
        self._recorder = recorder
        self._tasks = tasks

    async def cancel(self, url_id: int) -> None:
        """Take one URL out, in flight or queued. Does nothing if it is settled already."""
        if not self._cancelled_in_memory(url_id):
            # What a look into the file shows holds but for what memory knows.
            async with self._recorder.undisturbed:
                rows = await self._store.by_id([url_id])
                if not self._cancelled_in_memory(url_id) and not self._admission.has_taken(url_id):
                    for row in rows:
                        if row.outcome.state is UrlState.QUEUED:
                            self._settle(self._admission.entry(row))

    def _cancelled_in_memory(self, url_id: int) -> bool:
        task = self._tasks.get(url_id)
        if task is not None:
            self._admission.active[url_id].withdrawn = True
            task.cancel()
            return True
        entry = self._frontier.withdraw(url_id)
        if entry is not None:
            self._settle(entry)
        return entry is not None

    def _settle(self, entry: Entry) -> None:
        self._admission.decided(entry.id, entry.outcome, Outcome.CANCELLED)
        self._recorder.soon()
