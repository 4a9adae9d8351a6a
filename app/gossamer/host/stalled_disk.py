"""Noticing that the disk of a project neither answers nor fails, as a network drive may."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import structs

from gossamer.engine.crawl import Crawl
from gossamer.engine.pauses import PauseReason
from gossamer.model.messages import Progress
from gossamer.model.state import PAUSES, CrawlState
from gossamer.model.translatable import Sentence, Translatable

SILENT_AFTER_S: Final = 12.0
"""Longer than SQLite waits for a lock of somebody else, which is told in other words."""
STUCK_AFTER_S: Final = 60.0
"""Who is to end waits so long for a disk that does not let it get on."""
_STEP_S: Final = 1.0
"""Between two looks more than this does not count: we were stopped ourselves then."""
_SILENT: Final[Sentence] = "Paused: the disk with {path} does not answer. Check its connection."
_log = logging.getLogger(__name__)


class Stillness:
    """How long the writer of a project has waited for its disk."""

    def __init__(self, sign: Callable[[], object]) -> None:
        """Take what gives another `sign` whenever the writer has got on.

        The sign is None while nothing is to be written or read.
        """
        self._sign = sign
        self._seen: object = None
        self._looked_s = 0.0
        self._still_s = 0.0

    def seconds(self) -> float:
        """So long it has not got on. To be asked every second at least, on the loop."""
        now_s = asyncio.get_running_loop().time()
        sign = self._sign()
        if sign is None or sign != self._seen:
            self._still_s = 0.0
        else:
            self._still_s += min(now_s - self._looked_s, _STEP_S)
        self._seen, self._looked_s = sign, now_s
        return self._still_s


class StalledDisk:
    """Pauses a crawl while its disk keeps the writer waiting.

    What is in flight when the disk stalls is finished, and waits in memory.
    """

    def __init__(self, path: Path, sign: Callable[[], object]) -> None:
        """Take the project, and the `sign` of its writer: see `Stillness`."""
        self._path = path
        self._stillness = Stillness(sign)
        self._stalled = False

    def check(self, crawl: Crawl) -> None:
        """Pause `crawl` when the disk has stalled, end that pause when the disk answers.

        To be called several times a second.
        """
        before, self._stalled = self._stalled, self._stillness.seconds() >= SILENT_AFTER_S
        if self._stalled and not before:
            _log.warning("the disk does not answer", extra={"project": str(self._path)})
            crawl.pause(PauseReason.DISK_STALLED, Translatable(_SILENT, {"path": str(self._path)}))
        elif before and not self._stalled:
            _log.info("the disk answers again")
            crawl.end_pause(PauseReason.DISK_STALLED)


def while_stalled(progress: Progress) -> Progress:
    """The progress of a crawl whose answers cannot be written: paused once nothing is in flight."""
    if progress.state not in PAUSES:
        return progress
    state = CrawlState.PAUSING if progress.active else CrawlState.PAUSED
    return structs.replace(progress, state=state)
