"""While the archives of a crawl are read anew, the user commands, and is told how far it is."""

import asyncio
import threading

import pytest

from gossamer.archive.archive_indexing import OnProgress
from gossamer.crawl_host.archive_index_wait import ArchiveIndexWait
from gossamer.crawl_host.disk_failures import EndedWhileWaitingError
from gossamer.engine.pause_reasons import PauseReason, Pauses
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.messages.crawl_messages import (
    Cancel,
    Close,
    HostCommand,
    Pause,
    Resume,
    SetWorkers,
)

SOURCE = ArchiveSource(("a.warc",))


class Shell:
    """Says its commands one after the other, each when the last one was seen to have effect."""

    def __init__(self, *commands: HostCommand) -> None:
        self.pauses = Pauses()
        self.kept: list[HostCommand] = []
        self.told: list[str] = []
        self.was_stopped = False
        self._left = list(commands)
        self._commands: asyncio.Queue[HostCommand] = asyncio.Queue()
        self._may_end = threading.Event()

    def _report(self) -> None:
        self.told.append(str(self.pauses.sentence))
        self._next()

    def _keep(self, command: HostCommand) -> None:
        self.kept.append(command)
        self._next()

    def _next(self) -> None:
        if self._left:
            self._commands.put_nowait(self._left.pop(0))
        else:
            self._may_end.set()

    def _read(self, _source: ArchiveSource, on_progress: OnProgress) -> None:
        """An archive that is read for as long as the shell has something to say."""
        try:
            on_progress(50, 100)
            while not self._may_end.wait(0.001):
                on_progress(50, 100)
        except Exception:
            self.was_stopped = True
            raise

    async def wait(self) -> None:
        wait = ArchiveIndexWait(self.pauses, self._commands, self._keep, self._report, self._read)
        await wait.wait(SOURCE)


@pytest.mark.parametrize("last", [Cancel(), Close()])
def test_who_ends_the_crawl_ends_the_reading(last: Cancel | Close) -> None:
    shell = Shell(SetWorkers(3), last)
    with pytest.raises(EndedWhileWaitingError) as ended:
        asyncio.run(shell.wait())
    assert ended.value.is_cancelled is isinstance(last, Cancel)
    assert shell.was_stopped
    assert shell.kept == [SetWorkers(3)]
    assert shell.told == ["Reading the archive: 50 %."]
    assert PauseReason.USER in shell.pauses
    assert PauseReason.ARCHIVE not in shell.pauses


def test_a_pause_counts_when_the_archive_has_been_read() -> None:
    shell = Shell(Pause(), Resume(), Pause())
    asyncio.run(shell.wait())
    assert PauseReason.USER in shell.pauses
    assert PauseReason.ARCHIVE not in shell.pauses


def test_an_archive_that_cannot_be_read_is_told() -> None:
    shell = Shell()

    def refuse(_source: ArchiveSource, _on_progress: OnProgress) -> None:
        raise FileNotFoundError("a.warc")

    wait = ArchiveIndexWait(shell.pauses, asyncio.Queue(), shell.kept.append, lambda: None, refuse)
    with pytest.raises(FileNotFoundError):
        asyncio.run(wait.wait(SOURCE))
