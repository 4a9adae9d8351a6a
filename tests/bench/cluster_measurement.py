"""Measures on this machine what a simulated crawl is told, and what it is compared with.

Costs are processor time, of crawls as fast as they go. Speeds are those of crawls of a site that
takes a fixed time to answer: then other work on the machine hardly changes them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import psutil

from gossamer.model.crawl_state import LIVE
from gossamer.model.messages.crawl_messages import Trouble
from tests.bench.cluster_simulation.plan import Costs
from tests.bench.endless_site import EndlessSite, Shape
from tests.bench.report import say
from tests.bench.sessions import crawling

DELAY_S: Final = 0.5
NEW_LINKS: Final = 6
FEW_LINKS, MANY_LINKS = 20, 100
_DECIDING: Final = 0.4
"""Of what the crawl host does with a page; the rest is writing (docs/performance.md)."""
_FROM: Final = 0.4
"""A crawl has found enough to ask for after this share of its pages."""


@dataclass(frozen=True, slots=True)
class MeasuredCrawl:
    """Pages a second, and seconds of processor time per page."""

    rate: float
    host_s: float
    workers_s: float


@dataclass(frozen=True, slots=True)
class _Mark:
    seconds: float
    pages: int
    host_s: float
    workers_s: float


def measure(
    workers: int, pages: int, links: int, delay_s: float = DELAY_S, **settings: Any
) -> MeasuredCrawl:
    """Crawl so many pages of a site that takes so long to answer."""
    shape = Shape(links=(links, links), discovers=NEW_LINKS, delay_s=(delay_s, delay_s))
    with EndlessSite(shape) as site:
        marks = asyncio.run(_crawl(site.root_url, pages, workers=workers, **settings))
    last = marks[-1]
    first = next(mark for mark in marks if mark.pages >= last.pages * _FROM)
    count = last.pages - first.pages
    found = MeasuredCrawl(
        count / (last.seconds - first.seconds),
        (last.host_s - first.host_s) / count,
        (last.workers_s - first.workers_s) / count,
    )
    say(
        f"  {workers} workers, {links} links, {settings}: {found.rate:.1f} pages/s,"
        f" host {found.host_s * 1e3:.2f} ms/page, the others {found.workers_s * 1e3:.2f}"
    )
    return found


def costs_of(few: MeasuredCrawl, many: MeasuredCrawl, links: float) -> Costs:
    """Costs per page and per link, from crawls of pages with FEW_LINKS and with MANY_LINKS.

    What a page worker takes is that of a page with `links`.
    """
    span = MANY_LINKS - FEW_LINKS
    link_s = max(0.0, (many.host_s - few.host_s) / span)
    page_s = max(0.0, few.host_s - FEW_LINKS * link_s)
    read_link_s = max(0.0, (many.workers_s - few.workers_s) / span)
    return replace(
        Costs(),
        decide_s=page_s * _DECIDING,
        decide_link_s=link_s * _DECIDING,
        write_s=page_s * (1 - _DECIDING),
        write_link_s=link_s * (1 - _DECIDING),
        read_s=few.workers_s + (links - FEW_LINKS) * read_link_s,
    )


async def _crawl(root: str, pages: int, **settings: Any) -> Sequence[_Mark]:
    marks: list[_Mark] = []
    # One page more than is waited for: the host is to be there when it is looked at.
    limits = {"max_similar": 10**9, "max_pages": 2 * pages, "soft_404_probe": False}
    async with crawling(root, **limits, **settings) as session:
        async for news in session.updates():
            if isinstance(news, Trouble) or news.state not in LIVE:
                raise RuntimeError(f"the crawl ended before its time: {news}")
            if session.host_pid is None or not news.pages:
                continue
            marks.append(_Mark(news.seconds, news.pages, *_processor_times(session.host_pid)))
            if news.pages >= pages:
                await session.cancel()
                break
    return marks


def _processor_times(host_pid: int) -> tuple[float, float]:
    host = psutil.Process(host_pid)
    return _seconds(host), sum(_seconds(child) for child in host.children(recursive=True))


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)
