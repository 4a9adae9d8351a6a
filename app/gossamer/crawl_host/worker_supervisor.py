"""Supervises workers of one kind: starts them, gives them jobs, replaces dead ones."""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Sequence
from functools import partial
from itertools import count
from math import inf
from typing import Any, Final

from msgspec.structs import replace

from gossamer.crawl_host.supervised_worker import PendingResult, SupervisedWorker
from gossamer.crawl_host.worker_kinds import StartWorker, WorkerKind, WorkerLink
from gossamer.engine.cookie_jar import CookieJar
from gossamer.engine.interfaces import WorkerDiedError
from gossamer.engine.job_prefetch import NotBegunError
from gossamer.ipc.child_log import relay
from gossamer.model.cookie import Cookie
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.errors import CrawlHostError
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.messages.worker_messages import (
    CancelJob,
    ConfigureWorker,
    Fetch,
    Fetched,
    FetchKind,
    LogLine,
    Result,
    ReturnJob,
    WorkerHeartbeat,
)
from gossamer.model.outcome_details import DetailCode
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import FetchMode
from gossamer.urls.url_parsing import origin

MAX_BARREN: Final = 12
_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 5.0
_END_TIMEOUT_S: Final = 2.0
_COUNT_EVERY_S: Final = 0.05
_log = logging.getLogger(__name__)


