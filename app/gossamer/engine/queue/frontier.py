"""The frontier: a bounded part of the queued URLs in memory, and the choice of the next one.

URLs come in order of discovery, host by host in turn, and the lanes of a host in turn; a host is
requested again only after its delay. External links, which are only checked, have a window of their
own.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from math import inf

from gossamer.engine.queue.host_queues import HostQueue, HostRate, QueueWindow, RefillRequest
from gossamer.engine.url_tracker import FrontierEntry, Lane, UrlStage, UrlTracker
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.messages.crawl_messages import HostState

_PRUNE_HOSTS = 10_000
_MAX_DELAYS = 10_000
"""More than the origins whose robots.txt is kept: what is forgotten here is learnt again."""
_EXTERNAL_SHARE = 4
"""The window for external URLs has one part in so many of the other's capacity."""
_SEARCHED_HOSTS = 200
"""Fewest hosts looked for in the file at a time."""
_FIRST_SHARE = 4
"""What is fetched first has room for one part in so many of the capacity."""
_SETTLED_PER_TURN = 500
"""Entries settled without a fetch before the loop gets its turn."""

_WAITING = UrlStage.WAITING
_IN_FLIGHT = UrlStage.IN_FLIGHT
_AS_FAST_AS_IT_GOES = HostRate()


def _never(_: FrontierEntry) -> bool:
    return False


