"""A simulated node: it asks the servers, reads the answers on its cores, and sends results back."""

from collections.abc import Callable
from functools import partial

from tests.bench.cluster_simulation.events import EventQueue
from tests.bench.cluster_simulation.frontier import Entry
from tests.bench.cluster_simulation.plan import SLOWER, Exchange, Plan
from tests.bench.cluster_simulation.web import Web

Job = tuple[Entry, float]
"""A URL and when it was taken: an answer to an earlier try is known by that."""


class Network:
    """What carries all messages between coordinator and nodes in one direction."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.back_at = 0.0
        """Until then nothing arrives."""
        self._free_at = 0.0
        self.messages = 0
        self.bytes = 0.0

    def carry(self, now: float, size: float) -> float:
        """Send a message; when it arrives."""
        self.messages += 1
        self.bytes += size
        self._free_at = max(self._free_at, now) + size / self.exchange.bandwidth
        return self._free_at + self.exchange.latency_s


class PacedLine:
    """Sends what there is in one message, and then for a while nothing."""

    def __init__(
        self, events: EventQueue, network: Network, deliver: Callable[[list[Job]], None]
    ) -> None:
        self._events = events
        self._network = network
        self._deliver = deliver
        self._waiting: list[Job] = []
        self._bytes = 0.0
        self._next_at = 0.0
        self._due = False
        self.messages = 0

    def send(self, job: Job, size: float) -> None:
        """Have it go with the next message."""
        self._waiting.append(job)
        self._bytes += size
        if not self._due:
            self._due = True
            self._events.at(max(self._events.now, self._next_at), self._go)

    def drop(self) -> None:
        """What has not gone goes nowhere."""
        self._waiting.clear()
        self._bytes = 0.0

    def _go(self) -> None:
        now = self._events.now
        if now < self._network.back_at:
            self._events.at(self._network.back_at, self._go)
            return
        self._due = False
        if not self._waiting:
            return
        jobs, self._waiting = self._waiting, []
        size, self._bytes = self._bytes, 0.0
        self.messages += 1
        self._next_at = now + self._network.exchange.pace_s
        self._events.at(self._network.carry(now, size), partial(self._deliver, jobs))


class SimulatedNode:
    """A machine with page workers. `jobs` is what the coordinator thinks it has."""

    def __init__(
        self,
        events: EventQueue,
        plan: Plan,
        web: Web,
        lines: tuple[Network, Network],
        receive: Callable[[list[Job]], None],
        asked: Callable[[Entry], None],
    ) -> None:
        self._events = events
        self._plan = plan
        self._web = web
        self._asked = asked
        self.jobs: dict[Entry, float] = {}
        self.inward = PacedLine(events, lines[0], self._receive)
        self.outward = PacedLine(events, lines[1], receive)
        self.is_alive = True
        self.is_offered = True
        """Whether the coordinator gives it jobs."""
        self.slow_until = 0.0
        self._life = 0
        self._line_free_at = 0.0
        self._cores_free_at = [0.0] * plan.cores
        self.busy_s = 0.0

    def give(self, entry: Entry) -> None:
        """Have it ask for this."""
        self.jobs[entry] = entry.taken_at
        self.inward.send((entry, entry.taken_at), self._plan.costs.job_bytes)

    def die(self) -> None:
        """Everything it was about is lost."""
        self.is_alive = False
        self._life += 1
        self.outward.drop()

    def revive(self) -> None:
        """Another machine takes its place."""
        self.is_alive = self.is_offered = True
        self._line_free_at = 0.0
        self._cores_free_at = [0.0] * self._plan.cores

    def _receive(self, jobs: list[Job]) -> None:
        if not self.is_alive:
            return
        for entry, taken_at in jobs:
            if self.jobs.get(entry) != taken_at:
                continue  # taken back meanwhile
            entry.began = True
            self._asked(entry)
            answered_at = self._events.now + self._web.answer_s(entry.host, max(entry.page, 0))
            self._events.at(answered_at, partial(self._answered, entry, taken_at, self._life))

    def _answered(self, entry: Entry, taken_at: float, life: int) -> None:
        if life != self._life:
            return
        now, costs = self._events.now, self._plan.costs
        size = costs.page_bytes if entry.page >= 0 else costs.job_bytes
        begins = max(now, self._line_free_at)
        self._line_free_at = begins + size / self._plan.node_bandwidth
        core = min(range(self._plan.cores), key=self._cores_free_at.__getitem__)
        work_s = costs.read_s * (SLOWER if now < self.slow_until else 1.0)
        done_at = max(self._line_free_at, self._cores_free_at[core]) + work_s
        self._cores_free_at[core] = done_at
        self.busy_s += work_s
        self._events.at(done_at, partial(self._done, entry, taken_at, life))

    def _done(self, entry: Entry, taken_at: float, life: int) -> None:
        if life == self._life:
            size = self._plan.costs.result_size(self._web.model.links)
            self.outward.send((entry, taken_at), size)
