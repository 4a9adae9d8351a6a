"""One writer per project file: an advisory lock on a file next to it."""

import os
import sys
from pathlib import Path

from app.model.errors import ProjectError

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # Not fcntl.lockf: those locks end when any descriptor of the file is closed.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class WriterLock:
    """Held from when it is made until `close`; the system lets go of it if the process dies.

    The lock is on `FILE.lock`, not on the project file, which SQLite locks in its own way.
    """

    def __init__(self, path: Path) -> None:
        """Lock the project file at `path`; ProjectError if another process has it."""
        self._path = path.with_name(path.name + ".lock")
        try:
            self._descriptor = self._acquired()
        except BlockingIOError as e:
            raise _taken(path) from e
        except PermissionError as e:
            # Windows says the same for a lock that is taken and for a folder not to be written.
            if sys.platform == "win32" and self._path.exists():
                raise _taken(path) from e
            raise _not_writable(path) from e
        except OSError as e:
            raise _not_writable(path) from e

    def close(self) -> None:
        """Let go of the lock and remove its file. Does nothing the second time."""
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        if sys.platform == "win32":
            os.close(descriptor)  # an open file cannot be removed there
            _remove(self._path)
        else:
            _remove(self._path)
            os.close(descriptor)

    def _acquired(self) -> int:
        """The descriptor of the locked file that stands at the path now."""
        while True:
            descriptor = os.open(self._path, _FLAGS, 0o644)
            try:
                _lock(descriptor)
                if self._still_there(descriptor):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def _still_there(self, descriptor: int) -> bool:
        """Whether the writer before us did not remove the file between our open and our lock."""
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        # Another process has it open, or the folder became read-only. An unlocked file that
        # stays behind locks nobody out.
        return


def _taken(path: Path) -> ProjectError:
    return ProjectError(f"{path} is being crawled by another Gossamer; stop that crawl first.")


def _not_writable(path: Path) -> ProjectError:
    return ProjectError(f"The folder of {path} cannot be written; check its permissions.")
