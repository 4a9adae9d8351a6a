"""Follows a project that another process is crawling, by reading its file."""

import threading
from pathlib import Path

from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.store_batch import ProjectSummary
from gossamer.store.reading.project_watch import ProjectWatch
from gossamer.store.writer_lock import holder_of


class CrawlObserver:
    """Reads a project periodically, as long as another process has it open to crawl.

    Synchronous; may be used on any thread.
    """

    def __init__(self, path: Path) -> None:
        """Take the project file; nothing is opened yet."""
        self._path = path
        self._lock = threading.Lock()
        self._watch: ProjectWatch | None = None

    def observe(self) -> tuple[LockOwner | None, ProjectSummary | None]:
        """Who has the project, and the whole of it if it has changed since the last time.

        When nobody has it any more, it is read once more.
        """
        with self._lock:
            holder = holder_of(self._path)
            try:
                return holder, self._changed(holder)
            except ProjectError:  # moved away or damaged: who reads it says so
                self._close_watch()
                return holder, None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._close_watch()

    def _changed(self, holder: LockOwner | None) -> ProjectSummary | None:
        if self._watch is None:
            if holder is None:
                return None
            self._watch = ProjectWatch(self._path)
        summary = self._watch.changed()
        if holder is None:
            self._close_watch()
        return summary

    def _close_watch(self) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()
