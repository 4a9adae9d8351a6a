"""Follows a project that another process is crawling, by reading its file."""

import os
import threading
from pathlib import Path
from typing import NamedTuple

from gossamer.model.errors import ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.model.store_batch import ProjectSummary
from gossamer.store.reading.project_watch import ProjectWatch
from gossamer.store.writer_lock import holder_of


class Observed(NamedTuple):
    """Who has a project, its summary if that has changed, and whether it is another file."""

    holder: LockOwner | None = None
    summary: ProjectSummary | None = None
    is_replaced: bool = False


class CrawlObserver:
    """Reads a project periodically, as long as another process has it open to crawl.

    Synchronous; may be used on any thread.
    """

    def __init__(self, path: Path) -> None:
        """`path` is the project file; nothing is opened yet."""
        self._path = path
        self._lock = threading.Lock()
        self._watch: ProjectWatch | None = None
        self._file = _status(path)

    def _is_replaced(self) -> bool:
        """Whether another file has replaced the project since the last call.

        Numbers of files alone may change on network drives, and times alone by any commit.
        """
        before, now = self._file, _status(self._path)
        if now is None:
            return False
        self._file = now
        if before is None or before.st_mtime_ns == now.st_mtime_ns:
            return False
        return (before.st_dev, before.st_ino) != (now.st_dev, now.st_ino)

    def observe(self) -> Observed:
        """Observe it now.

        When nobody has it open any more, it is read once more.
        """
        with self._lock:
            holder = holder_of(self._path)
            if holder is None and self._is_replaced():
                return Observed(is_replaced=True)
            try:
                return Observed(holder, self._changed(holder))
            except ProjectError:  # moved away or damaged: who reads it says so
                self._close_watch()
                return Observed(holder)

    def close(self) -> None:
        """Release the file."""
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


def _status(path: Path) -> os.stat_result | None:
    """The status of the project file; None while there is none."""
    try:
        return path.stat()
    except OSError:
        return None
