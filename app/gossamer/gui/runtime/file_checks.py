"""Checks what is at a path that a user, a project or an earlier session has named.

Before Python 3.14, the methods of `Path` raise for paths that are too long, in folders that may not
be read, and on file systems that went away. Here there is nothing at such a path. One on a network
may take a while.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def is_file(path: Path) -> bool:
    """Whether there is a file."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_folder(path: Path) -> bool:
    """Whether there is a folder."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_filled(path: Path) -> bool:
    """Whether there is a folder with something in it that can be seen."""
    with suppress(OSError, ValueError), os.scandir(path) as entries:
        return next(entries, None) is not None
    return False


def is_same_file(path: Path, other: Path) -> bool:
    """Whether both are the same file: by another path, too, if it is there."""
    with suppress(OSError, ValueError):
        return path == other or path.samefile(other)
    return False


def existing(paths: Iterable[Path]) -> set[Path]:
    """Those of `paths` at which there is something."""
    return {path for path in paths if os.path.exists(path)}  # noqa: PTH110 - see above
