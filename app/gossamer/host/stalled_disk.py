"""Detects a disk that neither answers nor fails, as a network drive may."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.engine.crawl import Crawl
from gossamer.engine.pause_reasons import PauseReason
from gossamer.model.translatable import Sentence, Translatable

STALLED_AFTER_S: Final = 12.0
"""Longer than SQLite waits for somebody else's lock, which has a sentence of its own."""
STUCK_AFTER_S: Final = 60.0
"""A host that is to end is given so long by a disk that does not let it get on."""
_STEP_S: Final = 1.0
"""More than this between two checks does not count: we were stopped ourselves then."""
_STALLED: Final[Sentence] = "Paused: the disk with {path} does not answer. Check its connection."
_log = logging.getLogger(__name__)


class Stillness:
    """How long the writer of a project has waited for its disk."""

    def __init__(self, activity: Callable[[], object]) -> None:
        """Take what gives another value whenever the writer has got on.

        It gives None while nothing is to be written or read.
        """
        self._activity = activity
        self._last: object = None
        self._checked_s = 0.0
        self._still_s = 0.0

    def seconds(self) -> float:
        """How long it has not got on. To be asked every second at least, on the loop."""
        now_s = asyncio.get_running_loop().time()
        activity = self._activity()
        if activity is None or activity != self._last:
            self._still_s = 0.0
        else:
            self._still_s += min(now_s - self._checked_s, _STEP_S)
        self._last, self._checked_s = activity, now_s
        return self._still_s


class StalledDisk:
    """Pauses a crawl while its disk keeps the writer waiting.

    What is in flight when the disk stalls is finished, and waits in memory.
    """

    def __init__(
        self, path: Path, stillness: Stillness, stalled_after_s: float = STALLED_AFTER_S
    ) -> None:
        """Take the project, how long its writer has waited, and how long that may be."""
        self._path = path
        self._stillness = stillness
        self._stalled_after_s = stalled_after_s
        self._stalled = False

    def check(self, crawl: Crawl) -> None:
        """Pause `crawl` when the disk has stalled, end that pause when the disk answers.

        To be called several times a second.
        """
        before, self._stalled = self._stalled, self._stillness.seconds() >= self._stalled_after_s
        if self._stalled and not before:
            _log.warning("the disk does not answer", extra={"project": str(self._path)})
            sentence = Translatable(_STALLED, {"path": str(self._path)})
            crawl.pause(PauseReason.DISK_STALLED, sentence)
        elif before and not self._stalled:
            _log.info("the disk answers again")
            crawl.end_pause(PauseReason.DISK_STALLED)
