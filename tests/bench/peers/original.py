"""The crawler of "A Web Crawler With asyncio Coroutines" (500 Lines or Less), rendered well.

As there: workers on one queue, a set of seen URLs, links by a regular expression, redirects
followed one hop per queue item, statistics in a list, nothing stored. Other than there: the body
is decoded once, character references in links are resolved, and it runs on uvloop.

Usage: original.py ROOT WORKERS. Prints one JSON object.
"""

import asyncio
import html
import json
import re
import sys
import time
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

import aiohttp
import uvloop
import yarl

HREF = re.compile(r"""(?i)href=["']([^\s"'<>]+)""")
MAX_REDIRECT = 10
MAX_TRIES = 4


@dataclass(frozen=True, slots=True)
class FetchStatistic:
    """What is remembered of one URL."""

    url: str
    status: int
    size: int
    content_type: str
    num_urls: int
    num_new_urls: int


class Crawler:
    """Crawls the host of one root with a fixed number of workers."""

    def __init__(self, root: str, max_tasks: int) -> None:
        self.host = urlsplit(root).netloc
        self.max_tasks = max_tasks
        self.seen_urls: set[str] = set()
        self.done: list[FetchStatistic] = []
        self.q: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self.add_url(root)

    def add_url(self, url: str, max_redirect: int = MAX_REDIRECT) -> None:
        self.seen_urls.add(url)
        self.q.put_nowait((url, max_redirect))

    def url_allowed(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and parts.netloc == self.host

    async def crawl(self) -> None:
        connector = aiohttp.TCPConnector(limit=0)
        async with (
            aiohttp.ClientSession(connector=connector) as session,
            asyncio.TaskGroup() as group,
        ):
            workers = [group.create_task(self.work(session)) for _ in range(self.max_tasks)]
            await self.q.join()
            for worker in workers:
                worker.cancel()

    async def work(self, session: aiohttp.ClientSession) -> None:
        while True:
            url, max_redirect = await self.q.get()
            await self.fetch(session, url, max_redirect)
            self.q.task_done()

    async def fetch(self, session: aiohttp.ClientSession, url: str, max_redirect: int) -> None:
        for _ in range(MAX_TRIES):
            try:
                response = await session.get(yarl.URL(url, encoded=True), allow_redirects=False)
                break
            except aiohttp.ClientError:
                continue
        else:
            return
        async with response:
            location = response.headers.get("location")
            if response.status in {300, 301, 302, 303, 307, 308} and location:
                target = urljoin(url, location)
                if target not in self.seen_urls and max_redirect > 0:
                    self.add_url(target, max_redirect - 1)
                return
            await self.parse_links(url, response)

    async def parse_links(self, url: str, response: aiohttp.ClientResponse) -> None:
        body = await response.read()
        found: set[str] = set()
        if response.status == 200 and response.content_type in {"text/html", "application/xml"}:
            text = body.decode(response.charset or "utf-8", errors="replace")
            for href in set(HREF.findall(text)):
                link, _ = urldefrag(urljoin(url, html.unescape(href)))
                if self.url_allowed(link):
                    found.add(link)
        new = found - self.seen_urls
        for link in new:
            self.add_url(link)
        self.done.append(
            FetchStatistic(
                url, response.status, len(body), response.content_type, len(found), len(new)
            )
        )


async def main(root: str, max_tasks: int) -> None:
    crawler = Crawler(root, max_tasks)
    began = time.perf_counter()
    await crawler.crawl()
    json.dump({"seconds": time.perf_counter() - began, "urls": len(crawler.done)}, sys.stdout)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(sys.argv[1], int(sys.argv[2])))
