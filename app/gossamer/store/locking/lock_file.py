"""A lock file that one process holds at a time, and that names its owner.

The system lets go of the lock when the process ends, however it ends, so a lock file that was left
behind holds nobody out: after a crash, a restart of the machine, or on a disk that came from
another one. Its text says who holds it. Where a file system knows no locks, as some network drives,
that text is all there is, and is judged by whether its process still runs.
"""

import errno
import os
import socket
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from gossamer.model.lock_owner import LockOwner

MAX_BYTES = 4096
_PROC = Path("/proc")
_STARTED = 19
"""Where /proc/PID/stat has the start of the process, counted after its name: proc_pid_stat(5)."""


def this_process() -> LockOwner:
    """What is to be said of us."""
    parent = os.getppid()
    return LockOwner(
        pid=os.getpid(),
        host=socket.gethostname(),
        since=time.time(),
        boot=_boot(),
        started=_started(os.getpid()),
        parent=parent,
        parent_started=_started(parent),
    )


def encode_holder(holder: LockOwner) -> bytes:
    """One line of JSON."""
    return msgspec.json.encode(holder) + b"\n"


def decode_holder(data: bytes) -> LockOwner | None:
    """What a lock file says; None if it is none of ours. The file may be a stranger's."""
    try:
        holder = msgspec.json.decode(data[:MAX_BYTES], type=LockOwner)
    except ValueError:
        return None
    return holder if holder.host.isprintable() else None


def is_gone(holder: LockOwner) -> bool:
    """Whether this process has surely ended. Of another machine's nothing is known here."""
    if not holder.pid or holder.host != socket.gethostname():
        return False
    if holder.boot and _boot() and holder.boot != _boot():
        return True
    if not _runs(holder.pid):
        return True
    started = _started(holder.pid)
    return bool(holder.started and started and holder.started != started)


def is_of_this_machine(holder: LockOwner) -> bool:
    """Whether this process is, or was, one of this machine, and of this start of it."""
    return holder.host == socket.gethostname() and holder.boot == _boot()


def remove_if_by_text(path: Path) -> None:
    """Remove the lock file of a process that has surely ended, on a drive that knows no locks."""
    with suppress(OSError):
        descriptor = _opened(path, os.O_RDWR | _SAFE)
        try:
            try_lock(descriptor, shared=True)
        except OSError as e:
            if e.errno in NO_LOCKS_HERE:
                _remove(path)
        finally:
            os.close(descriptor)


def is_orphaned(holder: LockOwner) -> bool:
    """Whether who started this process has surely ended: a crawl host ends soon after that."""
    parent = replace(holder, pid=holder.parent, started=holder.parent_started)
    return bool(holder.parent) and is_gone(parent)


def _runs(pid: int) -> bool:
    if sys.platform == "win32":  # where signal 0 is Ctrl+C, and locks are always kept
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    try:
        # The name, in parentheses, may hold spaces and parentheses.
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[_STARTED]
    except (OSError, IndexError):
        return ""


PRIVATE: Final = 0o600
_SAFE: Final = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
)
"""A pipe in the place of a lock file, from a stranger, is not waited for."""
_FLAGS: Final = os.O_RDWR | os.O_CREAT | _SAFE
_TRIES: Final = 10
_TRY_EVERY_S: Final = 0.02
"""Who only looks whether a file is locked locks it for a moment."""
NO_LOCKS_HERE: Final = frozenset(
    {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL}
)
"""What file systems say that know no locks."""

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


class NoLocksError(OSError):
    """The file system does not support locks."""


