"""What is done while the disk refuses the project: wait, try again, obey."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from gossamer.engine.pause_reasons import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.model.errors import DiskError
from gossamer.model.messages.crawl_messages import Cancel, Close, Command, Pause, Resume
from gossamer.model.store_batch import ProjectSummary

FIRST_TRY_S: Final = 1.0
LONGEST_WAIT_S: Final = 30.0
CALM_S: Final = 60.0
"""A crawl that went on for so long begins its next wait with short pauses again."""


class EndedWhileWaitingError(Exception):
    """The user ends the crawl before the disk takes the project again."""

    def __init__(self, command: Close | Cancel) -> None:
        """Take the command that ends it."""
        super().__init__(command)
        self.command = command


class DiskOutage:
    """The disk outages of one crawl. Each lasts until the project can be opened again."""

    def __init__(
        self,
        pauses: Pauses,
        commands: asyncio.Queue[Command],
        keep: Callable[[Command], None],
        reopen: Callable[[], Awaitable[ProjectSummary]],
    ) -> None:
        """Take why the crawl is paused, and the commands of the user.

        `keep` gets those that count when the crawl goes on; `reopen` opens the project again.
        """
        self._pauses = pauses
        self._commands = commands
        self._keep = keep
        self._reopen = reopen
        self._delay_s = FIRST_TRY_S
        self._ended_at = 0.0

    async def wait(self, error: DiskError, on_try: Callable[[], None]) -> ProjectSummary:
        """Return the project when it could be opened again.

        It is tried again and again unless there are reasons to pause that only the user ends, and
        whenever the user resumes; `on_try` is called before each wait. Raises
        EndedWhileWaitingError, and ProjectError when the project cannot be used any more at all.
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

    async def _next_command(self) -> Command | None:
        """The next command; None when it is time to try again."""
        try:
            async with asyncio.timeout(self._delay_s if self._pauses.end_by_themselves else None):
                return await self._commands.get()
        except TimeoutError:
            return None
