"""Tracks each URL in memory: its entry, its stage, and the allowed stage changes.

A crawl has three places for a URL: memory, the batch that is to be committed next, and the project
file. `UrlTracker.stage` is the only answer to the question where a URL is now, and `MOVES` the only
table that says where it may go from there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from types import MappingProxyType
from typing import Final

from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.errors import BugError
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.rank import Rank
from gossamer.model.site_checks import SiteCheck
from gossamer.model.visit import FetchMode


class UrlStage(IntEnum):
    """The stage of a URL between its discovery and the commit of its result."""

    ON_FILE = 0
    """Memory has nothing to add to the project file; or the URL is new."""
    WAITING = 1
    """In the queue of its host."""
    POSTPONED = 2
    """In no host's queue until its time comes: it is tried again."""
    IN_FLIGHT = 3
    """Taken from the queue; a task asks for it."""
    ANSWERED = 4
    """Its visit is final and waits in the result queue."""
    DECIDED = 5
    """The next batch has its outcome, without a visit."""
    VISITED = 6
    """The next batch has its visit."""


MOVES: Final[Mapping[UrlStage, frozenset[UrlStage]]] = MappingProxyType(
    {
        UrlStage.ON_FILE: frozenset({UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.WAITING: frozenset({UrlStage.IN_FLIGHT, UrlStage.DECIDED}),
        UrlStage.POSTPONED: frozenset({UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.IN_FLIGHT: frozenset(
            {UrlStage.WAITING, UrlStage.POSTPONED, UrlStage.ANSWERED, UrlStage.DECIDED}
        ),
        # ON_FILE: to be asked again, by an entry that memory may have no room for.
        UrlStage.ANSWERED: frozenset({UrlStage.ON_FILE, UrlStage.DECIDED, UrlStage.VISITED}),
        UrlStage.DECIDED: frozenset({UrlStage.ON_FILE, UrlStage.WAITING, UrlStage.DECIDED}),
        UrlStage.VISITED: frozenset({UrlStage.ON_FILE}),
    }
)
"""Where a URL may go from each stage.

A commit takes it from DECIDED and VISITED to ON_FILE, and so does a visit that is taken back.
"""


def illegal_move(old: UrlStage, new: UrlStage) -> BugError:
    """What to raise where a URL may not go from one stage to the other."""
    return BugError(f"a URL cannot go from {old.name} to {new.name}")


_QUEUED: Final = frozenset({UrlStage.ON_FILE, UrlStage.WAITING, UrlStage.POSTPONED})
_ACTIVE: Final = frozenset({UrlStage.IN_FLIGHT, UrlStage.ANSWERED})
_IN_MEMORY: Final = _ACTIVE | {UrlStage.WAITING, UrlStage.POSTPONED}
_WAITING: Final = UrlStage.WAITING
_MOVES: Final = tuple(
    tuple(
        ((to in _ACTIVE) - (old in _ACTIVE), to not in _IN_MEMORY) if to in MOVES[old] else None
        for to in UrlStage
    )
    for old in UrlStage
)
"""`MOVES` compiled: by both stages, by how much a move changes `active`, and whether it ends the
URL's stay in memory; None where it is not allowed."""


class Lane(IntEnum):
    """The queues of one host. They are served in turn, and none has to be empty first."""

    USUAL = 0
    ALIKE = 1
    """Found on pages that look like others."""
    SPREADING = 2
    """Found on pages that spread. What was found last is asked first: an end is soon found so,
    if there is one, and found to be one."""


class RobotsCheck(Enum):
    """Whether robots.txt is known to allow an entry."""

    UNKNOWN = auto()
    WAITED = auto()
    """It was taken once already, only to wait for it."""
    ALLOWED = auto()
    """It was known when the entry was taken, and allows it."""


@dataclass(slots=True, eq=False)
class FrontierEntry:
    """A URL in memory. `tries` counts counted attempts; `deaths`, page workers lost over it."""

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
    taken_at: float = 0.0
    """When it was last taken from the queue of its host, on the loop's clock."""
    holds_host: bool = False
    """It was taken ahead: its host is asked for no other until it is known to have been asked."""
    tries: int = 0
    deaths: int = 0
    node_losses: int = 0
    """Nodes that were lost while it was there. Many URLs are: the first of these blames nobody."""
    robots: RobotsCheck = RobotsCheck.UNKNOWN
    mode: FetchMode = FetchMode.USUAL
    """How it is to be asked: otherwise than usual where a first answer did not count."""
    redirected_to: str = ""
    """Where it led the first time, if it is asked again with cookies set on the way."""
    first: bool = False
    """To be asked before all that is not."""
    lane: Lane = Lane.USUAL
    holds_links: bool = False
    """What is found on it is held."""
    site_check: SiteCheck | None = None
    """What is asked of the host, if this is no URL of the crawl: see `SiteChecks`."""
    asked_again: bool = False
    """It is to be fetched whatever is known of it: the person wants that, or a conditional request
    did not help."""
    withdrawn: Outcome | None = None
    """What it was taken out as: in flight, it is settled so when its task has ended."""

    @property
    def is_queued(self) -> bool:
        """Whether it waits to be taken, at once or later."""
        return self.stage is UrlStage.WAITING or self.stage is UrlStage.POSTPONED


class UrlTracker:
    """Tracks the stage of each URL. Only this class moves entries between stages."""

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
        return self._batch_stage(url_id) if entry is None else entry.stage

    def _batch_stage(self, url_id: int) -> UrlStage:
        if self._batch.visit_of(url_id) is not None:
            return UrlStage.VISITED
        decision = self._batch.decision(url_id)
        return UrlStage.ON_FILE if decision is None else UrlStage.DECIDED

    def is_on_file(self, url_id: int) -> bool:
        """Whether the project file tells all there is to know about where a URL stands."""
        return self.stage(url_id) is UrlStage.ON_FILE

    def may_be_queued(self, url_id: int) -> bool:
        """Whether a URL that is queued by the project file is so by what memory knows."""
        return self.stage(url_id) in _QUEUED

    def add_new(self, entry: FrontierEntry) -> None:
        """Let a URL wait that was just found, so that nothing knows of it yet."""
        entry.stage = _WAITING
        self._entries[entry.id] = entry

    def add(self, entry: FrontierEntry) -> None:
        """Let a URL wait that is not in memory."""
        stage = self._batch_stage(entry.id)
        if entry.id in self._entries or UrlStage.WAITING not in MOVES[stage]:
            raise illegal_move(self.stage(entry.id), UrlStage.WAITING)
        entry.stage = UrlStage.WAITING
        self._entries[entry.id] = entry

    def decide(self, url_id: int, outcome: Outcome, detail: Detail | None) -> None:
        """Have the next batch give a URL this outcome. An entry in memory stays where it is."""
        if url_id not in self._entries:
            stage = self._batch_stage(url_id)
            if UrlStage.DECIDED not in MOVES[stage]:
                raise illegal_move(stage, UrlStage.DECIDED)
        self._batch.decide(url_id, outcome, detail)

    def move(self, entry: FrontierEntry, to: UrlStage) -> None:
        """Have an entry stand elsewhere; BugError where `MOVES` does not allow it."""
        move = _MOVES[entry.stage][to]
        if move is None:
            raise illegal_move(entry.stage, to)
        change, is_end = move
        if change:
            self.active += change
        entry.stage = to
        if is_end:
            del self._entries[entry.id]
