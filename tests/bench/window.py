"""`window`: the same crawl with the window open on tree and table: its speed, its stalls."""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.contestants import Contestant, gossamer, run, told
from tests.bench.display import display
from tests.bench.report import Findings, say
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series, percentile
from tests.bench.sites import BenchSite, installed, serve
from tests.bench.windows import machine_lateness, watch

WINDOW: Final = "window"
IDLE: Final = "idle process"


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl, without or with the window: `late_ms` its ticks, `idle_ms` those of a process
    that had nothing to do meanwhile, `cpu_s` the processor time of the window's process.
    """

    crawl_s: float
    cpu_s: float = 0.0
    late_ms: Sequence[float] = ()
    idle_ms: Sequence[float] = ()

    def __str__(self) -> str:
        """For the user who waits."""
        if not self.late_ms:
            return f"{self.crawl_s:.2f} s"
        p99 = percentile(self.late_ms, 0.99)
        return f"{self.crawl_s:.2f} s, stalls p99 {p99:.1f} ms, longest {max(self.late_ms):.1f} ms"


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl each site from the command line and from the window, in turn."""
    series: list[Series] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name, display() as screen:
        for site in installed(options.site or ["cppreference"]):
            say(f"{site.name}:")
            runs = _crawl(site, options.rounds, Path(name), screen)
            series += _series(site.name, runs)
    return Findings("window", series, notes=_NOTES)


def _crawl(site: BenchSite, rounds: int, tmp: Path, screen: dict[str, str]) -> dict[str, list[Run]]:
    def once(who: str) -> Run:
        with serve(site, tmp) as root:
            if who == PRODUCT:
                ran = run(Contestant(PRODUCT, gossamer, told), root, tmp / "out", tmp)
                return Run(ran.crawl_s or 0.0)
            home = tmp / "window"
            home.mkdir(exist_ok=True)
            with machine_lateness() as idle_ms:
                _, watched = watch(home, screen, root)
            return Run(watched.crawl_s, watched.cpu_s, watched.late_ms, tuple(idle_ms))

    say("  once to warm up")
    for who in (PRODUCT, WINDOW):
        once(who)
    return in_turn([PRODUCT, WINDOW], rounds, once)


def _series(site: str, runs: dict[str, list[Run]]) -> list[Series]:
    speeds = [
        Series(f"{site}, crawl", who, "s", tuple(one.crawl_s for one in ones), target)
        for (who, ones), target in zip(runs.items(), ("", "≥ 0.9"), strict=True)
    ]
    windows = runs[WINDOW]
    cpu_s = tuple(one.cpu_s for one in windows)
    speeds.append(Series(f"{site}, processor time", WINDOW, "s", cpu_s))
    stalls = [
        Series(f"{site}, stalls, {what}", who, "ms", tuple(measure(one) for one in windows), target)
        for what, who, measure, target in (
            ("99th percentile", WINDOW, lambda one: percentile(one.late_ms, 0.99), "< 16"),
            ("99th percentile", IDLE, lambda one: percentile(one.idle_ms, 0.99), ""),
            ("longest", WINDOW, lambda one: max(one.late_ms), "< 100"),
            ("longest", IDLE, lambda one: max(one.idle_ms), ""),
        )
    ]
    return [*speeds, *stalls]


_NOTES: Final = (
    "crawl: as the crawl process times itself; ratio: command line by window.",
    "processor time: of the window's process alone, while the crawl runs; ticks included.",
    "stalls: how late a 5 ms timer of the window's event loop fires while the crawl runs.",
    "idle process: the same at the same time in a process without work: the machine's own share.",
    "the display is Xvfb, which paints on the same cores.",
)
