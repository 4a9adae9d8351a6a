"""The processes of a browser and their memory, as far as the system says: on Linux."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_MOST_BYTES: Final = 64 * 1024
_RESIDENT: Final = 1
"""Its index in `/proc/PID/statm`."""


def processes_below(pid: int) -> Iterator[int]:
    """The processes that a browser has started, and those that its zygotes have forked.

    `pid` may be that of a script that runs it. A zygote has a single thread; processes that a
    browser starts and that have several are not searched: there are many, and they start none.
    """
    threads = _threads_of(pid)
    below = processes_below if len(threads) == 1 else _forked_by
    for thread in threads:
        for child in _children_of(pid, thread):
            yield child
            yield from below(child)


def _forked_by(pid: int) -> Iterator[int]:
    threads = _threads_of(pid)
    if len(threads) == 1:
        for child in _children_of(pid, threads[0]):
            yield child
            yield from _forked_by(child)


def _threads_of(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - a fifth of the time, several times a second
    except OSError:
        return []


def _children_of(pid: int, thread: str) -> list[int]:
    return [*map(int, _read(f"/proc/{pid}/task/{thread}/children").split())]


def _read(path: str) -> bytes:
    """A file of `/proc`; empty if the process has gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(descriptor, _MOST_BYTES)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def resident_bytes(pid: int) -> int:
    """The memory that a process has in use, with what it shares; 0 if that is unknown."""
    counts = _read(f"/proc/{pid}/statm").split()
    return int(counts[_RESIDENT]) * _PAGE_BYTES if counts else 0


def proportional_bytes(pid: int) -> int:
    """The memory of a process and of all below it, what is shared counted once; 0 if unknown.

    It takes a millisecond or so for each process.
    """
    return sum(map(_proportional_bytes, [pid, *processes_below(pid)]))


def _proportional_bytes(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        name, _, value = line.partition(b":")
        if name == b"Pss":
            return int(value.split()[0]) * 1024
    return 0


def kill_larger(pid: int, limit_bytes: int) -> int:
    """Kill the processes below one that take more than this: tabs, whose pages then crash.

    Returns how many.
    """
    killed = 0
    for each in processes_below(pid):
        if resident_bytes(each) > limit_bytes:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
                killed += 1
    return killed
