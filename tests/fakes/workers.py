"""Workers without a process, of a kind that a test declares."""

import asyncio
from collections.abc import Callable
from typing import Any

from gossamer.crawl_host.worker_kinds import WorkerKind
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.worker_messages import (
    AllJobsCancelled,
    CancelAllJobs,
    CancelJob,
    Cancelled,
    ConfigureWorker,
    Fetch,
    Fetched,
    FetchKind,
    NotBegun,
    Result,
    ReturnJob,
    SetSlots,
    WorkerHeartbeat,
)
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.visit import Visit


class FakeWorker:
    """Has jobs until `answer`, or the pool, ends them; it stands for one on another machine."""

    pid = 0
    is_lost = is_given_up = False
    ahead = 0

    def __init__(
        self, on_messages: Callable[[list[Result]], None], on_closed: Callable[[], None]
    ) -> None:
        self.closed = False
        self.jobs: dict[int, Fetch] = {}
        self.configured: list[ConfigureWorker] = []
        self.slots: int | None = None
        self.drops_late = False
        """Whether it lets go of its connections only at `let_go`."""
        self._tell = on_messages
        self._on_closed = on_closed

    def send(self, message: object) -> None:
        if not self.closed:
            self._take(message)

    def _take(self, message: object) -> None:
        match message:
            case ConfigureWorker():
                self.configured.append(message)
            case Fetch():
                self.jobs[message.job] = message
            case SetSlots(slots=slots):
                self.slots = slots
            case ReturnJob(job=job):
                if self.jobs.pop(job, None) is not None:
                    self._tell([NotBegun(job)])
            case CancelJob(job=job):
                self.jobs.pop(job, None)
                self._tell([Cancelled(job)])
            case CancelAllJobs():
                self.jobs.clear()
                self.let_go(0 if self.drops_late else 1)

    def answer(self, **visit: Any) -> None:
        """Answer the oldest job with a page of its URL."""
        fetch = self.jobs.pop(next(iter(self.jobs)))
        self._tell([Fetched(fetch.job, Visit(Outcome.PAGE, detail=free_text(fetch.url), **visit))])

    def let_go(self, drops: int = 1) -> None:
        """Say, for the oldest so many drops, that no connection is open any more."""
        self._tell([AllJobsCancelled()] * drops)

    def beat(self) -> None:
        """Say that it lives."""
        self._tell([WorkerHeartbeat()])

    def kill(self) -> None:
        if not self.closed:
            self.closed = True
            self._on_closed()

    async def end(self, timeout_s: float) -> int | None:
        self.kill()
        await asyncio.sleep(min(timeout_s, 0.1))
        return None


class FakeKind:
    """A kind of worker, with those that were started."""

    def __init__(
        self,
        *takes: FetchKind,
        workers: int = 1,
        jobs_each: int | None = None,
        refused: int = 0,
        has_store: bool = False,
    ) -> None:
        self.started: list[FakeWorker] = []
        self._refused = refused
        self.declaration = WorkerKind(
            "fake",
            takes=lambda _: frozenset(takes),
            workers=lambda _: workers,
            start=self._start,
            jobs_each=jobs_each,
            has_store=lambda _: has_store,
        )

    async def _start(
        self, on_messages: Callable[[list[Result]], None], on_closed: Callable[[], None]
    ) -> FakeWorker:
        if self._refused:
            self._refused -= 1
            raise CrawlHostError("A helper process of another version was started.")
        self.started.append(FakeWorker(on_messages, on_closed))
        return self.started[-1]
