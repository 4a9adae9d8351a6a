"""Keeps descriptors of a file open for as long as SQLite has the file open in this process.

POSIX drops all locks that a process holds on a file as soon as the process closes any descriptor
of that file (https://www.sqlite.org/howtocorrupt.html, section 2.2). Without its locks a
connection loses its -wal file: another process takes itself for the last one and deletes it.
"""

import errno
import io
import os
import sqlite3
import stat
import threading
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FileId = tuple[int, int]
"""Device and inode."""


class _Descriptors:
    """Counts the connections to each file, and closes descriptors when there are none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connections: Counter[_FileId] = Counter()
        self._kept: defaultdict[_FileId, list[int]] = defaultdict(list)

    def add_connection(self, file: _FileId) -> None:
        with self._lock:
            self._connections[file] += 1

    def remove_connection(self, file: _FileId) -> None:
        with self._lock:
            self._connections[file] -= 1
            if not self._connections[file]:
                del self._connections[file]
                for descriptor in self._kept.pop(file, []):
                    os.close(descriptor)

    def taken(self, file: _FileId) -> int | None:
        """A descriptor of the file that was kept, so that there are never more than are in use."""
        with self._lock:
            kept = self._kept.get(file)
            return kept.pop() if kept else None

    def close(self, descriptor: int) -> None:
        """Close a descriptor, now or with the last connection to its file."""
        with self._lock:
            found = os.fstat(descriptor)
            file = (found.st_dev, found.st_ino)
            if file in self._connections:
                self._kept[file].append(descriptor)
            else:
                os.close(descriptor)


_DESCRIPTORS: Final = _Descriptors()


class FileConnection(sqlite3.Connection):
    """A connection to a database file, at whose end the kept descriptors are closed."""

    _file: _FileId | None = None

    def __init__(self, database: str, *, file: Path, **options: Any) -> None:
        """`database` is SQLite's URI for `file`; the options are those of sqlite3.connect."""
        if (found := _file_id(file)) is not None:
            _DESCRIPTORS.add_connection(found)
        try:
            super().__init__(database, **options)
        except BaseException:
            if found is not None:
                _DESCRIPTORS.remove_connection(found)
            raise
        self._file = found

    def close(self) -> None:
        """Close the connection; nothing if it is closed."""
        super().close()
        if self._file is not None:
            _DESCRIPTORS.remove_connection(self._file)
            self._file = None


class DatabaseFile(io.BufferedReader):
    """Reads a file past SQLite, which may have it open at the same time."""

    def __init__(self, path: Path) -> None:
        """Open the file; OSError, without waiting, for what is none."""
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a file")
        descriptor = _DESCRIPTORS.taken((found.st_dev, found.st_ino))
        if descriptor is None:
            descriptor = os.open(path, _FLAGS)
        self._descriptor = descriptor
        super().__init__(io.FileIO(descriptor, closefd=False))
        self.seek(0)

    def close(self) -> None:
        """Close the file; nothing if it is closed."""
        if not self.closed:
            super().close()
            _DESCRIPTORS.close(self._descriptor)


def _file_id(file: Path) -> _FileId | None:
    """Nothing if there is no such file."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
