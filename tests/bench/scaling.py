"""`scaling`: one page worker against two, and how fast the crawl host alone could go.

For the last, the answers of the page workers are recorded as the bytes that they sent, and played
back to the engine and a new project file: decoding, deciding and writing remain.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import uvloop
from msgspec.structs import replace

from gossamer.crawl_host.worker_kinds import page_workers
from gossamer.crawl_host.worker_pool import WorkerPool
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.engine.interfaces import Fetcher
from gossamer.ipc.channel import FrameReader, frame
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.worker_messages import Fetched, FetchKind, Result
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit
from gossamer.robots.robots_txt import rules_for
from gossamer.store import project
from gossamer.urls.scope_and_limits import Scope
from tests.bench.contestants import CONCURRENCY, Contestant, gossamer, run, told
from tests.bench.report import Findings, say
from tests.bench.rounds import in_turn
from tests.bench.series import PRODUCT, Series
from tests.bench.sites import BenchSite, installed, serve

ONE: Final = "one page worker"
REPLAY: Final = "crawl host alone"
_TWO: Final = 2
Tape = dict[str, bytes]
"""What was answered to each URL, as a frame of the channel between page worker and host."""


class Recorder:
    """The engine's Fetcher: that of the page workers, with their answers taken down."""

    def __init__(self, pool: WorkerPool, tape: Tape) -> None:
        self._pool = pool
        self.certificates = ()
        self._tape = tape

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,
        mode: FetchMode = FetchMode.USUAL,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> Visit:
        """Hand on, and keep the answer."""
        visit = await self._pool.fetch(url, kind, mode, conditions, path)
        self._tape[url] = frame([Fetched(0, visit)])
        return visit

    async def fetch_text(
        self, url: str, conditions: Conditions = NO_CONDITIONS
    ) -> tuple[Visit, str]:
        """Hand on."""
        return await self._pool.fetch_text(url, conditions)

    def change_settings(self, settings: CrawlSettings) -> None:
        """Nothing here changes its settings."""

    async def drop(self) -> None:
        """Hand on."""
        await self._pool.drop()


class Player:
    """The engine's Fetcher: answers at once from a tape."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.certificates = ()
        self._reader: FrameReader[Result] = FrameReader(Result)

    async def fetch(
        self,
        url: str,
        kind: FetchKind = FetchKind.PAGE,  # noqa: ARG002 - one tape, of pages
        mode: FetchMode = FetchMode.USUAL,  # noqa: ARG002 - asked in any mode
        conditions: Conditions = NO_CONDITIONS,  # noqa: ARG002 - none are made
        path: CrawlPath | None = None,  # noqa: ARG002 - there is no archive
    ) -> Visit:
        """The answer on the tape; KeyError for what was not recorded."""
        await asyncio.sleep(0)  # answers never come in the same turn
        [answer] = self._reader.feed(self._tape[url])
        if not isinstance(answer, Fetched):
            raise TypeError(f"{answer} is no answer")
        return answer.visit

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
    """Crawl each site with two page workers, with one, and from the tape, in turn."""
    series: list[Series] = []
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as name:
        for site in installed(options.site or ["cppreference"]):
            say(f"{site.name}:")
            with serve(site, Path(name)) as root:
                rates = _crawl(site, root, options.rounds, Path(name))
            series += [
                Series(f"{site.name}, crawl", who, "pages/s", tuple(values))
                for who, values in rates.items()
            ]
    return Findings("scaling", series, notes=_NOTES)


def _crawl(site: BenchSite, root: str, rounds: int, tmp: Path) -> dict[str, list[float]]:
    tape: Tape = {}
    _on_fastest_loop(_record(root, tape, tmp))
    say(f"  {site.name}: {sum(map(len, tape.values())) / len(tape) / 1024:.1f} KiB per answer")

    def workers(count: int) -> Contestant:
        return Contestant(
            PRODUCT,
            lambda url, out: gossamer(url, out, "--processes", str(count)),
            told,
        )

    def once(who: str) -> float:
        if who == REPLAY:
            return len(tape) / _on_fastest_loop(_play(root, tape, tmp))
        ran = run(workers(1 if who == ONE else _TWO), root, tmp / "out", tmp)
        return len(tape) / (ran.crawl_s or 1.0)

    return in_turn([PRODUCT, ONE, REPLAY], rounds, once)


def _on_fastest_loop(work: Coroutine[Any, Any, float]) -> float:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def _record(root: str, tape: Tape, tmp: Path) -> float:
    async with asyncio.TaskGroup() as group:
        pool = WorkerPool([page_workers([])])
        pool.start(group, replace(_settings(root), processes=_TWO))
        try:
            return await _host(root, tmp, lambda: Recorder(pool, tape))
        finally:
            await pool.close()


async def _play(root: str, tape: Tape, tmp: Path) -> float:
    return await _host(root, tmp, lambda: Player(tape))


async def _host(root: str, tmp: Path, fetcher: Callable[[], Fetcher]) -> float:
    """Crawl as the host does, with this fetcher; the seconds it took."""
    with tempfile.TemporaryDirectory(dir=tmp) as folder:
        path = Path(folder, "host.gossamer")
        project.create(path, _settings(root))
        store = StoreThread()
        summary = await store.open(path)
        try:
            crawl = Crawl(summary, store, fetcher(), rules_for, Scope(summary.settings))
            await crawl.run()
            return crawl.progress().seconds
        finally:
            await store.close()


def _settings(root: str) -> CrawlSettings:
    return CrawlSettings(roots=(root,), workers=CONCURRENCY, obey_robots=False, llms_txt=False)


_NOTES: Final = (
    f"{PRODUCT}: two page workers. ratio: two workers by the other.",
    f"{REPLAY}: engine and writer fed with recorded answers, without page workers.",
)
