"""What a writer leaves in its lock file about itself, and whether that is still true."""

import os
import socket
import sys
import time
from pathlib import Path

import msgspec

from gossamer.model.lock_owner import LockOwner

MAX_BYTES = 4096
_PROC = Path("/proc")
_STARTED = 19
"""Where /proc/PID/stat has the start of the process, counted after its name: proc_pid_stat(5)."""


def this_process() -> LockOwner:
    """What is to be said of us."""
    return LockOwner(
        pid=os.getpid(),
        host=socket.gethostname(),
        since=time.time(),
        boot=_boot(),
        started=_started(os.getpid()),
    )


def encode_holder(holder: LockOwner) -> bytes:
    """One line of JSON."""
    return msgspec.json.encode(holder) + b"\n"


def decode_holder(data: bytes) -> LockOwner | None:
    """What a lock file says; None if it is none of ours. The file may be a stranger's."""
    try:
        holder = msgspec.json.decode(data[:MAX_BYTES], type=LockOwner)
    except ValueError:
        return None
    return holder if holder.host.isprintable() else None


def is_gone(holder: LockOwner) -> bool:
    """Whether this process has surely ended. Of another machine's nothing is known here."""
    if not holder.pid or holder.host != socket.gethostname():
        return False
    if holder.boot and _boot() and holder.boot != _boot():
        return True
    if not _runs(holder.pid):
        return True
    started = _started(holder.pid)
    return bool(holder.started and started and holder.started != started)


def _runs(pid: int) -> bool:
    if sys.platform == "win32":  # where signal 0 is Ctrl+C, and locks are always kept
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _boot() -> str:
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    try:
        # The name, in parentheses, may hold spaces and parentheses.
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[_STARTED]
    except (OSError, IndexError):
        return ""
