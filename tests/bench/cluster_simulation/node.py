"""A simulated node: it asks the servers, reads the answers on its cores, and sends results back."""

from collections import deque
from collections.abc import Callable
from functools import partial
from math import ceil

from tests.bench.cluster_simulation.events import Cores, EventQueue
from tests.bench.cluster_simulation.frontier import Entry
from tests.bench.cluster_simulation.plan import SLOWER, Exchange, Plan
from tests.bench.cluster_simulation.web import Web

_LEAST_SHARE = 0.05
_SMOOTHED_S = 0.5
_MOST_AHEAD = 200
"""`node_link`: for each core, as a page worker has one."""
Job = tuple[Entry, float]
"""A URL and when it was taken: an answer to an earlier try is known by that."""


class Network:
    """What carries all messages between coordinator and nodes in one direction."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        self.back_at = 0.0
        """Until then nothing goes through; it is sent again until it does."""
        self._free_at = 0.0
        self.messages = 0
        self.bytes = 0.0

    def carry(self, now: float, size: float) -> float:
        """Send a message; when it arrives."""
        self.messages += 1
        self.bytes += size
        self._free_at = max(self._free_at, self.back_at, now) + size / self.exchange.bandwidth
        return self._free_at + self.exchange.latency_s


class Conversation:
    """The calls of one node, as `gossamer.cluster.node_link` makes them.

    A call takes along what there is to ask. The node gathers for `gather_s` what it has to tell,
    and returns it; the next call begins `pace_s` after this one at the earliest. Calls that carry
    nothing take no events here: they are only counted.
    """

    def __init__(
        self,
        events: EventQueue,
        lines: tuple[Network, Network],
        ask: Callable[[list[Job]], None],
        answer: Callable[[list[Job]], None],
        free_at: Callable[[], float],
    ) -> None:
        self._events = events
        self._free_at = free_at
        self._to_node, self._from_node = lines
        self._exchange = lines[0].exchange
        self._ask = ask
        self._answer = answer
        self._jobs: list[tuple[Job, float]] = []
        self._answers: list[tuple[Job, float]] = []
        self._life = 0
        self._began_at = 0.0
        self._idle_since: float | None = None
        """When the first of the calls arrived that have had nothing to carry."""
        self.messages = 0
        self.idle_calls = 0

    def ask(self, job: Job, size: float) -> None:
        """Have the node get this with the next call."""
        self._jobs.append((job, size))
        self._wake()

    def answer(self, job: Job, size: float) -> None:
        """The node has this."""
        self._answers.append((job, size))
        self._wake()

    def begin(self) -> None:
        """Begin to call."""
        self._start(self._life)

    def settle(self) -> None:
        """Count the calls up to now."""
        if self._idle_since is None or not (cycle_s := self._exchange.cycle_s):
            return
        calls = int((self._events.now - self._idle_since) / cycle_s)
        self.messages += 2 * calls
        self.idle_calls += calls
        self._idle_since += calls * cycle_s
        self._began_at += calls * cycle_s

    def drop(self) -> None:
        """What was not sent goes nowhere."""
        self._jobs.clear()

    def end(self) -> None:
        """The node is gone, with what it had to tell; `begin` calls the one in its place."""
        self.settle()
        self._life += 1
        self._idle_since = None
        self._answers.clear()

    def _start(self, life: int) -> None:
        if life != self._life:
            return
        free_at = self._free_at()
        if free_at > self._events.now and self._exchange.pace_s:
            # The coordinator calls from the loop in which it decides.
            self._events.at(free_at, partial(self._start, life))
            return
        self._began_at = self._events.now
        jobs, self._jobs = self._jobs, []
        self.messages += 1
        arrives_at = self._to_node.carry(self._events.now, sum(size for _, size in jobs))
        self._events.at(arrives_at, partial(self._arrive, life, [job for job, _ in jobs]))

    def _arrive(self, life: int, jobs: list[Job]) -> None:
        if life != self._life:
            return
        self._idle_since = self._events.now
        self._ask(jobs)
        if self._answers or self._jobs:
            self._wake()

    def _wake(self) -> None:
        """The call under way is to bring this, or the next one to take it along."""
        self.settle()
        if self._idle_since is None:
            return  # that is seen to already
        gathered_at = self._idle_since + self._exchange.gather_s
        self._idle_since = None
        if self._events.now <= gathered_at:
            self._events.at(gathered_at, partial(self._return, self._life))
        else:
            self._go_on()

    def _return(self, life: int) -> None:
        if life != self._life:
            return
        answers, self._answers = self._answers, []
        if not answers:
            self._go_on()
            return
        self.messages += 1
        size = sum(size for _, size in answers)
        arrives_at = self._from_node.carry(self._events.now, size)
        self._events.at(arrives_at, partial(self._answer, [job for job, _ in answers]))
        again_at = max(arrives_at, self._began_at + self._exchange.pace_s)
        self._events.at(again_at, partial(self._start, self._life))

    def _go_on(self) -> None:
        """This call brings nothing; the next one begins."""
        self.messages += 1
        self.idle_calls += 1
        again_at = max(self._events.now, self._began_at + self._exchange.cycle_s)
        self._events.at(again_at, partial(self._start, self._life))


def read_s(plan: Plan) -> float:
    """How long a core takes for a page, its share of the node's calls included."""
    calls = 2 * plan.costs.node_message_s / plan.exchange.pace_s if plan.exchange.pace_s else 0.0
    cores, work_s = plan.cores, plan.costs.read_s
    if plan.shared_cores:
        cores, calls, work_s = plan.shared_cores, plan.nodes * calls, work_s + plan.costs.serve_s
    return work_s / max(_LEAST_SHARE, 1.0 - calls / cores)


