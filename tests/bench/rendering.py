"""`rendering`: pages per second and memory of a crawl that renders 300 pages with four tabs.

Each round crawls twice: for memory, the processes are stopped while they are read. Then a site
whose pages are finished late is crawled by virtual time and by the real wait, to count those that
are read as they are in the end.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import median
from typing import Final, NamedTuple

import psutil

from gossamer.model.crawl_state import LIVE
from gossamer.model.project_queries import View
from gossamer.model.settings.rendering_choices import RenderMode, RenderWait
from gossamer.store.reading.reader import Reader
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling
from tests.sites import Response, Site
from tests.sites.late_pages import late_answer, late_page_paths, title_of

PAGES: Final = 300
TABS: Final = 4
_LINKS: Final = "".join(f"<a href=/page/{number}>page {number}</a> " for number in range(60))
_TEXT: Final = "<p>some words of a paragraph, as there are on many pages" * 200
_SCRIPT: Final = (
    b"fetch('/data'+location.pathname).then(a=>a.json()).then(d=>{document.body.insertAdjacentHTML("
    b"'beforeend','<h1>'+d.title+'</h1>'+d.links.map(l=>'<a href='+l+'>x</a>').join(''))});//"
) + b"x" * 113_000
_MB: Final = 1_000_000
_WEIGH_EVERY_S: Final = 0.3
_ZOMBIE: Final = psutil.STATUS_ZOMBIE


class Round(NamedTuple):
    """What one crawl has shown."""

    pages_per_s: float
    peak_mb: float
    median_mb: float
    first_half_mb: float
    """The most in the first half, which tells whether there is growth."""


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl `options.rounds` times."""
    rounds = []
    for number in range(options.rounds):
        with Site() as site:
            site.generate(_answer)
            pages_per_s, _ = asyncio.run(_once(site, weighs=False))
            _, samples = asyncio.run(_once(site, weighs=True))
        half = max(samples[: len(samples) // 2] or samples)
        figures = (each / _MB for each in (max(samples), median(samples), half))
        rounds.append(Round(pages_per_s, *figures))
        say(f"  round {number + 1}: {rounds[-1].pages_per_s:.1f} pages/s")
    series = [
        Series(what, PRODUCT, unit, tuple(getattr(each, name) for each in rounds), target)
        for what, unit, name, target in (
            ("pages rendered", "/s", "pages_per_s", ">= 10 on 2 cores"),
            ("browser and render worker at most", "MB", "peak_mb", "<= 300"),
            ("the same, median", "MB", "median_mb", ""),
            ("the same in the first half, at most", "MB", "first_half_mb", ""),
        )
    ]
    series += [
        Series(f"pages right of 50, {wait} time", PRODUCT, "", (asyncio.run(_right(wait)),), target)
        for wait, target in ((RenderWait.VIRTUAL, ">= 48"), (RenderWait.REAL, "50"))
    ]
    notes = [f"{PAGES} pages of 15 KB, a script of 113 KB, a fetch each; {TABS} tabs; PSS"]
    return Findings("rendering", series, [], notes)


def _answer(path: str) -> Response | None:
    name = path.rpartition("/")[2]
    if path == "/app.js":
        return Response(body=_SCRIPT, headers=(("Content-Type", "text/javascript"),))
    if path.startswith("/data/"):
        number = int(name) if name.isdigit() else 0
        links = ",".join(f'"/page/{n}"' for n in range(number, min(number + 60, PAGES)))
        body = f'{{"title":"Page {name}","links":[{links}]}}'
        return Response(body=body.encode(), headers=(("Content-Type", "application/json"),))
    if path == "/" or path.startswith("/page/"):
        html = f"<!doctype html><title>{name}</title>{_TEXT}{_LINKS}<script src=/app.js></script>"
        return Response(body=html.encode())
    return None


async def _once(site: Site, *, weighs: bool) -> tuple[float, list[int]]:
    """Pages per second; and the memory now and then, if it `weighs`."""
    samples: list[int] = []
    begun_s = weighed_s = 0.0
    settings = {"render": RenderMode.ON, "render_tabs": TABS, "use_sitemaps": False}
    async with crawling(site.url("/page/0"), **settings) as session:
        async for report in session.updates():
            fetched = getattr(report, "fetched", 0)
            if fetched and not begun_s:
                begun_s = time.perf_counter()
            if session.state not in LIVE:
                break
            is_due = time.perf_counter() - weighed_s > _WEIGH_EVERY_S
            if weighs and is_due and session.host_pid is not None and fetched:
                samples.append(_memory_of(session.host_pid))
                weighed_s = time.perf_counter()
        elapsed_s = time.perf_counter() - begun_s
    return PAGES / elapsed_s, samples


async def _right(wait: RenderWait) -> int:
    """How many of the late pages are read as they are in the end."""
    with Site() as site:
        site.generate(late_answer)
        settings = {"render": RenderMode.ON, "render_tabs": TABS, "render_wait": wait}
        async with crawling(site.url("/page/0"), **settings) as session:
            async for _ in session.updates():
                if session.state not in LIVE:
                    break
            with Reader(session.path) as reader:
                found = {each.url: each.h1 for each in reader.iterate(View.ALL)}
        return sum(found.get(site.url(path)) == title_of(path) for path in late_page_paths())


def _memory_of(host_pid: int) -> int:
    """The proportional memory of what the host has started, all at the same moment.

    Otherwise a tab that ends meanwhile would count beside the one that takes its place.
    """
    with _stopped(psutil.Process(host_pid)) as processes:
        return sum(each.memory_full_info().pss for each in processes)


@contextmanager
def _stopped(parent: psutil.Process) -> Iterator[list[psutil.Process]]:
    """All processes below `parent`, stopped."""
    stopped: list[psutil.Process] = []
    try:
        while new := [each for each in parent.children(recursive=True) if each not in stopped]:
            for each in new:
                stopped.append(each)
                with suppress(psutil.NoSuchProcess):
                    each.suspend()
        yield [each for each in stopped if each.is_running() and each.status() != _ZOMBIE]
    finally:
        for each in stopped:
            with suppress(psutil.NoSuchProcess):
                each.resume()
