"""The coordinator's connection to a node: calls it periodically, and passes messages on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import ceil
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from gossamer.cluster.dask_cancellation import given_up_is_lost
from gossamer.cluster.node_archive import NodeArchive
from gossamer.cluster.node_refusal import NodeRefusedError, refused_by_disk
from gossamer.ipc.channel import encoded
from gossamer.model.archive_record import ArchiveLocation
from gossamer.model.errors import CrawlHostError, cause_of
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.messages.node_messages import (
    ArchivePiece,
    EndWorker,
    ForWorker,
    FromWorker,
    KeepReports,
    NodeCommand,
    NodeReport,
    NodeRole,
    OpenWorker,
    WorkerClosed,
    WorkerOpened,
)
from gossamer.model.messages.worker_messages import (
    Cancelled,
    ConfigureWorker,
    Fetch,
    Fetched,
    NotBegun,
    SetSlots,
)
from gossamer.model.translatable import Sentence

CALL_EVERY_S: Final = 0.05
"""20 calls a second and no more, however fast the crawl is: jobs and results travel together."""
LOST_AFTER_S: Final = 2.5
"""A node that does not reply to a call for so long is lost, and its jobs are given to others."""
RATE_OVER_S: Final = 3.0
_PACE_OVER_S: Final = (0.3, 1.5)
"""The first shows the pace of a beginning, the second that of slow servers."""
MOST_AHEAD: Final = 200
"""Most jobs that one worker prefetches: a round trip of 0.1 s at 2,000 pages a second."""
_LONGEST_START_S: Final = 40.0
_UNSTARTED: Final[Sentence] = "A page worker could not be started on a node ({reason})."
_log = logging.getLogger(__name__)
_decoder = msgspec.msgpack.Decoder(list[NodeReport])
In = TypeVar("In")


class CallNode(Protocol):
    """Calls the node: number and commands in, reports out. Raises when it cannot be reached."""

    def __call__(self, number: int, commands: bytes, /) -> Awaitable[bytes]:
        """Make one call."""


class RemoteWorker(Generic[In]):
    """A worker of a node: the `WorkerLink` to it. Messages are sent with the next call."""

    def __init__(
        self,
        number: int,
        link: "NodeLink",
        message_type: object,
        on_messages: Callable[[list[In]], None],
        on_closed: Callable[[], None],
        archive: ArchiveLocation | None = None,
    ) -> None:
        """`number` is that on the node; the callback gets its messages, decoded and checked.

        It archives at a location of its machine, if at all.
        """
        self.archive: Final = archive
        self.number: Final = number
        self.pid = 0
        self.closed = self.is_lost = self.is_given_up = False
        self.active = 0
        """Jobs that it has."""
        self.slots: int | None = None
        """How many of these may run at once; None: all."""
        self.ahead = 0
        """How many it should prefetch: what it does until the next call."""
        self._done = 0
        self._paces = [JobRate(over_s) for over_s in _PACE_OVER_S]
        self.outgoing: list[object] = []
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._gone = asyncio.Event()
        self._exit_code: int | None = None
        self._link = link
        self._decoder: msgspec.msgpack.Decoder[list[In]] = msgspec.msgpack.Decoder(
            list[message_type]  # type: ignore[valid-type]  # the type is a value here
        )
        self._on_messages = on_messages
        self._on_closed = on_closed

    def send(self, message: object) -> None:
        """Send a message; it is lost if the worker is gone."""
        if not self.closed:
            if isinstance(message, ConfigureWorker):
                place, ahead_s = message.archive and self.archive, self._link.clock_ahead_s
                message = replace(message, archive=place, clock_ahead_s=ahead_s)
            self.active += isinstance(message, Fetch)
            if isinstance(message, SetSlots):
                self.slots = message.slots
            self.outgoing.append(message)
            self._link.note_outgoing(self)

    def kill(self) -> None:
        """End it at once; `on_closed` follows when the node has done so, or is lost."""
        if not self.closed:
            self._link.order(EndWorker(self.number))

    async def end(self, timeout_s: float) -> int | None:
        """End it, within about that time; its exit code if it has one."""
        self.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._gone.wait()
        return self._exit_code

    def reap(self) -> "asyncio.Future[int | None]":
        """Take note of its end: its exit code, None if its node is lost. It takes no time."""
        ended = asyncio.get_running_loop().create_future()
        ended.set_result(self._exit_code)
        return ended

    def receive(self, messages: bytes) -> None:
        """Take its messages; a worker that sends invalid ones is ended.

        NodeRefusedError if its disk rejected the record of a page: then another node requests the
        page once more.
        """
        try:
            found = self._decoder.decode(messages)
        except msgspec.DecodeError as e:
            _log.error("worker of a node broken", extra={"error": str(e), "pid": self.pid})
            self.kill()
            return
        found, problem = _kept(found)
        ended = sum(isinstance(each, Fetched | Cancelled) for each in found)
        self.active -= ended + sum(isinstance(each, NotBegun) for each in found)
        self._done += ended
        self._link.done += ended
        self._on_messages(self._link.settled(found))
        if problem:
            raise refused_by_disk(self._link.name, self._link.archive_disk, problem)

    @property
    def running(self) -> int:
        """Jobs that run there, if all have arrived."""
        return self.active if self.slots is None else min(self.active, self.slots)

    def note_round(self, now_s: float, round_s: float) -> None:
        """Note how long a result takes to come and the next job to go, at worst."""
        pace = max(each.per_second(self._done, now_s) for each in self._paces)
        self.ahead = min(MOST_AHEAD, ceil(pace * round_s))

    def note_closed(self, report: WorkerClosed | None, *, is_given_up: bool = False) -> None:
        """Note that it is gone, or its node is lost or given up."""
        if self.closed:
            return
        self.closed, self.is_given_up = True, is_given_up
        self.is_lost = report is None and not is_given_up
        self._exit_code = None if report is None else report.exit_code
        self._gone.set()
        if self.opened.cancelled():  # whoever opened it has been told
            return
        if self.opened.done():
            self._on_closed()
        else:
            reason = "its node was lost" if report is None else report.reason
            self.opened.set_exception(CrawlHostError(_UNSTARTED, reason=reason))


def _kept(messages: list[In]) -> tuple[list[In], int]:
    """The messages without pages that a disk failed to keep, and the system's error number."""
    problems = [each.visit.archive_errno if isinstance(each, Fetched) else 0 for each in messages]
    if not any(problems):
        return messages, 0
    kept = [each for each, problem in zip(messages, problems, strict=True) if not problem]
    return kept, next(filter(None, problems))


