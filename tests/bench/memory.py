"""`memory`: what a crawl holds in memory, writes, and how fast it is, by the number of known URLs.

On two sites without end: on one nearly all links lead to new pages, on the other two of three lead
to known ones.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.model.crawl_state import LIVE
from gossamer.model.messages.crawl_messages import Progress, Trouble
from tests.bench.contestants import CONCURRENCY
from tests.bench.endless_site import EndlessSite, Shape
from tests.bench.growth import SHAPE as KNOWN_PAGES
from tests.bench.processes import MIB, Memory, cpu_of, memory_of, written_by
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling


@dataclass(frozen=True, slots=True)
class Site:
    """A site, and when to look: numbers of known URLs, in a quick run and in a full one."""

    name: str
    shape: Shape
    quick: tuple[int, int]
    full: tuple[int, int]


SITES: Final = (
    Site(
        "new pages", Shape(seed=1, links=(20, 60), fresh=0.9), (50_000, 250_000), (100_000, 10**6)
    ),
    Site("known pages", KNOWN_PAGES, (50_000, 250_000), (100_000, 2 * 10**6)),
)
PACE_OVER: Final = 0.5
"""Speed, processor time and bytes at a point are those over this last share of the URLs known."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of the crawl."""

    known: int
    fetched: int
    seconds: float
    cpu_s: float
    written: int


@dataclass(frozen=True, slots=True)
class Pace:
    """Pages per second; and of each page, microseconds of processor time of host and page workers,
    and bytes that the host has written.
    """

    rate: float
    cpu_us: float
    written: float


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured when so many URLs were known."""

    known: int
    memory: Memory
    pace: Pace
    file_bytes: int


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl each site until its last point, once."""
    series: list[Series] = []
    for site in SITES:
        say(f"{site.name}:")
        points = site.full if options.full else site.quick
        with EndlessSite(site.shape) as served:
            first, last = asyncio.run(crawl(served.root_url, points))
        series += [
            _one(f"{site.name}, {what}", unit, value, target)
            for what, unit, value, target in _told(first, last)
        ]
    return Findings("memory", series, notes=_notes(full=options.full))


def _told(first: Point, last: Point) -> Iterator[tuple[str, str, float, str]]:
    """What was measured, its unit, its value, and what is wanted."""
    for point in (first, last):
        at = f"at {round(point.known, -3):,} known URLs"
        yield f"host and workers, {at}", "MiB", point.memory.total / MIB, "< 400"
        yield f"host, {at}", "MiB", point.memory.host / MIB, ""
        yield f"page workers, {at}", "MiB", point.memory.workers / MIB, ""
        yield f"speed, {at}", "pages/s", point.pace.rate, ""
        yield f"processor time, {at}", "us/page", point.pace.cpu_us, ""
        yield f"bytes written, {at}", "KiB/page", point.pace.written / 1024, ""
        yield f"project file, {at}", "bytes/URL", point.file_bytes / point.known, ""
    growth = (last.memory.total - first.memory.total) / (last.known - first.known)
    slower = first.pace.cpu_us / (last.pace.cpu_us or 1.0)
    yield "growth between", "bytes/URL", growth, "< 120"
    yield "speed, by that before", "", last.pace.rate / (first.pace.rate or 1.0), "≥ 0.7"
    yield "processor time, that before by it", "", slower, "≥ 0.7"
    yield (
        "bytes written, by those before",
        "",
        last.pace.written / (first.pace.written or 1.0),
        "≤ 3",
    )


async def crawl(root: str, points: Sequence[int]) -> list[Point]:
    """Crawl until the last of these numbers of URLs is known; what was measured at each."""
    marks: list[Mark] = []
    found: list[Point] = []
    async with crawling(root, workers=CONCURRENCY, max_similar=10**9) as session:
        async for news in session.updates():
            if isinstance(news, Trouble) or news.state not in LIVE:
                raise RuntimeError(f"the crawl ended before its time: {news}")
            if session.host_pid is None:
                continue
            marks.append(_mark(news, session.host_pid))
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
        return Pace(0.0, 0.0, 0.0)
    cpu_us = (last.cpu_s - start.cpu_s) * 1e6 / pages
    return Pace(pages / seconds, cpu_us, (last.written - start.written) / pages)


def _mark(progress: Progress, host_pid: int) -> Mark:
    cpu_s, written = cpu_of(host_pid), written_by(host_pid)
    return Mark(progress.known, progress.fetched, progress.seconds, cpu_s, written)


def _one(what: str, unit: str, value: float, target: str = "") -> Series:
    return Series(what, PRODUCT, unit, (value,), target)


def _notes(*, full: bool) -> list[str]:
    notes = [
        "new pages: 20 to 60 links a page, 90% of them to new pages",
        "known pages: 13 of 20 to 60 links lead to new pages, the others to any that are known",
        f"{CONCURRENCY} workers; speed, time and bytes are those of the last half of the URLs",
        "memory is the proportional set size: pages that processes share are counted once",
    ]
    return notes if full else [*notes, "a quick run; --full goes on to 1,000,000 and 2,000,000"]
