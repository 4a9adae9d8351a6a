"""Derives the maximum number of connections from the system's limit on open files.

A connection that cannot be opened for lack of a descriptor says nothing about the server.
"""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

_WANTED: Final = (65_536, 10_240)
"""As many as the largest number of workers needs; macOS may grant no more than its OPEN_MAX."""
_UNKNOWN: Final = 64
"""Assumed number of open files where the system does not say."""

if sys.platform == "win32":

    def raise_limit() -> None:
        """Does nothing: connections are no files."""

    def room_for_connections() -> int:
        """How many connections can be in use at once."""
        return _WANTED[0]
else:
    import resource

    def raise_limit() -> None:
        """Have this process, and those it starts, open as many files as it may."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for wanted in _WANTED:
            allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            if soft == resource.RLIM_INFINITY or soft >= allowed:
                return
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
                return

    def room_for_connections() -> int:
        """How many connections can be in use at once.

        As many again are left for those that are idle or being closed, a second address that is
        tried beside a slow one, look-ups and files.
        """
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY:
            return _WANTED[0]
        return max(1, (soft - _open()) // 2)

    def _open() -> int:
        try:
            return sum(1 for _ in Path("/dev/fd").iterdir())
        except OSError:
            return _UNKNOWN
