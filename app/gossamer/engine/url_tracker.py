"""The URLs in memory: what is known of each, and where it is.

A crawl has three places for a URL: memory, the batch that is to be committed next, and the project
file. `UrlTracker.stage` is the only answer to the question where a URL is now, and `url_stage` the
only place that says where it may go from there.
"""

from dataclasses import dataclass
from typing import Final

from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.traps.page_novelty import Lane
from gossamer.engine.url_stages import ALLOWED, UrlStage, illegal_move
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.rank import Rank
from gossamer.model.visit import FetchMode

_QUEUED: Final = frozenset({UrlStage.ON_FILE, UrlStage.WAITING, UrlStage.POSTPONED})
_ACTIVE: Final = 1 << UrlStage.IN_FLIGHT | 1 << UrlStage.ANSWERED
_IN_MEMORY: Final = _ACTIVE | 1 << UrlStage.WAITING | 1 << UrlStage.POSTPONED


@dataclass(slots=True, eq=False)
class FrontierEntry:
    """A URL in memory. `tries` counts attempts that count; `deaths` workers lost over it."""

    id: int
    url: str
    rank: Rank
    parent: int | None
    host: str
    """Its name, and its port if that is not the scheme's: see `host_of`."""
    outcome: Outcome = Outcome.PENDING
    """What it waits for: to be fetched, checked, or read as a sitemap."""
    external: bool = False
    stage: UrlStage = UrlStage.ON_FILE
    """Set by `UrlTracker` alone."""
    tries: int = 0
    deaths: int = 0
    is_allowed: bool = False
    """By a robots.txt that was known when it was taken from the queue."""
    robots_waited: bool = False
    """Taken once already, only to wait for a robots.txt."""
    mode: FetchMode = FetchMode.USUAL
    """How it is to be asked: otherwise than usual where a first answer did not count."""
    redirected_to: str = ""
    """Where it led the first time, if it is asked again with cookies set on the way."""
    first: bool = False
    """To be asked before all that is not."""
    lane: Lane = Lane.USUAL
    holds_links: bool = False
    """What is found on it is held."""
    withdrawn: Outcome | None = None
    """What it was taken out as: in flight, it is settled so when its task has ended."""

    @property
    def is_queued(self) -> bool:
        """Whether it waits to be taken, at once or later."""
        return self.stage is UrlStage.WAITING or self.stage is UrlStage.POSTPONED


class UrlTracker:
    """Knows where each URL is. Entries of memory are moved here and nowhere else."""

    def __init__(self, batch: PendingBatch) -> None:
        """Take the batch that gathers what memory decides."""
        self._batch = batch
        self._entries: dict[int, FrontierEntry] = {}
        self.entry = self._entries.get
        """The entry of the URL with this id, if it is in memory."""
        self.active = 0
        """How many URLs are in flight or answered: taken from the queue and not admitted yet."""

    def stage(self, url_id: int) -> UrlStage:
        """Where the URL with this id is.

        Between the beginning and the end of a commit, what is committed counts as on file.
        """
        entry = self._entries.get(url_id)
        return self._batch.stage(url_id) if entry is None else entry.stage

    def is_on_file(self, url_id: int) -> bool:
        """Whether the project file tells all there is to know about where a URL stands."""
        return self.stage(url_id) is UrlStage.ON_FILE

    def may_be_queued(self, url_id: int) -> bool:
        """Whether a URL that is queued by the project file is so by what memory knows."""
        return self.stage(url_id) in _QUEUED

    def add(self, entry: FrontierEntry) -> None:
        """Let a URL wait that is not in memory."""
        stage = self._batch.stage(entry.id)
        if entry.id in self._entries or not ALLOWED[stage] >> UrlStage.WAITING & 1:
            raise illegal_move(self.stage(entry.id), UrlStage.WAITING)
        entry.stage = UrlStage.WAITING
        self._entries[entry.id] = entry

    def decide(self, url_id: int, outcome: Outcome, detail: Detail | None) -> None:
        """Have the next batch give a URL this outcome. An entry in memory stays where it is."""
        if url_id not in self._entries:
            stage = self._batch.stage(url_id)
            if not ALLOWED[stage] >> UrlStage.DECIDED & 1:
                raise illegal_move(stage, UrlStage.DECIDED)
        self._batch.decide(url_id, outcome, detail)

    def move(self, entry: FrontierEntry, to: UrlStage) -> None:
        """Have an entry stand elsewhere; BugError where `MOVES` does not allow it."""
        if not ALLOWED[entry.stage] >> to & 1:
            raise illegal_move(entry.stage, to)
        self.active += (_ACTIVE >> to & 1) - (_ACTIVE >> entry.stage & 1)
        entry.stage = to
        if not _IN_MEMORY >> to & 1:
            del self._entries[entry.id]
