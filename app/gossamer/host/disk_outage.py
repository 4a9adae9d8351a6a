"""What is done while the disk does not take the project: wait, try again, obey."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import structs

from gossamer.engine.pauses import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.model.errors import DiskError
from gossamer.model.messages import (
    Act,
    Cancel,
    Change,
    Close,
    Command,
    Pause,
    Progress,
    Resume,
    SetWorkers,
)
from gossamer.model.state import CrawlState
from gossamer.model.store_batch import ProjectSummary

FIRST_TRY_S: Final = 1.0
LONGEST_WAIT_S: Final = 30.0
CALM_S: Final = 60.0
"""A crawl that went on for so long begins its next wait with short pauses again."""
_MAX_ACTS: Final = 1_000


class GivenUpError(Exception):
    """The person ends the crawl before the disk takes the project again."""

    def __init__(self, command: Command) -> None:
        """Take how: `Close` or `Cancel`."""
        super().__init__(command)
        self.command = command


class DiskOutage:
    """The pauses of one crawl, each as long as its disk needs.

    Meanwhile the commands of the person are obeyed, or kept for when the crawl goes on.
    """

    def __init__(
        self,
        commands: asyncio.Queue[Command],
        reopen: Callable[[], Awaitable[ProjectSummary]],
        pauses: Pauses,
        tell: Callable[[], None],
    ) -> None:
        """Take the commands, what opens the project again, and why the crawl is paused.

        `tell` is called when that has changed.
        """
        self._commands = commands
        self._reopen = reopen
        self._pauses = pauses
        self._tell = tell
        self._delay_s = FIRST_TRY_S
        self._over_at = 0.0
        self.acts: deque[Act | Change] = deque()
        """What the person wants done; what is being done is done again if the disk fails."""
        self.come = asyncio.Event()
        """Set when one more has come."""
        self.done = 0
        """How many of them are."""
        self.workers: int | None = None
        """How many workers the person wants meanwhile."""

    async def wait(self, trouble: DiskError) -> ProjectSummary:
        """Return the project when it could be opened again; GivenUpError if that is not wanted.

        It is tried again and again unless there are reasons to pause that only the user ends, and
        whenever the user resumes. ProjectError when it cannot be used any more at all.
        """
        self._begin()
        while True:
            self._pauses.add(PauseReason.DISK_FAILED, trouble.said)
            self._tell()
            alone = self._pauses.end_by_themselves
            command = await self._next_command(self._delay_s if alone else None)
            match command:
                case None | Resume():
                    self._pauses.remove(*ENDED_BY_RESUME)
                    try:
                        return await self._reopened()
                    except DiskError as e:
                        trouble = e
                case Close() | Cancel():
                    self._pauses.add(PauseReason.USER)
                    raise GivenUpError(command)
                case Pause():
                    self._pauses.add(PauseReason.USER)
                case _:
                    self.keep(command)

    def keep(self, command: Command) -> None:
        """Have it done as soon as that can be."""
        if isinstance(command, SetWorkers):
            self.workers = command.workers
        elif isinstance(command, Act | Change) and len(self.acts) < _MAX_ACTS:
            self.acts.append(command)
            self.come.set()

    def one_done(self) -> None:
        """Take out the first, which is done."""
        self.acts.popleft()
        self.done += 1

    def _begin(self) -> None:
        if asyncio.get_running_loop().time() - self._over_at > CALM_S:
            self._delay_s = FIRST_TRY_S
        if PauseReason.NETWORK in self._pauses:
            self._pauses.add(PauseReason.USER)  # nobody watches the network any more

    async def _reopened(self) -> ProjectSummary:
        self._delay_s = min(2 * self._delay_s, LONGEST_WAIT_S)
        summary = await self._reopen()
        self._pauses.remove(PauseReason.DISK_FAILED)
        self._over_at = asyncio.get_running_loop().time()
        return summary

    async def _next_command(self, within_s: float | None) -> Command | None:
        try:
            async with asyncio.timeout(within_s):
                return await self._commands.get()
        except TimeoutError:
            return None


def held(progress: Progress, pauses: Pauses) -> Progress:
    """The progress of a crawl that is paused because its disk does not take it."""
    return structs.replace(
        progress,
        state=CrawlState.PAUSED,
        notice=pauses.sentence,
        waits=pauses.end_by_themselves,
        active=0,
        in_flight=[],
        pages_per_second=0.0,
    )
