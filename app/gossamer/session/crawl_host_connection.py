"""A session's connection to its crawl host: sends commands, receives reports, detects death."""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import structs

from gossamer.ipc.heartbeat import SilenceAlarm
from gossamer.model.crawl_progress import at_standstill
from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.errors import CrawlHostError, KnownError, ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import (
    Close,
    HostCommand,
    HostHeartbeat,
    Progress,
    Report,
    Start,
    Trouble,
)
from gossamer.model.messages.shard_messages import LinkBatch, ShardReport
from gossamer.model.translatable import Sentence, Translatable
from gossamer.session.crawl_host_pool import HostLink, HostSource
from gossamer.session.interruptions import Interruptions
from gossamer.session.process_end_log import ProcessEnd, log_end
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.session.snapshot_recorder import SnapshotRecorder
from gossamer.session.update_queue import UpdateStream
from gossamer.store.locking.lock_file import is_of_this_machine, is_orphaned
from gossamer.store.writer_lock import holder_of, is_leased

END_TIMEOUT_S: Final = 5.0
ORPHAN_S: Final = 20.0
"""For a crawl process whose shell was killed: it releases its nodes, commits, and ends."""
_LET_GO_S = 0.02
DIED: Final[Sentence] = (
    "The crawl stopped because its process exited; its results are safe. Press Resume to continue."
)
OPENING: Final[Sentence] = (
    "Still opening the project: after an interrupted crawl, a large project takes a while."
)
_HUNG: Final[Sentence] = (
    "The crawl process hung and was killed; its results are safe. Press Resume to continue."
)
_STARTED_AGAIN: Final[Sentence] = (
    "The crawl process hung and was killed; its results are safe. It is being restarted."
)
_SILENT: Final = "it was silent"
_ENDING: Final[set[int]] = set()
"""The process ids of crawl processes that were ended by force and may still have their project."""


def other_holder_of(project: Path) -> LockOwner | None:
    """Who has the project open for writing, except our processes that were ended just now."""
    holder = holder_of(project)
    if holder is not None and is_leased(project) and not is_of_this_machine(holder):
        return None  # the next writer sees by the lease whether that machine continues
    return None if _is_ending(holder) else holder


def wait_for_endings(project: Path) -> None:
    """Wait until no ending process has the project any more, or it takes too long.

    Ending are those of ours that were ended, and those whose owner was: they pause, commit and end.
    """
    began_s = time.monotonic()
    while (holder := holder_of(project)) is not None:
        limit_s = END_TIMEOUT_S if _is_ending(holder) else ORPHAN_S * is_orphaned(holder)
        if time.monotonic() >= began_s + limit_s:
            return
        time.sleep(_LET_GO_S)


def _is_ending(holder: LockOwner | None) -> bool:
    """Whether that is a process of ours that was ended and is about to release the project."""
    return holder is not None and holder.pid in _ENDING and holder.host == socket.gethostname()


