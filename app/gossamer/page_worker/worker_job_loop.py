"""Runs the jobs of a worker process: starts and cancels them, and sends their results."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Final, Protocol, TypeAlias

from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.ipc.child_log import log_over
from gossamer.ipc.heartbeat import send_heartbeats
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    CancelJob,
    Cancelled,
    ConfigureWorker,
    Fetch,
    Fetched,
    Job,
    NotBegun,
    ReturnJob,
    SetSlots,
    WorkerHeartbeat,
)
from gossamer.page_worker.prefetched_jobs import PrefetchedJobs

_AT_ONCE: Final = 50
"""Jobs begun in one turn of the loop: a connection takes far more memory while it is made than
while it waits for its response."""


class JobRunner(Protocol):
    """Runs the jobs of one kind of worker."""

    async def run(self, job: Fetch) -> Fetched:
        """Do a job; when cancelled, its connection is closed soon after."""

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Apply these settings, and another share of the pace."""

    async def drop(self) -> None:
        """Return when no connection is open any more. No job runs meanwhile."""


OpenRunner: TypeAlias = Callable[[ConfigureWorker], AbstractAsyncContextManager[JobRunner]]


class JobLoop:
    """Runs each job in its own task and sends back the result.

    The host decides how many run at once; those beyond `SetSlots` wait for their turn.
    """

    def __init__(self, group: asyncio.TaskGroup) -> None:
        """`group` owns the tasks."""
        self._group = group
        self._send: Callable[[Fetched | Cancelled | NotBegun | AllJobsCancelled], None]
        self._runner: JobRunner | None = None
        self._tasks: dict[int, asyncio.Task[Fetched]] = {}
        self._early: list[Job] = []
        self._next = PrefetchedJobs(self._give_back)
        self._slots: int | None = None
        self._more_follow = False
        """Whether the next turn of the loop begins more of them."""
        self.configured: asyncio.Future[ConfigureWorker] = (
            asyncio.get_running_loop().create_future()
        )
        self.closed = asyncio.Event()

    def receive(self, jobs: list[Job]) -> None:
        """Receive messages of the host."""
        for job in jobs:
            if isinstance(job, ConfigureWorker) and not self.configured.done():
                self.configured.set_result(job)
            elif self._runner is None:
                self._early.append(job)
            else:
                self._accept(job, self._runner)
        if self._runner is not None and not self._more_follow:
            self._begin(self._runner)

    def parent_gone(self) -> None:
        """End: there is nobody to crawl for."""
        self.closed.set()
        self.configured.cancel()

    async def work(self, channel: Channel[Job], open_runner: OpenRunner) -> None:
        """Work until the host closes the channel."""
        self._send = channel.send
        configure = await self.configured
        CLOCK.set_right(configure.clock_ahead_s)
        async with open_runner(configure) as runner:
            self._runner = runner
            for job in self._early:
                self._accept(job, runner)
            self._early.clear()
            self._begin(runner)
            heartbeats = send_heartbeats(channel, WorkerHeartbeat, self._has_jobs)
            heartbeat = self._group.create_task(heartbeats, name="heartbeats")
            try:
                await self.closed.wait()
            finally:
                heartbeat.cancel()
                self._next.clear()
                for task in self._tasks.values():
                    task.cancel()

    def _has_jobs(self) -> bool:
        return bool(self._tasks or self._next)

    def _accept(self, job: Job, runner: JobRunner) -> None:
        if isinstance(job, ConfigureWorker):
            runner.reconfigure(job)
        elif isinstance(job, SetSlots):
            self._slots = job.slots
        elif isinstance(job, Fetch):
            self._next.add(job)
        elif isinstance(job, CancelAllJobs):
            self._group.create_task(self._drop(runner), name="drop")
        else:
            self._take_back(job)

    def _take_back(self, wanted: CancelJob | ReturnJob) -> None:
        """Return a job that has not begun; cancel one that has, if wanted."""
        is_cancelled = isinstance(wanted, CancelJob)
        if self._next.remove(wanted.job):
            self._send(Cancelled(wanted.job) if is_cancelled else NotBegun(wanted.job))
        elif is_cancelled and (task := self._tasks.get(wanted.job)) is not None:
            task.cancel()

    def _begin(self, runner: JobRunner) -> None:
        for _ in range(min(len(self._next), _AT_ONCE, self._room())):
            job = self._next.take()
            task = self._group.create_task(runner.run(job), name=job.url)
            self._tasks[job.job] = task
            task.add_done_callback(partial(self._done, job.job, runner))
        self._more_follow = bool(self._next) and self._room() > 0
        if self._more_follow:
            asyncio.get_running_loop().call_soon(self._begin, runner)

    def _room(self) -> int:
        """How many more jobs may run."""
        return _AT_ONCE if self._slots is None else max(0, self._slots - len(self._tasks))

    def _give_back(self, job: int) -> None:
        self._send(NotBegun(job))

    def _done(self, job: int, runner: JobRunner, task: asyncio.Task[Fetched]) -> None:
        del self._tasks[job]
        if self._next and not self._more_follow:
            self._begin(runner)
        if task.cancelled():
            self._send(Cancelled(job))
        elif task.exception() is None:
            self._send(task.result())

    async def _drop(self, runner: JobRunner) -> None:
        self._next.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await runner.drop()
        self._send(AllJobsCancelled())


async def work_for_parent(open_runner: OpenRunner) -> int:
    """Do the jobs of the process that started this one until it goes."""
    async with asyncio.TaskGroup() as group:
        jobs = JobLoop(group)
        channel = await connect_to_parent(Job, jobs.receive, jobs.parent_gone)
        log_over(channel)
        try:
            await jobs.work(channel, open_runner)
        except asyncio.CancelledError:
            if not jobs.closed.is_set():
                raise
    return 0
