"""`connections`: ten thousand slow answers at once: do all arrive, and what does each cost."""

import argparse
import asyncio
from dataclasses import dataclass
from typing import Final

from gossamer.model.crawl_state import LIVE
from tests.bench.endless_site import EndlessSite, Shape
from tests.bench.processes import Memory, memory_of
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling, until

MANY: Final = 10_000
_PEAK_S: Final = 3.0
_LIMIT_S: Final = 180.0


@dataclass(frozen=True, slots=True)
class Held:
    """A crawl whose requests all waited at once."""

    memory: Memory
    waiting: int
    pages: int
    errors: int


def benchmark(_options: argparse.Namespace) -> Findings:
    """Hold one connection, then many; the difference is theirs."""
    one, many = (asyncio.run(_hold(count)) for count in (1, MANY))
    cost = (many.memory.total - one.memory.total) / (MANY - 1)
    warnings = []
    if many.waiting < MANY:
        warnings.append(f"only {many.waiting:,} waited at once")
    series = [
        Series("pages that arrived", PRODUCT, "", (many.pages - 1,), f"{MANY:,}"),
        Series("errors", PRODUCT, "", (many.errors,), "0"),
        Series("waiting at once", PRODUCT, "", (many.waiting,), f"{MANY:,}"),
        Series("memory per connection", PRODUCT, "KiB", (cost / 1024,), "< 24"),
        Series("host and workers with one", PRODUCT, "MiB", (one.memory.total / 2**20,)),
        Series("host and workers with all", PRODUCT, "MiB", (many.memory.total / 2**20,)),
    ]
    notes = ["memory per connection: what host and page workers hold with all, less with one"]
    return Findings("connections", series, warnings, notes)


async def _hold(count: int) -> Held:
    shape = Shape(wide=count, hold=count, delay_s=(0.0, 2 * _PEAK_S))
    with EndlessSite(shape) as site:
        async with crawling(site.root_url, workers=MANY, timeout_s=_LIMIT_S) as session:
            await until(lambda: site.seen().in_flight >= count, _LIMIT_S)
            await asyncio.sleep(_PEAK_S / 2)
            if session.host_pid is None:
                raise RuntimeError("the crawl ended before its time")
            memory = memory_of(session.host_pid)
            say(f"  {site.seen().in_flight:,} waiting: {memory}")
            await until(lambda: session.state not in LIVE, _LIMIT_S)
            progress = session.progress
            return Held(memory, site.seen().peak, progress.pages, progress.errors)
