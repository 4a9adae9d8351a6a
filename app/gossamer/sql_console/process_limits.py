"""Limits of the query process, set by the system: for what SQLite's own limits may let pass."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.model.query_limits import QueryLimits
from gossamer.store.sql_console.query_connection import limit_memory

_BESIDE_BYTES: Final = 384 * 1024 * 1024
"""For Python: rows in transit, and the tables of views that are not SQL."""
_FILE_BYTES: Final = 4 * 1024**3
"""Of each temporary file, in which SQLite sorts what does not fit into memory."""
_BESIDE_S: Final = 5


def limit_process(limits: QueryLimits) -> None:
    """Limit this process to what a query may use: memory, processor time, disk space.

    Windows has no such limits, and macOS none for memory: there, SQLite's own apply.
    """
    limit_memory(limits)
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - Windows has none

    def lower(kind: int, most: int) -> None:
        with suppress(ValueError, OSError):  # a lower one is set already
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, _FILE_BYTES)
    lower(resource.RLIMIT_CPU, 2 * int(limits.time_s) + _BESIDE_S)  # of two threads
    with suppress(OSError):  # only Linux reports it
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        taken = pages * resource.getpagesize()
        lower(resource.RLIMIT_AS, taken + limits.memory_bytes + _BESIDE_BYTES)
