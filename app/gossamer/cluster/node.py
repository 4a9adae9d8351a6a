"""The node: a Dask actor that starts page workers on its machine and passes messages on.

Dask runs `async` methods of an actor on the event loop of its worker, so none of them may block.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Final
from uuid import uuid4

import msgspec
from distributed import get_worker

from gossamer import __version__
from gossamer.cluster.archive_tail import ArchiveTail
from gossamer.cluster.batched_reading import read_arrived
from gossamer.cluster.report_queue import Gathered, ReportQueue
from gossamer.ipc import PROTOCOL_VERSION, ChildRole
from gossamer.ipc.child_connection import ChildProcess, adopt
from gossamer.ipc.process_start import launch
from gossamer.model.errors import CrawlHostError, UsageError
from gossamer.model.messages.node_messages import (
    EndWorker,
    ForWorker,
    FromWorker,
    KeepReports,
    NodeCommand,
    NodeGreeting,
    NodeRole,
    OpenWorker,
    WorkerClosed,
    WorkerOpened,
)
from gossamer.render.browser_discovery import find_browsers
from gossamer.store.data_folder import data_folder
from gossamer.store.project_disk_check import write_trial

ARCHIVES: Final = "GOSSAMER_ARCHIVES"
"""The environment variable with the folder for archives that stay on this node."""
LEASE_S: Final = 3.0
"""Without a call for so long, nobody wants the results any more: all requests are aborted."""
_END_TIMEOUT_S: Final = 1.0
_SAVE_TIMEOUT_S: Final = 20.0
"""For a crawl host to pause, commit and close its shard, of which nothing is lost otherwise."""
_FOR_DASK_WORKERS: Final = ("MALLOC_TRIM_THRESHOLD_", "PYTHONHASHSEED")
"""Environment variables that Dask's nanny sets and page workers must not inherit. With the first,
glibc returns memory to the system after nearly every page: a quarter more processor time. With the
second, whoever writes a page could choose words that collide in dictionaries."""
_log = logging.getLogger(__name__)
_decoder = msgspec.msgpack.Decoder(list[NodeCommand])
_encoder = msgspec.msgpack.Encoder()


class OutOfStepError(Exception):
    """A call came twice, or one is missing: the coordinator has to start over."""


class CrawlNode:
    """Page workers for one coordinator, which calls `exchange` again and again while it lives.

    All workers end when nobody has called for `LEASE_S`: the coordinator has gone, or cannot be
    reached, and has given their jobs to others.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        worker = get_worker()
        self._cores = max(1, worker.state.nthreads)
        self._scratch = Path(worker.local_directory) / f"gossamer-{uuid4().hex}"
        """Of its own, which ends with it: for archives until they are sent."""
        self._workers: dict[int, _NodeWorker] = {}
        self._reports = ReportQueue(self._read_arrived)
        self._calls = 0
        self._called_s = time.monotonic()
        self._closing = asyncio.Event()
        self._group: asyncio.TaskGroup | None = None
        self._ready = asyncio.Event()
        self._ended = asyncio.Event()

    async def introduce(self) -> bytes:
        """The version of this Gossamer, and how many workers suit the machine."""
        folders = (str(self._scratch), os.environ.get(ARCHIVES) or str(data_folder() / "archives"))
        greeting = NodeGreeting(__version__, PROTOCOL_VERSION, self._cores, *folders, time.time())
        return _encoder.encode(greeting)

    async def has_browser(self, chosen: str) -> bool:
        """Whether pages can be rendered here, by that program or, if "", by any."""
        try:
            return bool(find_browsers(chosen))
        except UsageError:
            return False

    async def has_file(self, path: str) -> bool:
        """Whether this machine sees a file, at that path."""
        return await asyncio.to_thread(Path(path).is_file)

    async def write_errno(self, folder: str) -> int:
        """The system's error number for writing to a folder of this machine; 0 if it works."""
        try:
            await asyncio.to_thread(_try_folder, Path(folder))
        except OSError as e:
            return e.errno or -1
        return 0

    async def serve(self) -> None:
        """Own the workers until `close`, or until the lease has expired."""
        self._called_s = time.monotonic()
        try:
            await self._own_workers()
        finally:
            await asyncio.to_thread(rmtree, self._scratch, ignore_errors=True)
            self._ended.set()

    async def _own_workers(self) -> None:
        async with asyncio.TaskGroup() as group:
            self._group = group
            self._ready.set()
            try:
                while not self._closing.is_set() and (left_s := self._lease_left_s()) > 0:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(left_s):
                            await self._closing.wait()
            finally:
                self._closing.set()
                for worker in self._workers.values():
                    worker.release()

    def _lease_left_s(self) -> float:
        return self._called_s + LEASE_S - time.monotonic()

    async def ready(self) -> None:
        """Return when `serve` has begun."""
        await self._ready.wait()

    async def exchange(self, number: int, commands: bytes) -> bytes:
        """Take commands; return the reports that have gathered meanwhile.

        Calls are numbered from 1. OutOfStepError if this is not the next one, or all is over.
        """
        self._calls += 1
        if number != self._calls or self._closing.is_set():
            self._closing.set()
            raise OutOfStepError(number)
        self._called_s = time.monotonic()
        keeps = False
        for command in _decoder.decode(commands):
            if isinstance(command, KeepReports):
                keeps = True
            else:
                self._obey(command)
        return _encoder.encode([] if keeps else await self._reports.gathered())

    async def close(self) -> None:
        """End all workers; return when they are gone."""
        self._closing.set()
        if self._group is not None:
            await self._ended.wait()

    def _obey(self, command: OpenWorker | ForWorker | EndWorker) -> None:
        if isinstance(command, OpenWorker):
            if self._group is None:
                raise OutOfStepError(command.worker)
            try:
                worker = _NodeWorker(command.worker, self._report, _followed(command))
            except OSError as e:
                self._report(WorkerClosed(command.worker, reason=str(e)))
                return
            self._workers[command.worker] = worker
            self._group.create_task(worker.run(command), name=f"worker {command.worker}")
            return
        addressed = self._workers.get(command.worker)
        if addressed is None:
            return
        if isinstance(command, ForWorker):
            addressed.send(command.messages)
        else:
            addressed.end()

    async def _read_arrived(self) -> None:
        await read_arrived(filter(None, [each.child for each in self._workers.values()]))

    def _report(self, report: Gathered) -> None:
        if isinstance(report, WorkerClosed):
            self._workers.pop(report.worker, None)
        self._reports.add(report)


