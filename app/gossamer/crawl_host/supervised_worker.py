"""A worker as its supervisor knows it: its jobs, and the drops that it has not replied to."""

import asyncio
import logging
from collections import deque
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from gossamer.engine.interfaces import NodeGivenUpError, NodeLostError, WorkerDiedError
from gossamer.engine.job_prefetch import NotBegunError
from gossamer.ipc.heartbeat import SilenceAlarm
from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    Cancelled,
    Fetched,
    NotBegun,
    SetSlots,
)
from gossamer.model.outcome_details import DetailCode

if TYPE_CHECKING:
    from gossamer.crawl_host.worker_kinds import WorkerLink

PendingResult: TypeAlias = asyncio.Future[Fetched]
_log = logging.getLogger(__name__)


class SupervisedWorker:
    """One worker and the jobs it has."""

    def __init__(self) -> None:
        self.jobs: dict[int, PendingResult] = {}
        self.urls: dict[int, str] = {}
        self._has_had_jobs = False
        self.slots: int | None = None
        """How many of them run at once; None: all."""
        self.link: WorkerLink | None = None
        self._drops: deque[asyncio.Future[None]] = deque()
        """Drops that it has not replied to, in the order in which it does."""
        self.alarm = SilenceAlarm(self._kill)
        self.why_gone = DetailCode.WORKER_ENDED

    def add(self, job: int, url: str, pending: PendingResult, silence_s: float) -> None:
        """Add a job; while the worker has any, it must not be silent for `silence_s`."""
        if not self.jobs:
            self.alarm.expect(silence_s)
        self._has_had_jobs = True
        self.jobs[job] = pending
        self.urls[job] = url

    def remove(self, job: int) -> None:
        """Remove a job."""
        self.jobs.pop(job, None)
        self.urls.pop(job, None)
        if not self.jobs:
            self.alarm.rest()

    def _kill(self) -> None:
        if self.link is not None:
            _log.warning("page worker is stuck, ending it", extra={"pid": self.link.pid})
            self.why_gone = DetailCode.WORKER_STUCK
            self.link.kill()  # `WorkerSupervisor._gone` follows

    def _death(self) -> WorkerDiedError:
        """The error for its jobs."""
        if self.link is not None and self.link.is_given_up:
            return NodeGivenUpError(DetailCode.NODE_LOST())
        if self.link is not None and self.link.is_lost:
            return NodeLostError(DetailCode.NODE_LOST())
        return WorkerDiedError(self.why_gone())

    def take(self, result: Fetched | Cancelled | NotBegun | AllJobsCancelled) -> None:
        """Note the result of a job."""
        if isinstance(result, AllJobsCancelled):
            self._note_dropped()
            return
        pending = self.jobs.get(result.job)
        if pending is None or pending.done():
            return
        if isinstance(result, Fetched):
            pending.set_result(result)
        elif isinstance(result, NotBegun):
            pending.set_exception(NotBegunError())

    def load(self) -> float:
        """How full it would be with one job more, relative to what it should have."""
        if self.slots is None or self.link is None:
            return len(self.jobs)
        room = self.slots + self.link.ahead
        return (len(self.jobs) + 1) / room if room else inf

    def set_slots(self, slots: int) -> None:
        """Let so many of its jobs run at once."""
        if self.link is not None and slots != self.slots:
            self.slots = slots
            self.link.send(SetSlots(slots))

    def drop(self) -> asyncio.Future[None]:
        """Have all jobs cancelled; done when none of its connections is open any more.

        One that has had no job has none: it may still be starting, and would reply late.
        """
        dropped = asyncio.get_running_loop().create_future()
        if self.link is None or self.link.closed or not self._has_had_jobs:
            dropped.set_result(None)
        else:
            self._drops.append(dropped)
            self.link.send(CancelAllJobs())
        return dropped

    def fail_jobs(self) -> None:
        """Note that it is gone, with its jobs and connections."""
        for pending in self.jobs.values():
            if not pending.done():
                pending.set_exception(self._death())
        while self._drops:
            self._note_dropped()

    def _note_dropped(self) -> None:
        dropped = self._drops.popleft()
        if not dropped.done():  # whoever waited may have been cancelled
            dropped.set_result(None)
