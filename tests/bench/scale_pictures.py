"""Draws the pictures of docs/scale.md.

Usage: .venv/bin/python -m tests.bench.scale_pictures
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.bench.cluster_simulation.formulas import limits
from tests.bench.cluster_simulation.frontier import Entry
from tests.bench.cluster_simulation.plan import Plan
from tests.bench.cluster_simulation.simulation import simulate
from tests.bench.cluster_simulation.web import Web, WebModel, made, uniform
from tests.bench.svg_chart import Axis, Curve, chart

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "images"
_NODES: Final = (1, 2, 4, 8, 16, 32, 64)
_SHARDS: Final = (1, 4, 16)
_PAGES_EACH: Final = 2_400
_WORKERS_EACH: Final = 300
_MINUTE_S: Final = 60.0
_RATES: Final = (0.5, 1.0, 4.0)
"""Requests a second to a host at most."""


def nodes_and_shards() -> str:
    """Pages a second by nodes, for some numbers of shards."""
    curves: list[Curve] = []
    points: list[Curve] = []
    for color, shards in enumerate(_SHARDS):
        nodes = [count for count in _NODES if count >= shards]
        formula = [
            (float(count), limits(_plan(count, shards), _web(count)).rate) for count in nodes
        ]
        name = f"{shards} coordinator{'s' * (shards > 1)}"
        curves.append(Curve(name, color, formula))
        simulated = [
            (float(count), simulate(_plan(count, shards), _web(count)).steady_rate)
            for count in nodes
        ]
        points.append(Curve("" if points else "simulated", color, simulated, points=True))
    return chart(
        "Pages a second, by nodes",
        "With one coordinator, more than eight nodes bring nothing; with 4 and 16 coordinators the"
        " limit is about 2.5 and 9 times as high.",
        (
            Axis("nodes with two cores and 300 requests at once", _NODES, logarithmic=True),
            Axis("pages a second", (100, 1_000, 10_000, 100_000), logarithmic=True),
        ),
        [*curves, *points],
    )


def polite_crawl() -> str:
    """Pages a second over time, of sites as they are found on the web."""
    web = made(WebModel(hosts=1_000, seeds=1_000, pages_most=2_000, delay_share=0.0), seed=1)
    curves, longest = [], 0.0
    for color, rate in enumerate(_RATES):
        asked: Counter[int] = Counter()

        def watch(now: float, _entry: Entry, asked: Counter[int] = asked) -> None:
            asked[int(now / _MINUTE_S)] += 1

        crawl = simulate(Plan(nodes=4, workers=1_200, rate_delay_s=1.0 / rate), web, watch)
        longest = max(longest, crawl.seconds / _MINUTE_S)
        values = [(float(minute), asked[minute] / _MINUTE_S) for minute in range(max(asked) + 1)]
        curves.append(Curve(f"{rate:g}/s to a site", color, _thinned(values)))
    return chart(
        "1,000 sites: requests a second, by time",
        "Each rate per host begins high and falls as small sites are done: the largest site, asked"
        " at its own pace, decides when the crawl ends.",
        (
            Axis("minutes", (0, 10, 20, 30, 40, 50, 60, 70)),
            Axis("requests a second", (1, 10, 100, 1_000), logarithmic=True),
        ),
        curves,
    )


def _thinned(values: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(minute, rate) for minute, rate in values if rate >= 1.0 or minute == 0.0]


def _plan(nodes: int, shards: int) -> Plan:
    return Plan(nodes=nodes, shards=shards, workers=_WORKERS_EACH * nodes)


def _web(nodes: int) -> Web:
    return uniform(40 * nodes, _PAGES_EACH // 40, 0.36)


def main() -> int:
    """Draw them."""
    for name, drawn in (("nodes", nodes_and_shards), ("polite", polite_crawl)):
        (FOLDER / f"scale-{name}.svg").write_text(drawn(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
