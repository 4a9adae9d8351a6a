"""`growth`: engine and writer alone, fed with the pages of an endless site up to many known URLs.

No network and no page worker is between, so that ten million known URLs take minutes. What is told
is that of the crawl host: bytes it gives to the system to write, processor time, and memory.
"""

import argparse
import asyncio
import gc
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import psutil
import uvloop

from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.worker_messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, PageLinks, Visit
from gossamer.robots.robots_txt import rules_for
from gossamer.store import project
from gossamer.urls.scope_and_limits import Scope
from tests.bench.contestants import CONCURRENCY
from tests.bench.endless_site import Shape, links_of, number_of, path_of
from tests.bench.processes import MIB
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series

SHAPE: Final = Shape(seed=1, links=(20, 60), discovers=13)
QUICK: Final = (100_000, 500_000)
FULL: Final = (100_000, 500_000, 1_000_000, 2_000_000)
_SITE: Final = "https://endless.test"
_LOOK_EVERY_S: Final = 0.05
_HEADERS: Final = [
    ("Server", "bench"),
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", "7345"),
]


_OVER: Final = 0.25


class _Mark(NamedTuple):
    """What was counted up to a moment."""

    pages: int
    written: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Point:
    """What was measured when so many URLs were known: bytes, and microseconds, per page."""

    known: int
    written: float
    cpu_us: float
    memory: int
    ahead: int
    file_bytes: int

    def __str__(self) -> str:
        """In one line."""
        return (
            f"{self.known:,} known: {self.written / 1024:.1f} KiB and {self.cpu_us:.0f} us a page,"
            f" {self.memory / MIB:.0f} MiB, -wal up to {self.ahead / MIB:.0f} MiB,"
            f" file {self.file_bytes / MIB:.0f} MiB"
        )


class Pages:
    """The engine's Fetcher: makes up the page that is asked for."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self.certificates = ()
        self.answered = 0
        self.known = 1

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,  # noqa: ARG002 - pages only
        mode: FetchMode = FetchMode.USUAL,  # noqa: ARG002 - asked in any mode
        conditions: Conditions = NO_CONDITIONS,  # noqa: ARG002 - none are made
        path: CrawlPath | None = None,  # noqa: ARG002 - there is no archive
    ) -> Visit:
        """The page at `url`."""
        await asyncio.sleep(0)  # answers never come in the same turn
        number = number_of(url.removeprefix(_SITE)) or 0
        numbers = links_of(number, self._shape)
        distinct = list(dict.fromkeys(numbers))
        place = {target: index for index, target in enumerate(distinct)}
        links = PageLinks.of(
            (place[target], LinkKind.ANCHOR, f"What {target} tells", "", "a", "")
            for target in numbers
        )
        self.answered += 1
        self.known = max(self.known, *numbers)
        return Visit(
            Outcome.PAGE,
            200,
            "OK",
            headers=_HEADERS,
            content_type="text/html",
            charset="utf-8",
            size_bytes=7345,
            raw_bytes=7345,
            ttfb_ms=3,
            elapsed_ms=4,
            fetched_at=1e9 + number,
            facts=PageFacts(
                title=f"Page {number}",
                h1=f"Page {number}",
                description=f"All that is known of {number}.",
                language="en",
                word_count=400,
                content_hash=number.to_bytes(16, "big"),
            ),
            targets=[f"{_SITE}{path_of(target)}" for target in distinct],
            links=links,
        )

    async def fetch_text(
        self,
        url: str,
        conditions: Conditions = NO_CONDITIONS,
    ) -> tuple[Visit, str]:
        """Nothing asks for robots.txt here."""
        raise NotImplementedError(url)

    def change_settings(self, settings: CrawlSettings) -> None:
        """Nothing here changes its settings."""

    async def drop(self) -> None:
        """Nothing is open."""


def benchmark(options: argparse.Namespace) -> Findings:
    """Feed until the last point, once."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        points = runner.run(feed(FULL if options.full else QUICK))
    return Findings(
        "growth", [one for point in points for one in _told(point, points[0])], (), _NOTES
    )


async def feed(wanted: Sequence[int], shape: Shape = SHAPE) -> list[Point]:
    """Crawl until the last of the numbers of URLs that are `wanted` is known."""
    gc.freeze()  # as the crawl host does
    gc.set_threshold(10_000)
    found: list[Point] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as folder:
        path = Path(folder, "growth.gossamer")
        settings = CrawlSettings(
            roots=(f"{_SITE}/",), workers=CONCURRENCY, obey_robots=False, max_similar=10**9
        )
        project.create(path, settings)
        store, pages = StoreThread(), Pages(shape)
        crawl = Crawl(await store.open(path), store, pages, rules_for, Scope(settings))
        try:
            async with asyncio.TaskGroup() as group:
                running = group.create_task(crawl.run(), name="crawl")
                gauge = _Gauge(path, pages, running)
                for known in wanted:
                    found.append(await gauge.point(known))
                    say(f"  {found[-1]}")
                await crawl.cancel()
                await running
        finally:
            await store.close()
    return found


class _Gauge:
    """Looks at this process while it crawls."""

    def __init__(self, path: Path, pages: Pages, running: asyncio.Task[CrawlState]) -> None:
        self._running = running
        self._wal = path.with_name(f"{path.name}-wal")
        self._file = path
        self._pages = pages
        self._process = psutil.Process()
        self._most_ahead = 0

    async def point(self, known: int) -> Point:
        """Wait until so many URLs are known; what was counted over the last of them."""
        await self._until(known * (1 - _OVER))
        before = self._mark()
        await self._until(known)
        after = self._mark()
        pages = after.pages - before.pages
        return Point(
            known,
            (after.written - before.written) / pages,
            (after.cpu_s - before.cpu_s) * 1e6 / pages,
            self._process.memory_full_info().pss,
            self._most_ahead,
            self._file.stat().st_size,
        )

    async def _until(self, known: float) -> None:
        while self._pages.known < known:
            if self._running.done():
                raise RuntimeError(f"the crawl ended before {known:,.0f} URLs were known")
            await asyncio.sleep(_LOOK_EVERY_S)
            self._most_ahead = max(self._most_ahead, self._wal.stat().st_size)

    def _mark(self) -> _Mark:
        counters, times = self._process.io_counters(), self._process.cpu_times()
        return _Mark(self._pages.answered, counters.write_chars, times.user + times.system)


def _told(point: Point, first: Point) -> list[Series]:
    at = f"at {point.known:,} known URLs"
    return [
        Series(f"{what}, {at}", PRODUCT, unit, (value,), target)
        for what, unit, value, target in (
            ("bytes written", "KiB/page", point.written / 1024, ""),
            ("by those at the first", "", point.written / first.written, "≤ 3 at 2,000,000"),
            ("processor time", "us/page", point.cpu_us, ""),
            ("that at the first by it", "", first.cpu_us / point.cpu_us, "≥ 0.7 at 2,000,000"),
            ("memory", "MiB", point.memory / MIB, ""),
            ("largest -wal file so far", "MiB", point.ahead / MIB, "≤ 64"),
            ("project file", "bytes/URL", point.file_bytes / point.known, ""),
        )
    ]


_NOTES: Final = (
    f"a site of seed {SHAPE.seed}: {SHAPE.links[0]} to {SHAPE.links[1]} links a page",
    f"{SHAPE.discovers} of them lead to new pages, the others to any that are known",
    "crawl host alone, fed with answers: no page workers, no network; making up pages is included",
    f"bytes written and processor time are those over the last {_OVER:.0%} of the URLs known",
    "bytes written: what is given to the system, into the project and its -wal file",
)
