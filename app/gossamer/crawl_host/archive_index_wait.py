"""Builds the index of the archives to crawl from, while the user's commands are still obeyed."""

import asyncio
import threading
from collections.abc import Callable

from gossamer.archive.archive_indexing import OnProgress, ensure_index
from gossamer.crawl_host.disk_failures import EndedWhileWaitingError
from gossamer.engine.pause_reasons import ENDED_BY_RESUME, PauseReason, Pauses
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import cause_of
from gossamer.model.messages.crawl_messages import Cancel, Close, HostCommand, Pause, Resume
from gossamer.model.translatable import said


class _StoppedError(Exception):
    """The index is no longer wanted."""


class ArchiveIndexWait:
    """Waits until the archives of a crawl are indexed, if their index is gone."""

    def __init__(
        self,
        pauses: Pauses,
        commands: asyncio.Queue[HostCommand],
        keep: Callable[[HostCommand], None],
        report: Callable[[], None],
        ensure: Callable[[ArchiveSource, OnProgress], object] = ensure_index,
    ) -> None:
        """`pauses` says why the crawl is paused; `commands` are those of the user.

        `keep` gets the commands that apply when the crawl begins; `report` is called when there is
        progress to report; `ensure` makes a missing index.
        """
        self._ensure = ensure
        self._pauses = pauses
        self._commands = commands
        self._keep = keep
        self._report = report
        self._stop = threading.Event()
        self._percent = -1

    async def wait(self, source: ArchiveSource) -> None:
        """Return when there is an index; EndedWhileWaitingError if the user ends the crawl.

        Otherwise raises as `ensure_index` does.
        """
        loop = asyncio.get_running_loop()

        def on_progress(done: int, of: int) -> None:
            if self._stop.is_set():
                raise _StoppedError
            tenths = 10 * done // of if of else 10  # a shell may show each as a line
            loop.call_soon_threadsafe(self._tell, 10 * tenths)

        try:
            async with asyncio.TaskGroup() as group:
                obeying = group.create_task(self._obey(), name="commands")
                try:
                    await asyncio.to_thread(self._ensure, source, on_progress)
                finally:
                    self._stop.set()
                    obeying.cancel()
        except BaseExceptionGroup as failures:
            ended = failures.subgroup(EndedWhileWaitingError)
            raise cause_of(ended or failures) from failures
        finally:
            self._pauses.remove(PauseReason.ARCHIVE)

    def _tell(self, percent: int) -> None:
        if percent > self._percent and not self._stop.is_set():
            self._percent = percent
            sentence = said("Reading the archive: {percent} %.", percent=percent)
            self._pauses.add(PauseReason.ARCHIVE, sentence)
            self._report()

    async def _obey(self) -> None:
        while True:
            match await self._commands.get():
                case (Close() | Cancel()) as command:
                    self._pauses.add(PauseReason.USER)
                    self._stop.set()
                    raise EndedWhileWaitingError(command)
                case Pause():
                    self._pauses.add(PauseReason.USER)
                    self._report()
                case Resume():
                    self._pauses.remove(*ENDED_BY_RESUME)
                    self._report()
                case other:
                    self._keep(other)
