"""The queue of URLs to fetch: bounded windows in memory over the queued URLs in the file.

Order is that of discovery, host by host in turn; a host is asked again only after its delay.
Links out of the crawl that are only checked have a window of their own.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Self

from app.engine.window import Part, Wanted, Window
from app.model.forgetting import drop_oldest
from app.model.messages import HostState
from app.model.outcome import Outcome
from app.model.rows import Rank
from app.model.settings import CrawlSettings

_PRUNE_HOSTS = 10_000
_MAX_DELAYS = 10_000
"""More than origins whose robots.txt is kept: what is forgotten here is learnt again."""
_EXTERNAL_SHARE = 4
"""The window for external URLs has one part in so many of the other's capacity."""
_SEARCHED_HOSTS = 200
"""Hosts looked for in the file at a time, at least."""
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
    """Its name, and its port if that is not the scheme's: see `host_of`."""
    outcome: Outcome = Outcome.PENDING
    """What it waits for: to be fetched, checked, or read as a sitemap."""
    external: bool = False
    tries: int = 0
    deaths: int = 0
    waited: bool = False
    """Taken once already, only to wait for a robots.txt."""
    again: bool = False
    """Asked a second time, with cookies that a redirect had set."""
    withdrawn: Outcome | None = None
    """What it was taken out as, while queued or in flight: dropped when its turn comes."""


