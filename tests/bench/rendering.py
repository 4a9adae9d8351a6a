"""`rendering`: pages per second and memory of a crawl that renders 300 pages with four tabs."""

import argparse
import asyncio
import time
from typing import Final, NamedTuple

import psutil

from gossamer.model.crawl_state import LIVE
from gossamer.model.settings.rendering_settings import RenderMode
from tests.bench.report import Findings, say
from tests.bench.series import PRODUCT, Series
from tests.bench.sessions import crawling
from tests.sites import Response, Site

PAGES: Final = 300
TABS: Final = 4
_LINKS: Final = "".join(f"<a href=/page/{number}>page {number}</a> " for number in range(60))
_TEXT: Final = "<p>some words of a paragraph, as there are on many pages" * 200
_SCRIPT: Final = (
    b"fetch('/data'+location.pathname).then(a=>a.json()).then(d=>{document.body.insertAdjacentHTML("
    b"'beforeend','<h1>'+d.title+'</h1>'+d.links.map(l=>'<a href='+l+'>x</a>').join(''))});//"
) + b"x" * 113_000
_MB: Final = 1_000_000


class Round(NamedTuple):
    """What one crawl has shown."""

    pages_per_s: float
    peak_mb: float
    first_half_mb: float
    """The most in the first half, which tells whether there is growth."""


def benchmark(options: argparse.Namespace) -> Findings:
    """Crawl `options.rounds` times."""
    rounds = []
    for number in range(options.rounds):
        with Site() as site:
            site.generate(_answer)
            rounds.append(asyncio.run(_once(site)))
        say(f"  round {number + 1}: {rounds[-1].pages_per_s:.1f} pages/s")
    series = [
        Series(what, PRODUCT, unit, tuple(getattr(each, name) for each in rounds), target)
        for what, unit, name, target in (
            ("pages rendered", "/s", "pages_per_s", ">= 10 on 2 cores"),
            ("browser and render worker at most", "MB", "peak_mb", "<= 300"),
            ("the same in the first half", "MB", "first_half_mb", ""),
        )
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


async def _once(site: Site) -> Round:
    samples: list[int] = []
    begun_s = 0.0
    settings = {"render": RenderMode.ON, "render_tabs": TABS, "use_sitemaps": False}
    async with crawling(site.url("/page/0"), **settings) as session:
        async for report in session.updates():
            fetched = getattr(report, "fetched", 0)
            if fetched and not begun_s:
                begun_s = time.perf_counter()
            if session.state not in LIVE:
                break
            if session.host_pid is not None and fetched:
                samples.append(_memory_of(session.host_pid))
        elapsed_s = time.perf_counter() - begun_s
    half = max(samples[: len(samples) // 2] or samples)
    return Round(PAGES / elapsed_s, max(samples) / _MB, half / _MB)


def _memory_of(host_pid: int) -> int:
    """The proportional memory of what the host has started."""
    total = 0
    for each in psutil.Process(host_pid).children(recursive=True):
        try:
            total += each.memory_full_info().pss
        except psutil.Error:
            continue  # a tab has just been closed
    return total
