"""Handles disks that reject the project file, or stall as network drives may."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from gossamer.engine.crawl import Crawl
from gossamer.engine.pause_reasons import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.model.errors import DiskError
from gossamer.model.messages.crawl_messages import Cancel, Close, HostCommand, Pause, Resume
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable

FIRST_TRY_S: Final = 1.0
LONGEST_WAIT_S: Final = 30.0
CALM_S: Final = 60.0
"""After running for so long, a crawl begins its next wait with short pauses again."""
STALLED_AFTER_S: Final = 12.0
"""Longer than SQLite waits for somebody else's lock, which has a sentence of its own."""
STUCK_AFTER_S: Final = 60.0
"""How long an ending host waits for a disk that blocks it."""
_STEP_S: Final = 1.0
"""More than this between two checks does not count: we were stopped ourselves then."""
_STALLED: Final[Sentence] = "Paused: the disk with {path} does not respond. Check its connection."
_log = logging.getLogger(__name__)


class EndedWhileWaitingError(Exception):
    """The user ended the crawl before the disk recovered, or an archive had been read."""

    def __init__(self, command: Close | Cancel) -> None:
        """`command` is the one that ends it."""
        super().__init__(command)
        self.command = command

    @property
    def is_cancelled(self) -> bool:
        """Whether the crawl is to be marked as cancelled, which the file does not record."""
        return isinstance(self.command, Cancel)


class DiskOutage:
    """The disk outages of one crawl. Each lasts until the project can be opened again."""

    def __init__(
        self,
        pauses: Pauses,
        commands: asyncio.Queue[HostCommand],
        keep: Callable[[HostCommand], None],
        reopen: Callable[[], Awaitable[ProjectSummary]],
    ) -> None:
        """`pauses` says why the crawl is paused; `commands` are those of the user.

        `keep` gets the commands that apply when the crawl continues; `reopen` opens the project
        again.
        """
        self._pauses = pauses
        self._commands = commands
        self._keep = keep
        self._reopen = reopen
        self._delay_s = FIRST_TRY_S
        self._ended_at = 0.0

    async def wait(self, error: DiskError, on_try: Callable[[], None]) -> ProjectSummary:
        """Return the project once it could be opened again.

        It retries unless there are reasons to pause that only the user ends, and whenever the user
        resumes; `on_try` is called before each wait. Raises EndedWhileWaitingError, and
        ProjectError when the project cannot be used any more at all.
        """
        self._begin()
        while True:
            self._pauses.add(PauseReason.DISK_FAILED, error.said)
            on_try()
            match await self._next_command():
                case None | Resume():
                    self._pauses.remove(*ENDED_BY_RESUME)
                    try:
                        return await self._reopened()
                    except DiskError as e:
                        error = e
                case (Close() | Cancel()) as command:
                    self._pauses.add(PauseReason.USER)
                    raise EndedWhileWaitingError(command)
                case Pause():
                    self._pauses.add(PauseReason.USER)
                case other:
                    self._keep(other)

    def _begin(self) -> None:
        if asyncio.get_running_loop().time() - self._ended_at > CALM_S:
            self._delay_s = FIRST_TRY_S
        if PauseReason.NETWORK in self._pauses:
            self._pauses.add(PauseReason.USER)  # nobody watches the network any more

    async def _reopened(self) -> ProjectSummary:
        self._delay_s = min(2 * self._delay_s, LONGEST_WAIT_S)
        summary = await self._reopen()
        self._pauses.remove(PauseReason.DISK_FAILED)
        self._ended_at = asyncio.get_running_loop().time()
        return summary

    async def _next_command(self) -> HostCommand | None:
        """The next command; None when it is time to try again."""
        try:
            async with asyncio.timeout(self._delay_s if self._pauses.end_by_themselves else None):
                return await self._commands.get()
        except TimeoutError:
            return None


class DiskStallTimer:
    """How long the project's writer has waited for the disk."""

    def __init__(self, activity: Callable[[], object]) -> None:
        """`activity` gives another value whenever the writer has made progress.

        It gives None while nothing is to be written or read.
        """
        self._activity = activity
        self._last: object = None
        self._checked_s = 0.0
        self._still_s = 0.0

    def seconds(self) -> float:
        """How long it has made no progress. Call it at least every second, on the loop."""
        now_s = asyncio.get_running_loop().time()
        activity = self._activity()
        if activity is None or activity != self._last:
            self._still_s = 0.0
        else:
            self._still_s += min(now_s - self._checked_s, _STEP_S)
        self._last, self._checked_s = activity, now_s
        return self._still_s


class StalledDisk:
    """Pauses a crawl while the disk stalls its writer.

    What is in flight when the disk stalls is finished, and waits in memory.
    """

    def __init__(
        self, path: Path, stall_timer: DiskStallTimer, stalled_after_s: float = STALLED_AFTER_S
    ) -> None:
        """`path` is the project; its writer may wait for up to `stalled_after_s`."""
        self._path = path
        self._stall_timer = stall_timer
        self._stalled_after_s = stalled_after_s
        self._stalled = False

    def check(self, crawl: Crawl) -> None:
        """Pause `crawl` when the disk has stalled; end that pause when the disk responds.

        Call it several times a second.
        """
        before, self._stalled = self._stalled, self._stall_timer.seconds() >= self._stalled_after_s
        if self._stalled and not before:
            _log.warning("the disk does not respond", extra={"project": str(self._path)})
            sentence = Translatable(_STALLED, {"path": str(self._path)})
            crawl.pause(PauseReason.DISK_STALLED, sentence)
        elif before and not self._stalled:
            _log.info("the disk responds again")
            crawl.end_pause(PauseReason.DISK_STALLED)
