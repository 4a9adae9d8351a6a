"""`simulation`: crawls on 1 to 1,000 machines, simulated; and how far off the simulation is.

First, what a page costs is measured, and one crawl calibrates how long an answer takes. Then other
crawls are measured and simulated: the difference is the error. At last, what cannot be measured on
one machine: many nodes, many shards, real sites, faults.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tests.bench.cluster_measurement import (
    DELAY_S,
    FEW_LINKS,
    MANY_LINKS,
    NEW_LINKS,
    MeasuredCrawl,
    costs_of,
    measure,
)
from tests.bench.cluster_simulation.formulas import bytes_per_page, limits
from tests.bench.cluster_simulation.plan import PIPES, Costs, Exchange, Fault, FaultKind, Plan
from tests.bench.cluster_simulation.simulation import SimulatedCrawl, simulate
from tests.bench.cluster_simulation.web import Web, WebModel, made, uniform
from tests.bench.contestants import CONCURRENCY
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series

SIMULATED: Final = "simulated"
FORMULA: Final = "formula"
_LINKS: Final = 60
_PAGES_PER_WORKER: Final = 40
_COSTED_PAGES: Final = 4_000
_NODES: Final = ((1, 1), (2, 1), (4, 1), (8, 1), (8, 2), (16, 4), (64, 16))
_MANY_NODES: Final = ((256, 64), (1_000, 250))
"""Nodes, and the shards they belong to."""
_WORKERS_EACH: Final = 600
_ANSWER_S: Final = 0.36
_LOOPBACK_S: Final = 1e-4
_JITTER: Final = 0.02
"""Without any, all requests would keep step with the calls to nodes."""
_PAGES_EACH: Final = 6_000
_FEWER_PAGES_EACH: Final = 2_400
"""Crawls of 4 s, in whose middle shards exchange links three or four times: depending on when that
is, they come out up to a tenth slower or quicker than longer ones."""
_FEW_NODES: Final = 64
"""Up to so many have the full number of pages; 1,000 would take several minutes with it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A crawl that can be both measured and simulated: parallel requests, page workers or nodes."""

    workers: int
    count: int
    cluster: bool = False
    waits: bool = True
    """Whether the site takes DELAY_S to answer; else processors are the limit, of one machine."""

    @property
    def name(self) -> str:
        """For the table."""
        kind = "node" if self.cluster else "page worker"
        speed = "" if self.waits else ", full speed"
        return f"{self.count} {kind}{'s' * (self.count > 1)}, {self.workers} at once{speed}"

    @property
    def pages(self) -> int:
        """How many are crawled."""
        return self.workers * _PAGES_PER_WORKER if self.waits else _COSTED_PAGES

    def measured(self) -> MeasuredCrawl:
        """On this machine."""
        where = {"cluster": f"local:{self.count}"} if self.cluster else {"processes": self.count}
        return measure(self.workers, self.pages, _LINKS, DELAY_S * self.waits, **where)

    def plan(self, costs: Costs) -> Plan:
        """The same crawl. A page worker is a node of one core that is reached by a pipe."""
        return Plan(
            nodes=self.count,
            cores=1,
            workers=self.workers,
            costs=costs if self.cluster else replace(costs, message_s=0.0),
            exchange=Exchange() if self.cluster else PIPES,
            robots=False,
            shared_cores=0 if self.waits else os.cpu_count() or 1,
        )


CALIBRATED: Final = Setup(20, 1)
COSTED: Final = Setup(20, 1, cluster=True)
"""What its coordinator takes beyond that of CALIBRATED is for its messages."""
FASTEST: Final = Setup(CONCURRENCY, 1, waits=False)
"""Tells how much of the processors is to be had for such crawls."""
CHECKED_FAST: Final = (
    Setup(CONCURRENCY, 2, waits=False),
    *(Setup(64, nodes, cluster=True, waits=False) for nodes in (1, 2, 4)),
)
CHECKED: Final = (
    *(Setup(10, 1), Setup(40, 1), Setup(40, 2), Setup(80, 4)),
    *(Setup(40, 1, cluster=True), Setup(40, 2, cluster=True), Setup(80, 4, cluster=True)),
)


def benchmark(options: argparse.Namespace) -> Findings:
    """Measure and check, then simulate."""
    costs, series = _check()
    nodes = [*_NODES, *(_MANY_NODES if options.full else ())]
    series += [one for count, shards in nodes for one in _scaled(count, shards, costs)]
    series += _polite(costs)
    return Findings("simulation", series, notes=_NOTES)


def _check() -> tuple[Costs, list[Series]]:
    say("measuring:")
    few, many = (
        measure(CONCURRENCY, _COSTED_PAGES, links, 0.0, processes=2)
        for links in (FEW_LINKS, MANY_LINKS)
    )
    costs = costs_of(few, many, _LINKS)
    say("calibrating:")
    alone, with_node = CALIBRATED.measured(), COSTED.measured()
    costs = replace(costs, message_s=message_s(alone, with_node))
    extra_s = calibrated_s(CALIBRATED, alone.rate, costs)
    series = [
        _one("coordinator", "measured", "ms/page", 1e3 * sum(_coordinator(costs))),
        _one("coordinator", "measured", "ms/message", 1e3 * costs.message_s),
        _one("page worker", "measured", "ms/page", 1e3 * costs.read_s),
        _one("an answer, beyond its delay", "calibrated", "ms", 1e3 * extra_s),
        *compared(COSTED, with_node.rate, costs, extra_s),
    ]
    say("checking:")
    for setup in CHECKED:
        series += compared(setup, setup.measured().rate, costs, extra_s)
    rate = FASTEST.measured().rate
    slower = costs.slowed(predicted(FASTEST, costs, 0.0) / rate)
    series += compared(FASTEST, rate, slower, 0.0)
    for setup in CHECKED_FAST:
        series += compared(setup, setup.measured().rate, slower, 0.0)
    return costs, series


def message_s(alone: MeasuredCrawl, with_node: MeasuredCrawl) -> float:
    """What the coordinator takes for a message, from crawls without and with one node.

    A node is called as often as it may be, whatever the speed: two messages each time.
    """
    more_s = (with_node.host_s - alone.host_s) * with_node.rate
    return max(0.0, more_s * Exchange().pace_s / 2)


def calibrated_s(setup: Setup, rate: float, costs: Costs) -> float:
    """How much longer than DELAY_S an answer takes, for the simulation to give this rate."""
    trip_s = setup.workers / rate
    return max(0.0, trip_s - DELAY_S - costs.read_s - costs.decided_s(_LINKS))


def predicted(setup: Setup, costs: Costs, extra_s: float) -> float:
    """Pages a second, simulated."""
    site = uniform(
        *(1, setup.pages, DELAY_S * setup.waits + extra_s + _LOOPBACK_S),
        links=_LINKS,
        new_links=NEW_LINKS,
        answer_spread=_JITTER,
    )
    return simulate(setup.plan(costs), site).steady_rate


def compared(setup: Setup, rate: float, costs: Costs, extra_s: float) -> Iterator[Series]:
    """The measured rate, the simulated one, and by how much that is off."""
    guess = predicted(setup, costs, extra_s)
    yield _one(setup.name, PRODUCT, "pages/s", rate)
    yield _one(setup.name, SIMULATED, "pages/s", guess)
    yield _one(f"{setup.name}: error", SIMULATED, "%", 100 * (guess / rate - 1))


def _coordinator(costs: Costs) -> tuple[float, float]:
    return costs.decided_s(_LINKS), costs.written_s(_LINKS)


def _scaled(nodes: int, shards: int, costs: Costs) -> Iterator[Series]:
    """What so many nodes carry when there are enough sites that may be asked at any time."""
    plan = Plan(nodes=nodes, shards=shards, workers=_WORKERS_EACH * nodes, costs=costs)
    pages = _PAGES_EACH if nodes <= _FEW_NODES else _FEWER_PAGES_EACH
    web = uniform(50 * nodes, pages // 50, _ANSWER_S)
    name = f"{nodes:,} node{'s' * (nodes > 1)}, {shards} shard{'s' * (shards > 1)}"
    say(f"{name}: {web.pages:,} pages")
    crawl = simulate(plan, web)
    bound = limits(plan, web)
    yield _one(name, SIMULATED, "pages/s", crawl.steady_rate)
    yield _one(name, FORMULA, f"pages/s ({bound.narrowest})", bound.rate)
    yield from _traffic(name, crawl)
    leaving = web.model.leaving
    yield _one(f"{name}: bytes", FORMULA, "/page", bytes_per_page(plan, web.model.links, leaving))


def _traffic(name: str, crawl: SimulatedCrawl) -> Iterator[Series]:
    yield _one(f"{name}: messages of a node", SIMULATED, "/s", crawl.node_messages, "≤ 40")
    yield _one(f"{name}: bytes", SIMULATED, "/page", crawl.bytes / crawl.pages)
    yield _one(f"{name}: coordinator busy", SIMULATED, "%", 100 * crawl.coordinator_busy)
    yield _one(f"{name}: answers that wait", SIMULATED, "", crawl.answers.mean)


POLITE: Final = Plan(nodes=4, workers=400, rate_delay_s=1.0)
_FAULTS: Final[dict[str, Sequence[Fault]]] = {
    "without faults": (),
    "a node lost each minute": [
        Fault(FaultKind.NODE_LOST, 30.0 + 60.0 * minute, minute, 5.0) for minute in range(10)
    ],
    "no network for a minute": [Fault(FaultKind.NETWORK_LOST, 60.0, 0, 60.0)],
    "a slow node": [Fault(FaultKind.NODE_SLOW, 30.0, 0, 600.0)],
}


def _polite(costs: Costs) -> list[Series]:
    """Sites as they are found on the web, each asked once a second at most."""
    web = made(WebModel(hosts=2_000, seeds=200, pages_most=3_000, delay_share=0.0), seed=1)
    series: list[Series] = []
    for name, faults in _FAULTS.items():
        series += _told(f"polite, {name}", replace(POLITE, costs=costs, faults=faults), web)
    return series


def _told(name: str, plan: Plan, web: Web) -> Iterator[Series]:
    say(f"{name}: {web.pages:,} pages")
    crawl = simulate(plan, web)
    yield _one(name, SIMULATED, "pages/s", crawl.steady_rate)
    yield _one(f"{name}: to the end", SIMULATED, "s", crawl.seconds)
    yield _one(f"{name}: asked again", SIMULATED, "requests", crawl.repeated)
    yield _one(f"{name}: longest queue", SIMULATED, "URLs", crawl.frontier_most)


def _one(what: str, who: str, unit: str, value: float, target: str = "") -> Series:
    return Series(what, who, unit, (value,), target)


_MACHINES: Final = (
    f"nodes: two cores each, a message at most each {Exchange().pace_s * 1e3:.0f} ms and direction,"
    f" {_WORKERS_EACH} requests at once, servers that take {_ANSWER_S * 1e3:.0f} ms."
)
_NOTES: Final = (
    f"measured: a site of one host that takes {DELAY_S * 1e3:.0f} ms to answer, {_LINKS} links.",
    f"calibrated with {CALIBRATED.name}; all others that wait are predicted.",
    "full speed: no delay; the first tells what share of the processors is free, as if it stayed.",
    _MACHINES,
    "polite: 2,000 hosts of sizes and speeds as on the web, one request a second to each.",
)