class HostConnection:
    """Starts the crawl host, monitors it, and keeps its latest reports."""

    def __init__(
        self,
        path: Path,
        progress: Progress,
        hosts: HostSource,
        timings: SessionTimings = USUAL_TIMINGS,
    ) -> None:
        """`hosts` is where processes come from."""
        self.path = path
        self._recorder = SnapshotRecorder(path)
        self._hosts = hosts
        self._timings = timings
        self.progress = progress
        self._host: HostLink | None = None
        self._reaping: asyncio.Future[int | None] | None = None
        self.was_forced = False
        """Whether the last process had to be ended by force."""
        self._updates = UpdateStream()
        self._trouble: Trouble | None = None
        self._alarm = SilenceAlarm(self._on_silence)
        self._log = Path(os.devnull)
        """Of the crawl."""
        self._killed_because = ""
        """Why the last process had to be ended by force, if we did that; for its log."""
        self._hung = False
        """Whether the last process was killed because it did not react."""
        self._hung_at: int | None = None
        """The progress of the crawl when its process last hung."""
        self._has_reported = False
        """Whether the current process has reported progress: until then it opens the project."""
        self._signs_of_progress = 0
        """How many heartbeats of progress the current process has sent."""
        self._commanded = self._obeyed = 0
        """The numbers of the latest command, and of the latest that has taken effect."""
        self._ends_awaited = 0
        self._starting = asyncio.Lock()
        self._interruptions = Interruptions()
        self._closed = False

    @property
    def state(self) -> CrawlState:
        """Where the crawl stands."""
        return self.progress.state

    @property
    def host_pid(self) -> int | None:
        """The process id of the crawl host while there is one."""
        return None if self._host is None else self._host.pid

    @property
    def is_saving(self) -> bool:
        """Whether an ending process is waited for: it commits and closes the project."""
        return self._ends_awaited > 0 and self._host is not None

    def force(self) -> None:
        """End the process at once. What was committed is kept."""
        self._kill("somebody wants it to end at once")

    def _kill(self, why: str) -> None:
        if self._host is not None:
            self.was_forced, self._killed_because = True, why
            _ENDING.add(self._host.pid)
            self._host.kill()

    async def _start_host(self, start: Start, page_workers: int, log: Path) -> None:
        """Start a process and its crawl; returns when it reports the state of the crawl.

        The crawl is not begun if it is cancelled before the process is up.
        """
        is_wanted = self._interruptions.until_next()
        self._trouble, self._hung, self._has_reported, self.was_forced = None, False, False, False
        self._log, self._killed_because = log, ""
        started = self._hosts.take(page_workers)
        host = await started.connect(log, self._receive, self._host_gone)
        if self._closed or host.closed:
            await host.end(END_TIMEOUT_S)
            raise CrawlHostError(DIED)
        if start.crawl and not is_wanted():
            await host.end(END_TIMEOUT_S)
            return
        self._host = host
        self._alarm.expect(self._timings.silence_s)
        before = self.progress
        host.send(start)
        await self._until_opened(lambda: self.progress is not before or self._host is None)
        if self._trouble is not None:
            raise _error_of(self._trouble)
        if self.progress is before:
            raise CrawlHostError(DIED)

    async def _until_opened(self, opened: Callable[[], bool]) -> None:
        """Wait until the process has opened the project; report if that takes long."""
        try:
            async with asyncio.timeout(self._timings.opening_s):
                await self._updates.until(opened)
        except TimeoutError:
            opening = structs.replace(
                self.progress, state=CrawlState.PAUSED, notice=Translatable(OPENING), waits=True
            )
            self._updates.publish(opening, opening)
            await self._updates.until(opened)

    def _send(self, command: HostCommand) -> None:
        if self._host is not None:
            self._host.send(command)

    async def _command(self, command: HostCommand, done: Callable[[], bool]) -> None:
        """Send, unless it is done already; wait until it is, or a later command, or the crawl over.

        A host that does not react is killed: the user's command counts. While it opens the
        project, which takes long if that is huge, it need not react.
        """
        if self._host is None or done():
            return
        self._commanded += 1
        number = self._commanded

        def over() -> bool:
            later = self._obeyed > number
            return done() or later or self._host is None or self.state not in LIVE

        self._host.send(command)
        await self._updates.until(lambda: self._has_reported or self._host is None)
        try:
            async with asyncio.timeout(self._timings.command_s):
                await self._updates.until(over)
            self._obeyed = max(self._obeyed, number)
            self._updates.check()
        except TimeoutError:
            self._hung = True
            self._kill(f"it did not obey {type(command).__name__}")
            await self._updates.until(lambda: self._host is None)

    async def let_go(self) -> None:
        """Have the process commit and end, so that another can continue."""
        self._send(Close())
        await self._end_host(END_TIMEOUT_S)

    def _is_at_rest(self) -> bool:
        """Whether no process of ours has the project, or may have it soon or still."""
        ending = self._reaping is not None and not self._reaping.done()
        return self._host is None and not ending and not self._starting.locked()

    async def _wait_for_release(self) -> None:
        """Wait for our ended processes that may still have the project."""
        if self._reaping is not None:
            await asyncio.shield(self._reaping)
        await asyncio.to_thread(wait_for_endings, self.path)

    def _show_starting(self, sentence: Translatable | None) -> None:
        """Show what must be ready before the crawl starts."""
        self._publish(structs.replace(self.progress, starting=sentence))

    @contextmanager
    def _waiting(self, sentence: Translatable | None) -> Iterator[None]:
        """Show what the start of the crawl waits for: as if paused, so that it can be cancelled.

        A crawl that has finished stays so: if it does not start, it would seem to finish again.
        """
        if sentence is None:
            yield
            return
        before = self.progress
        is_over = before.state is CrawlState.FINISHED
        waiting = structs.replace(
            before,
            state=before.state if is_over else CrawlState.PAUSED,
            notice=None,
            starting=sentence,
            waits=True,
        )
        self._publish(waiting)
        try:
            yield
        finally:
            if self.progress is waiting:  # nobody has cancelled it
                self._publish(before)

    def interrupt(self) -> None:
        """End what is about to start the crawl, such as a login."""
        self._interruptions.interrupt()

    async def _end_host(self, timeout_s: float) -> None:
        """Wait until the process has ended, however long its disk takes; meanwhile `is_saving`.

        It is killed when it reports no progress for `timeout_s`. See `force`.
        """
        self._ends_awaited += 1
        try:
            while not await self._ended_within(timeout_s):
                pass
        finally:
            self._ends_awaited -= 1
        if self._reaping is not None:
            await asyncio.shield(self._reaping)

    async def _ended_within(self, timeout_s: float) -> bool:
        """Whether the process has ended in this time, or was killed for lack of progress."""
        signs = self._signs_of_progress
        try:
            async with asyncio.timeout(timeout_s):
                await self._updates.until(lambda: self._host is None)
        except TimeoutError:
            if self._signs_of_progress != signs:
                return False
            self._kill("it made no progress while it was to end")
            await self._updates.until(lambda: self._host is None)
        return True

    def _receive(self, reports: list[Report]) -> None:
        self._alarm.heard()
        if not all(isinstance(each, HostHeartbeat) and each.stuck for each in reports):
            self._signs_of_progress += 1
        for report in reports:
            if isinstance(report, ShardReport | LinkBatch):
                self._exchange(report)
            elif not isinstance(report, HostHeartbeat):
                self._publish(report)

    def _exchange(self, report: ShardReport | LinkBatch) -> None:
        """Handle what the host of a shard has for the others; for coordinators."""

    def _publish(self, report: Progress | Trouble) -> None:
        if isinstance(report, Progress):
            self.progress = report
            self._has_reported = True
        else:
            self._trouble = report
            self.progress = at_standstill(self.progress, CrawlState.FAILED)
        self._updates.publish(report, self.progress)

    def _on_silence(self) -> None:
        self._hung = True
        self._kill(_SILENT)  # `_host_gone` follows

    def _host_gone(self) -> None:
        host, self._host = self._host, None
        self._alarm.end()
        at_work = self.state in LIVE and (
            self.state is not CrawlState.PAUSED or self.progress.waits
        )
        if host is not None:
            self._reaping = host.reap()
            self._reaping.add_done_callback(lambda _: _ENDING.discard(host.pid))
            if self._trouble is None and not host.is_lost:
                self._reaping.add_done_callback(
                    partial(self._note_end, host.pid, self._killed_because, at_work=at_work)
                )
            self._recorder.record()
        if at_work and self._trouble is None:
            self._publish(self._end_of_host())
        else:
            self._publish(self.progress)

    def _note_end(
        self, pid: int, because: str, ended: "asyncio.Future[int | None]", *, at_work: bool
    ) -> None:
        """Have the log say how a process ended, unless its crawl had ended in order."""
        code = None if ended.cancelled() else ended.result()
        end = ProcessEnd("crawl", pid, code, because)
        if at_work or code != 0:
            loop = asyncio.get_running_loop()
            loop.run_in_executor(None, log_end, self._log, end)  # its disk may be slow

    def _end_of_host(self) -> Trouble:
        """The trouble to report for a process that has ended during its crawl."""
        if not self._hung:
            return Trouble(Translatable(DIED), CrawlHostError.exit_code)
        if self._killed_because != _SILENT:  # it goes on when the user wants that
            return Trouble(Translatable(_HUNG), CrawlHostError.exit_code)
        got_on = self._hung_at is None or self.progress.fetched > self._hung_at
        self._hung_at = self.progress.fetched
        sentence = Translatable(_STARTED_AGAIN if got_on else _HUNG)
        return Trouble(sentence, CrawlHostError.exit_code, again=got_on)


def _error_of(trouble: Trouble) -> KnownError:
    known = ProjectError if trouble.exit_code == ProjectError.exit_code else CrawlHostError
    return known(trouble.sentence)