def _try_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_trial(folder)


def _followed(command: OpenWorker) -> ArchiveTail | None:
    """The tail of a worker's archive, whose folder is made.

    OSError if that fails.
    """
    if not command.archive:
        return None
    folder = Path(command.archive)
    if command.is_collected:
        return ArchiveTail(command.worker, folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return None


class _NodeWorker:
    """A worker process of this machine; its messages are passed on as they are."""

    def __init__(
        self, number: int, report: Callable[[Gathered], None], tail: ArchiveTail | None
    ) -> None:
        self._number = number
        self._tail = tail
        self._report = report
        self.child: ChildProcess[bytes] | None = None
        """Its process, once it has connected; read from by `read_arrived` alone."""
        self._early: list[bytes] = []
        self._starting: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()
        self._saves = False

    def send(self, messages: bytes) -> None:
        """Send jobs to it; they wait until it has started."""
        if self.child is None:
            self._early.append(messages)
        else:
            self.child.send_encoded(messages)

    def end(self) -> None:
        """End it at once. `run` returns when it is gone."""
        self._closed.set()
        if self.child is not None:
            self.child.kill()
        elif self._starting is not None:
            self._starting.cancel()

    def release(self) -> None:
        """End it, as nobody receives its messages any more; a crawl host saves its shard first."""
        if self._saves and self.child is not None:
            self._closed.set()
        else:
            self.end()

    async def run(self, command: OpenWorker) -> None:
        """Start it, pass on its messages, and report when it is gone."""
        self._saves = command.role is NodeRole.CRAWL_HOST
        closed = WorkerClosed(self._number)
        self._starting = asyncio.current_task()
        try:
            if self._closed.is_set():
                return
            child = await self._started(command)
            await self._closed.wait()
            limit_s = _SAVE_TIMEOUT_S if self._saves else _END_TIMEOUT_S
            closed = WorkerClosed(self._number, await child.end(limit_s))
        except CrawlHostError as e:
            _log.warning("page worker could not be started: %s", e)
            closed = WorkerClosed(self._number, reason=str(e))
        finally:
            self._report(closed)

    async def _started(self, command: OpenWorker) -> ChildProcess[bytes]:
        arguments = [str(command.page_workers)] if self._saves else []
        # Not in a thread: cancelled meanwhile, nobody would own the process.
        child: ChildProcess[bytes] = await adopt(
            launch(ChildRole(command.role), *arguments, without=_FOR_DASK_WORKERS),
            message_type=bytes,
            on_messages=self._pass_on,
            on_closed=self._closed.set,
        )
        child.pause_reading()
        self.child = child
        self._report(WorkerOpened(self._number, child.pid))
        for messages in self._early:
            child.send_encoded(messages)
        self._early.clear()
        return child

    def _pass_on(self, frames: list[bytes]) -> None:
        for growth in self._tail.grown() if self._tail is not None else ():
            self._report(growth)
        for messages in frames:
            self._report(FromWorker(self._number, messages))
