"""A project that another process crawls, as it can be seen from here."""

import threading
from pathlib import Path
from typing import Final

from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.store_batch import ProjectSummary
from gossamer.store.lock import holder_of
from gossamer.store.project_watch import ProjectWatch

LOOK_EVERY_S: Final = 1.0


class CrawlObserver:
    """Looks at a project from time to time. It reads only while somebody has it to crawl it.

    Synchronous; may be used on any thread.
    """

    def __init__(self, path: Path) -> None:
        """Take the project file; nothing is opened yet."""
        self._path = path
        self._looking = threading.Lock()
        self._watch: ProjectWatch | None = None

    def look(self) -> tuple[LockOwner | None, ProjectSummary | None]:
        """Who has the project, and the whole of it if it has changed since the last look.

        When nobody has it any more, it is looked at once more.
        """
        with self._looking:
            holder = holder_of(self._path)
            try:
                return holder, self._changed(holder)
            except ProjectError:  # moved away or damaged: who reads it says so
                self._let_go()
                return holder, None

    def close(self) -> None:
        """Let go of the file."""
        with self._looking:
            self._let_go()

    def _changed(self, holder: LockOwner | None) -> ProjectSummary | None:
        if self._watch is None:
            if holder is None:
                return None
            self._watch = ProjectWatch(self._path)
        summary = self._watch.changed()
        if holder is None:
            self._let_go()
        return summary

    def _let_go(self) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()