class WorkerSupervisor:
    """All workers of one kind.

    A worker that has jobs and sends nothing for too long is stuck: it is killed with its jobs, as
    if it had died.
    """

    def __init__(
        self,
        kind: WorkerKind,
        group: asyncio.TaskGroup,
        configure: ConfigureWorker,
        cookies: CookieJar | None,
        silence_s: float,
    ) -> None:
        """Begin to start the workers; `group` owns the tasks that start and replace them.

        `cookies` gives the Cookie header for a URL at the moment of its request.
        """
        self._kind = kind
        self._group = group
        self._configure = configure
        self._cookies = cookies
        self._silence_s = silence_s
        self._workers: list[SupervisedWorker] = []
        self._ready = asyncio.Event()
        self._ids = count(1)
        self._starting: set[asyncio.Task[None]] = set()
        self._barren = 0
        """Workers in a row that ended without a single result."""
        self.failed_starts = 0
        """Workers that could not be started, or did not speak our protocol."""
        self._gone_links: list[WorkerLink] = []
        """Of workers that are to be replaced, once they have ended."""
        self._closing = False
        self._drop_timeout_s = kind.drop_timeout_s
        size = kind.workers(configure.settings)
        each = kind.jobs_each
        self._slots = asyncio.Semaphore((each or 0) * size)
        self._has_store = kind.has_store(configure.settings)
        self._at_once = 1
        self._ahead = 0
        self._counted_s = -inf
        self.run: Final = self._run if each is None else self._run_in_slot
        """Gives a job to the worker with the fewest; returns its result and the cookies sent.

        WorkerDiedError when that worker ended.
        """
        if kind.recruit is not None:
            self._begin(kind.recruit(configure, self._accept), f"recruit {kind.name}")
        for _ in range(size):
            self._begin(self._start_worker(kind.start), f"start {kind.name}")

    def configure(self, configure: ConfigureWorker) -> None:
        """Apply other settings to the workers."""
        self._configure = configure
        self._tell(self._workers)

    @property
    def ahead(self) -> int:
        """How many jobs the workers should prefetch, all together."""
        if self._has_store and (now := asyncio.get_running_loop().time()) >= self._counted_s:
            self._counted_s = now + _COUNT_EVERY_S
            links = (each.link for each in self._workers if each.slots)
            self._ahead = sum(link.ahead for link in links if link is not None)
        return self._ahead

    def set_slots(self, at_once: int) -> None:
        """Let so many jobs run at once, over all workers, if these prefetch jobs."""
        self._at_once = at_once
        self._share_slots()

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """Have jobs that have not begun raise NotBegunError: those for `urls`, or all."""
        if not self._has_store:
            return
        for worker in self._workers:
            for job, url in worker.urls.items():
                if worker.link is not None and (urls is None or url in urls):
                    worker.link.send(ReturnJob(job))

    async def _run_in_slot(
        self,
        url: str,
        kind: FetchKind,
        mode: FetchMode,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> tuple[Fetched, str]:
        async with self._slots:
            return await self._run(url, kind, mode, conditions, path)

    async def _run(
        self,
        url: str,
        kind: FetchKind,
        mode: FetchMode,
        conditions: Conditions = NO_CONDITIONS,
        path: CrawlPath | None = None,
    ) -> tuple[Fetched, str]:
        while True:
            try:
                return await self._run_once(url, kind, mode, conditions, path)
            except NotBegunError:
                if kind is not FetchKind.TEXT:  # others wait for that: it has no turn to lose
                    raise

    async def _run_once(
        self,
        url: str,
        kind: FetchKind,
        mode: FetchMode,
        conditions: Conditions,
        path: CrawlPath | None,
    ) -> tuple[Fetched, str]:
        while not self._workers:
            self._ready.clear()
            await self._ready.wait()
        worker = min(self._in_use(), key=SupervisedWorker.load)
        link = worker.link
        if link is None:
            raise WorkerDiedError(DetailCode.WORKER_REPLACED())
        job = next(self._ids)
        pending: PendingResult = asyncio.get_running_loop().create_future()
        worker.add(job, url, pending, self._silence_s)
        cookies = "" if self._cookies is None else self._cookies.header(url)
        for_browser = self._for_browser(url) if kind is FetchKind.PAGE else []
        link.send(Fetch(job, url, kind, cookies, mode, conditions, path, for_browser))
        try:
            return await pending, cookies
        except asyncio.CancelledError:
            link.send(CancelJob(job))
            raise
        finally:
            worker.remove(job)

    def _for_browser(self, url: str) -> list[Cookie]:
        """The cookies of its site, for a page that may be rendered."""
        is_rendered = self._configure.settings.render is not RenderMode.OFF
        return self._cookies.sent_to(origin(url)) if is_rendered and self._cookies else []

    async def drop(self) -> None:
        """Return when no connection is open; a worker that does not respond is ended."""
        await asyncio.gather(*(self._drop(worker) for worker in self._workers))

    async def close(self) -> None:
        """End all workers."""
        self._closing = True
        for task in self._starting:
            task.cancel()
        links = [worker.link for worker in self._workers if worker.link is not None]
        links += self._gone_links
        await asyncio.gather(*(link.end(_END_TIMEOUT_S) for link in links))
        if links:
            await asyncio.to_thread(self._kind.clear)

    async def _drop(self, worker: SupervisedWorker) -> None:
        dropped = worker.drop()
        done, _ = await asyncio.wait({dropped}, timeout=self._drop_timeout_s)
        if not done and worker.link is not None:
            _log.warning("page worker does not let go, ending it", extra={"pid": worker.link.pid})
            worker.link.kill()
            await dropped  # `_gone` follows

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._group.create_task(work, name=name)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def _accept(self, start: StartWorker) -> None:
        """Start an offered worker."""
        if not self._closing:
            self._begin(self._start_worker(start), f"start {self._kind.name}")

    async def _start_worker(self, start: StartWorker) -> None:
        worker = SupervisedWorker()
        try:
            worker.link = await start(partial(self._receive, worker), partial(self._gone, worker))
        except CrawlHostError:
            self.failed_starts += 1
            self._starting -= {asyncio.current_task()}
            if not self._workers and not self._starting:
                raise  # this was the last hope
            _log.exception("page worker could not be started, going on with fewer")
            return
        if worker.link.closed:  # `_gone` has seen to it
            return
        self._workers.append(worker)
        self._tell([worker])
        self._tell_shares([each for each in self._workers if each is not worker])
        self._share_slots()
        self._ready.set()

    def _in_use(self) -> list[SupervisedWorker]:
        """The workers that get jobs.

        Render workers load more than we know about, so there are no more of them than requests that
        a host may have at once.
        """
        settings = self._configure.settings
        most = settings.max_per_host if settings.renders_pages else None
        return self._workers[:most]

    def _tell_shares(self, workers: Sequence[SupervisedWorker]) -> None:
        """Update the shares: the number of workers that load resources has changed."""
        if self._configure.settings.renders_pages:
            self._tell(workers)

    def _share_slots(self) -> None:
        """Tell workers that prefetch jobs how many may run at once, `_at_once` in all."""
        if self._has_store and self._workers:
            each, more = divmod(self._at_once, len(self._workers))
            for number, worker in enumerate(self._workers):
                worker.set_slots(each + (number < more))

    def _tell(self, workers: Sequence[SupervisedWorker]) -> None:
        """Send workers the current settings."""
        is_shared = self._configure.settings.renders_pages
        sharers = max(1, len(self._in_use())) if is_shared else 1
        for worker in workers:
            if worker.link is not None:
                worker.link.send(replace(self._configure, sharers=sharers))

    def _receive(self, worker: SupervisedWorker, results: list[Result]) -> None:
        worker.alarm.heard()
        for result in results:
            if isinstance(result, LogLine):
                relay(result.line)
            elif not isinstance(result, WorkerHeartbeat):
                self._barren = 0
                worker.take(result)

    def _gone(self, worker: SupervisedWorker) -> None:
        worker.alarm.end()
        if worker in self._workers:
            self._workers.remove(worker)
        if self._closing:
            return
        if worker.link is not None:
            self._gone_links.append(worker.link)
        self._tell_shares(self._workers)
        self._share_slots()
        worker.fail_jobs()
        self._begin(self._replace(worker), f"replace {self._kind.name}")

    async def _replace(self, worker: SupervisedWorker) -> None:
        if worker.link is not None:
            code = await worker.link.end(_END_TIMEOUT_S)
            _log.warning("page worker ended", extra={"pid": worker.link.pid, "exit_code": code})
            await asyncio.to_thread(self._kind.clear)
            self._gone_links.remove(worker.link)
        if self._kind.recruit is not None:
            return  # whoever offered it offers another one
        self._barren += 1
        if self._barren > MAX_BARREN:
            raise CrawlHostError(
                "The page workers exit as soon as they start; see the log, and free some memory "
                "or reinstall Gossamer. The results are safe."
            )
        await asyncio.sleep(min(_PAUSE_S * 2**self._barren, _LONGEST_PAUSE_S))
        await self._start_worker(self._kind.start)