class SimulatedNode:
    """A machine with page workers. `jobs` is what the coordinator thinks it has."""

    def __init__(  # noqa: PLR0917 - its line, its machine, and who hears of requests
        self,
        events: EventQueue,
        plan: Plan,
        web: Web,
        lines: tuple[Network, Network],
        answer: Callable[[list[Job]], None],
        free_at: Callable[[], float],
        asked: Callable[[Entry], None],
        shared: Cores | None,
    ) -> None:
        self._events = events
        self._plan = plan
        self._web = web
        self._asked = asked
        self.jobs: dict[Entry, float] = {}
        self.conversation = Conversation(events, lines, self._receive, answer, free_at)
        self.conversation.begin()
        self.is_alive = True
        self.is_offered = True
        """Whether the coordinator gives it jobs."""
        self.slow_until = 0.0
        self._life = 0
        self._line_free_at = 0.0
        self._shared = shared
        self._cores = Cores(plan.cores)
        self._read_s = read_s(plan)
        self.busy_s = 0.0
        self.slots = 0
        """How many of its jobs run at once; where there is no store, all."""
        self.ahead = 0
        """How many jobs it should hold in store."""
        self.running = 0
        self._store: deque[Job] = deque()
        self._rate = 0.0
        self._heard_at = 0.0

    @property
    def takes(self) -> bool:
        """Whether it may get jobs, and can run any."""
        return self.is_offered and (self.slots > 0 or not self._plan.exchange.stores)

    def note_results(self, count: int) -> None:
        """So many results have come: what it does in two calls is to be in store."""
        exchange = self._plan.exchange
        if not exchange.stores:
            return
        since_s = max(self._events.now - self._heard_at, exchange.cycle_s)
        self._heard_at = self._events.now
        self._rate += (count / since_s - self._rate) * min(1.0, since_s / _SMOOTHED_S)
        self.ahead = min(_MOST_AHEAD * self._plan.cores, ceil(self._rate * 2 * exchange.cycle_s))

    def give(self, entry: Entry) -> None:
        """Have it ask for this."""
        self.jobs[entry] = entry.taken_at
        self.conversation.ask((entry, entry.taken_at), self._plan.costs.job_bytes)

    def die(self) -> None:
        """Everything it was about is lost."""
        self.is_alive = False
        self._life += 1
        self._store.clear()
        self.running = self.ahead = 0
        self.conversation.end()

    def revive(self) -> None:
        """Another machine takes its place."""
        self.is_alive = self.is_offered = True
        self._line_free_at = 0.0
        self._cores = Cores(self._plan.cores)
        self.conversation.begin()

    def _receive(self, jobs: list[Job]) -> None:
        self._store += jobs
        self._begin()

    def _begin(self) -> None:
        """Ask for what there are places for."""
        while self._store and (self.running < self.slots or not self._plan.exchange.stores):
            entry, taken_at = self._store.popleft()
            if self.jobs.get(entry) != taken_at:
                continue  # taken back meanwhile
            entry.began = True
            self.running += 1
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
        work_s = self._read_s * (SLOWER if now < self.slow_until else 1.0)
        done_at = self._cores.work(self._line_free_at, work_s)
        if self._shared is not None:  # its processes wait for the machine's cores, too
            done_at = max(done_at, self._shared.work(self._line_free_at, work_s))
        self.busy_s += work_s
        self._events.at(done_at, partial(self._done, entry, taken_at, life))

    def _done(self, entry: Entry, taken_at: float, life: int) -> None:
        if life == self._life:
            self.running -= 1
            size = self._plan.costs.result_size(self._web.model.links)
            self.conversation.answer((entry, taken_at), size)
            self._begin()
