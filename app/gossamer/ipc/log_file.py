"""A size-limited, rotated log file that several processes append to."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

from gossamer.model.lazy_pattern import lazy_pattern

MAX_BYTES: Final = 1_000_000
KEPT: Final = 3
"""Files of that size: the present one and those before it."""
MOST_LOGS: Final = 200
"""Files in the folder of logs."""
_OF_A_PROJECT: Final = lazy_pattern(r"-[0-9a-f]{8}\.log(\.[0-9])?$")


def opened_log(log: Path) -> int:
    """The descriptor of the log, to append to it; made, for its owner alone, if need be."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    return os.open(log, flags | getattr(os, "O_CLOEXEC", 0), 0o600)


def tidy(folder: Path) -> None:
    """Remove logs from a folder of ours, the oldest first, that are more than are kept."""
    with suppress(OSError), os.scandir(folder) as entries:
        logs = sorted(
            (entry.stat(follow_symlinks=False).st_mtime, entry.path)
            for entry in entries
            if _OF_A_PROJECT.search(entry.name)
        )
        for _, path in logs[:-MOST_LOGS]:
            Path(path).unlink(missing_ok=True)


def kept_logs(log: Path) -> list[Path]:
    """The log and those that were put aside, the newest first; not all need be there."""
    return [log, *(log.with_name(f"{log.name}.{number}") for number in range(1, KEPT))]


def rotate(log: Path) -> None:
    """Put the log aside if it is full, and the oldest away. Where that fails, it goes on.

    On Windows it fails as long as a process has the log open.
    """
    with suppress(OSError), _alone(log):
        if log.stat().st_size < MAX_BYTES:
            return
        files = kept_logs(log)
        for newer, older in reversed(list(pairwise(files))):
            with suppress(FileNotFoundError):
                newer.replace(older)


if sys.platform == "win32":

    @contextmanager
    def _alone(_log: Path) -> Iterator[None]:
        """Nothing to do: no file can be put aside that another process has open."""
        yield
else:
    import fcntl

    @contextmanager
    def _alone(log: Path) -> Iterator[None]:
        """Within it no other process puts this file aside; OSError where one just has."""
        descriptor = os.open(log, os.O_WRONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if not same_file(descriptor, log):
                raise FileNotFoundError(log)
            yield
        finally:
            os.close(descriptor)


def same_file(descriptor: int, log: Path) -> bool:
    """Whether `log` is the file that is open; False when another process has put it aside."""
    try:
        return os.path.samestat(os.fstat(descriptor), log.stat())
    except OSError:
        return False
