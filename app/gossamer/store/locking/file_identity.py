"""Identifies the file behind a path, so that one project is never opened under two names.

SQLite finds the -wal file of a database by name. So two names of one file are two logs of one
database, and whoever writes through the second destroys what the first has written.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from gossamer.model.errors import ProjectError

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What the names of the files that SQLite keeps beside a project end with."""
_MOUNTS: Final = Path("/proc/self/mountinfo")
_MOUNTED_AT: Final = 4
"""Which field of a line there has the path: proc_pid_mountinfo(5)."""


def file_of(path: Path) -> Path:
    """The path of the file itself, where symbolic links, `..` and the like lead."""
    return Path(os.path.realpath(path))


def ensure_own_files(path: Path) -> None:
    """Raise ProjectError if what SQLite would open beside the file at `path` is no file.

    A link there, in a folder from a stranger, may lead to any file of the user; a pipe may keep
    who opens it waiting for ever.
    """
    file = file_of(path)
    for end in BESIDE:
        beside = file.with_name(file.name + end)
        with suppress(OSError):
            mode = beside.lstat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # which nothing can open as a file
                raise ProjectError(
                    "{path} cannot be used: {beside} next to it is not a file; delete that.",
                    path=path,
                    beside=beside,
                )


def is_file_itself(path: Path) -> bool:
    """Whether a regular file is at `path`, rather than a symbolic link to one, or a pipe.

    What a folder from a stranger has in place of a file must not be opened, for the same reasons.
    """
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except (OSError, ValueError):  # ValueError: the name has a null byte
        return False


class NoRegularFileError(OSError):
    """At a path where a file of ours should be, there is a link, a pipe or the like."""


def open_file_itself(path: Path) -> BinaryIO:
    """Open the regular file at `path` for reading; NoRegularFileError for anything else there.

    Nothing waits for a pipe, and no link is followed: see `is_file_itself`.
    """
    status = path.lstat()  # FileNotFoundError
    if not stat.S_ISREG(status.st_mode):
        raise NoRegularFileError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
    return path.open("rb")


def ensure_one_name(path: Path) -> None:
    """Raise ProjectError if the file at `path` has another name too; nothing if there is none."""
    with suppress(OSError):
        if path.stat().st_nlink > 1:
            raise ProjectError(
                "{path} has several hard links, so it can only be read: delete the other links, "
                "or use a copy.",
                path=path,
            )
    if str(file_of(path)) in _mounted():
        raise ProjectError(
            "{path} is mounted as a single file, so it can only be read: mount its folder instead.",
            path=path,
        )


def _mounted() -> frozenset[str]:
    """The paths at which something is mounted, files among them. Only Linux tells."""
    if sys.platform != "linux":
        return frozenset()
    try:
        lines = os.fsdecode(_MOUNTS.read_bytes()).splitlines()
    except OSError:
        return frozenset()
    return frozenset(_unescaped(line.split(" ")[_MOUNTED_AT]) for line in lines)


def _unescaped(field: str) -> str:
    """A path as it is: there, white space and backslashes are octal numbers."""
    for octal, letter in (("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")):
        field = field.replace(f"\\{octal}", letter)
    return field
