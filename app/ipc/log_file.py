"""A log that several of our processes append to, bounded in size."""

import os
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 1_000_000
KEPT: Final = 3
"""Files of that size: the present one and those before it."""


def kept_logs(log: Path) -> list[Path]:
    """The log and those that were put aside, the newest first; not all need be there."""
    return [log, *(log.with_name(f"{log.name}.{number}") for number in range(1, KEPT))]


def rotate(log: Path) -> None:
    """Put the log aside if it is full, and the oldest away. Where that fails, it goes on.

    On Windows it fails as long as a process has the log open.
    """
    with suppress(OSError):
        if log.stat().st_size < MAX_BYTES:
            return
        files = kept_logs(log)
        for newer, older in reversed(list(pairwise(files))):
            with suppress(FileNotFoundError):
                newer.replace(older)


def same_file(descriptor: int, log: Path) -> bool:
    """Whether `log` is the file that is open; False when another process has put it aside."""
    try:
        return os.path.samestat(os.fstat(descriptor), log.stat())
    except OSError:
        return False
