"""Queues URLs per host, with the host's request rate and its share of the memory.

One slow host must not fill the memory and hold up all others, so no host has more than a share, and
the smaller the more hosts there are; the project file has the rest. A bounded number of hosts have
queues in memory; the others are looked for in the file, in turn, as room becomes free.
"""

from collections import deque
from typing import NamedTuple, Self

from msgspec import Struct, field

from gossamer.engine.url_tracker import FrontierEntry, Lane
from gossamer.model.settings.crawl_settings import CrawlSettings

_HOSTS = 1_500
"""Hosts in memory in a window of the usual size."""


class RefillRequest(NamedTuple):
    """Queued URLs to read from the file: up to `limit` of `host`, with ids above `after`."""

    host: str
    after: int
    limit: int


class HostRate(Struct, frozen=True):
    """The request rate of a host: seconds between requests, and how many at once (None: any)."""

    delay_s: float = 0.0
    external_delay_s: float = 0.0
    slots: int | None = None

    @classmethod
    def of(cls, settings: CrawlSettings) -> Self:
        """The pace that the settings ask for; an archive has no limit."""
        if settings.source is not None:
            return cls()
        return cls(
            delay_s=1.0 / settings.rate if settings.rate else 0.0,
            external_delay_s=1.0 / settings.external_rate,
            slots=settings.max_per_host,
        )


class HostQueue(Struct, eq=False):
    """One host's queue: its URLs, its next request time, and its share of the memory.

    `waiting` URLs are in memory. Those with ids above `loaded_id` and up to `spilled_id` may be
    only in the file.
    """

    name: str
    window: "QueueWindow"
    delay_s: float
    waiting: int = 0
    loaded_id: int = 0
    spilled_id: int = 0
    rewound: bool = False
    """Whether `loaded_id` was set back since the file was read."""
    first: deque[FrontierEntry] = field(default_factory=deque)
    lanes: tuple[deque[FrontierEntry], ...] = field(
        default_factory=lambda: tuple(deque() for _ in Lane)
    )
    """An entry here that is by now to be fetched first is also in `first`, and is skipped here."""
    turn: int = 0
    """The lane whose turn it is."""
    active: int = 0
    asked_at: float = 0.0
    next_at: float = 0.0
    listed: list[int] = field(default_factory=lambda: [0, 0])
    """The turn that the host has in each of the heaps of hosts; 0 for none."""
    rests_until: float = 0.0

    @property
    def spilled(self) -> bool:
        """Whether the file may hold more."""
        return self.spilled_id > self.loaded_id

    def queue(self, entry: FrontierEntry) -> deque[FrontierEntry]:
        """The queue that an entry belongs to."""
        return self.first if entry.first else self.lanes[entry.lane]

    def queues(self) -> tuple[deque[FrontierEntry], ...]:
        """The queues in the order of this turn; the next turn begins with another lane."""
        turn, self.turn = self.turn, (self.turn + 1) % len(self.lanes)
        return self.first, self.lanes[turn], *self.lanes


