"""`cluster`: what nodes cost the coordinator, and what they bring where servers are slow.

All of them are on this machine, so speeds of more nodes than cores say something only while the
machine has time to spare: servers that take long to answer see to that.
"""

import argparse
from typing import Final

from tests.bench import cluster_kills, cluster_lines, cluster_network
from tests.bench.cluster_measurement import MeasuredCrawl, measure
from tests.bench.report import Findings, say
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series

_LINKS: Final = 20
_PAGES: Final = 3_000
_SLOW_PAGES: Final = 1_500
_WORKERS: Final = 100
_FEW: Final = 10
_QUICK_S: Final = 0.02
_EACH: Final = 20
"""Requests at once of a node, where the servers are slow: what two cores can do for four nodes."""
_SLOW_S: Final = 0.2
_PAGE_WORKERS: Final = "two page workers"
_NODES: Final = "two nodes"
_FOUR: Final = PRODUCT
_ONE: Final = "one node"


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl with page workers and with nodes in turn; then slow servers with one and four nodes.

    With `--kills`, `--network` or `--lines`, compare crawls with faults with one machine's instead.
    """
    if options.network:
        return cluster_network.benchmark()
    if options.lines:
        return cluster_lines.benchmark()
    if options.kills:
        return cluster_kills.benchmark(options.kills)
    fast: dict[str, list[MeasuredCrawl]] = {_PAGE_WORKERS: [], _NODES: []}
    few: dict[str, list[MeasuredCrawl]] = {_PAGE_WORKERS: [], _NODES: []}
    for number in range(options.rounds):
        say(f"round {number + 1}:")
        fast[_PAGE_WORKERS].append(measure(_WORKERS, _PAGES, _LINKS, 0.0, processes=2))
        fast[_NODES].append(measure(_WORKERS, _PAGES, _LINKS, 0.0, cluster="local:2"))
        few[_PAGE_WORKERS].append(measure(_FEW, _SLOW_PAGES, _LINKS, _QUICK_S, processes=2))
        few[_NODES].append(measure(_FEW, _SLOW_PAGES, _LINKS, _QUICK_S, cluster="local:2"))

    def slow(who: str) -> float:
        nodes = 4 if who == _FOUR else 1
        cluster = f"local:{nodes}"
        return measure(nodes * _EACH, nodes * _SLOW_PAGES, _LINKS, _SLOW_S, cluster=cluster).rate

    rates = in_turn([_FOUR, _ONE], options.rounds, slow)
    series = [
        *(
            Series("coordinator per page", who, "ms", tuple(1e3 * one.host_s for one in found))
            for who, found in fast.items()
        ),
        *(
            Series("crawl", who, "pages/s", tuple(one.rate for one in found))
            for who, found in fast.items()
        ),
        *(
            Series(f"{_FEW} requests at once", who, "pages/s", tuple(one.rate for one in found))
            for who, found in few.items()
        ),
        *(
            Series("servers that take 200 ms", who, "pages/s", tuple(values), _TARGETS[who])
            for who, values in rates.items()
        ),
    ]
    return Findings("cluster", series, notes=_NOTES)


_TARGETS: Final = {_FOUR: "ratio >= 3.6", _ONE: ""}
_NOTES: Final = (
    f"{PRODUCT}: four nodes with {_EACH} requests at once each. ratio: four nodes by one.",
    "coordinator per page: with two nodes at most 1.3 times that with two page workers.",
    "crawl: two nodes at least 0.8 times as fast as two page workers.",
    f"{_FEW} requests at once: of servers that take {1e3 * _QUICK_S:.0f} ms; likewise.",
)
