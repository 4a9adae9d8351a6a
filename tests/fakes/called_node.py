"""A node as its coordinator sees it, without Dask: it answers calls, and its workers live."""

import asyncio

import msgspec

from gossamer.ipc.channel import encoded
from gossamer.model.messages.node_messages import (
    EndWorker,
    FromWorker,
    KeepReports,
    NodeCommand,
    NodeReport,
    OpenWorker,
    WorkerClosed,
    WorkerOpened,
)
from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    Job,
    Result,
    WorkerHeartbeat,
)

_commands = msgspec.msgpack.Decoder(list[NodeCommand])
_jobs = msgspec.msgpack.Decoder(list[Job | WorkerHeartbeat])


_ALIVE = WorkerHeartbeat()


class FakeNode:
    """Takes calls as a node does; every worker that is opened says that it lives."""

    def __init__(self, first_words: object = _ALIVE) -> None:
        self.calls = 0
        self._first_words = first_words
        self.seen: list[NodeCommand] = []
        self.hangs = self.refuses = self.starts_none = False
        self.reports: list[NodeReport] = []
        self.cancelled_at_s: list[float] = []

    async def exchange(self, number: int, commands: bytes) -> bytes:  # noqa: C901 - a branch for each command
        self.calls += 1
        assert number == self.calls
        if self.hangs:
            await asyncio.Event().wait()
        said = _commands.decode(commands)
        for command in said:
            self.seen.append(command)
            if isinstance(command, KeepReports):
                continue
            if isinstance(command, OpenWorker) and self.starts_none:
                continue
            if isinstance(command, OpenWorker) and self.refuses:
                self.reports.append(WorkerClosed(command.worker, reason="no memory"))
            elif isinstance(command, OpenWorker):
                self.reports.append(WorkerOpened(command.worker, 100 + command.worker))
                alive = encoded([self._first_words])
                self.reports.append(FromWorker(command.worker, alive))
            elif isinstance(command, EndWorker):
                self.reports.append(WorkerClosed(command.worker, 0))
            elif self._first_words != WorkerHeartbeat():
                continue  # a crawl host, which is not asked for pages
            elif CancelAllJobs() in _jobs.decode(command.messages):
                self.cancelled_at_s.append(asyncio.get_running_loop().time())
                done = encoded([AllJobsCancelled()])
                self.reports.append(FromWorker(command.worker, done))
        reports, self.reports = ([], self.reports) if KeepReports() in said else (self.reports, [])
        if not reports:
            await asyncio.sleep(0.05)
        return encoded(reports)


class Heard:
    """What a worker's callbacks got."""

    def __init__(self) -> None:
        self.messages: list[Result] = []
        self.closings = 0

    def closed(self) -> None:
        self.closings += 1
