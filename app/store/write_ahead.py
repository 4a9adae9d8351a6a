"""The -wal file beside a project: large where there is room, small where there is little."""

import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 64 * 1024 * 1024
"""Pages that change with every commit are copied into the project less often than with SQLite's
own 4 MiB."""
LEAST_BYTES: Final = 1024 * 1024
_SHARE: Final = 8
"""Of what is free, one part in so many may be taken: what stands in the file is there twice, and
cannot go into the project once the disk is full."""
_PAGE_BYTES: Final = 4096


class WriteAhead:
    """How much of the disk a writer lets the -wal file take before it is merged."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Take the connection that writes the project file at `path`."""
        self._connection = connection
        self._folder = path.parent
        self._bound = 0
        self.fit()

    def fit(self) -> None:
        """Bound it by the room that there is now. For before each transaction: it costs little."""
        bound = bound_for(self._free_bytes())
        if bound != self._bound:
            self._bound = bound
            self._connection.execute(f"PRAGMA wal_autocheckpoint={bound // _PAGE_BYTES}")
            self._connection.execute(f"PRAGMA journal_size_limit={bound}")

    def _free_bytes(self) -> int | None:
        """None where the disk does not tell."""
        with suppress(OSError):
            usage = shutil.disk_usage(self._folder)
            if usage.total:
                return usage.free
        return None


def bound_for(free_bytes: int | None) -> int:
    """How large the file may grow: a power of two, so that it seldom changes."""
    if free_bytes is None:
        return MOST_BYTES
    share = max(free_bytes // _SHARE, LEAST_BYTES)
    return min(1 << (share.bit_length() - 1), MOST_BYTES)
