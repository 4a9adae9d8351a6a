"""Runs a simulated crawl from its roots to its end, and tells what came of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from tests.bench.cluster_simulation.events import Cores, Crowd, EventQueue
from tests.bench.cluster_simulation.frontier import Entry
from tests.bench.cluster_simulation.node import Network, SimulatedNode
from tests.bench.cluster_simulation.plan import Fault, FaultKind, Plan
from tests.bench.cluster_simulation.shard import ROBOTS, SimulatedShard
from tests.bench.cluster_simulation.web import Web

Watch = Callable[[float, Entry], None]
_STEADY: Final = (0.1, 0.9)
"""The middle of a crawl: its beginning has little to ask for, its end only slow hosts."""


@dataclass(frozen=True, slots=True)
class Stays:
    """Little's law: `mean` inside is `rate` of arrivals times `stay_s`."""

    mean: float
    rate: float
    stay_s: float
    most: int


@dataclass(frozen=True, slots=True)
class SimulatedCrawl:
    """What came of it. Rates are a second; all counts are over all shards."""

    seconds: float
    pages: int
    steady_rate: float
    """Pages a second while the second to the ninth tenth of them were decided."""
    requests: int
    repeated: int
    """Requests of which the answer was lost with a node or the network."""
    given_up: int
    written: Counter[tuple[int, int]]
    """How often each page was written, by host and page."""
    messages: int
    """To and from nodes."""
    node_messages: float
    """To and from the node that has the most, a second."""
    bytes: float
    """Between coordinators and nodes, and between shards."""
    shard_messages: int
    shipped_links: float
    frontier_most: int
    coordinator_busy: float
    """The share of the time that the busiest coordinator computes."""
    nodes_busy: float
    """The share of the time that the cores of all nodes compute."""
    in_flight: Stays
    answers: Stays

    @property
    def rate(self) -> float:
        """Pages a second from start to end."""
        return self.pages / self.seconds if self.seconds else 0.0


