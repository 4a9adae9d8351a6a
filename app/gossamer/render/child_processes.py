"""What the processes of a browser do, where the system tells: on Linux."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_NETWORK: Final = b"network.mojom.NetworkService"
_RESIDENT: Final = 1
"""Its place in `/proc/PID/statm`."""


def processes_below(pid: int) -> Iterator[int]:
    """The processes that any thread of a process has started, and theirs."""
    for path in (_PROC / f"{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, path.read_text().split()):
                yield child
                yield from processes_below(child)


def network_service(pid: int) -> int:
    """The process of a browser that makes requests; 0 if there is none, or that is unknown."""
    for each in processes_below(pid):
        with suppress(OSError):
            if _NETWORK in (_PROC / f"{each}/cmdline").read_bytes():
                return each
    return 0


def resident_bytes(pid: int) -> int:
    """The memory that a process has in use, with what it shares; 0 if that is unknown."""
    with suppress(OSError, IndexError):
        return int((_PROC / f"{pid}/statm").read_text().split()[_RESIDENT]) * _PAGE_BYTES
    return 0


def proportional_bytes(pid: int) -> int:
    """The memory of a process and of all below it, what is shared counted once; 0 if unknown.

    It takes a millisecond or so for each process.
    """
    return sum(map(_proportional_bytes, [pid, *processes_below(pid)]))


def _proportional_bytes(pid: int) -> int:
    with suppress(OSError):
        for line in (_PROC / f"{pid}/smaps_rollup").read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "Pss":
                return int(value.split()[0]) * 1024
    return 0


def kill_larger(pid: int, limit_bytes: int) -> None:
    """Kill the processes below one that take more than this: tabs, whose pages then crash."""
    for each in processes_below(pid):
        if resident_bytes(each) > limit_bytes:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