class LockFile:
    """A lock, held from construction until `close`; the system releases it if the process dies."""

    def __init__(self, path: Path, *, mode: int = PRIVATE, by_text: bool = True) -> None:
        """Lock the file at `path`, which is made with this mode if need be.

        BlockingIOError if another has it; on Windows, PermissionError. OSError if it cannot be.
        Without `by_text` NoLocksError where there are no locks.
        """
        self.path = path
        self._mode = mode
        self._by_text = by_text
        self._descriptor = self._acquired()

    def close(self) -> None:
        """Let go of the lock and remove its file. Does nothing the second time."""
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        if sys.platform == "win32":
            os.close(descriptor)  # an open file cannot be removed there
            _remove(self.path)
        else:
            _remove(self.path)
            os.close(descriptor)

    def _acquired(self) -> int:
        """The descriptor of the locked file that stands at the path now."""
        for _ in range(_TRIES - 1):
            with suppress(BlockingIOError):
                return self._locked()
            time.sleep(_TRY_EVERY_S)
        return self._locked()

    def _locked(self) -> int:
        while True:
            descriptor = _opened(self.path, _FLAGS, self._mode)
            try:
                try_lock(descriptor)
                if self._still_there(descriptor):
                    with suppress(OSError):  # on a full disk it is a lock all the same
                        os.ftruncate(descriptor, 0)
                        os.write(descriptor, encode_holder(this_process()))
                    return descriptor
            except OSError as e:
                os.close(descriptor)
                if e.errno not in NO_LOCKS_HERE:
                    raise
                if not self._by_text:
                    raise NoLocksError(e.errno, e.strerror) from e
                return self._made()
            os.close(descriptor)

    def _made(self) -> int:
        """Where there are no locks: the lock file of a process that still runs is the lock.

        Who replaces one that was left behind has a claim to that meanwhile: of two who find it,
        the second does not remove what the first has made.
        """
        claim = self.path.with_name(f"{self.path.name}-claim")
        if _was_left(claim):
            claim.unlink(missing_ok=True)
        try:
            os.close(self._created(claim))
            try:
                if not _was_left(self.path):
                    raise BlockingIOError(errno.EAGAIN, "held by its text")
                self.path.unlink(missing_ok=True)
                return self._created(self.path)
            finally:
                _remove(claim)
        except FileExistsError as e:
            raise BlockingIOError(errno.EAGAIN, "another was faster") from e

    def _still_there(self, descriptor: int) -> bool:
        """Whether the writer before us did not remove the file between our open and our lock."""
        try:
            return os.path.samestat(os.fstat(descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def _created(self, path: Path) -> int:
        """A new file, open, that says from its first moment on who made it; or FileExistsError."""
        draft = path.with_name(f"{path.name}-{os.urandom(4).hex()}")
        descriptor = self._written(draft)
        try:
            os.link(draft, path)
        except FileExistsError:
            os.close(descriptor)
            raise
        except OSError:  # a drive without links: who reads it this very moment finds it empty
            os.close(descriptor)
            return self._written(path)
        finally:
            _remove(draft)
        return descriptor

    def _written(self, path: Path) -> int:
        descriptor = os.open(path, _FLAGS | os.O_EXCL, self._mode)
        try:
            os.write(descriptor, encode_holder(this_process()))
        except OSError:
            os.close(descriptor)
            raise
        return descriptor


def open_lock_file(path: Path) -> int:
    """The descriptor of a lock file, which is made if need be; OSError for what is no file."""
    return _opened(path, _FLAGS)


def holder_in(path: Path) -> LockOwner | None:
    """Who has the lock file at `path` locked; None if nobody has."""
    try:
        descriptor = _opened(path, os.O_RDONLY | _SAFE)
    except OSError:
        return None
    try:
        holder = decode_holder(os.read(descriptor, MAX_BYTES))
        return _judged(descriptor, holder)
    except OSError:
        return LockOwner()
    finally:
        os.close(descriptor)


def remove_if_left(path: Path) -> None:
    """Remove the lock file at `path` if nobody holds it, and if the file system knows locks."""
    with suppress(OSError):
        descriptor = _opened(path, os.O_RDWR | _SAFE)
        try:
            try_lock(descriptor)
            # Who opened it before we locked it finds that it is not there any more.
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                _remove(path)
        finally:
            os.close(descriptor)


def _opened(path: Path, flags: int, mode: int = PRIVATE) -> int:
    """The descriptor of a file; OSError for what is none, which is neither read nor waited for."""
    with suppress(FileNotFoundError):
        _ensure_file(path.lstat())  # to open a device may do something already
    descriptor = os.open(path, flags, mode)
    try:
        _ensure_file(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _ensure_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotAFileError(errno.EINVAL, "not a file")


class NotAFileError(OSError):
    """The lock file's path is a folder, a link, a pipe, a socket or a device."""


def _judged(descriptor: int, holder: LockOwner | None) -> LockOwner | None:
    """Whether who wrote the text of a lock file has it locked; the holder then."""
    try:
        try_lock(descriptor, shared=True)
    except (BlockingIOError, PermissionError):
        return holder or LockOwner()
    except OSError:
        return None if holder is None or is_gone(holder) else holder
    return None


def _was_left(path: Path) -> bool:
    """Whether nobody who runs has written this file, if it is there at all."""
    try:
        descriptor = _opened(path, os.O_RDONLY | _SAFE)
    except FileNotFoundError:
        return True
    try:
        holder = decode_holder(os.read(descriptor, MAX_BYTES))
    finally:
        os.close(descriptor)
    return holder is None or is_gone(holder)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        # Another process has it open, or the folder became read-only. An unlocked file that
        # stays behind locks nobody out.
        return
