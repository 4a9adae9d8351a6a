"""`cluster --lines`: nodes, scheduler and coordinator behind lines that are slow, stall and break.

The result is compared row by row with that of one machine. Where a crawl ends with a sentence, it
is resumed, as that says.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench.poor_line import PoorLine, Weather
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.fakes.dask_cluster import dask_cluster
from tests.fakes.recount import miscounts
from tests.fakes.whole_tables import table_differences
from tests.sites.every_shape import EveryShape

_NODES: Final = 2
_PAGES: Final = 150
_MOST_RESUMES: Final = 10
_STUCK_S: Final = 300.0
_OPTIONS: Final = ("--workers", "12", "--processes", "2", "--timeout", "8", "-q")
_SETTINGS: Final = ("--use-sitemaps", "--max-similar", "100000")
_WEATHERS: Final = {
    "200 ms": Weather(),
    "200 ms, stalls": Weather(stall_every_s=15.0),
    "200 ms, stalls, cut": Weather(stall_every_s=15.0, bytes_to_cut=60_000),
}


def benchmark() -> Findings:
    """Crawl on one machine; then on two nodes in each weather, and compare all rows."""
    series, notes = [], []
    with TemporaryDirectory() as name, EveryShape(_PAGES, 5) as site:
        folder = Path(name)
        settings = (*site.roots, *_OPTIONS, *_SETTINGS)
        one = folder / "one.gossamer"
        _run("crawl", *settings, "-o", str(one))
        once = site.counts()
        for seed, (what, weather) in enumerate(_WEATHERS.items()):
            site.forget()
            many = folder / f"{seed}.gossamer"
            began_s = time.monotonic()
            with _cluster(weather, seed) as (address, lines):
                told = _crawled(settings, many, address)
                stalls, cuts = (sum(getattr(each, n) for each in lines) for n in ("stalls", "cuts"))
            seconds = time.monotonic() - began_s
            again = sum((site.counts() - once).values())
            for project in (one, many):
                _run("audit", str(project), "-q")
            found = table_differences(one, many) + miscounts(many)
            say(f"  {what}: {seconds:.0f} s, {stalls} stalls, {cuts} cuts, asked again {again},")
            say(f"    {len(found)} differences, resumed {len(told)} times")
            for line in [*found[:10], *told]:
                say(f"    {line[:300]}")
            series += [
                Series(f"{what}: differences of rows", PRODUCT, "", (float(len(found)),), "0"),
                Series(f"{what}: asked again", PRODUCT, "", (float(again),)),
                Series(f"{what}: crawl", PRODUCT, "s", (seconds,)),
            ]
            notes.append(f"{what}: {stalls} stalls, {cuts} connections cut, resumed {len(told)} x")
    return Findings("cluster-lines", series, notes=notes)


@contextmanager
def _cluster(weather: Weather, seed: int) -> Iterator[tuple[str, list[PoorLine]]]:
    """The address of the scheduler, and all lines: to it, and to each node."""
    with dask_cluster() as cluster, ExitStack() as stack:
        port = int(cluster.address.rpartition(":")[2])
        lines = [stack.enter_context(PoorLine(port, weather, seed))]
        for number in range(_NODES):
            to_node = cluster.free_port()
            line = stack.enter_context(PoorLine(to_node, weather, 100 * seed + number))
            own = ("--listen-address", f"tcp://127.0.0.1:{to_node}")
            more = (*own, "--contact-address", line.address)
            cluster.start_worker(f"n{number}", scheduler=lines[0].address, more=more)
            lines.append(line)
        yield lines[0].address, lines


def _crawled(settings: tuple[str, ...], project: Path, address: str) -> list[str]:
    """Crawl to the end; what was said each time that it ended before."""
    where = ("--cluster", address)
    told: list[str] = []
    words: tuple[str, ...] = ("crawl", *settings, "-o", str(project))
    while True:
        ended = subprocess.run(
            [sys.executable, "-m", "gossamer", *words, *where],
            capture_output=True,
            text=True,
            check=False,
            timeout=_STUCK_S,
        )
        if not ended.returncode:
            return told
        told.append(f"exit code {ended.returncode}: {' '.join(ended.stderr.split())}")
        if len(told) > _MOST_RESUMES:
            raise RuntimeError(f"the crawl does not get on: {told[-1]}")
        if project.exists():
            words = ("resume", str(project), "-q")


def _run(*arguments: str) -> None:
    command = [sys.executable, "-m", "gossamer", *arguments]
    subprocess.run(command, check=True, capture_output=True)
