"""Declares the kinds of workers a crawl can have: their jobs, and how a worker is started."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from gossamer.ipc import ChildRole
from gossamer.ipc.child_connection import adopt
from gossamer.ipc.process_start import LaunchedProcess, launch
from gossamer.model.messages.worker_messages import FetchKind, Result
from gossamer.model.settings.crawl_settings import CrawlSettings


class WorkerLink(Protocol):
    """A connected worker: a child process, or a stand-in for a remote one."""

    @property
    def pid(self) -> int:
        """Its process id, for the log."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    def send(self, message: object) -> None:
        """Send a message; it is lost if the worker is gone."""

    def kill(self) -> None:
        """End it at once; `on_closed` follows as after any other end."""

    async def end(self, timeout_s: float) -> int | None:
        """End it, within about that time; its exit code if it has one."""


StartWorker: TypeAlias = Callable[
    [Callable[[list[Result]], None], Callable[[], None]], Awaitable[WorkerLink]
]
"""Starts a worker and returns when it has connected, or raises CrawlHostError. The callbacks get
its messages, and one call when it is gone."""


@dataclass(frozen=True, slots=True)
class WorkerKind:
    """A kind of worker: its jobs, their number, and how one is started."""

    name: str
    takes: Callable[[CrawlSettings], frozenset[FetchKind]]
    """The jobs that go to workers of this kind in a crawl with these settings, and to no other."""
    workers: Callable[[CrawlSettings], int]
    """How many workers a crawl with these settings has."""
    start: StartWorker
    jobs_each: int | None = None
    """How many jobs one worker may have at once, on average; None: as many as the crawl begins."""
    end_spares: Callable[[int], None] = lambda _keep: None
    """Ends workers that were started ahead of need, but for so many."""


_ALL: Final = frozenset(FetchKind)


def _rendered(settings: CrawlSettings) -> frozenset[FetchKind]:
    """The jobs that render workers take: all, so that one process keeps the pace of each host.

    Pages load far more than the crawl host knows of.
    """
    return _ALL if settings.renders_pages else frozenset()


def render_workers() -> WorkerKind:
    """The process on this machine that renders pages, if the settings want it."""

    async def start(
        on_messages: Callable[[list[Result]], None], on_closed: Callable[[], None]
    ) -> WorkerLink:
        return await adopt(
            launch(ChildRole.RENDER_WORKER),
            message_type=Result,
            on_messages=on_messages,
            on_closed=on_closed,
        )

    return WorkerKind(
        "render worker",
        takes=_rendered,
        workers=lambda settings: int(settings.renders_pages),
        start=start,
    )


def page_workers(ahead: list[LaunchedProcess]) -> WorkerKind:
    """Processes on this machine that ask over HTTP and parse what comes.

    Those that were started `ahead` are used first; each is taken out of that list.
    """

    async def start(
        on_messages: Callable[[list[Result]], None], on_closed: Callable[[], None]
    ) -> WorkerLink:
        launched = ahead.pop() if ahead else launch(ChildRole.PAGE_WORKER)
        return await adopt(
            launched, message_type=Result, on_messages=on_messages, on_closed=on_closed
        )

    def end_spares(keep: int) -> None:
        while len(ahead) > keep:
            ahead.pop().abandon()

    return WorkerKind(
        "page worker",
        takes=lambda settings: _ALL - _rendered(settings),
        workers=lambda settings: settings.processes or os.cpu_count() or 1,
        start=start,
        end_spares=end_spares,
    )
