"""`memory`: what a crawl holds in memory, and how fast it is, by the number of known URLs."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.model.messages import Progress, Trouble
from gossamer.model.state import LIVE
from tests.bench.contestants import CONCURRENCY
from tests.bench.endless_site import EndlessSite, Shape
from tests.bench.processes import MIB, Memory, cpu_of, memory_of
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling

QUICK: Final = (50_000, 250_000)
FULL: Final = (100_000, 1_000_000)
SHAPE: Final = Shape(seed=1, links=(20, 60), fresh=0.9)
PACE_OVER: Final = 0.5
"""Speed and processor time at a point are those over this last share of the URLs known then."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of the crawl."""

    known: int
    fetched: int
    seconds: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Pages per second, and microseconds of processor time a page of host and page workers."""

    rate: float
    cpu_us: float


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured when so many URLs were known."""

    known: int
    memory: Memory
    pace: Pace
    file_bytes: int


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl until the last point, once."""
    with EndlessSite(SHAPE) as site:
        first, last = asyncio.run(_crawl(site.root_url, FULL if options.full else QUICK))
    growth = (last.memory.total - first.memory.total) / (last.known - first.known)
    series = []
    for point in (first, last):
        at = f"at {round(point.known, -3):,} known URLs"
        series += [
            _one(f"host and workers, {at}", "MiB", point.memory.total / MIB, "< 400 at 1,000,000"),
            _one(f"host, {at}", "MiB", point.memory.host / MIB),
            _one(f"page workers, {at}", "MiB", point.memory.workers / MIB),
            _one(f"speed, {at}", "pages/s", point.pace.rate),
            _one(f"processor time, {at}", "us/page", point.pace.cpu_us),
            _one(f"project file, {at}", "bytes/URL", point.file_bytes / point.known),
        ]
    series += [
        _one("growth between", "bytes/URL", growth, "< 120"),
        _one("speed, by that before", "", last.pace.rate / (first.pace.rate or 1.0), "≥ 0.8"),
        _one(
            "processor time, that before by it",
            "",
            first.pace.cpu_us / (last.pace.cpu_us or 1.0),
            "≥ 0.8",
        ),
    ]
    return Findings("memory", series, notes=_notes(full=options.full))


async def _crawl(root: str, points: Sequence[int]) -> list[Point]:
    marks: list[Mark] = []
    found: list[Point] = []
    async with crawling(root, workers=CONCURRENCY) as session:
        async for news in session.updates():
            if isinstance(news, Trouble) or news.state not in LIVE:
                raise RuntimeError(f"the crawl ended before its time: {news}")
            if session.host_pid is None:
                continue
            marks.append(_mark(news, cpu_of(session.host_pid)))
            if news.known >= points[len(found)]:
                files = session.path.parent.glob(f"{session.path.name}*")
                size = sum(file.stat().st_size for file in files)
                memory = memory_of(session.host_pid)
                found.append(Point(news.known, memory, pace_at_end(marks), size))
                say(f"  {news.known:,} known after {news.seconds:.0f} s: {memory}")
            if len(found) == len(points):
                await session.cancel()
                break
    return found


def pace_at_end(marks: Sequence[Mark]) -> Pace:
    """That while the last PACE_OVER of the URLs became known; 0 if nothing happened."""
    last = marks[-1]
    start = next(mark for mark in marks if mark.known >= last.known * (1 - PACE_OVER))
    seconds, pages = last.seconds - start.seconds, last.fetched - start.fetched
    if not (seconds and pages):
        return Pace(0.0, 0.0)
    return Pace(pages / seconds, (last.cpu_s - start.cpu_s) * 1e6 / pages)


def _mark(progress: Progress, cpu_s: float) -> Mark:
    return Mark(progress.known, progress.fetched, progress.seconds, cpu_s)


def _one(what: str, unit: str, value: float, target: str = "") -> Series:
    return Series(what, PRODUCT, unit, (value,), target)


def _notes(*, full: bool) -> list[str]:
    least, most = SHAPE.links
    notes = [
        f"a site of seed {SHAPE.seed}: {least} to {most} links a page, {SHAPE.fresh:.0%} new",
        f"{CONCURRENCY} workers; speed and processor time are those of the last half of the URLs",
        "memory is the proportional set size: pages that processes share are counted once",
    ]
    return notes if full else [*notes, "a quick run; --full goes on to 1,000,000 known URLs"]
