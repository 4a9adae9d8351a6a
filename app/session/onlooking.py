"""A project that another process crawls, as it can be seen from here."""

import threading
from pathlib import Path
from typing import Final

from app.model.errors import ProjectError
from app.model.holder import Holder
from app.model.rows import Summary
from app.store.lock import holder_of
from app.store.reader import Reader

LOOK_EVERY_S: Final = 1.0


class Onlooker:
    """Looks at a project from time to time. It reads only while somebody has it to crawl it.

    Synchronous; may be used on any thread.
    """

    def __init__(self, path: Path) -> None:
        """Take the project file; nothing is opened yet."""
        self._path = path
        self._looking = threading.Lock()
        self._reader: Reader | None = None
        self._version = -1

    def look(self) -> tuple[Holder | None, Summary | None]:
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

    def _changed(self, holder: Holder | None) -> Summary | None:
        if self._reader is None:
            if holder is None:
                return None
            self._reader = Reader(self._path)
        before, self._version = self._version, self._reader.version()
        summary = self._reader.summary() if self._version != before else None
        if holder is None:
            self._let_go()
        return summary

    def _let_go(self) -> None:
        reader, self._reader, self._version = self._reader, None, -1
        if reader is not None:
            reader.close()
