"""One writer per project file: an advisory lock on a file next to it.

The system lets go of the lock when the process ends, however it ends, so a lock file that was left
behind holds nobody out: after a crash, a restart of the machine, or on a disk that came from
another one. Its text says who holds it. Where a file system knows no locks, as some network drives,
that text is all there is, and is judged by whether its process still runs.
"""

import errno
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import DiskError, ProjectError
from gossamer.model.holder import Holder
from gossamer.store.holder import MAX_BYTES, decode_holder, encode_holder, is_gone, this_process

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FLAGS = os.O_RDWR | os.O_CREAT | _NO_FOLLOW
_TRIES = 10
_TRY_EVERY_S = 0.02
"""Who only looks whether a file is locked locks it for a moment."""
_NO_LOCKS_HERE: Final = frozenset(
    {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
)

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30
    """Others cannot read the byte that is locked: it lies behind the text."""

    def try_lock(descriptor: int, *, shared: bool = False) -> None:
        """Lock an open file; PermissionError if another has it locked, OSError if that fails."""
        del shared  # there is one kind only
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def try_lock(descriptor: int, *, shared: bool = False) -> None:
        """Lock an open file; BlockingIOError if another has it locked, OSError if that fails."""
        # Not fcntl.lockf: those locks end when any descriptor of the file is closed.
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def lock_path(project: Path) -> Path:
    """The file that is locked: not the project file, which SQLite locks in its own way."""
    return project.with_name(project.name + ".lock")


class WriterLock:
    """Held from when it is made until `close`; the system lets go of it if the process dies."""

    def __init__(self, path: Path) -> None:
        """Lock the project file at `path`; ProjectError that says who has it if another has."""
        self._path = lock_path(path)
        try:
            self._descriptor = self._acquired()
        except BlockingIOError as e:
            raise taken(path, holder_of(path) or Holder()) from e
        except PermissionError as e:
            # Windows says the same for a lock that is taken and for a folder not to be written.
            if sys.platform == "win32" and self._path.exists():
                raise taken(path, holder_of(path) or Holder()) from e
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
        """The descriptor of the locked file that stands at the path now.

        BlockingIOError, or PermissionError on Windows, if another has it.
        """
        for _ in range(_TRIES - 1):
            with suppress(BlockingIOError):
                return self._locked()
            time.sleep(_TRY_EVERY_S)
        return self._locked()

    def _locked(self) -> int:
        while True:
            descriptor = os.open(self._path, _FLAGS, 0o644)
            try:
                try_lock(descriptor)
                if self._still_there(descriptor):
                    with suppress(OSError):  # on a full disk it is a lock all the same
                        os.ftruncate(descriptor, 0)
                        os.write(descriptor, encode_holder(this_process()))
                    return descriptor
            except OSError as e:
                os.close(descriptor)
                if e.errno in _NO_LOCKS_HERE:
                    return self._made()
                raise
            os.close(descriptor)

    def _made(self) -> int:
        """Where there are no locks: the lock file of a process that still runs is the lock.

        Who replaces one that was left behind has a claim to that meanwhile: of two who find it,
        the second does not remove what the first has made.
        """
        claim = self._path.with_name(f"{self._path.name}-claim")
        if _was_left(claim):
            claim.unlink(missing_ok=True)
        try:
            os.close(_created(claim))
            try:
                if not _was_left(self._path):
                    raise BlockingIOError(errno.EAGAIN, "held by its text")
                self._path.unlink(missing_ok=True)
                return _created(self._path)
            finally:
                _remove(claim)
        except FileExistsError as e:
            raise BlockingIOError(errno.EAGAIN, "another was faster") from e

    def _still_there(self, descriptor: int) -> bool:
        """Whether the writer before us did not remove the file between our open and our lock."""
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def _was_left(path: Path) -> bool:
    """Whether nobody who runs has written this file, if it is there at all."""
    try:
        holder = decode_holder(path.read_bytes())
    except FileNotFoundError:
        return True
    return holder is None or is_gone(holder)


def _created(path: Path) -> int:
    """A new file, open, that says from its first moment on who made it; or FileExistsError."""
    draft = path.with_name(f"{path.name}-{os.urandom(4).hex()}")
    descriptor = _written(draft)
    try:
        os.link(draft, path)
    except FileExistsError:
        os.close(descriptor)
        raise
    except OSError:  # a drive without links: who reads it this very moment finds it empty
        os.close(descriptor)
        return _written(path)
    finally:
        _remove(draft)
    return descriptor


def _written(path: Path) -> int:
    descriptor = os.open(path, _FLAGS | os.O_EXCL, 0o644)
    try:
        os.write(descriptor, encode_holder(this_process()))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def holder_of(path: Path) -> Holder | None:
    """Who has the project at `path` open for writing; None if nobody has."""
    try:
        descriptor = os.open(lock_path(path), os.O_RDONLY | _NO_FOLLOW)
    except OSError:
        return None
    try:
        holder = decode_holder(os.read(descriptor, MAX_BYTES))
        return _judged(descriptor, holder)
    except OSError:
        return Holder()
    finally:
        os.close(descriptor)


def _judged(descriptor: int, holder: Holder | None) -> Holder | None:
    """Whether who wrote the text of a lock file has it locked; the holder then."""
    try:
        try_lock(descriptor, shared=True)
    except (BlockingIOError, PermissionError):
        return holder or Holder()
    except OSError:
        return None if holder is None or is_gone(holder) else holder
    return None


def taken(path: Path, holder: Holder) -> ProjectError:
    """The error that says who has the project."""
    if holder.host and holder.host != socket.gethostname():
        return ProjectError(
            "{path} is being crawled by another Gossamer ({holder}); stop that crawl first."
            " If it has ended, delete {lock}.",
            path=path,
            holder=holder.said,
            lock=lock_path(path),
        )
    return ProjectError(
        "{path} is being crawled by another Gossamer ({holder}); stop that crawl first.",
        path=path,
        holder=holder.said,
    )


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        # Another process has it open, or the folder became read-only. An unlocked file that
        # stays behind locks nobody out.
        return


def _not_writable(path: Path) -> DiskError:
    return DiskError("The folder of {path} cannot be written; check its permissions.", path=path)
