"""Crawls on nodes that are far away, without Dask and processes, on a virtual clock.

Calls, stores and slots are the real ones: `NodeLink`, `ReportQueue`, `JobLoop`, `WorkerPool`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from gossamer.cluster.node_link import NodeLink, RemoteWorker
from gossamer.cluster.report_queue import ReportQueue
from gossamer.crawl_host.worker_kinds import StartWorker, WorkerKind
from gossamer.crawl_host.worker_pool import WorkerPool
from gossamer.engine.crawl import Crawl
from gossamer.ipc.channel import encoded
from gossamer.model.errors import BugError
from gossamer.model.messages.node_messages import (
    ForWorker,
    FromWorker,
    KeepReports,
    NodeCommand,
    OpenWorker,
    WorkerClosed,
    WorkerOpened,
)
from gossamer.model.messages.worker_messages import (
    ConfigureWorker,
    Fetch,
    Fetched,
    FetchKind,
    Job,
    Result,
    WorkerHeartbeat,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.page_worker.worker_job_loop import JobLoop
from gossamer.urls.scope_and_limits import Scope
from tests.fakes.memory_store import MemoryStore
from tests.fakes.virtual_crawl import Crawled
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import FakeWeb, fake_rules

_commands = msgspec.msgpack.Decoder(list[NodeCommand])
_jobs = msgspec.msgpack.Decoder(list[Job])


class _Channel:
    """What a job loop says: that of one turn of the loop together, as in a frame."""

    congested = False

    def __init__(self, report: Callable[[bytes], None]) -> None:
        self._report = report
        self._outgoing: list[object] = []

    def send(self, message: object) -> None:
        if isinstance(message, WorkerHeartbeat):
            return
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outgoing.append(message)

    def _flush(self) -> None:
        self._report(encoded(self._outgoing))
        self._outgoing.clear()


@dataclass
class _Runner:
    """Asks a web in memory."""

    web: FakeWeb

    async def run(self, job: Fetch) -> Fetched:
        if job.kind is FetchKind.TEXT:
            visit, text = await self.web.fetch_text(job.url)
            return Fetched(job.job, visit, text)
        return Fetched(job.job, await self.web.fetch(job.url, job.kind, job.mode, job.conditions))

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """The web takes no settings."""

    async def drop(self) -> None:
        """It keeps no connections."""


@dataclass
class FarNode:
    """A node that a message takes `trip_s` to reach."""

    web: FakeWeb
    group: asyncio.TaskGroup
    trip_s: float = 0.0005
    calls: int = 0
    taken: int = 0
    """Jobs that it was given."""
    is_lost: bool = False
    _loops: dict[int, JobLoop] = field(default_factory=dict)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    _reports: ReportQueue = field(default_factory=ReportQueue)

    async def exchange(self, number: int, commands: bytes) -> bytes:
        self.calls += 1
        assert number == self.calls
        await asyncio.sleep(self.trip_s)
        for command in _commands.decode(commands):
            if not self.is_lost:
                self._obey(command)
        reports = await self._reports.gathered()
        await asyncio.sleep(self.trip_s)
        if self.is_lost:
            raise OSError("lost")
        return encoded(reports)

    def die(self) -> None:
        """Break off all requests, and answer no call any more."""
        self.is_lost = True
        for task in self._tasks:
            task.cancel()

    def _obey(self, command: NodeCommand) -> None:
        if isinstance(command, KeepReports):
            raise TypeError("nothing is archived here")
        number = command.worker
        if isinstance(command, OpenWorker):
            task = self.group.create_task(self._work(number), name="far worker")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif isinstance(command, ForWorker):
            jobs = _jobs.decode(command.messages)
            self.taken += sum(isinstance(job, Fetch) for job in jobs)
            self._loops[number].receive(jobs)
        else:
            self._loops[number].parent_gone()

    async def _work(self, number: int) -> None:
        channel: Any = _Channel(lambda said: self._reports.add(FromWorker(number, said)))
        async with asyncio.TaskGroup() as group:
            self._loops[number] = jobs = JobLoop(group)
            self._reports.add(WorkerOpened(number, 100 + number))
            await jobs.work(channel, self._open_runner)
        self._reports.add(WorkerClosed(number, 0))

    @asynccontextmanager
    async def _open_runner(self, _: ConfigureWorker) -> AsyncIterator[_Runner]:
        yield _Runner(self.web)


@dataclass
class FarCrawl(Crawled):
    """A crawl on nodes that has ended, and how long it took."""

    seconds: float
    nodes: list[FarNode]


Person = Callable[[Crawl, list[FarNode]], Awaitable[None]]


def crawl_on_nodes(
    web: FakeWeb,
    settings: CrawlSettings,
    nodes: int = 2,
    person: Person | None = None,
    trip_s: float = 0.0005,
) -> FarCrawl:
    """Crawl to the end while `person` acts; each node has one worker."""

    async def main() -> FarCrawl:
        store = MemoryStore(settings)
        async with asyncio.TaskGroup() as group:
            far = [FarNode(web, group, trip_s) for _ in range(nodes)]
            pool = WorkerPool([_kind(far)])
            pool.start(group, settings)
            scope = Scope(settings)
            crawl = Crawl(await store.summary(), store, pool, fake_rules, scope, ahead=pool)
            acting = group.create_task(_act(person, crawl, far), name="person")
            state = await crawl.run()
            seconds = asyncio.get_running_loop().time()
            acting.cancel()
            await pool.close()
            for node in far:
                node.die()
        return FarCrawl(store, state, seconds, far)

    return run_virtual(main())


async def _act(person: Person | None, crawl: Crawl, far: list[FarNode]) -> None:
    if person is not None:
        await person(crawl, far)


def _kind(far: list[FarNode]) -> WorkerKind:
    async def nowhere(*_: object) -> RemoteWorker[Result]:
        raise BugError("no worker was asked for")

    async def recruit(_: ConfigureWorker, offer: Callable[[StartWorker], None]) -> None:
        async with asyncio.TaskGroup() as group:
            for number, node in enumerate(far):
                link = NodeLink(f"n{number}", node.exchange)
                group.create_task(_converse(link), name=link.name)
                offer(partial(link.open_worker, Result))

    return WorkerKind(
        "far worker",
        takes=lambda _settings: frozenset(FetchKind),
        workers=lambda _settings: 0,
        start=nowhere,
        recruit=recruit,
        has_store=lambda _settings: True,
        drop_timeout_s=3.0,
    )


async def _converse(link: NodeLink) -> None:
    with suppress(OSError):
        await link.converse()
