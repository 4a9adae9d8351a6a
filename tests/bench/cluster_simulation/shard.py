"""A simulated coordinator with its nodes: it decides, writes, and gives out jobs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heapify, heappop, heappush

from tests.bench.cluster_simulation.events import Cores, Crowd, EventQueue
from tests.bench.cluster_simulation.frontier import Entry, SimulatedFrontier
from tests.bench.cluster_simulation.node import Job, SimulatedNode
from tests.bench.cluster_simulation.plan import (
    BACK_OFF_S,
    BATCH_LINKS,
    BATCH_PAGES,
    COMMIT_RARELY_S,
    COMMIT_S,
    MUCH_QUEUED,
    NODE_LOSSES_ALLOWED,
    Plan,
)
from tests.bench.cluster_simulation.web import Host, Web

ROBOTS = -1
_NOTHING = 1e-12
_STALE = 64
"""So many times as many as there are nodes: then the heap by jobs is made anew."""


class Writer:
    """Commits batches in a thread of the coordinator, which shares its interpreter with it."""

    def __init__(self, events: EventQueue, done: Callable[[], None]) -> None:
        self._events = events
        self._done = done
        self._left_s = 0.0
        self._alone_since: float | None = None
        self._turn = 0
        self.is_writing = False
        self.busy_s = 0.0

    def begin(self, work_s: float, *, alone: bool) -> None:
        """Write a batch."""
        self.is_writing = True
        self._left_s = work_s
        self.busy_s += work_s
        if alone:
            self.go_on_alone()

    def go_on_alone(self) -> None:
        """The coordinator has nothing to decide."""
        if self.is_writing and self._alone_since is None:
            self._alone_since = self._events.now
            self._turn += 1
            self._events.at(self._events.now + self._left_s, partial(self._finish, self._turn))

    def share(self, work_s: float) -> float:
        """The coordinator decides for so long: by how much more, as both take turns."""
        if self._alone_since is not None:
            self._left_s = max(0.0, self._left_s - (self._events.now - self._alone_since))
            self._alone_since = None
            self._turn += 1
        more_s = min(work_s, self._left_s)
        self._left_s -= more_s
        return more_s

    def look(self) -> None:
        """Whether it is done."""
        if self.is_writing and self._left_s <= _NOTHING:
            self._finish(self._turn)

    def _finish(self, turn: int) -> None:
        if turn == self._turn and self.is_writing:
            self.is_writing = False
            self._alone_since = None
            self._left_s = 0.0
            self._done()


class SimulatedShard:
    """One frontier, one project file, and the nodes that work for them."""

    def __init__(
        self, events: EventQueue, plan: Plan, web: Web, written: Callable[[Entry], None]
    ) -> None:
        self._events = events
        self._plan = plan
        self._web = web
        self._written = written
        self._cores: Cores | None = None
        self._workers = max(1, plan.workers // plan.shards)
        self.frontier = SimulatedFrontier(plan.rate_delay_s, plan.per_host)
        self.nodes: Sequence[SimulatedNode] = ()
        self._by_jobs: list[tuple[int, int]] = []
        self.in_flight = Crowd()
        self.answers = Crowd()
        """Answers of nodes, until they are decided."""
        self._inbox: list[tuple[Entry, float]] = []
        self._in_hand = 0
        self._unread = 0
        self.owed_s = 0.0
        """Work for other shards, to be done with the next decisions."""
        self._pending: list[Entry] = []
        self._writing: list[Entry] = []
        self._writer = Writer(events, self._committed)
        self._commit_at: float | None = None
        self._wake_at: float | None = None
        self.is_paused = False
        self.is_busy = False
        self._busy_until = 0.0
        self.decided = 0
        self.given_up = 0
        self.repeated = 0
        self.busy_s = 0.0
        self.found_elsewhere: list[int] = []
        self.shipped_links = 0.0
        self.on_shipping: Callable[[], None] = lambda: None
        self.on_decided: Callable[[], None] = lambda: None

    def free_at(self) -> float:
        """When it is done with what it decides now: until then it neither calls nor listens."""
        return self._busy_until

    # What comes

    def admit_host(self, host: Host) -> None:
        """A host of this shard was found, or is a root."""
        self.frontier.add(Entry(host, ROBOTS if self._plan.robots else 0))

    def receive(self, jobs: list[Job]) -> None:
        """A message of a node."""
        self._unread += 1
        now = self._events.now
        if jobs:
            self.nodes[jobs[0][0].node].note_results(len(jobs))
        for entry, taken_at in jobs:
            node = self._node_of(entry, taken_at)
            if node is None:
                continue  # put back meanwhile: its answer counts no more
            del self.nodes[node].jobs[entry]
            self._offer(node)
            entry.answered_at = now
            self._inbox.append((entry, taken_at))
            self.answers.enter(now)
        self.work()

    def lose(self, number: int) -> None:
        """It is noticed that a node has died: others get its jobs."""
        node = self.nodes[number]
        jobs, node.jobs = node.jobs, {}
        self._share_slots()
        node.conversation.drop()
        for entry, taken_at in reversed(jobs.items()):
            self._flight_ended(entry, taken_at)
            self.repeated += entry.began
            entry.node_losses += not node.is_alive
            if entry.node_losses > NODE_LOSSES_ALLOWED:
                self.given_up += 1
                self._pending.append(entry)
            else:
                self.frontier.requeue(entry)
        self.dispatch()

    def welcome(self, number: int) -> None:
        """A node may get jobs."""
        self._share_slots()
        self._offer(number)
        self.dispatch()

    def begin(self, nodes: Sequence[SimulatedNode], cores: Cores | None) -> None:
        """Take the nodes, and the cores that are shared with them."""
        self.nodes = nodes
        self._cores = cores
        self._share_slots()

    def _share_slots(self) -> None:
        offered = [node for node in self.nodes if node.is_offered]
        for number, node in enumerate(offered):
            each, more = divmod(self._workers, len(offered))
            node.slots = each + (number < more)
        self._by_jobs = [(len(node.jobs), place) for place, node in self._takers()]
        heapify(self._by_jobs)

    def _takers(self) -> Iterator[tuple[int, SimulatedNode]]:
        return ((place, node) for place, node in enumerate(self.nodes) if node.takes)

    # What is given out

    def dispatch(self) -> None:
        """Give out what may be asked now."""
        now = self._events.now
        while self._has_room and (number := self._least_busy()) is not None:
            entry = self.frontier.take(now, ahead=self.in_flight.inside >= self._workers)
            if entry is None:
                self._wake_later()
                break
            entry.began = False
            self.in_flight.enter(now)
            entry.node = number
            self.nodes[number].give(entry)
            self._offer(number)

    @property
    def _has_room(self) -> bool:
        waiting = len(self._pending) + len(self._inbox) + self._in_hand
        return (
            not self.is_paused
            and self.in_flight.inside < self._workers + sum(node.ahead for node in self.nodes)
            and waiting < BATCH_PAGES
            and len(self._pending) * self._web.model.links < BATCH_LINKS
        )

    def _least_busy(self) -> int | None:
        heap = self._by_jobs
        while heap:
            jobs, number = heap[0]
            node = self.nodes[number]
            if node.takes and jobs == len(node.jobs):
                return number
            heappop(heap)
        return None

    def _offer(self, number: int) -> None:
        if len(self._by_jobs) > _STALE * len(self.nodes):
            self._by_jobs = [(len(node.jobs), place) for place, node in self._takers()]
            heapify(self._by_jobs)
        heappush(self._by_jobs, (len(self.nodes[number].jobs), number))

    def _node_of(self, entry: Entry, taken_at: float) -> int | None:
        known = self.nodes[entry.node].jobs.get(entry)
        return entry.node if known == taken_at else None

    def _wake_later(self) -> None:
        at = self.frontier.next_at()
        if at is not None and (self._wake_at is None or at < self._wake_at):
            self._wake_at = at
            self._events.at(max(at, self._events.now), partial(self._wake, at))

    def _wake(self, at: float) -> None:
        if self._wake_at == at:
            self._wake_at = None
            self.dispatch()

    # What is decided and written

    def work(self) -> None:
        """Decide what has come, if nothing is being decided."""
        if self.is_busy or not (self._inbox or self._unread or self.owed_s):
            return
        self.is_busy = True
        batch, self._inbox = self._inbox, []
        self._in_hand = len(batch)
        costs = self._plan.costs
        work_s = len(batch) * costs.decided_s(self._web.model.links)
        # Each message that came was asked for with another one.
        work_s += 2 * self._unread * costs.message_s + self.owed_s
        self._unread, self.owed_s = 0, 0.0
        self.busy_s += work_s
        now = self._events.now
        if self._cores is not None:  # it gets its turn at once; the others have so much less
            self._cores.work(now, work_s)
        self._busy_until = ends_at = now + work_s + self._writer.share(work_s)
        self._events.at(ends_at, partial(self._decide_all, batch))

    def _decide_all(self, batch: list[tuple[Entry, float]]) -> None:
        now = self._events.now
        for entry, taken_at in batch:
            self.answers.leave(now, entry.answered_at)
            self._flight_ended(entry, taken_at)
            self._decide(entry)
        self.is_busy = False
        self._in_hand = 0
        self._writer.look()
        self._commit_soon()
        self.dispatch()
        self.work()
        if not self.is_busy:
            self._writer.go_on_alone()

    def _flight_ended(self, entry: Entry, taken_at: float) -> None:
        self.in_flight.leave(self._events.now, taken_at)
        self.frontier.release(entry, self._events.now)

    def _decide(self, entry: Entry) -> None:
        host, page = entry.host, entry.page
        if page == ROBOTS:
            self.frontier.slow_down(host, self._events.now)
            self.frontier.add(Entry(host, 0))
            return
        entry.tries += 1
        if entry.tries <= self._web.failures(host.number, page):
            self.frontier.postpone(entry, self._events.now + BACK_OFF_S * 2.0 ** (entry.tries - 1))
            return
        self.decided += 1
        self._pending.append(entry)
        for found in self._web.found_on(host, page):
            self.frontier.add(Entry(host, found))
        self._ship(self._web.entrances.get((host.number, page), ()))
        self.on_decided()

    def _ship(self, hosts: Sequence[int]) -> None:
        """Pass on what leads to other hosts; with several shards, all go the same way."""
        shards, model = self._plan.shards, self._web.model
        if shards == 1:
            for number in hosts:
                self.admit_host(self._web.hosts[number])
            return
        self.found_elsewhere += hosts
        self.shipped_links += model.leaving * (shards - 1) / shards
        self.on_shipping()

    def _commit_soon(self) -> None:
        links = len(self._pending) * self._web.model.links
        if 2 * len(self._pending) >= BATCH_PAGES or 2 * links >= BATCH_LINKS:
            self._commit_at = None
            self._commit()
        elif self._pending and self._commit_at is None:
            much = self.frontier.waiting >= MUCH_QUEUED
            self._commit_at = at = self._events.now + (COMMIT_RARELY_S if much else COMMIT_S)
            self._events.at(at, partial(self._commit_due, at))

    def _commit_due(self, at: float) -> None:
        if self._commit_at == at:
            self._commit_at = None
            self._commit()

    def _commit(self) -> None:
        if self._writer.is_writing or not self._pending:
            return
        self._writing, self._pending = self._pending, []
        work_s = len(self._writing) * self._plan.costs.written_s(self._web.model.links)
        self.busy_s += work_s
        if self._cores is not None:
            self._cores.work(self._events.now, work_s)
        self._writer.begin(work_s, alone=not self.is_busy)

    def _committed(self) -> None:
        for entry in self._writing:
            self._written(entry)
        self._writing = []
        self._commit_soon()
        self.dispatch()
