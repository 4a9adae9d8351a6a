"""Writes files atomically: in a staging folder first, then renamed into place.

Beside the place of a new file a hidden folder is made for it: nobody else has its name, nobody but
its owner sees into it, and what is in it is renamed in one step when it is on the disk. Whatever
interrupts that, a kill or a power cut, the place has the old file or the whole new one. A folder
whose process was killed is removed by the next that is made beside it.

Files and folders that we make are for their owner alone, from their first moment on: they hold
addresses and headers of private sites. Windows does not know these modes; there, the folders of a
user are closed to others as they are.
"""

import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.folder_replacement import exchange, has_only, keep_modes
from gossamer.store.locking.file_identity import file_of
from gossamer.store.locking.lock_file import PRIVATE, LockFile, holder_in

_NAME: Final = re.compile(r"\.gossamer-[0-9a-f]{16}\.part")
_LOCK: Final = "lock"
_PRIVATE_FOLDER: Final = 0o700
_TRIES: Final = 5
_LEFT_AFTER_S: Final = 3600.0
"""A folder without a lock file is about to get one, or to go; after that time it does neither."""


class StagingFolder(ClosedOnExit):
    """A hidden folder in `folder` for files that are not complete. A context manager.

    Leaving the context removes it with all that was not put in place.
    """

    def __init__(self, folder: Path) -> None:
        """Make it; OSError if that cannot be. Removes those of processes that were killed."""
        sweep(folder)
        self.path, self._lock = _made_and_locked(folder)

    def close(self) -> None:
        """Remove it. Does nothing the second time."""
        self._lock.close()
        _remove(self.path)

    def new(self, name: str) -> Path:
        """The path of a new empty file in it, which nobody else may read."""
        path = self.path / name
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        return path

    def put(self, part: Path, target: Path, *, replace: bool) -> None:
        """Give a file of this folder, once it is on the disk, its place and name in one step.

        With `replace` it takes the place, and the mode, of a file that is there; where a symbolic
        link is there, of the one that it leads to. Otherwise FileExistsError, also where somebody
        makes one at this very moment. OSError if it cannot be.
        """
        if replace:
            target = file_of(target)
            with suppress(FileNotFoundError):
                part.chmod(stat.S_IMODE(target.stat().st_mode))
        _flush(part, os.O_RDWR)
        if replace:
            part.replace(target)
        else:
            _rename_to_new(part, target)
        if sys.platform != "win32":  # which opens no folders, and writes their journal itself
            with suppress(OSError):
                _flush(target.parent, os.O_RDONLY)

    def put_folder(self, parts: Sequence[tuple[Path, str]], target: Path) -> None:
        """Make files of this folder, each with its name, a new folder `target` in one step.

        OSError if it cannot be, or if there is one.
        """
        self._gathered(parts).rename(target)

    def put_tree(self, made: Path, target: Path) -> None:
        """Give a folder of this one, with folders in it, the name of a new one in one step.

        All files in it are on the disk then. OSError if it cannot be, or if there is one.
        """
        for folder, _, names in os.walk(made):
            for name in names:
                _flush(Path(folder) / name, os.O_RDWR)
            if sys.platform != "win32":
                _flush(Path(folder), os.O_RDONLY)
        made.rename(target)

    def replace_folder(
        self, parts: Sequence[tuple[Path, str]], target: Path, earlier: Collection[str]
    ) -> bool:
        """Have files of this folder, each with its name, take the place of all in `target`.

        That is one step. False, with nothing changed, where there is more than files with these
        and `earlier` names, or the system cannot do it; what somebody puts there at this very
        moment stays. OSError.
        """
        known = {*earlier, *(name for _, name in parts)}
        if not has_only(target, known):
            return False
        made = self._gathered(parts)
        keep_modes(target, made)
        if not exchange(made, target):
            for part, name in parts:
                (made / name).rename(part)
            made.rmdir()
            return False
        for file in made.iterdir():
            if file.name not in known:
                file.rename(target / file.name)
        _flush(target.parent, os.O_RDONLY)
        return True

    def _gathered(self, parts: Sequence[tuple[Path, str]]) -> Path:
        """A new folder in this one with these files, once they are on the disk."""
        made = self.path / "folder"
        made.mkdir(mode=_PRIVATE_FOLDER)
        for part, name in parts:
            _flush(part, os.O_RDWR)
            part.rename(made / name)
        if sys.platform != "win32":
            _flush(made, os.O_RDONLY)
        return made


def write_aside(path: Path, data: bytes, *, replace: bool) -> None:
    """Write a file in one step; FileExistsError, OSError. See `StagingFolder.put`."""
    with StagingFolder(file_of(path).parent if replace else path.parent) as aside:
        part = aside.new(path.name)
        part.write_bytes(data)
        aside.put(part, path, replace=replace)


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    folder.mkdir(exist_ok=True)  # FileExistsError where a file stands there


@contextmanager
def errors_naming_target(part: Path, target: Path) -> Iterator[None]:
    """Errors about `part`, a file that is made aside, name `target`, the file that it becomes."""
    try:
        yield
    except KnownError as e:
        values = {
            name: str(target) if value == str(part) else value
            for name, value in e.said.values.items()
        }
        raise type(e)(Translatable(e.said.template, values)) from e


def _made_and_locked(folder: Path) -> tuple[Path, LockFile]:
    """A new folder: another one, if somebody sweeps before it is locked, who takes it for left."""
    for tries_left in reversed(range(_TRIES)):
        path = folder / f".gossamer-{os.urandom(8).hex()}.part"
        path.mkdir(mode=_PRIVATE_FOLDER)
        try:
            return path, LockFile(path / _LOCK)
        except BaseException as e:
            _remove(path)
            if not tries_left or not isinstance(e, FileNotFoundError):
                raise
    raise AssertionError


def sweep(folder: Path) -> None:
    """Remove what processes that were killed have left aside in a folder.

    That may be a second name of a file that had just been put in its place.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and _is_left(entry):
                _remove_left(Path(entry.path))


def is_made_aside(path: Path) -> bool:
    """Whether a file is in a folder for what is not complete."""
    return _NAME.fullmatch(path.parent.name) is not None


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether the process that made this folder has ended before it could remove it."""
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if not stat.S_ISDIR(status.st_mode) or not _is_ours(status):
            return False
        lock = Path(entry.path) / _LOCK
        if os.path.lexists(lock):
            return holder_in(lock) is None
        return status.st_mtime < time.time() - _LEFT_AFTER_S
    return False


def _remove_left(folder: Path) -> None:
    """Remove a folder that was left, unless whoever is just making it locks it first."""
    lock = folder / _LOCK
    if os.path.lexists(lock):
        with suppress(OSError), closing(LockFile(lock)):
            _remove(folder)
    else:
        _remove(folder)


def _is_ours(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def _rename_to_new(part: Path, target: Path) -> None:
    """Rename a file; FileExistsError, with nothing changed, if there is one of the new name."""
    if sys.platform == "win32":  # where this replaces nothing
        part.rename(target)
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # FAT and some network drives have no links, and nothing else that is as sure
        if os.path.lexists(target):
            raise FileExistsError(target) from None
        part.rename(target)
    else:
        part.unlink()


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
