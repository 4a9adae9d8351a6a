"""`crawl`: whole crawls of real documentation from the command line, against the peers."""

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from tests.bench.contestants import (
    PEERS_PYTHON,
    Contestant,
    Ran,
    cpu_of_children_s,
    present,
    run,
)
from tests.bench.report import Findings, say
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series
from tests.bench.sites import BenchSite, Served, differences, installed, serve, served

PARSING: Final = "parse-only"
TARGETS: Final = {
    ("cppreference", "whole", "Scrapy"): "≥ 18",
    ("cppreference", "whole", "Crawlee"): "≥ 10",
    ("cppreference", "whole", "original"): "≥ 1.3",
    ("cppreference", "whole", PARSING): "≥ 0.33",
    ("python", "crawl", "Scrapy"): "≥ 12",
    ("postgresql", "crawl", "Scrapy"): "≥ 9",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run and what the server says about it."""

    ran: Ran
    served: Served

    def __str__(self) -> str:
        """For the user who waits."""
        return f"{self.ran.wall_s:.2f} s, {len(self.served.pages)} pages"


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl each site with each contestant, in turn, `options.rounds` times."""
    contestants = present(options.only)
    series: list[Series] = []
    warnings: list[str] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        for site in installed(options.site):
            say(f"{site.name}:")
            try:
                outcomes = _crawl(site, contestants, options.rounds, Path(name))
            except (OSError, RuntimeError, subprocess.SubprocessError) as e:
                # What was measured on other sites is not lost for it.
                warnings.append(f"{site.name} was NOT FINISHED: {e}")
                continue
            warnings += [f"{site.name}: {text}" for text in doubts(outcomes)]
            series += series_of(site.name, outcomes)
    return Findings("crawl", series, warnings, _NOTES)


def _crawl(
    site: BenchSite, contestants: list[Contestant], rounds: int, tmp: Path
) -> dict[str, list[Outcome]]:
    known: set[str] = set()

    def once(contestant: Contestant) -> Outcome:
        log = tmp / "access.log"
        log.unlink(missing_ok=True)
        if contestant.name == PARSING:
            return Outcome(_parse(site, known), Served(frozenset(known), 0, 0))
        with serve(site, tmp, log) as root:
            ran = run(contestant, root, tmp / "out", tmp)
        with log.open(encoding="utf-8") as lines:
            outcome = Outcome(ran, served(lines))
        if contestant.name == PRODUCT:
            known.update(outcome.served.pages)
        return outcome

    say("  once to warm the disk, and to know the pages")
    once(next(one for one in contestants if one.name == PRODUCT))
    parsing = [Contestant(PARSING, lambda *_: [], lambda _: None)] if PEERS_PYTHON.exists() else []
    return in_turn([*contestants, *parsing], rounds, once, name=lambda one: one.name)


def _parse(site: BenchSite, pages: set[str]) -> Ran:
    files = "".join(f"{_file(site.folder, page)}\n" for page in sorted(pages))
    script = Path(__file__).parent / "peers" / "parse_only.py"
    cores = len(os.sched_getaffinity(0))
    cpu_before = cpu_of_children_s()
    done = subprocess.run(
        [str(PEERS_PYTHON), "-P", str(script), str(cores)],
        input=files,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    seconds = float(json.loads(done.stdout)["seconds"])
    return Ran(seconds, seconds, cpu_of_children_s() - cpu_before)


def _file(folder: Path, page: str) -> Path:
    path = folder / page.lstrip("/")
    return path / "index.html" if path.is_dir() else path


def series_of(site: str, outcomes: dict[str, list[Outcome]]) -> list[Series]:
    """What was measured on a site: speeds of whole process and crawl, processor time."""
    whole, crawl, cpu = [], [], []
    for who, ones in outcomes.items():
        costs = tuple(one.ran.cpu_s / max(len(one.served.pages), 1) * 1000 for one in ones)
        cpu.append(Series(f"{site}, processor time", who, "ms/page", costs))
        walls = tuple(len(one.served.pages) / one.ran.wall_s for one in ones)
        target = TARGETS.get((site, "whole", who), "")
        whole.append(Series(f"{site}, whole process", who, "pages/s", walls, target))
        rates = tuple(
            len(one.served.pages) / one.ran.crawl_s for one in ones if one.ran.crawl_s is not None
        )
        if who != PARSING and len(rates) == len(ones):
            target = TARGETS.get((site, "crawl", who), "")
            crawl.append(Series(f"{site}, crawl", who, "pages/s", rates, target))
    return [*whole, *crawl, *cpu]


def doubts(outcomes: dict[str, list[Outcome]]) -> list[str]:
    """Sentences on contestants that did not do the same work in each round, or as the product."""
    found = differences({who: ones[-1].served.pages for who, ones in outcomes.items()}, PRODUCT)
    for who, ones in outcomes.items():
        counts = {len(one.served.pages) for one in ones}
        if len(counts) > 1:
            found.append(f"{who} crawled a DIFFERENT NUMBER of pages each time: {sorted(counts)}")
        if repeated := median(one.served.repeated for one in ones):
            found.append(f"{who} asked again for {repeated:.0f} pages that it had")
    return found


_NOTES: Final = (
    "pages: HTML pages as nginx counted them. ratio: Gossamer's value by the other's, by rounds.",
    "whole process: the command from start to end. crawl: as each program times itself.",
    "processor time: of the process and its children; other work on the machine hardly matters.",
    "parse-only: lexbor over the same bytes in memory on all cores, process start left out.",
)
