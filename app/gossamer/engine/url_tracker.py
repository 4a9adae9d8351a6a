"""Tracks each URL in memory: its entry, its stage, and the allowed stage changes.

A URL of a crawl may be in memory, in the batch that is committed next, or in the project file. Only
`UrlTracker.stage` says where a URL is now, and only `MOVES` where it may go from there.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import BugError
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail
from gossamer.model.site_checks import SiteCheck
from gossamer.model.visit import FetchMode


class UrlStage(IntEnum):
    """The stage of a URL between its discovery and the commit of its result."""

    ON_FILE = 0
    """Memory has nothing to add to the project file; or the URL is new."""
    WAITING = 1
    """In the queue of its host."""
    POSTPONED = 2
    """In no host's queue until its next try is due."""
    IN_FLIGHT = 3
    """Taken from the queue; a task fetches it."""
    FETCHED = 4
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
            {UrlStage.WAITING, UrlStage.POSTPONED, UrlStage.FETCHED, UrlStage.DECIDED}
        ),
        # ON_FILE: to be requested again, by an entry that memory may have no room for.
        UrlStage.FETCHED: frozenset({UrlStage.ON_FILE, UrlStage.DECIDED, UrlStage.VISITED}),
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
_ACTIVE: Final = frozenset({UrlStage.IN_FLIGHT, UrlStage.FETCHED})
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
    """Found on pages that spread. What was found last is fetched first: if the pages have an end,
    it is soon reached and recognised."""


class RobotsCheck(Enum):
    """Whether robots.txt is known to allow an entry."""

    UNKNOWN = auto()
    WAITED = auto()
    """The entry was taken once already, only to wait for robots.txt."""
    ALLOWED = auto()
    """It was known when the entry was taken, and allows it."""


class FrontierEntry(Struct, eq=False, gc=False):
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
    """It was prefetched: its host gets no other request until the request for it is known to be
    made."""
    tries: int = 0
    deaths: int = 0
    node_losses: int = 0
    """Nodes that were lost while it was there. Many URLs are: the first of these blames nobody."""
    robots: RobotsCheck = RobotsCheck.UNKNOWN
    mode: FetchMode = FetchMode.USUAL
    """How to request it: otherwise than usual if a first response did not count."""
    redirected_to: str = ""
    """Where it led the first time, if it is requested again with cookies set on the way."""
    first: bool = False
    """To be fetched before all entries that are not."""
    lane: Lane = Lane.USUAL
    holds_links: bool = False
    """Whether URLs found on it are held."""
    site_check: SiteCheck | None = None
    """The site check, if this is no URL of the crawl: see `SiteChecks`."""
    asked_again: bool = False
    """To be fetched whatever is known of it: the user wants that, or a conditional request did
    not help."""
    withdrawn: Outcome | None = None
    """The outcome it was withdrawn with: in flight, it is settled so when its task has ended."""

    @property
    def is_queued(self) -> bool:
        """Whether it waits to be taken, at once or later."""
        return self.stage is UrlStage.WAITING or self.stage is UrlStage.POSTPONED


class UrlTracker:
    """Tracks the stage of each URL. Only this class moves entries between stages."""

    def __init__(self, batch: PendingBatch) -> None:
        """`batch` collects what memory decides."""
        self._batch = batch
        self._entries: dict[int, FrontierEntry] = {}
        self.entry = self._entries.get
        """The entry of the URL with this id, if it is in memory."""
        self.active = 0
        """How many URLs are in flight or fetched: taken from the queue and not admitted yet."""

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
        """Whether the project file alone knows the state of a URL."""
        return self.stage(url_id) is UrlStage.ON_FILE

    def may_be_queued(self, url_id: int) -> bool:
        """Whether a URL that the project file calls queued is so as far as memory knows."""
        return self.stage(url_id) in _QUEUED

    def add_new(self, entry: FrontierEntry) -> None:
        """Let a URL wait that was just found and is known nowhere yet."""
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
        """Move an entry to another stage; BugError if `MOVES` does not allow it."""
        move = _MOVES[entry.stage][to]
        if move is None:
            raise illegal_move(entry.stage, to)
        change, is_end = move
        if change:
            self.active += change
        entry.stage = to
        if is_end:
            del self._entries[entry.id]
