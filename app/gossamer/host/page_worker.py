"""The page worker: a process that fetches and reads pages for the crawl host."""

import asyncio
from functools import partial
from itertools import islice

from gossamer.extract.html_page import extract, header_links
from gossamer.fetch.fd_limit import raise_limit
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.fetch.set_cookie import CookieHeaders
from gossamer.host.log import log_to
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_process import connect_to_parent
from gossamer.ipc.heartbeat import beat
from gossamer.model.messages import (
    CancelJob,
    Cancelled,
    Configure,
    Drop,
    Dropped,
    Fetch,
    Fetched,
    FetchKind,
    Job,
    Working,
)
from gossamer.robots.robots_rules import product_token
from gossamer.robots.sitemaps import read_sitemap

_AT_ONCE = 50
"""Jobs begun in one turn of the loop: while a connection is made, it takes far more memory than
while it waits for its answer."""


class PageWorker:
    """Runs each job as a task of its own and answers with its result.

    How many run at once is the host's business.
    """

    def __init__(self, group: asyncio.TaskGroup) -> None:
        """Take the owner of the tasks."""
        self._group = group
        self._channel: Channel[Job] | None = None
        self._fetcher: HttpFetcher | None = None
        self._tasks: dict[int, asyncio.Task[Fetched]] = {}
        self._early: list[Job] = []
        self._next: dict[int, Fetch] = {}
        """Jobs that have not begun."""
        self._more_follow = False
        """Whether the next turn of the loop begins some of them."""
        self.configured: asyncio.Future[Configure] = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()

    def receive(self, jobs: list[Job]) -> None:
        """Take messages of the host."""
        for job in jobs:
            if isinstance(job, Configure) and not self.configured.done():
                self.configured.set_result(job)
            elif self._fetcher is None:
                self._early.append(job)
            else:
                self._take(job, self._fetcher)
        if self._fetcher is not None and not self._more_follow:
            self._begin(self._fetcher)

    def parent_gone(self) -> None:
        """End: nobody is there to crawl for."""
        self.closed.set()
        self.configured.cancel()

    async def work(self, channel: Channel[Job]) -> None:
        """Work until the host closes the channel."""
        self._channel = channel
        configured = await self.configured
        log_to(configured.log)
        settings = configured.settings
        max_links = settings.max_links
        robot = product_token(settings.user_agent)
        async with HttpFetcher(
            settings,
            partial(extract, parser=settings.parser, max_links=max_links, robot=robot),
            secrets=configured.secrets,
            robot=robot,
            header_links=partial(header_links, max_links=max_links),
        ) as fetcher:
            self._fetcher = fetcher
            for job in self._early:
                self._take(job, fetcher)
            self._early.clear()
            self._begin(fetcher)
            beating = self._group.create_task(beat(channel, Working, self._has_jobs), name="beats")
            await self.closed.wait()
            beating.cancel()
            self._next.clear()
            for task in self._tasks.values():
                task.cancel()

    def _has_jobs(self) -> bool:
        return bool(self._tasks or self._next)

    def _take(self, job: Job, fetcher: HttpFetcher) -> None:
        if isinstance(job, Configure):
            fetcher.set_timeout(job.settings.timeout_s)
        elif isinstance(job, Fetch):
            self._next[job.job] = job
        elif isinstance(job, CancelJob):
            self._next.pop(job.job, None)
            task = self._tasks.get(job.job)
            if task is not None:
                task.cancel()
        elif isinstance(job, Drop):
            self._group.create_task(self._drop(fetcher), name="drop")

    def _begin(self, fetcher: HttpFetcher) -> None:
        for job in list(islice(self._next.values(), _AT_ONCE)):
            del self._next[job.job]
            hop = self._group.create_task(_hop(job, fetcher), name=job.url)
            self._tasks[job.job] = hop
            hop.add_done_callback(partial(self._done, job.job))
        self._more_follow = bool(self._next)
        if self._more_follow:
            asyncio.get_running_loop().call_soon(self._begin, fetcher)

    def _done(self, job: int, task: asyncio.Task[Fetched]) -> None:
        del self._tasks[job]
        if task.cancelled():
            self._send(Cancelled(job))
        elif task.exception() is None:
            self._send(task.result())

    async def _drop(self, fetcher: HttpFetcher) -> None:
        self._next.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await fetcher.drop()
        self._send(Dropped())

    def _send(self, message: Fetched | Cancelled | Dropped) -> None:
        if self._channel is not None:
            self._channel.send(message)


async def _hop(job: Fetch, fetcher: HttpFetcher) -> Fetched:
    trade = CookieHeaders(job.cookies)
    text = ""
    match job.what:
        case FetchKind.PAGE:
            visit = await fetcher.fetch(job.url, trade, job.manner)
        case FetchKind.CHECK:
            visit = await fetcher.check(job.url, trade, job.manner)
        case FetchKind.SITEMAP:
            visit = await fetcher.fetch_sitemap(job.url, read_sitemap, trade, job.manner)
        case FetchKind.TEXT:
            visit, text = await fetcher.fetch_text(job.url, trade=trade)
    return Fetched(job.job, visit, text, trade.wanted)


async def main() -> int:
    """Serve the process that started this one until it goes."""
    raise_limit()
    async with asyncio.TaskGroup() as group:
        worker = PageWorker(group)
        channel = await connect_to_parent(Job, worker.receive, worker.parent_gone)
        try:
            await worker.work(channel)
        except asyncio.CancelledError:
            if not worker.closed.is_set():
                raise
    return 0
