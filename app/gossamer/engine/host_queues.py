"""Queued URLs, and the queues of a host."""

from collections import deque
from dataclasses import dataclass, field

from gossamer.engine.link_sources import Lane
from gossamer.engine.queue_window import Part
from gossamer.model.outcome import Outcome
from gossamer.model.page import FetchMode
from gossamer.model.store_batch import Rank


@dataclass(slots=True, eq=False)
class FrontierEntry:
    """A queued URL, in memory. `tries` counts fetches begun; `deaths` workers lost over it."""

    id: int
    url: str
    rank: Rank
    parent: int | None
    host: str
    """Its name, and its port if that is not the scheme's: see `host_of`."""
    outcome: Outcome = Outcome.PENDING
    """What it waits for: to be fetched, checked, or read as a sitemap."""
    external: bool = False
    tries: int = 0
    deaths: int = 0
    waited: bool = False
    """Taken once already, only to wait for a robots.txt."""
    manner: FetchMode = FetchMode.USUAL
    """How it is to be asked: otherwise than usual where a first answer did not count."""
    again: str = ""
    """Where it redirected to the first time: it is asked again, with cookies set on the way."""
    first: bool = False
    """To be asked before all that is not."""
    lane: Lane = Lane.USUAL
    later: bool = False
    """Postponed: in no host's queue until its time comes."""
    holds: bool = False
    """What is found on it is held back."""
    withdrawn: Outcome | None = None
    """What it was taken out as, while queued or in flight: dropped when its turn comes."""


@dataclass(slots=True)
class HostQueue:
    """What waits for one host, and when it may be asked."""

    delay_s: float
    part: Part
    first: deque[FrontierEntry] = field(default_factory=deque)
    lanes: tuple[deque[FrontierEntry], ...] = field(
        default_factory=lambda: tuple(deque() for _ in Lane)
    )
    """What stands here too and is to be asked first by now is passed over."""
    turn: int = 0
    """The lane whose turn it is."""
    active: int = 0
    asked_at: float = 0.0
    next_at: float = 0.0
    listed: list[bool] = field(default_factory=lambda: [False, False])
    """In which of the heaps of hosts the host stands."""
    rests_until: float = 0.0

    def queue(self, entry: FrontierEntry) -> deque[FrontierEntry]:
        """The queue that an entry belongs to."""
        if entry.first:
            return self.first
        return self.lanes[entry.lane]

    def queues(self) -> tuple[deque[FrontierEntry], ...]:
        """The queues in the order of this turn; the next turn is another lane's."""
        turn, self.turn = self.turn, (self.turn + 1) % len(self.lanes)
        return self.first, self.lanes[turn], *self.lanes

    def popped(self, queue: deque[FrontierEntry]) -> FrontierEntry:
        """The next entry of a queue, which has one."""
        return queue.pop() if queue is self.lanes[Lane.SPREADING] else queue.popleft()
