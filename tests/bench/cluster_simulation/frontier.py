"""The queue of a simulated shard: hosts in turn, each only as often as politeness allows.

The rules are those of `engine/queue/frontier`: a host is listed by when it may be asked next, and
hosts that may be asked now take turns.
"""

from collections import deque
from heapq import heappop, heappush
from itertools import count
from math import inf

from tests.bench.cluster_simulation.web import Host


class Entry:
    """A URL, and what became of it so far. A host's robots.txt is its page -1."""

    __slots__ = (
        *("answered_at", "began", "holds", "host", "node_losses"),
        *("node", "page", "taken_at", "tries"),
    )

    def __init__(self, host: Host, page: int) -> None:
        self.host = host
        self.page = page
        self.tries = 0
        self.holds = False
        """Whether its host waits until it has come back."""
        self.node_losses = 0
        self.node = 0
        """Which node of its shard has it, or had it last."""
        self.taken_at = 0.0
        self.answered_at = 0.0
        self.began = False
        """Whether a server was asked since it was last taken."""


class _Queue:
    """One host's."""

    __slots__ = ("active", "delay_s", "listed", "next_at", "waiting")

    def __init__(self, delay_s: float) -> None:
        self.delay_s = delay_s
        self.waiting: deque[Entry] = deque()
        self.active = 0
        self.next_at = 0.0
        self.listed = 0


class SimulatedFrontier:
    """Chooses what is asked next."""

    def __init__(self, rate_delay_s: float, per_host: int | None) -> None:
        self._rate_delay_s = rate_delay_s
        self._slots = inf if per_host is None else per_host
        self._queues: dict[int, _Queue] = {}
        self._turns: list[tuple[float, int, int]] = []
        self._later: list[tuple[float, int, Entry]] = []
        self._order = count(1)
        self.waiting = 0
        """URLs in the queue, those of hosts that may not be asked yet among them."""
        self.most = 0

    def add(self, entry: Entry) -> None:
        """Queue a URL."""
        queue = self._of(entry.host)
        queue.waiting.append(entry)
        self._grow()
        self._list(entry.host.number, queue)

    def requeue(self, entry: Entry) -> None:
        """Put back what was taken, at the head."""
        queue = self._of(entry.host)
        queue.waiting.appendleft(entry)
        self._grow()
        self._list(entry.host.number, queue)

    def postpone(self, entry: Entry, until_s: float) -> None:
        """Put back what was taken, until then."""
        self._grow()
        heappush(self._later, (until_s, next(self._order), entry))

    def take(self, now: float, *, ahead: bool = False) -> Entry | None:
        """The next URL whose host may be asked now; `ahead`, a host with a delay waits for it."""
        while self._later and self._later[0][0] <= now:
            self.waiting -= 1
            self.requeue(heappop(self._later)[2])
        while self._turns and self._turns[0][0] <= now:
            _, turn, name = heappop(self._turns)
            queue = self._queues[name]
            if queue.listed != turn:
                continue
            queue.listed = 0
            if queue.next_at > now or queue.active >= self._slots:
                self._list(name, queue)
                continue
            entry = queue.waiting.popleft()
            self.waiting -= 1
            queue.active += 1
            entry.holds = ahead and queue.delay_s > 0
            queue.next_at = inf if entry.holds else now + queue.delay_s
            entry.taken_at = now
            self._list(name, queue)
            return entry
        return None

    def next_at(self) -> float | None:
        """When `take` may succeed next; None if nothing waits."""
        times = [heap[0][0] for heap in (self._turns, self._later) if heap]
        return min(times, default=None)

    def release(self, entry: Entry, now: float) -> None:
        """What was taken is no longer in flight."""
        queue = self._queues[entry.host.number]
        queue.active -= 1
        if entry.holds:
            entry.holds = False
            queue.next_at = now + queue.delay_s
        self._list(entry.host.number, queue)

    def slow_down(self, host: Host, now: float) -> None:
        """Its robots.txt is known: ask it from now on as seldom as that wants."""
        queue = self._of(host)
        queue.delay_s = max(self._rate_delay_s, host.delay_s)
        queue.next_at = now + queue.delay_s

    def _grow(self) -> None:
        self.waiting += 1
        self.most = max(self.most, self.waiting)

    def _of(self, host: Host) -> _Queue:
        queue = self._queues.get(host.number)
        if queue is None:
            queue = self._queues[host.number] = _Queue(self._rate_delay_s)
        return queue

    def _list(self, name: int, queue: _Queue) -> None:
        if (
            queue.waiting
            and not queue.listed
            and queue.active < self._slots
            and queue.next_at < inf
        ):
            queue.listed = turn = next(self._order)
            heappush(self._turns, (queue.next_at, turn, name))
