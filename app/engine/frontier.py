"""The queue of URLs to fetch: a bounded window in memory over the queued URLs in the file.

Order is that of discovery, host by host in turn; a host is asked again only after its delay.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Self

from app.model.outcome import Outcome
from app.model.rows import Rank
from app.model.settings import CrawlSettings

_PRUNE_HOSTS = 10_000
_SETTLED_PER_TURN = 500
"""Entries settled without a fetch before the loop gets its turn."""


@dataclass(slots=True, eq=False)
class Entry:
    """A queued URL, in memory. `tries` counts fetches begun; `deaths` workers lost over it."""

    id: int
    url: str
    rank: Rank
    parent: int | None
    host: str
    outcome: Outcome = Outcome.PENDING
    """What it waits for: to be fetched, checked, or read as a sitemap."""
    external: bool = False
    tries: int = 0
    deaths: int = 0
    again: bool = False
    """Asked a second time, with cookies that a redirect had set."""
    withdrawn: bool = False
    """Cancelled while queued: dropped when its turn comes."""


@dataclass(slots=True)
class _Host:
    delay_s: float
    entries: deque[Entry] = field(default_factory=deque)
    active: int = 0
    next_at: float = 0.0
    listed: bool = False
    """Whether the host stands in the heap of hosts."""


@dataclass(frozen=True, slots=True)
class Pace:
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


def _never(_: Entry) -> bool:
    return False


class Frontier:
    """Which URL is fetched next. Holds entries, decides, does nothing."""

    def __init__(self, capacity: int, pace: Pace = Pace()) -> None:
        """Take the most entries to hold, and the pace."""
        self._capacity = capacity
        self._pace = pace
        self._delays: dict[str, float] = {}
        self._hosts: dict[str, _Host] = {}
        self._turns: list[tuple[float, int, str]] = []
        self._later: list[tuple[float, int, Entry]] = []
        self._order = count()
        self._entries: dict[int, Entry] = {}
        self._loaded_id = 0
        self._spilled_id = 0
        self._early: set[int] = set()
        self._now = 0.0
        self._prune_at = _PRUNE_HOSTS

    def __len__(self) -> int:
        """Entries in memory, postponed ones included."""
        return len(self._entries)

    def get(self, url_id: int) -> Entry | None:
        """The entry with this id, if it waits in memory."""
        return self._entries.get(url_id)

    # The window over the file

    @property
    def loaded_id(self) -> int:
        """Queued URLs with a higher id than this may stand in the file alone."""
        return self._loaded_id

    @property
    def wants_more(self) -> bool:
        """Whether the window runs low while the file has more."""
        return self._spilled_id > self._loaded_id and len(self._entries) * 4 < self._capacity

    @property
    def spilled(self) -> bool:
        """Whether the file holds queued URLs that are not in memory."""
        return self._spilled_id > self._loaded_id

    def discovered(self, entry: Entry) -> None:
        """Add a URL whose id is the highest so far; without room it stays in the file alone."""
        if self._spilled_id > self._loaded_id or len(self._entries) >= self._capacity:
            self._spilled_id = entry.id
        else:
            self._loaded_id = entry.id
            self._enqueue(entry)

    def restore(self, last_id: int) -> None:
        """Begin with the queued URLs up to `last_id` in the file, none of them in memory."""
        self._spilled_id = last_id

    def loaded(self, entries: list[Entry], up_to: int) -> None:
        """Take in `entries` from the file: all its queued URLs with ids up to `up_to`."""
        for entry in entries:
            if entry.id > self._loaded_id and entry.id not in self._early:
                self._enqueue(entry)
        self._loaded_id = max(self._loaded_id, up_to)
        self._early = {url_id for url_id in self._early if url_id > self._loaded_id}

    def readmitted(self, entry: Entry) -> None:
        """Add a URL that was refused before; the file may have it queued already or soon."""
        if entry.id > self._loaded_id:
            self._early.add(entry.id)
        self._enqueue(entry)

    def passed_over(self, url_id: int) -> bool:
        """Leave this URL out when its turn to be loaded comes; False if it had its turn."""
        if url_id <= self._loaded_id or url_id in self._early:
            return False
        self._early.add(url_id)
        return True

    # The queue

    def requeue(self, entry: Entry) -> None:
        """Put an entry back that was taken, at the head of its host's queue."""
        host = self._host(entry)
        host.entries.appendleft(entry)
        self._entries[entry.id] = entry
        self._list(entry.host, host)

    def postpone(self, entry: Entry, until: float) -> None:
        """Put an entry back that was taken; its turn comes at `until` at the earliest."""
        self._entries[entry.id] = entry
        heappush(self._later, (until, next(self._order), entry))

    def withdraw(self, url_id: int) -> Entry | None:
        """Take the entry with this id out, wherever it stands in the queue."""
        entry = self._entries.pop(url_id, None)
        if entry is not None:
            entry.withdrawn = True
        return entry

    def take(self, now: float, settled: Callable[[Entry], bool] = _never) -> Entry | None:
        """The next entry whose host may be asked at `now`; None if there is none.

        `settled` is asked first: an entry for which it says yes is not to be asked for after all,
        is gone, and costs its host no time.
        """
        self._now = now
        while self._later and self._later[0][0] <= now:
            _, _, entry = heappop(self._later)
            if not entry.withdrawn:
                self.requeue(entry)
        turns = self._turns
        while turns and turns[0][0] <= now:
            _, _, name = heappop(turns)
            host = self._hosts[name]
            host.listed = False
            if host.next_at <= now:
                popped, more = self._pop(host, settled)
                if popped is not None:
                    host.next_at = now + host.delay_s
                    host.active += 1
                self._list(name, host)
                if popped is not None or more:
                    return popped
            self._list(name, host)
        return None

    def next_at(self) -> float | None:
        """When `take` may succeed next; None if nothing waits in memory."""
        times = [heap[0][0] for heap in (self._turns, self._later) if heap]
        return min(times) if times else None

    def released(self, entry: Entry) -> None:
        """An entry that was taken is no longer in flight."""
        host = self._hosts.get(entry.host)
        if host is not None:
            host.active -= 1
            self._list(entry.host, host)

    def back_off(self, name: str, until: float) -> None:
        """Leave a host alone until then."""
        host = self._hosts.get(name)
        if host is not None:
            host.next_at = max(host.next_at, until)

    def set_delay(self, name: str, delay_s: float, now: float) -> None:
        """Ask a host at most once in `delay_s` seconds, or as the pace says if that is longer.

        Whoever waited for this to be known asks `now`.
        """
        self._delays[name] = delay_s
        host = self._hosts.get(name)
        if host is not None:
            host.delay_s = max(host.delay_s, delay_s)
            host.next_at = max(host.next_at, now + host.delay_s)

    def _pop(self, host: _Host, settled: Callable[[Entry], bool]) -> tuple[Entry | None, bool]:
        """The host's next entry, and whether it is left for another turn of the loop to find."""
        refusals = 0
        while host.entries:
            entry = host.entries.popleft()
            if entry.withdrawn:
                continue
            del self._entries[entry.id]
            if not settled(entry):
                return entry, False
            refusals += 1
            if refusals == _SETTLED_PER_TURN:
                return None, True
        return None, False

    def _enqueue(self, entry: Entry) -> None:
        host = self._host(entry)
        host.entries.append(entry)
        self._entries[entry.id] = entry
        self._list(entry.host, host)

    def _list(self, name: str, host: _Host) -> None:
        slots = self._pace.slots
        if not host.listed and host.entries and (slots is None or host.active < slots):
            host.listed = True
            heappush(self._turns, (host.next_at, next(self._order), name))

    def _host(self, entry: Entry) -> _Host:
        name = entry.host
        host = self._hosts.get(name)
        if host is None:
            if len(self._hosts) >= self._prune_at:
                self._prune()
            pace = self._pace
            delay_s = pace.external_delay_s if entry.external else pace.delay_s
            host = self._hosts[name] = _Host(max(delay_s, self._delays.get(name, 0.0)))
        return host

    def _prune(self) -> None:
        """Forget hosts with nothing to do; their delays, where robots.txt sets one, stay."""
        idle = [
            name
            for name, host in self._hosts.items()
            if not (host.listed or host.entries or host.active) and host.next_at <= self._now
        ]
        for name in idle:
            del self._hosts[name]
        self._prune_at = max(_PRUNE_HOSTS, 2 * len(self._hosts))
