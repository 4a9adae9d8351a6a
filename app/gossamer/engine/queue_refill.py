"""Refills the frontier with queued URLs from the project file.

What has no room in memory stays in the file, and is read as room becomes free: the queues of hosts
that run low, hosts that only the file knows, and what is to be fetched first.
"""

from collections import deque
from collections.abc import Iterable
from itertools import islice, takewhile

from msgspec import Struct

from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.interfaces import Store
from gossamer.engine.queue.host_queues import RefillRequest
from gossamer.engine.url_outcomes import UrlOutcomes
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import UrlState
from gossamer.model.settings.folder_priority import QueuePriority

_PART = 2_000
_LOAD = 20_000


class _Preferred(Struct):
    """A selection whose queued URLs with ids above `after` and up to `until` may wait."""

    selection: UrlSelection
    until: int
    after: int = 0

    @property
    def has_more(self) -> bool:
        return self.after < self.until


class QueueRefill:
    """Reads queued URLs. Preferred ones go to the head of the queue; a folder stays preferred."""

    def __init__(self, store: Store, memory: CrawlMemory, decisions: UrlOutcomes) -> None:
        """The settings say what was preferred in earlier runs."""
        self._store = store
        self._batch = memory.batch
        self._tracker = memory.tracker
        self._frontier = memory.frontier
        self._decisions = decisions
        self._preferred: list[_Preferred] = []
        self._preferred_ids: deque[int] = deque()
        for one in memory.policy.settings.turns:
            if one.turn is QueuePriority.FIRST:
                self.prefer(UrlSelection(folder=one.folder))

    def prefer(self, selection: UrlSelection) -> None:
        """Fetch the queued URLs of the selection before everything else."""
        queued = UrlSelection(selection.ids, selection.folder, selection.below, queued=True)
        self._preferred.insert(0, _Preferred(queued, self._batch.last_id))

    def prefer_ids(self, ids: Iterable[int]) -> None:
        """Fetch these, as far as they are queued then, before everything else but selections."""
        self._preferred_ids.extend(ids)

    @property
    def wants_preferred(self) -> bool:
        """Whether the file may have preferred URLs, and there is room for them."""
        if not (self._preferred or self._preferred_ids or self._frontier.first_missed):
            return False
        return self._frontier.room_first > 0 and (
            bool(self._preferred_ids)
            or self._frontier.first_missed > 0
            or any(one.has_more for one in self._preferred)
        )

    def wanted(self) -> list[RefillRequest]:
        """What to read for hosts that run low; call it before the commit.

        What is queued again from then on is not in the file.
        """
        return self._frontier.wanted(_LOAD)

    async def refill(self, wanted: list[RefillRequest], committed_id: int) -> None:
        """Read once what there is room for. Nothing may be committed meanwhile."""
        for part in wanted:
            rows = await self._store.queued(*part)
            is_all = len(rows) < part.limit
            # Those that are still queued and not in memory.
            entries = [
                self._decisions.entry(row) for row in rows if self._tracker.is_on_file(row.id)
            ]
            self._frontier.loaded(part, entries, committed_id if is_all else rows[-1].id)
        to_search = self._frontier.to_search
        if to_search is not None:
            host, limit = to_search
            rows = await self._store.queued_hosts(host, limit)
            firsts = [self._decisions.entry(row) for row in rows]
            self._frontier.searched(firsts, to_the_end=len(rows) < limit)
        if self.wants_preferred:
            await self._read_preferred(committed_id)

    async def _read_preferred(self, committed_id: int) -> None:
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
        await self._read_preferred_ids(committed_id)

    async def _read_preferred_ids(self, committed_id: int) -> None:
        """Read the preferred ids that the file has by now, each once; others wait."""
        while self._preferred_ids and (room := self._frontier.room_first) > 0:
            some = islice(self._preferred_ids, min(_PART, room))
            ids = list(takewhile(lambda url_id: url_id <= committed_id, some))
            if not ids:
                break
            for _ in ids:
                self._preferred_ids.popleft()
            for row in await self._store.by_id(ids):
                is_queued = row.outcome.state is UrlState.QUEUED
                if is_queued and self._tracker.may_be_queued(row.id):
                    self._frontier.prefer(self._decisions.entry(row))

    def _look_for_missed(self) -> None:
        """Look in the file for what was found in a preferred folder and had no room."""
        missed, self._frontier.first_missed = self._frontier.first_missed, 0
        for one in self._preferred:
            if one.selection.folder:
                one.until = max(one.until, missed)