class JobRate:
    """How many jobs a second, over the last few seconds."""

    def __init__(self, over_s: float = RATE_OVER_S) -> None:
        """Start at zero; `over_s` is how far it looks back."""
        self._over_s = over_s
        self._marks: list[tuple[float, int]] = []

    def per_second(self, done: int, now_s: float) -> float:
        """The rate, where so many are `done` in all by now."""
        self._marks = [mark for mark in self._marks if mark[0] >= now_s - self._over_s]
        self._marks.append((now_s, done))
        began_s, before = self._marks[0]
        return (done - before) / (now_s - began_s) if now_s > began_s else 0.0


class NodeLink:
    """The conversation with one node and the workers that it has for us.

    After any failure it is replaced: late messages of the former one are ignored.
    """

    def __init__(
        self,
        name: str,
        exchange: CallNode,
        archive: NodeArchive | None = None,
        clock_ahead_s: float = 0.0,
    ) -> None:
        """`exchange` calls the node; `archive` is where its workers archive, if they do."""
        self.name: Final = name
        self.clock_ahead_s: Final = clock_ahead_s
        self._archive = archive
        self._collector = None if archive is None else archive.collector
        self.archive_disk: Final = "" if archive is None else archive.disk
        self._writing: asyncio.Task[None] | None = None
        self.calls = 0
        self._exchange = exchange
        self._workers: dict[int, RemoteWorker[Any]] = {}
        self._commands: list[NodeCommand] = []
        self._outgoing: dict[int, RemoteWorker[Any]] = {}
        self._numbers = 0
        self.is_lost = False
        self.done = 0
        """Jobs that came to an end there."""
        self._pace = JobRate()

    def state(self) -> NodeState:
        """What the node does now."""
        workers = [each for each in self._workers.values() if each.pid]
        active = sum(each.running for each in workers)
        now = asyncio.get_running_loop().time()
        return NodeState(self.name, len(workers), active, self._pace.per_second(self.done, now))

    @property
    def workers(self) -> int:
        """How many workers it has for us, or is about to have."""
        return len(self._workers)

    def tell_all(self, message: object) -> None:
        """Send something to all workers that it has for us."""
        for worker in self._workers.values():
            worker.send(message)

    async def open_worker(
        self,
        message_type: object,
        on_messages: Callable[[list[In]], None],
        on_closed: Callable[[], None],
        role: NodeRole = NodeRole.PAGE_WORKER,
        page_workers: int = 0,
    ) -> RemoteWorker[In]:
        """Start a worker on the node. CrawlHostError if it does not come up."""
        if self.is_lost:
            raise CrawlHostError("The node {name} is lost.", name=self.name)
        self._numbers += 1
        place = None if self._archive is None else self._archive.place(self._numbers, self.name)
        worker = RemoteWorker(self._numbers, self, message_type, on_messages, on_closed, place)
        self._workers[worker.number] = worker
        folder, is_collected = "" if place is None else place.folder, self._collector is not None
        self.order(OpenWorker(worker.number, role, folder, is_collected, page_workers))
        try:
            async with asyncio.timeout(_LONGEST_START_S):
                await worker.opened
        except TimeoutError as e:
            worker.kill()
            raise CrawlHostError(_UNSTARTED, reason="it did not start in time") from e
        except BaseException:
            worker.kill()
            raise
        return worker

    def order(self, command: NodeCommand) -> None:
        """Send a command with the next call, after what was sent before."""
        self._encode_outgoing()
        self._commands.append(command)

    def note_outgoing(self, worker: RemoteWorker[Any]) -> None:
        """Note that there is something to send to this worker."""
        self._outgoing[worker.number] = worker

    async def converse(self) -> None:
        """Call until the node is lost: then its workers are closed, and this raises why.

        TimeoutError if it does not reply in time, NodeRefusedError if its disk is full.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    began = loop.time()
                    reports = _decoder.decode(await self._call())
                    if any(isinstance(each, ArchivePiece) for each in reports):
                        self._writing = group.create_task(self._collect(reports), name="collect")
                    else:
                        self._take_all(reports)
                    cycle_s = max(CALL_EVERY_S, loop.time() - began)
                    for worker in self._workers.values():
                        worker.note_round(loop.time(), 2 * cycle_s)
                    await asyncio.sleep(max(0.0, began + CALL_EVERY_S - loop.time()))
        except BaseExceptionGroup as failures:
            cause = cause_of(failures)
            self._close_workers(is_given_up=isinstance(cause, NodeRefusedError))
            raise cause from failures
        finally:
            self._close_workers()

    def _close_workers(self, *, is_given_up: bool = False) -> None:
        self.is_lost = True
        for worker in list(self._workers.values()):
            worker.note_closed(None, is_given_up=is_given_up)
        self._workers.clear()

    async def _call(self) -> bytes:
        """Make the next call. Nothing new is requested while received archives are not written."""
        self.calls += 1
        self._encode_outgoing()
        commands, self._commands = self._commands, []
        if self._writing is not None and not self._writing.done():
            commands.append(KeepReports())
        async with asyncio.timeout(LOST_AFTER_S):
            with given_up_is_lost():
                return await self._exchange(self.calls, encoded(commands))

    async def _collect(self, reports: list[NodeReport]) -> None:
        """Write received archives, then take the messages about them."""
        pieces = [each for each in reports if isinstance(each, ArchivePiece)]
        if self._collector is not None:
            await asyncio.to_thread(self._collector.write, pieces)
        self._take_all(reports)

    def _take_all(self, reports: list[NodeReport]) -> None:
        for report in reports:
            self._take(report)

    def settled(self, messages: list[In]) -> list[In]:
        """The messages, whose pages have the records that they name."""
        collector = self._collector
        if collector is None:
            return messages
        return [
            replace(each, visit=collector.settled(each.visit))
            if isinstance(each, Fetched)
            else each
            for each in messages
        ]

    def _encode_outgoing(self) -> None:
        for worker in self._outgoing.values():
            self._commands.append(ForWorker(worker.number, encoded(worker.outgoing)))
            worker.outgoing.clear()
        self._outgoing.clear()

    def _take(self, report: NodeReport) -> None:
        worker = self._workers.get(report.worker)
        if worker is None:
            return
        if isinstance(report, FromWorker):
            worker.receive(report.messages)
        elif isinstance(report, ArchivePiece):
            return
        elif isinstance(report, WorkerOpened):
            worker.pid = report.pid
            if not worker.opened.done():
                worker.opened.set_result(None)
        else:
            del self._workers[report.worker]
            worker.note_closed(report)
