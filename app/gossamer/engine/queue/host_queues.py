"""The queues of a host, and how fast hosts are asked."""

from collections import deque
from dataclasses import dataclass, field
from typing import Self

from gossamer.engine.queue.queue_window import Part
from gossamer.engine.traps.page_novelty import Lane
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.settings.crawl_settings import CrawlSettings


@dataclass(frozen=True, slots=True)
class HostRate:
    """How hosts are asked: seconds between two requests, and how many at once (None: any)."""

    delay_s: float = 0.0
    external_delay_s: float = 0.0
    slots: int | None = None

    @classmethod
    def of(cls, settings: CrawlSettings) -> Self:
        """The pace that the person asked for."""
        return cls(
            delay_s=1.0 / settings.rate if settings.rate else 0.0,
            external_delay_s=1.0 / settings.external_rate,
            slots=settings.max_per_host,
        )


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
