"""What is to be asked before everything else, where there is more of it than memory has room for.

What has no place in the frontier stays in the project file, and is read as places become free.
"""

from dataclasses import dataclass

from gossamer.engine.interfaces import Store
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.url_decisions import UrlDecisions
from gossamer.engine.url_tracker import UrlTracker
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.settings.folder_priority import FolderPriority, QueuePriority

_PART = 2_000


@dataclass(slots=True)
class _Preferred:
    """A selection of which the queued URLs with ids above `after` and up to `until` may wait."""

    selection: UrlSelection
    until: int
    after: int = 0

    @property
    def has_more(self) -> bool:
        return self.after < self.until


class PriorityBuffer:
    """Moves what is preferred from the file to the head of the queue. A folder is so for ever."""

    def __init__(
        self,
        store: Store,
        batch: PendingBatch,
        tracker: UrlTracker,
        frontier: Frontier,
        decisions: UrlDecisions,
        turns: tuple[FolderPriority, ...],
    ) -> None:
        """Take where the URLs are, and what was decided about folders in earlier runs."""
        self._store = store
        self._batch = batch
        self._tracker = tracker
        self._decisions = decisions
        self._frontier = frontier
        self._preferred: list[_Preferred] = []
        for one in turns:
            if one.turn is QueuePriority.FIRST:
                self.prefer(UrlSelection(folder=one.folder))

    def prefer(self, selection: UrlSelection) -> None:
        """Ask for what is queued of the selection before everything else."""
        queued = UrlSelection(selection.ids, selection.folder, selection.below, queued=True)
        self._preferred.insert(0, _Preferred(queued, self._batch.last_id))

    @property
    def wanted(self) -> bool:
        """Whether `refill` may find something, and there is room for it."""
        if not (self._preferred or self._frontier.first_missed):
            return False
        return self._frontier.room_first > 0 and (
            self._frontier.first_missed > 0 or any(one.has_more for one in self._preferred)
        )

    async def refill(self, committed_id: int) -> None:
        """Read what there is room for. Nothing may be committed meanwhile."""
        self._look_for_missed()
        for one in self._preferred:
            while one.has_more and self._frontier.room_first > 0:
                limit = min(_PART, self._frontier.room_first)
                rows = await self._store.selected(one.selection, one.after, limit)
                for row in rows:
                    if self._tracker.may_be_queued(row.id):
                        self._frontier.prefer(self._decisions.entry(row))
                if len(rows) < limit:
                    one.after = max(one.after, committed_id)
                    break
                one.after = rows[-1].id
        self._preferred = [one for one in self._preferred if one.has_more or one.selection.folder]

    def _look_for_missed(self) -> None:
        """What was found in a preferred folder and had no place is in the file."""
        missed, self._frontier.first_missed = self._frontier.first_missed, 0
        for one in self._preferred:
            if one.selection.folder:
                one.until = max(one.until, missed)
