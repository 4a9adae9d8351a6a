"""Limits the size of the project's -wal file by the free disk space."""

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 64 * 1024 * 1024
"""Pages that change with every commit are copied into the project less often than with SQLite's
own 4 MiB."""
USUAL_BYTES: Final = 8 * 1024 * 1024
"""What the file has at the end of a crawl is merged when nothing else is to be done, and the user
waits: in a small project it is little. The larger a project, the more of its pages change between
two merges, each of which waits for the disk."""
LEAST_BYTES: Final = 1024 * 1024
_SHARE: Final = 8
"""Of what is free, one part in so many may be taken: what stands in the file is there twice, and
cannot go into the project once the disk is full."""
_SHARE_OF_PROJECT: Final = 4
_PAGE_BYTES: Final = 4096
_MERGED_AT: Final = 0.5
"""Of the bound: the transaction that comes upon it has still to find room."""


class WalSize:
    """Determines how large the -wal file may grow before it is merged."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Take the connection that writes the project file at `path`."""
        self._connection = connection
        self._path = path
        self._bound = 0
        self.fit()

    def fit(self) -> None:
        """Bound it by the room that there is now. For before each transaction: it costs little."""
        bound = bound_for(self._free_bytes(), self._project_bytes())
        if bound != self._bound:
            self._bound = bound
            self._connection.execute(
                f"PRAGMA wal_autocheckpoint={int(_MERGED_AT * bound) // _PAGE_BYTES}"
            )
            self._connection.execute(f"PRAGMA journal_size_limit={bound}")

    def _free_bytes(self) -> int | None:
        """None where the disk does not tell."""
        with suppress(OSError):
            usage = shutil.disk_usage(self._path.parent)
            if usage.total:
                return usage.free
        return None

    def _project_bytes(self) -> int:
        with suppress(OSError):
            return self._path.stat().st_size
        return 0


def bound_for(free_bytes: int | None, project_bytes: int) -> int:
    """How large the file may grow: a power of two, so that it seldom changes."""
    usual = max(project_bytes // _SHARE_OF_PROJECT, USUAL_BYTES)
    most = min(_power_of_two(usual), MOST_BYTES)
    if free_bytes is None:
        return most
    return min(_power_of_two(max(free_bytes // _SHARE, LEAST_BYTES)), most)


def _power_of_two(number: int) -> int:
    """The largest that is no more than `number`."""
    return 1 << (number.bit_length() - 1)
