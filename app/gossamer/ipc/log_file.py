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
"""Files of that size: the current one and those before it."""
MOST_LOGS: Final = 200
"""Files in the folder of logs."""
_OF_A_PROJECT: Final = lazy_pattern(r"-[0-9a-f]{8}\.log(\.[0-9])?$")


def opened_log(log: Path) -> int:
    """The descriptor of the log, to append to it; created, for its owner alone, if necessary."""
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
    """The log and the rotated ones, the newest first; not all need exist."""
    return [log, *(log.with_name(f"{log.name}.{number}") for number in range(1, KEPT))]


def rotate(log: Path) -> None:
    """Rotate the log if it is full, and remove the oldest. If that fails, it continues to grow.

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
        """Nothing to do: a file that another process has open cannot be rotated."""
        yield
else:
    import fcntl

    @contextmanager
    def _alone(log: Path) -> Iterator[None]:
        """Within it no other process rotates this file; OSError if one just has."""
        descriptor = os.open(log, os.O_WRONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if not same_file(descriptor, log):
                raise FileNotFoundError(log)
            yield
        finally:
            os.close(descriptor)


def same_file(descriptor: int, log: Path) -> bool:
    """Whether `log` is the open file; False when another process has rotated it."""
    try:
        return os.path.samestat(os.fstat(descriptor), log.stat())
    except OSError:
        return False
