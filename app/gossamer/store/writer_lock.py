"""The lock that gives a project one writer, by whatever path it is opened.

Two locks make sure of that. One is on a file beside the project, where other users and machines
find it. The other has the number that the system gives the project file, and is kept among the
user's own files: it holds when the project is renamed or moved while it is crawled.
"""

import os
import socket
import sqlite3
import stat
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from gossamer.model.errors import DiskError, ProjectError
from gossamer.model.lock_owner import LockOwner
from gossamer.store.atomic_files import make_private, sweep
from gossamer.store.database import check_header, open_for_writing
from gossamer.store.locking.file_identity import ensure_one_name, file_of
from gossamer.store.locking.lease import Lease, foreign_holder, lease_path, outwait
from gossamer.store.locking.lock_file import (
    PRIVATE,
    LockFile,
    NotAFileError,
    holder_in,
    remove_if_by_text,
    remove_if_left,
)

_END: Final = ".lock"
_READ_AND_WRITE: Final = 0o666
_MOST_LEFT: Final = 200
"""So many lock files that others left behind are looked at each time."""
_LEFT_AFTER_S: Final = 3600.0


def lock_path(project: Path) -> Path:
    """The file that is locked: not the project file, which SQLite locks in its own way."""
    file = file_of(project)
    return file.with_name(file.name + _END)


class WriterLock:
    """A lock, held from construction until `close`; the system releases it if the process dies.

    A shard has a lease besides, as it may lie on a drive whose locks do not reach other machines.
    """

    def __init__(self, path: Path, on_lost: Callable[[], None] = lambda: None) -> None:
        """Lock the project file at `path`, or the place of one.

        ProjectError that says who has it if another has, or that the file has several names. Where
        another machine had a shard, it takes as long as its lease is valid. `on_lost` is called, in
        a thread, when a lease cannot be held: then nothing more may be written.
        """
        beside = lock_path(path)
        self._lease: Lease | None = None
        with ExitStack() as held:
            try:
                _outwait(path)
                held.callback(LockFile(beside, mode=_mode_for(path)).close)
                by_number = _by_number(path)
                if by_number is not None:
                    held.callback(by_number.close)
                if is_leased(path):
                    self._lease = Lease(file_of(path), on_lost)
                    held.callback(self._lease.close)
            except BlockingIOError as e:
                raise taken(path, holder_of(path) or LockOwner()) from e
            except PermissionError as e:
                # Windows says the same for a lock that is taken and for a folder not to be written.
                if sys.platform == "win32" and beside.exists():
                    raise taken(path, holder_of(path) or LockOwner()) from e
                raise _not_writable(path) from e
            except NotAFileError as e:
                raise ProjectError(
                    "{path} cannot be used: {beside} next to it is not a file; delete that.",
                    path=path,
                    beside=beside,
                ) from e
            except OSError as e:
                raise _not_writable(path) from e
            sweep(beside.parent)
            ensure_one_name(path)
            self._held = held.pop_all()

    @property
    def is_lost(self) -> bool:
        """Whether another machine may write the file by now."""
        return self._lease is not None and self._lease.is_lost

    def ensure_held(self) -> None:
        """Raise LeaseLostError if another machine may write the file by now."""
        if self._lease is not None:
            self._lease.ensure_held()

    def close(self) -> None:
        """Let go of the lock. Does nothing the second time."""
        self._held.close()


def is_leased(path: Path) -> bool:
    """Whether who writes the project at `path` needs a lease: it is a shard."""
    return lease_path(file_of(path)).exists()


def _outwait(path: Path) -> None:
    """Return when no other machine has the shard at `path`; ProjectError if one goes on."""
    file = file_of(path)
    holder = foreign_holder(file)
    if holder is None:
        return
    if not outwait(file):
        raise taken(path, foreign_holder(file) or holder)
    remove_if_by_text(lock_path(path))


def holder_of(path: Path) -> LockOwner | None:
    """Who has the project at `path` open for writing; None if nobody has."""
    holder = holder_in(lock_path(path))
    if holder is None and (numbered := _numbered(path)) is not None:
        holder = holder_in(numbered)
    return holder


def taken(path: Path, holder: LockOwner) -> ProjectError:
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


def open_beside_writer(path: Path) -> sqlite3.Connection:
    """A connection to write a project with that another process may be crawling.

    For tables alone of which no writer keeps anything in memory, and short transactions: SQLite
    has writers wait for each other. ProjectError where another machine writes the project.
    """
    check_header(path)
    file = file_of(path)  # a link may be led elsewhere meanwhile
    owner = holder_of(path)
    if owner is not None and owner.host not in {"", socket.gethostname()}:
        raise taken(path, owner)  # the index of the -wal file is in one machine's memory
    return open_for_writing(file)


def _mode_for(project: Path) -> int:
    """Who may write the project may lock it."""
    try:
        return PRIVATE | stat.S_IMODE(project.stat().st_mode) & _READ_AND_WRITE
    except OSError:
        return PRIVATE


def _by_number(path: Path) -> LockFile | None:
    """The lock on the file itself; None where there can be none. BlockingIOError if it is taken."""
    numbered = _numbered(path)
    if numbered is None:
        return None
    with suppress(OSError):
        make_private(numbered.parent)
        _tidy(numbered.parent)
    try:
        return LockFile(numbered, by_text=False)
    except BlockingIOError:
        raise
    except OSError as e:
        if sys.platform == "win32" and isinstance(e, PermissionError):  # as it says of a lock
            raise
        return None


def _tidy(folder: Path) -> None:
    """Remove lock files of processes that were killed, some at a time."""
    with os.scandir(folder) as entries:
        some = [entry for entry, _ in zip(entries, range(_MOST_LEFT), strict=False)]
    for entry in some:
        if entry.stat(follow_symlinks=False).st_mtime < time.time() - _LEFT_AFTER_S:
            remove_if_left(Path(entry.path))


def _numbered(path: Path) -> Path | None:
    """The lock file for the number of the file at `path`; None if it has none."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not status.st_ino:
        return None
    # Several machines may share the folders of a user.
    number = f"{socket.gethostname()} {status.st_dev} {status.st_ino}"
    name = blake2b(number.encode(), digest_size=12).hexdigest()
    return user_data_path("gossamer", appauthor=False) / "locks" / f"{name}{_END}"


def _not_writable(path: Path) -> DiskError:
    return DiskError("The folder of {path} is not writable; check its permissions.", path=path)
