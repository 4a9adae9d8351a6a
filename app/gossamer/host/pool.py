"""The page workers of a crawl: kept running, given jobs, replaced when they die."""

import asyncio
import logging
import os
from collections.abc import Coroutine
from functools import partial
from itertools import count
from typing import Any
from zlib import crc32

from msgspec.structs import replace

from gossamer.engine.ports import WorkerDiedError
from gossamer.host.cookie_jar import CookieJar
from gossamer.host.prespawn import ROLE
from gossamer.ipc.child_process import Child, adopt
from gossamer.ipc.heartbeat import SilenceAlarm
from gossamer.ipc.launch import Launched, launch
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages import (
    CancelJob,
    Configure,
    Drop,
    Dropped,
    Fetch,
    Fetched,
    FetchKind,
    Result,
    Working,
)
from gossamer.model.page import FetchMode, Visit
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings import CrawlSettings

MAX_BARREN = 12
_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 5.0
_DROP_TIMEOUT_S = 0.1
"""A worker may be deep in a huge page; the person was promised silence in twice this time."""
_END_TIMEOUT_S = 2.0
SILENCE_S = 45.0
"""A worker with jobs says every second that it lives, but not while C code that reads a page does
not let go of the interpreter. Reading has 20 s, which such code does not keep to the second."""
_log = logging.getLogger(__name__)
_Answer = asyncio.Future[Fetched]


class _Worker:
    """One page worker process and the jobs it has."""

    def __init__(self) -> None:
        self.jobs: dict[int, _Answer] = {}
        self.child: Child[Result] | None = None
        self.dropped: asyncio.Future[None] | None = None
        self.alarm = SilenceAlarm(self._kill)
        self.why_gone = "the page worker ended"

    def take(self, job: int, answer: _Answer, silence_s: float) -> None:
        """It has this job, and while it has any, is not to be silent for `silence_s`."""
        if not self.jobs:
            self.alarm.expect(silence_s)
        self.jobs[job] = answer

    def done(self, job: int) -> None:
        """It does not have this job any more."""
        self.jobs.pop(job, None)
        if not self.jobs:
            self.alarm.rest()

    def _kill(self) -> None:
        if self.child is not None:
            _log.warning("page worker is stuck, ending it", extra={"pid": self.child.pid})
            self.why_gone = "the page worker was stuck and had to be ended"
            self.child.kill()  # `WorkerPool._gone` follows

    def let_go(self) -> None:
        """No connection of it is open any more."""
        if self.dropped is not None and not self.dropped.done():
            self.dropped.set_result(None)