@dataclass(slots=True)
class _Host:
    delay_s: float
    part: Part
    entries: deque[Entry] = field(default_factory=deque)
    active: int = 0
    next_at: float = 0.0
    listed: bool = False
    rests_until: float = 0.0
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
        self._pace = pace
        self._delays: dict[str, float] = {}
        self._hosts: dict[str, _Host] = {}
        self._turns: list[tuple[float, int, str]] = []
        self._later: list[tuple[float, int, Entry]] = []
        self._order = count()
        self._entries: dict[int, Entry] = {}
        self._windows = (Window(capacity), Window(max(1, capacity // _EXTERNAL_SHARE)))
        self._searched = ""
        self._now = 0.0
        self._prune_at = _PRUNE_HOSTS

    def __len__(self) -> int:
        """Entries in memory, postponed ones included."""
        return len(self._entries)

    def get(self, url_id: int) -> Entry | None:
        """The entry with this id, if it waits in memory."""
        return self._entries.get(url_id)

    # The windows over the file

    @property
    def runs_low(self) -> bool:
        """Whether a host runs low while the file has more."""
        return any(window.runs_low for window in self._windows)

    @property
    def wants_hosts(self) -> bool:
        """Whether the file may have hosts that there is a place for."""
        return any(window.wants_hosts for window in self._windows)

    @property
    def spilled(self) -> bool:
        """Whether the file holds queued URLs that are not in memory."""
        return any(window.spilled for window in self._windows)

    def restore(self, last_id: int) -> None:
        """Begin with the queued URLs up to `last_id` in the file, none of them in memory."""
        for window in self._windows:
            window.restore(last_id)

    def discovered(self, entry: Entry) -> None:
        """Add a URL whose id is the highest so far; without room it stays in the file alone."""
        host = self._host(entry.host, external=entry.external)
        if host.part.window.admits(host.part, entry.id):
            self._enqueue(entry, host)

    def readmitted(self, entry: Entry) -> None:
        """Add a known URL that is queued anew; without room it stays in the file alone."""
        if entry.id in self._entries:
            return
        host = self._host(entry.host, external=entry.external)
        if host.part.window.readmits(host.part, entry.id):
            self._enqueue(entry, host)

    def wanted(self, limit: int) -> list[Wanted]:
        """What to read from the file now: about `limit` URLs in all."""
        return [wanted for window in self._windows for wanted in window.wanted(limit)]

    def loaded(self, wanted: Wanted, entries: list[Entry], up_to: int) -> None:
        """Take in what was read: `entries` are those of its URLs that nobody has taken yet.

        All its queued URLs with ids up to `up_to` were read.
        """
        host = self._hosts[wanted.host]
        for entry in entries:
            if entry.id not in self._entries:
                self._enqueue(entry, host)
        host.part.window.loaded(host.part, up_to)

    @property
    def to_search(self) -> tuple[str, int] | None:
        """The host after which to look for hosts that only the file knows, and how many.

        None if there is no need, or no room.
        """
        places = [window.places for window in self._windows if window.wants_hosts]
        return (self._searched, max(_SEARCHED_HOSTS, sum(places))) if places else None

    def searched(self, firsts: list[Entry], *, to_the_end: bool) -> None:
        """Take in what was found: a queued URL of each of the next hosts, by host."""
        for entry in firsts:
            host = self._host(entry.host, external=entry.external)
            host.part.window.adopt(host.part)
        self._searched = "" if to_the_end else firsts[-1].host
        if to_the_end:
            for window in self._windows:
                window.searched()

    # The queue

    def requeue(self, entry: Entry) -> None:
        """Put an entry back that was taken, at the head of its host's queue."""
        host = self._host(entry.host, external=entry.external)
        self._entered(entry, host)
        host.entries.appendleft(entry)
        self._list(entry.host, host)

    def postpone(self, entry: Entry, until: float) -> None:
        """Put an entry back that was taken; its turn comes at `until` at the earliest."""
        self._entered(entry, self._host(entry.host, external=entry.external))
        heappush(self._later, (until, next(self._order), entry))

    def withdraw(self, url_id: int) -> Entry | None:
        """Take the entry with this id out, wherever it stands in the queue."""
        entry = self._entries.pop(url_id, None)
        if entry is not None:
            entry.withdrawn = Outcome.CANCELLED
            self._left(self._hosts[entry.host])
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
                host = self._hosts[entry.host]
                host.entries.appendleft(entry)
                self._list(entry.host, host)
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
            host.rests_until = max(host.rests_until, until)

    def hosts(self, now: float) -> Iterator[HostState]:
        """The hosts that are asked, wait for their turn, or are left alone."""
        for name, host in self._hosts.items():
            rests_s = max(0.0, host.rests_until - now)
            if host.active or host.entries or rests_s:
                yield HostState(name, host.active, len(host.entries), host.delay_s, rests_s)

    def set_delay(self, name: str, delay_s: float, now: float) -> None:
        """Ask a host at most once in `delay_s` seconds, or as the pace says if that is longer.

        It was asked `now`, for this.
        """
        if len(self._delays) >= _MAX_DELAYS:
            drop_oldest(self._delays)
        if delay_s:
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
            self._left(host)
            if not settled(entry):
                return entry, False
            refusals += 1
            if refusals == _SETTLED_PER_TURN:
                return None, True
        return None, False

    def _enqueue(self, entry: Entry, host: _Host) -> None:
        self._entered(entry, host)
        host.entries.append(entry)
        self._list(entry.host, host)

    def _entered(self, entry: Entry, host: _Host) -> None:
        self._entries[entry.id] = entry
        host.part.window.entered(host.part)

    @staticmethod
    def _left(host: _Host) -> None:
        host.part.window.left(host.part)

    def _list(self, name: str, host: _Host) -> None:
        slots = self._pace.slots
        if not host.listed and host.entries and (slots is None or host.active < slots):
            host.listed = True
            heappush(self._turns, (host.next_at, next(self._order), name))

    def _host(self, name: str, *, external: bool) -> _Host:
        host = self._hosts.get(name)
        if host is None:
            if len(self._hosts) >= self._prune_at:
                self._prune()
            pace = self._pace
            delay_s = pace.external_delay_s if external else pace.delay_s
            host = self._hosts[name] = _Host(
                max(delay_s, self._delays.get(name, 0.0)), Part(name, self._windows[external])
            )
        return host

    def _prune(self) -> None:
        """Forget hosts with nothing to do; their delays, where robots.txt sets one, stay."""
        idle = [name for name, host in self._hosts.items() if self._is_idle(host)]
        for name in idle:
            del self._hosts[name]
        self._prune_at = max(_PRUNE_HOSTS, 2 * len(self._hosts))

    def _is_idle(self, host: _Host) -> bool:
        busy = host.listed or host.entries or host.active or host.part.waiting or host.part.spilled
        return not busy and host.next_at <= self._now
