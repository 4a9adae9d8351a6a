"""Forks a process that is no child of this one but its sibling: of the process that started this.

clone(2) can do so, with CLONE_PARENT. What os.fork does around the system call is done here, too;
what the C library does there, for the locks of other threads, a process with one thread can do
without.
"""

import ctypes
import os
import platform
import threading
from typing import Final

_CLONE_PARENT: Final = 0x8000
_CLONE: Final = 56 if platform.machine() == "x86_64" else 220
"""The number of the system call; newer architectures share theirs."""
_LIBRARY: Final = ctypes.PyDLL(None, use_errno=True)
"""Python's and C's functions. They are called with Python's own lock held."""


def fork_sibling() -> int:
    """As os.fork does: its id here, 0 in the sibling. This process must have one thread alone."""
    assert threading.active_count() == 1
    _LIBRARY.PyOS_BeforeFork()
    pid: int = _LIBRARY.syscall(_CLONE, _CLONE_PARENT, 0, 0, 0, 0)
    if pid == 0:
        _LIBRARY.PyOS_AfterFork_Child()
        return 0
    refusal = ctypes.get_errno()
    _LIBRARY.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(refusal, os.strerror(refusal))
    return pid