class WorkerPool:
    """The engine's Fetcher, spread over page workers.

    A worker that has jobs and says nothing for too long is stuck: it is ended, and its jobs with
    it, as if it had died.
    """

    def __init__(
        self, ahead: list[Launched] | None = None, *, silence_s: float = SILENCE_S
    ) -> None:
        """Take workers that were started `ahead`, and how long one that has jobs may be silent.

        Those that are used or ended are taken out of that list.
        """
        self._ahead = [] if ahead is None else ahead
        self._silence_s = silence_s
        self._group: asyncio.TaskGroup | None = None
        self._configure: Configure | None = None
        self._cookies: CookieJar | None = None
        self._workers: list[_Worker] = []
        self._ready = asyncio.Event()
        self._ids = count(1)
        self._starting: set[asyncio.Task[None]] = set()
        self._barren = 0
        """Workers in a row that ended without a single result."""
        self._closing = False

    def start(
        self,
        group: asyncio.TaskGroup,
        settings: CrawlSettings,
        secrets: Secrets = NO_SECRETS,
        log: str = "",
    ) -> None:
        """Begin to start the processes; jobs wait for the first to come up.

        `group` owns the tasks that start and replace them.
        """
        self._group = group
        self._configure = Configure(settings, secrets, log)
        self._cookies = CookieJar() if settings.keep_cookies else None
        size = settings.processes or os.cpu_count() or 1
        while len(self._ahead) > size:
            self._ahead.pop().abandon()
        for _ in range(size):
            self._begin(self._start_worker(), "start page worker")

    def set_timeout(self, timeout_s: float) -> None:
        """Give a hop so much time from now on."""
        if self._configure is None or self._configure.settings.timeout_s == timeout_s:
            return
        settings = replace(self._configure.settings, timeout_s=timeout_s)
        self._configure = replace(self._configure, settings=settings)
        for worker in self._workers:
            if worker.child is not None:
                worker.child.send(self._configure)

    async def fetch(
        self, url: str, what: FetchKind = FetchKind.PAGE, manner: FetchMode = FetchMode.USUAL
    ) -> Visit:
        """Ask `url` once. WorkerDiedError when its worker ended."""
        visit, _ = await self._run(url, what, manner)
        return visit

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        """Ask `url` once and return its body as text."""
        return await self._run(url, FetchKind.TEXT)

    async def drop(self) -> None:
        """Return when no connection is open; a worker that does not answer is ended."""
        waiting = [self._drop(worker) for worker in self._workers]
        await asyncio.gather(*waiting)

    async def close(self) -> None:
        """End all processes."""
        self._closing = True
        for task in self._starting:
            task.cancel()
        children = [worker.child for worker in self._workers if worker.child is not None]
        while self._ahead:
            self._ahead.pop().abandon()
        await asyncio.gather(*(child.end(_END_TIMEOUT_S) for child in children))

    async def _run(
        self, url: str, what: FetchKind, manner: FetchMode = FetchMode.USUAL
    ) -> tuple[Visit, str]:
        while not self._workers:
            self._ready.clear()
            await self._ready.wait()
        worker = min(self._workers, key=lambda w: len(w.jobs))
        child = worker.child
        if child is None:
            raise WorkerDiedError("the page worker is being replaced")
        job = next(self._ids)
        answer: _Answer = asyncio.get_running_loop().create_future()
        worker.take(job, answer, self._silence_s)
        told = self._cookies.header(url) if self._cookies is not None else ""
        child.send(Fetch(job, url, what, told, manner))
        try:
            fetched = await answer
        except asyncio.CancelledError:
            child.send(CancelJob(job))
            raise
        finally:
            worker.done(job)
        return self._traded(fetched, told), fetched.text

    def _traded(self, fetched: Fetched, told: str) -> Visit:
        """Keep the cookies of an answer; the visit, with what they mean for a redirect."""
        visit = fetched.visit
        if self._cookies is None or not (told or fetched.cookies):
            return visit
        self._cookies.store(fetched.cookies)
        if visit.location is None:
            return visit
        ahead = self._cookies.header(visit.location)
        signs = {"cookies_told": _sign_of(told), "cookies_ahead": _sign_of(ahead)}
        traded: Visit = replace(visit, **signs)
        return traded

    async def _drop(self, worker: _Worker) -> None:
        if worker.child is None:
            return
        worker.dropped = dropped = asyncio.get_running_loop().create_future()
        worker.child.send(Drop())
        done, _ = await asyncio.wait({dropped}, timeout=_DROP_TIMEOUT_S)
        if not done:
            _log.warning("page worker does not let go, ending it", extra={"pid": worker.child.pid})
            worker.child.kill()
            await dropped  # `_gone` follows

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        if self._group is None:
            raise RuntimeError("the pool has not been started")
        task = self._group.create_task(work, name=name)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start_worker(self) -> None:
        worker = _Worker()
        try:
            worker.child = await adopt(
                self._ahead.pop() if self._ahead else launch(ROLE),
                message_type=Result,
                on_messages=partial(self._receive, worker),
                on_closed=partial(self._gone, worker),
            )
        except CrawlHostError:
            self._starting -= {asyncio.current_task()}
            if not self._workers and not self._starting:
                raise  # this was the last hope
            _log.exception("page worker could not be started, going on with fewer")
            return
        if worker.child.closed:  # `_gone` has seen to it
            return
        if self._configure is not None:
            worker.child.send(self._configure)
        self._workers.append(worker)
        self._ready.set()

    def _receive(self, worker: _Worker, results: list[Result]) -> None:
        worker.alarm.heard()
        for result in results:
            if isinstance(result, Working):
                continue
            self._barren = 0
            if isinstance(result, Fetched):
                answer = worker.jobs.get(result.job)
                if answer is not None and not answer.done():
                    answer.set_result(result)
            elif isinstance(result, Dropped):
                worker.let_go()

    def _gone(self, worker: _Worker) -> None:
        worker.alarm.end()
        if worker in self._workers:
            self._workers.remove(worker)
        if self._closing:
            return
        for answer in worker.jobs.values():
            if not answer.done():
                answer.set_exception(WorkerDiedError(worker.why_gone))
        worker.let_go()
        self._begin(self._replace(worker), "replace page worker")

    async def _replace(self, worker: _Worker) -> None:
        if worker.child is not None:
            code = await worker.child.end(_END_TIMEOUT_S)
            _log.warning("page worker ended", extra={"pid": worker.child.pid, "exit_code": code})
        self._barren += 1
        if self._barren > MAX_BARREN:
            raise CrawlHostError(
                "The processes that read pages end as soon as they start; see the log, and make"
                " room in memory or reinstall Gossamer. What was found is safe."
            )
        await asyncio.sleep(min(_PAUSE_S * 2**self._barren, _LONGEST_PAUSE_S))
        await self._start_worker()


def _sign_of(cookies: str) -> int:
    """A number for the cookies of a request, 0 for none: they themselves go no further."""
    return crc32(cookies.encode()) if cookies else 0