class Frontier:
    """Chooses which URL is fetched next. Holds entries; performs no I/O."""

    def __init__(
        self, tracker: UrlTracker, capacity: int, pace: HostRate = _AS_FAST_AS_IT_GOES
    ) -> None:
        """`tracker` knows the stages of URLs; at most `capacity` entries are held."""
        self._tracker = tracker
        self._pace = pace
        self._slots = inf if pace.slots is None else pace.slots
        self._delays: dict[str, float] = {}
        self._hosts: dict[str, HostQueue] = {}
        self._turns: tuple[list[tuple[float, int, str]], ...] = ([], [])
        """Heaps of hosts: those with something to fetch first, and those with anything else."""
        self._later: list[tuple[float, int, FrontierEntry]] = []
        self._order = count(1)
        self._windows = (QueueWindow(capacity), QueueWindow(max(1, capacity // _EXTERNAL_SHARE)))
        self._room_first = max(1, capacity // _FIRST_SHARE)
        self._first = 0
        self.first_missed = 0
        """The highest id of what is to be fetched first and has no room here."""
        self._searched = ""
        self._now = 0.0
        self._prune_at = _PRUNE_HOSTS

    def __len__(self) -> int:
        """Entries in memory, postponed ones included."""
        internal, external = self._windows
        return internal.waiting + external.waiting

    # The windows over the file

    @property
    def runs_low(self) -> bool:
        """Whether a host's queue runs low while the file has more."""
        internal, external = self._windows
        return bool(internal.low or external.low)

    @property
    def wants_hosts(self) -> bool:
        """Whether the file may have hosts that there is room for."""
        internal, external = self._windows
        return (internal.elsewhere and internal.free_slots > 0) or (
            external.elsewhere and external.free_slots > 0
        )

    @property
    def spilled(self) -> bool:
        """Whether the file holds queued URLs that are not in memory."""
        return any(window.spilled for window in self._windows)

    def restore(self, last_id: int) -> None:
        """Begin with the queued URLs up to `last_id` in the file, none of them in memory."""
        for window in self._windows:
            window.restore(last_id)

    def add_new(self, entry: FrontierEntry) -> None:
        """Add a URL whose id is the highest so far; without room it stays only in the file."""
        host = self._hosts.get(entry.host) or self._host(entry.host, external=entry.external)
        if host.window.admits(host, entry.id) or self._is_let_in(entry):
            self._tracker.add_new(entry)
            self._enqueue(entry, host)

    def add_known(self, entry: FrontierEntry) -> None:
        """Add a known URL that is queued again; without room it stays only in the file."""
        if self._tracker.entry(entry.id) is not None:
            return
        host = self._host(entry.host, external=entry.external)
        if host.window.readmits(host, entry.id) or self._is_let_in(entry):
            self._tracker.add(entry)
            self._enqueue(entry, host)

    @property
    def room_first(self) -> int:
        """How many more entries may be fetched before everything else."""
        return self._room_first - self._first

    def prefer(self, entry: FrontierEntry) -> None:
        """Have a queued URL fetched before everything else, whether it is in memory or on file."""
        waiting = self._tracker.entry(entry.id)
        if waiting is None:
            entry.first = True
            self._tracker.add(entry)
            self._enqueue(entry, self._host(entry.host, external=entry.external))
        elif not waiting.first:
            waiting.first = True
            self._first += 1
            if waiting.stage is _WAITING:
                host = self._hosts[waiting.host]
                host.first.append(waiting)
                self._list(host)

    def _is_let_in(self, entry: FrontierEntry) -> bool:
        """Whether an entry without room is admitted, because it is to be fetched first."""
        if entry.first and self.room_first <= 0:
            self.first_missed = max(self.first_missed, entry.id)
            return False
        return entry.first

    def wanted(self, limit: int) -> list[RefillRequest]:
        """What to read from the file now: about `limit` URLs in all."""
        return [wanted for window in self._windows for wanted in window.wanted(limit)]

    def loaded(self, wanted: RefillRequest, entries: list[FrontierEntry], up_to: int) -> None:
        """Add what was read: `entries` are those of its URLs that are not in memory yet.

        All its queued URLs with ids up to `up_to` were read.
        """
        host = self._hosts[wanted.host]
        for entry in entries:
            if self._tracker.entry(entry.id) is None:
                self._tracker.add(entry)
                self._enqueue(entry, host)
        host.window.loaded(host, up_to)

    @property
    def to_search(self) -> tuple[str, int] | None:
        """After which host to look for hosts that only the file knows, and for how many.

        None if there is no need, or no room.
        """
        free_slots = [
            window.free_slots
            for window in self._windows
            if window.elsewhere and window.free_slots > 0
        ]
        return (self._searched, max(_SEARCHED_HOSTS, sum(free_slots))) if free_slots else None

    def searched(self, firsts: list[FrontierEntry], *, to_the_end: bool) -> None:
        """Add what was found: a queued URL of each of the next hosts, by host."""
        for entry in firsts:
            host = self._host(entry.host, external=entry.external)
            host.window.adopt(host)
        self._searched = "" if to_the_end else firsts[-1].host
        if to_the_end:
            for window in self._windows:
                window.searched()

    # The queue

    def requeue(self, entry: FrontierEntry) -> None:
        """Return a taken entry to the head of its host's queue."""
        host = self._host(entry.host, external=entry.external)
        self._tracker.move(entry, _WAITING)
        self._entered(entry, host)
        host.queue(entry).appendleft(entry)
        self._list(host)

    def postpone(self, entry: FrontierEntry, until: float) -> float:
        """Have a taken entry wait until then; returns when its host may be requested again."""
        host = self._host(entry.host, external=entry.external)
        self._tracker.move(entry, UrlStage.POSTPONED)
        self._entered(entry, host)
        heappush(self._later, (until, next(self._order), entry))
        return max(until, host.rests_until)

    def withdraw(self, entry: FrontierEntry) -> None:
        """Remove a queued entry, wherever it is: it was decided otherwise."""
        self._tracker.move(entry, UrlStage.DECIDED)
        self._left(entry, self._hosts[entry.host])

    def take(
        self,
        now: float,
        settled: Callable[[FrontierEntry], bool] = _never,
        *,
        ahead: bool = False,
    ) -> FrontierEntry | None:
        """The next entry whose host may be requested at `now`; None if there is none.

        If it is prefetched (`ahead`), the time of its request is unknown: a host with a delay gives
        no other until it is released.

        `settled` is called first: an entry for which it is true is not fetched after all, is gone,
        and costs its host no time.
        """
        self._now = now
        if self._later and self._later[0][0] <= now:
            self._bring_back(now)
        for number, turns in enumerate(self._turns):
            while turns and turns[0][0] <= now:
                _, turn, name = heappop(turns)
                host = self._hosts.get(name)
                if host is None or host.listed[number] != turn:
                    continue  # it has got an earlier turn since
                host.listed[number] = 0
                popped, more = None, False
                if host.next_at <= now and host.active < self._slots:
                    popped, more = self._pop(host, settled)
                if popped is not None:
                    popped.taken_at = host.asked_at = now
                    popped.holds_host = ahead and host.delay_s > 0
                    host.next_at = inf if popped.holds_host else now + host.delay_s
                    host.active += 1
                self._list(host)
                if popped is not None or more:
                    return popped
        return None

    def next_at(self) -> float | None:
        """When `take` may succeed next; None if nothing waits in memory."""
        times = [turns[0][0] for turns in self._turns if turns]
        times += [self._later[0][0]] if self._later else []
        return min(times, default=None)

    def _bring_back(self, now: float) -> None:
        """Put what was postponed until now at the head of its host's queue."""
        while self._later and self._later[0][0] <= now:
            _, _, entry = heappop(self._later)
            if entry.stage is UrlStage.POSTPONED:
                self._tracker.move(entry, _WAITING)
                host = self._hosts[entry.host]
                host.queue(entry).appendleft(entry)
                self._list(host)

    def release(
        self, entry: FrontierEntry, *, is_asked: bool = True, now: float | None = None
    ) -> None:
        """Note that an entry is no longer in flight, from `now` on (None: the last `take`).

        If it was not requested after all, its host may be requested at once.
        """
        host = self._hosts.get(entry.host)
        if host is None:
            return
        host.active -= 1
        if entry.holds_host:
            entry.holds_host = False
            host.next_at = max(host.rests_until, (self._now if now is None else now) + host.delay_s)
        if not is_asked and host.asked_at == entry.taken_at:
            host.next_at = host.rests_until
            host.listed = [0, 0]
        self._list(host)

    def back_off(self, name: str, until: float) -> None:
        """Leave a host alone until then."""
        host = self._hosts.get(name)
        if host is not None:
            host.next_at = max(host.next_at, until)
            host.rests_until = max(host.rests_until, until)

    def hosts(self, now: float) -> Iterator[HostState]:
        """The hosts with requests in flight, waiting for their turn, or in back-off."""
        for name, host in self._hosts.items():
            rests_s = max(0.0, host.rests_until - now)
            waiting = host.waiting
            if host.active or waiting or rests_s:
                yield HostState(name, host.active, waiting, host.delay_s, rests_s)

    def set_pace(self, pace: HostRate) -> None:
        """Change the pace at once."""
        self._pace = pace
        self._slots = inf if pace.slots is None else pace.slots
        for heap in self._turns:
            heap.clear()
        for name, host in self._hosts.items():
            is_backing_off = host.next_at != host.asked_at + host.delay_s
            host.delay_s = self._delay_s(name, external=host.window is self._windows[True])
            if not is_backing_off:
                host.next_at = host.asked_at + host.delay_s
            host.listed = [0, 0]
            self._list(host)

    def set_delay(self, name: str, delay_s: float, now: float) -> None:
        """Request a host at most once in `delay_s` seconds, or as the pace says if that is longer.

        It was requested `now`, for its robots.txt.
        """
        if len(self._delays) >= _MAX_DELAYS:
            drop_oldest(self._delays)
        if delay_s:
            self._delays[name] = delay_s
        host = self._hosts.get(name)
        if host is not None:
            host.delay_s = max(host.delay_s, delay_s)
            host.next_at = max(host.next_at, now + host.delay_s)

    def _pop(
        self, host: HostQueue, settled: Callable[[FrontierEntry], bool]
    ) -> tuple[FrontierEntry | None, bool]:
        """The host's next entry, and whether finding it is left to another turn of the loop."""
        refusals = 0
        first, spreading = host.first, host.lanes[Lane.SPREADING]
        for queue in host.queues():
            while queue:
                entry = queue.pop() if queue is spreading else queue.popleft()
                if entry.stage is not _WAITING or (entry.first and queue is not first):
                    continue
                self._tracker.move(entry, _IN_FLIGHT)
                self._left(entry, host)
                if not settled(entry):
                    return entry, False
                refusals += 1
                if refusals == _SETTLED_PER_TURN:
                    return None, True
        return None, False

    def _enqueue(self, entry: FrontierEntry, host: HostQueue) -> None:
        self._entered(entry, host)
        host.queue(entry).append(entry)
        self._list(host)

    def _entered(self, entry: FrontierEntry, host: HostQueue) -> None:
        self._first += entry.first
        host.window.entered(host)

    def _left(self, entry: FrontierEntry, host: HostQueue) -> None:
        self._first -= entry.first
        host.window.left(host)

    def _list(self, host: HostQueue) -> None:
        """Schedule a turn for the host, unless it has one or has no free slot."""
        if host.active >= self._slots or host.next_at == inf:
            return
        listed = host.listed
        if host.first and not listed[0]:
            listed[0] = turn = next(self._order)
            heappush(self._turns[0], (host.next_at, turn, host.name))
        if not listed[1] and any(host.lanes):
            listed[1] = turn = next(self._order)
            heappush(self._turns[1], (host.next_at, turn, host.name))

    def _host(self, name: str, *, external: bool) -> HostQueue:
        host = self._hosts.get(name)
        if host is None:
            if len(self._hosts) >= self._prune_at:
                self._prune()
            delay_s = self._delay_s(name, external=external)
            host = self._hosts[name] = HostQueue(name, self._windows[external], delay_s)
        return host

    def _delay_s(self, name: str, *, external: bool) -> float:
        """The longer of the pace's delay and the one the host asks for."""
        delay_s = self._pace.external_delay_s if external else self._pace.delay_s
        return max(delay_s, self._delays.get(name, 0.0))

    def _prune(self) -> None:
        """Forget hosts with nothing to do; their delays, where robots.txt sets one, stay."""
        idle = [name for name, host in self._hosts.items() if self._is_idle(host)]
        for name in idle:
            del self._hosts[name]
        self._prune_at = max(_PRUNE_HOSTS, 2 * len(self._hosts))

    def _is_idle(self, host: HostQueue) -> bool:
        busy = any((*host.listed, host.first, *host.lanes, host.active))
        return not (busy or host.waiting or host.spilled) and host.next_at <= self._now