class QueueWindow:
    """Counts the entries in memory, and says how many more there is room for."""

    def __init__(self, capacity: int) -> None:
        """`capacity` is a number of URLs that is not exceeded by far."""
        self._capacity = capacity
        self._fewest = max(1, capacity // _HOSTS)
        """How many URLs a host may have at any time."""
        self._slots = max(1, capacity // self._fewest)
        self.waiting = 0
        """URLs in memory."""
        self._present: dict[str, HostQueue] = {}
        """The hosts in memory: with URLs here, or more in the file."""
        self.low: dict[str, HostQueue] = {}
        """Those that run low while the file has more, and there is room for it."""
        self.elsewhere = False
        """Whether the file may hold queued URLs of hosts that are not in memory."""
        self._missed = False
        self._last_id = 0
        self._share = capacity
        """URLs that a host may have in memory while there is room. Some is left for another."""

    @property
    def spilled(self) -> bool:
        """Whether the file holds queued URLs that are not in memory."""
        return self.elsewhere or any(host.spilled for host in self._present.values())

    @property
    def free_slots(self) -> int:
        """How many more hosts there is room for."""
        return self._slots - len(self._present)

    def admits(self, host: HostQueue, url_id: int) -> bool:
        """Whether this URL, just found and with the highest id so far, is to be kept in memory.

        If not, it is noted that only the file has it.
        """
        self._last_id = url_id
        if host.name not in self._present and (self.elsewhere or not self.free_slots):
            self.elsewhere = self._missed = True
            return False
        if host.spilled_id > host.loaded_id or not self._has_room(host):
            host.spilled_id = url_id
            return False
        host.loaded_id = host.spilled_id = url_id
        return True

    def readmits(self, host: HostQueue, url_id: int) -> bool:
        """Whether this known URL, queued again, is to be kept in memory.

        If not, it is noted that only the file has it, once it is committed.
        """
        self._last_id = max(self._last_id, url_id)
        if host.name not in self._present:
            if self.free_slots:
                return True
            self.elsewhere = self._missed = True
            return False
        if self._has_room(host):
            return True
        host.spilled_id = self._last_id
        host.loaded_id = min(host.loaded_id, url_id - 1)
        host.rewound = True
        self._note_if_low(host)
        return False

    def entered(self, host: HostQueue) -> None:
        """Note that a URL of this host is in memory."""
        if host.name not in self._present:
            self._take_slot(host)
        host.waiting += 1
        self.waiting += 1

    def left(self, host: HostQueue) -> None:
        """Note that a URL of this host no longer waits in memory."""
        host.waiting -= 1
        self.waiting -= 1
        if host.spilled_id > host.loaded_id:
            self._note_if_low(host)
        elif not host.waiting:
            self._free_slot(host)

    def restore(self, last_id: int) -> None:
        """Note that the file may hold queued URLs of any host, with ids up to `last_id`."""
        self._last_id = last_id
        self.elsewhere = last_id > 0

    def wanted(self, limit: int) -> list[RefillRequest]:
        """What to read from the file for hosts that run low: about `limit` URLs in all."""
        wanted: list[RefillRequest] = []
        share = self._share
        while self.low and limit > 0:
            host = self.low.pop(next(iter(self.low)))
            had_its_turn = host.loaded_id and not host.waiting
            if had_its_turn and self.elsewhere and not self.free_slots:
                self._free_slot(host)  # others wait for room
                self._missed = True
                continue
            room = max(self._fewest, min(share, self._capacity - self.waiting)) - host.waiting
            host.rewound = False
            wanted.append(RefillRequest(host.name, host.loaded_id, min(max(room, 1), limit)))
            limit -= wanted[-1].limit
        return wanted

    def loaded(self, host: HostQueue, up_to: int) -> None:
        """Note that all queued URLs of this host with ids up to `up_to` were read."""
        if not host.rewound:
            host.loaded_id = max(host.loaded_id, up_to)
        if host.spilled:
            self._note_if_low(host)
        elif not host.waiting:
            self._free_slot(host)

    def adopt(self, host: HostQueue) -> None:
        """Add a host with queued URLs in the file, if there is room."""
        if host.name in self._present:
            return
        if self.free_slots:
            self._take_slot(host)
            self._note_if_low(host)
        else:
            self._missed = True

    def searched(self) -> None:
        """Note that the file was searched from its first host to its last."""
        self.elsewhere, self._missed = self._missed, False

    def _take_slot(self, host: HostQueue) -> None:
        self._present[host.name] = host
        self._share_out()
        if self.elsewhere:
            host.loaded_id, host.spilled_id, host.rewound = 0, self._last_id, True

    def _has_room(self, host: HostQueue) -> bool:
        return host.waiting < self._fewest or (
            self.waiting < self._capacity and host.waiting < self._share
        )

    def _share_out(self) -> None:
        self._share = max(self._fewest, self._capacity // (len(self._present) + 1))

    def _note_if_low(self, host: HostQueue) -> None:
        """Note the host if it runs low while the file has more."""
        if host.waiting * 4 < self._fewest or (
            host.waiting * 4 < self._share and self.waiting * 4 < self._capacity * 3
        ):
            self.low[host.name] = host

    def _free_slot(self, host: HostQueue) -> None:
        if self._present.pop(host.name, None) is not None:
            self._share_out()
        self.low.pop(host.name, None)
        host.loaded_id = host.spilled_id
