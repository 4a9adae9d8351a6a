"""Starts crawl hosts, one of them in advance so that the next crawl starts at once."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Final, Protocol, Self

from gossamer.ipc import ChildRole
from gossamer.ipc.log_file import opened_log
from gossamer.ipc.process_start import LaunchedProcess, launch
from gossamer.model.errors import CrawlHostError

if TYPE_CHECKING:
    import asyncio

    from gossamer.ipc.child_connection import ChildProcess
    from gossamer.model.messages.crawl_messages import Report

_MOST_AHEAD: Final = 4
"""Page workers that start before the settings say how many there are."""


Begin = Callable[[int, IO[bytes]], LaunchedProcess]
"""Starts a crawl host, which starts so many page workers at once; their standard error leads to
that file. CrawlHostError if the system does not permit it."""


def launched_host(page_workers: int, stderr: IO[bytes]) -> LaunchedProcess:
    """Start a crawl host by running the program."""
    return launch(ChildRole.HOST, str(page_workers), stderr=stderr)


class HostLink(Protocol):
    """A crawl host that has connected, of this machine or of another."""

    @property
    def pid(self) -> int:
        """The process id on its machine."""

    @property
    def closed(self) -> bool:
        """Whether it is gone."""

    @property
    def is_lost(self) -> bool:
        """Whether it is gone because its machine cannot be reached."""

    def send(self, message: object) -> None:
        """Send a command; lost if it is gone."""

    def kill(self) -> None:
        """End it at once."""

    async def end(self, timeout_s: float) -> int | None:
        """End it, within about that time; its exit code if it has one."""

    def reap(self) -> "asyncio.Future[int | None]":
        """Reap it after it has closed."""


class StartingHost(Protocol):
    """A crawl host that was started, or is about to be."""

    async def connect(
        self,
        log: Path,
        on_reports: "Callable[[list[Report]], None]",
        on_gone: Callable[[], None],
    ) -> HostLink:
        """Wait until it is up; CrawlHostError if it does not come up. See `StartedHost`."""


class HostSource(Protocol):
    """Where a session gets crawl hosts from."""

    def take(self, page_workers: int) -> StartingHost:
        """A host for a crawl with so many page workers; CrawlHostError if none can be started."""


class StartedHost:
    """A crawl host that was started.

    It and its page workers write to a file of ours until they know the log of their crawl.
    """

    def __init__(self, page_workers: int, begin: Begin = launched_host) -> None:
        """Start it. CrawlHostError if the system does not permit it."""
        self._stderr: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it lives as long as the host
        try:
            self.launched: LaunchedProcess = begin(page_workers, self._stderr)
        except CrawlHostError:
            self._stderr.close()
            raise

    async def connect(
        self,
        log: Path,
        on_reports: "Callable[[list[Report]], None]",
        on_gone: Callable[[], None],
    ) -> "ChildProcess[Report]":
        """Wait until it is up; what it wrote before it had `log` is appended there when it ends.

        `on_gone` is called once, when it has ended. CrawlHostError if it does not come up.
        """
        from gossamer.ipc.child_connection import adopt  # noqa: PLC0415 - comes up while that loads
        from gossamer.model.messages.crawl_messages import Report  # noqa: PLC0415 - likewise

        def gone() -> None:
            self.keep_output(log)
            on_gone()

        try:
            return await adopt(
                self.launched, message_type=Report, on_messages=on_reports, on_closed=gone
            )
        except BaseException:
            self.keep_output(log)
            raise

    def abandon(self) -> None:
        """End it, and wait until it is gone."""
        self.launched.abandon()
        self._stderr.close()

    def keep_output(self, log: Path) -> None:
        """Append to `log` what was written to our file. Does nothing the second time."""
        if self._stderr.closed:
            return
        with self._stderr:
            self._stderr.seek(0)
            output = self._stderr.read()
        if output:
            with suppress(OSError), os.fdopen(opened_log(log), "ab") as file:
                file.write(output)


class CrawlHostPool:
    """The crawl hosts of one shell. As a context manager, ends the unused one on exit."""

    def __init__(self, begin_ahead: Begin = launched_host, begin: Begin = launched_host) -> None:
        """Start nothing yet.

        `begin_ahead` starts the spare one in advance, `begin` those needed at once.
        """
        self._begin_ahead = begin_ahead
        self._begin = begin
        self._spare: StartedHost | None = None

    def prepare(self) -> None:
        """Start one in advance, unless one waits already.

        If that fails, `take` tries again and says why.
        """
        if self._spare is None:
            with suppress(CrawlHostError):
                page_workers = min(os.cpu_count() or 1, _MOST_AHEAD)
                self._spare = StartedHost(page_workers, self._begin_ahead)

    def take(self, page_workers: int) -> StartedHost:
        """The waiting host, else a new one for a crawl with so many page workers.

        CrawlHostError if none can be started.
        """
        spare = self._spare
        if spare is not None and spare.launched.process.poll() is None:
            self._spare = None
            return spare
        self.end()
        return StartedHost(page_workers, self._begin)

    def end(self) -> None:
        """End the waiting host."""
        spare, self._spare = self._spare, None
        if spare is not None:
            spare.abandon()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