class Simulation:
    """One crawl."""

    def __init__(self, plan: Plan, web: Web, watch: Watch = lambda _now, _entry: None) -> None:
        """Take what is simulated. `watch` is called with each request to a server, and when."""
        self._plan = plan
        self._web = web
        self._watch = watch
        self._events = EventQueue()
        self._cores = Cores(plan.shared_cores) if plan.shared_cores else None
        self._lines: list[tuple[Network, Network]] = []
        self._shards: list[SimulatedShard] = []
        self._nodes: list[tuple[SimulatedShard, int]] = []
        self._written: Counter[tuple[int, int]] = Counter()
        self._requests = 0
        self._decided = 0
        self._ended_at = 0.0
        self._passed: list[float] = []
        self._shipping = False
        self._shipped = 0.0
        self._shard_messages = 0
        self._marks = [share * web.pages for share in _STEADY]

    def run(self) -> SimulatedCrawl:
        """Crawl."""
        for number in range(self._plan.shards):
            self._add_shard(number)
        roots = self._web.hosts[: max(1, self._web.model.seeds)]
        for host in roots:
            self._shards[host.number % self._plan.shards].admit_host(host)
        for fault in self._plan.faults:
            self._events.at(fault.at_s, partial(self._begin_fault, fault))
        for shard in self._shards:
            shard.dispatch()
        self._events.run(self._plan.time_limit_s)
        return self._told()

    def _add_shard(self, number: int) -> None:
        plan, events = self._plan, self._events
        shard = SimulatedShard(events, plan, self._web, self._note_written)
        lines = (Network(plan.exchange), Network(plan.exchange))
        nodes = range(number, plan.nodes, plan.shards)
        shard.begin(
            [
                SimulatedNode(
                    *(events, plan, self._web, lines),
                    *(shard.receive, shard.free_at, self._note_request, self._cores),
                )
                for _ in nodes
            ],
            self._cores,
        )
        shard.on_shipping = self._ship_soon
        shard.on_decided = self._note_decided
        self._lines.append(lines)
        self._shards.append(shard)
        self._nodes += [(shard, place) for place in range(len(nodes))]

    # What happens

    def _note_request(self, entry: Entry) -> None:
        self._requests += 1
        self._watch(self._events.now, entry)

    def _note_decided(self) -> None:
        self._decided += 1
        while self._marks and self._decided >= self._marks[0]:
            self._marks.pop(0)
            self._passed.append(self._events.now)

    def _note_written(self, entry: Entry) -> None:
        if entry.page != ROBOTS:
            self._written[entry.host.number, entry.page] += 1
        self._ended_at = self._events.now

    def _ship_soon(self) -> None:
        if not self._shipping:
            self._shipping = True
            self._events.at(self._events.now + self._plan.shard_exchange_s, self._ship)

    def _ship(self) -> None:
        """Pass on what shards have found for each other, and give each its share of the work."""
        self._shipping = False
        costs, shards = self._plan.costs, self._shards
        links = sum(shard.shipped_links for shard in shards)
        pairs = len(shards) * (len(shards) - 1)
        self._shard_messages += 2 * min(pairs, max(1, round(links)))  # each is acknowledged
        self._shipped += links
        for shard in shards:
            shard.shipped_links = 0.0
            # It passes on as many as it gets.
            shard.owed_s += 2 * links / len(shards) * costs.shipped_link_s
            found, shard.found_elsewhere = shard.found_elsewhere, []
            for number in found:
                shards[number % len(shards)].admit_host(self._web.hosts[number])
        for shard in shards:
            shard.work()
            shard.dispatch()

    # What goes wrong

    def _begin_fault(self, fault: Fault) -> None:
        if fault.kind is FaultKind.NETWORK_LOST:
            self._lose_network(fault)
            return
        shard, number = self._nodes[fault.node % len(self._nodes)]
        node = shard.nodes[number]
        ends_at = self._events.now + fault.lasts_s
        if fault.kind is FaultKind.NODE_SLOW:
            node.slow_until = ends_at
        elif node.is_alive:
            node.die()
            noticed_at = self._events.now + min(self._plan.detection_s, fault.lasts_s)
            self._events.at(noticed_at, partial(self._notice, shard, number))
            self._events.at(ends_at, partial(self._replace, shard, number))

    def _notice(self, shard: SimulatedShard, number: int) -> None:
        shard.nodes[number].is_offered = False
        shard.lose(number)

    def _replace(self, shard: SimulatedShard, number: int) -> None:
        shard.nodes[number].revive()
        shard.welcome(number)

    def _lose_network(self, fault: Fault) -> None:
        back_at = self._events.now + fault.lasts_s
        for lines in self._lines:
            for network in lines:
                network.back_at = max(network.back_at, back_at)
        if fault.lasts_s > self._plan.detection_s:
            noticed_at = self._events.now + self._plan.detection_s
            self._events.at(noticed_at, self._pause)
            self._events.at(back_at, self._resume)

    def _pause(self) -> None:
        """All that was out is put back; answers that come later do not count."""
        for shard in self._shards:
            shard.is_paused = True
            for number in range(len(shard.nodes)):
                shard.lose(number)

    def _resume(self) -> None:
        for shard in self._shards:
            shard.is_paused = False
            for number, node in enumerate(shard.nodes):
                if node.is_offered:
                    shard.welcome(number)

    # What came of it

    def _told(self) -> SimulatedCrawl:
        now = self._ended_at if self._plan.time_limit_s == float("inf") else self._events.now
        shards, nodes = self._shards, [shard.nodes[place] for shard, place in self._nodes]
        for node in nodes:
            node.conversation.settle()
        busiest = max(node.conversation.messages for node in nodes)
        cores = len(nodes) * self._plan.cores
        return SimulatedCrawl(
            seconds=now,
            pages=self._decided,
            steady_rate=self._steady_rate(now),
            requests=self._requests,
            repeated=sum(shard.repeated for shard in shards),
            given_up=sum(shard.given_up for shard in shards),
            written=self._written,
            messages=sum(node.conversation.messages for node in nodes),
            node_messages=busiest / self._events.now if self._events.now else 0.0,
            bytes=sum(network.bytes for lines in self._lines for network in lines)
            + self._shipped * self._plan.costs.shipped_link_bytes,
            shard_messages=self._shard_messages,
            shipped_links=self._shipped,
            frontier_most=sum(shard.frontier.most for shard in shards),
            coordinator_busy=max(self._busy_share(shard, now) for shard in shards),
            nodes_busy=sum(node.busy_s for node in nodes) / cores / now if now else 0.0,
            in_flight=_stays([shard.in_flight for shard in shards], now),
            answers=_stays([shard.answers for shard in shards], now),
        )

    def _busy_share(self, shard: SimulatedShard, now: float) -> float:
        """With the calls that came back with nothing."""
        idle = sum(node.conversation.idle_calls for node in shard.nodes)
        idle_s = 2 * idle * self._plan.costs.message_s
        return min(1.0, (shard.busy_s + idle_s) / now) if now else 0.0

    def _steady_rate(self, now: float) -> float:
        if len(self._passed) < len(_STEADY):
            return self._decided / now if now else 0.0
        first, last = self._passed
        share = _STEADY[1] - _STEADY[0]
        return share * self._web.pages / (last - first) if last > first else 0.0


def simulate(plan: Plan, web: Web, watch: Watch = lambda _now, _entry: None) -> SimulatedCrawl:
    """What a crawl of these sites by this plan would come to. The same each time."""
    return Simulation(plan, web, watch).run()


def _stays(crowds: Sequence[Crowd], now: float) -> Stays:
    came = sum(crowd.came for crowd in crowds)
    stays_s = sum(crowd.stays_s for crowd in crowds)
    return Stays(
        mean=sum(crowd.mean(now) for crowd in crowds),
        rate=came / now if now else 0.0,
        stay_s=stays_s / came if came else 0.0,
        most=sum(crowd.most for crowd in crowds),
    )
