"""Noticing that the disk of a project neither answers nor fails, as a network drive may."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import structs

from gossamer.engine.crawl import Crawl
from gossamer.model.messages import Command, Progress, Resume
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
    """Pauses a crawl while its disk keeps the writer waiting, and lets it go on afterwards.

    What is in flight when the silence is noticed is finished, and waits in memory.
    """

    def __init__(self, path: Path, sign: Callable[[], object]) -> None:
        """Take the project, and the `sign` of its writer: see `Stillness`."""
        self._path = path
        self._stillness = Stillness(sign)
        self._silent = False
        self._alone = False
        self._at_last_look = (False, False)

    @property
    def waits(self) -> bool:
        """Whether the crawl is paused for the disk, and goes on without being asked."""
        return self._silent and self._alone

    def look(self, crawl: Crawl) -> bool:
        """Pause `crawl`, or let it go on, as its disk wants; whether there is something to tell.

        To be called several times a second.
        """
        was, self._silent = self._silent, self._stillness.seconds() >= SILENT_AFTER_S
        if self._silent and not was:
            _log.warning("the disk does not answer", extra={"project": str(self._path)})
            self._alone = crawl.state is CrawlState.RUNNING
            crawl.pause()
        elif was and not self._silent:
            _log.info("the disk answers again")
            if self._alone:
                crawl.resume()
        before, self._at_last_look = self._at_last_look, (self._silent, self._alone)
        return self._at_last_look != before

    def heed(self, command: Command) -> bool:
        """Note whether the person wants the crawl to go on when the disk answers.

        Returns whether nothing else is to be done for `command`, which steers the crawl.
        """
        if not self._silent:
            return False
        self._alone = isinstance(command, Resume)
        return self._alone

    def told(self, progress: Progress) -> Progress:
        """The progress of the crawl as it is to be told: paused as soon as nothing is in flight."""
        if not self._silent or progress.state not in PAUSES:
            return progress
        return structs.replace(
            progress,
            state=CrawlState.PAUSING if progress.active else CrawlState.PAUSED,
            notice=Translatable(_SILENT, {"path": str(self._path)}),
            waits=self._alone,
        )
