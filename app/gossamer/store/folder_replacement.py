"""Replaces a folder as a whole by another, atomically where the system can."""

import os
import stat
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_HERE: Final = -100
"""AT_FDCWD of Linux: paths are relative to the current folder."""
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE of Linux (renameat2(2)) and RENAME_SWAP of macOS (renamex_np(2))."""


@cache
def _system_exchange() -> Callable[[bytes, bytes], int] | None:
    """The system's call, which gives 0 if it worked; None if it has none, as Windows."""
    if sys.platform == "win32":
        return None
    import ctypes  # noqa: PLC0415 - most starts do without

    library = ctypes.CDLL(None)
    name = "renamex_np" if sys.platform == "darwin" else "renameat2"
    call = getattr(library, name, None)
    if call is None:
        return None
    if sys.platform == "darwin":
        return lambda one, other: int(call(one, other, _EXCHANGE))
    return lambda one, other: int(call(_HERE, one, _HERE, other, _EXCHANGE))


def exchange(one: Path, other: Path) -> bool:
    """Give each of two folders the name of the other in one step.

    False, with nothing changed, where the system or the drive cannot do that.
    """
    call = _system_exchange()
    return call is not None and call(os.fsencode(one), os.fsencode(other)) == 0


def can_be_exchanged(folder: Path) -> bool:
    """Whether a folder, by its real path, may be replaced by another beside it.

    Not one that is another disk or somebody else's, that has permissions that a new one would not
    get, or that a program works in: this one, or the shell that started it.
    """
    if _system_exchange() is None:
        return False
    with suppress(OSError):
        own, above = folder.stat(), folder.parent.stat()
        is_ours = (own.st_uid, own.st_gid) == (os.geteuid(), os.getegid())
        is_plain = not (own.st_mode & stat.S_ISGID or _extended_attributes(folder))
        is_here = Path.cwd().resolve().is_relative_to(folder)
        is_same_disk = own.st_dev == above.st_dev and not folder.is_mount()
        return (
            is_ours
            and is_plain
            and is_same_disk
            and not is_here
            and os.access(folder.parent, os.W_OK | os.X_OK)
        )
    return False


def has_only(folder: Path, names: Collection[str]) -> bool:
    """Whether all that is in a folder are files with these names; OSError."""
    with os.scandir(folder) as entries:
        return all(each.name in names and each.is_file(follow_symlinks=False) for each in entries)


def keep_modes(old: Path, new: Path) -> None:
    """Give a folder and the files in it the modes of another, and of those that are there."""
    new.chmod(stat.S_IMODE(old.stat().st_mode))
    for file in new.iterdir():
        with suppress(FileNotFoundError):
            file.chmod(stat.S_IMODE((old / file.name).stat().st_mode))


def _extended_attributes(folder: Path) -> Collection[str]:
    """Such as an access control list."""
    return os.listxattr(folder) if sys.platform == "linux" else ()
