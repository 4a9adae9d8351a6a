"""Logs how a process of a crawl has ended that could not log it itself."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.ipc.log_file import opened_log


class ProcessEnd(Struct, frozen=True):
    """How a process has ended; `name` is what it is for."""

    name: str
    pid: int
    exit_code: int | None
    """Negative: the signal that ended it. None: it could not be ended."""
    killed_because: str = ""
    """Why we killed it; "" if we did not."""


def log_end(log: Path, end: ProcessEnd) -> None:
    """Append a line as the process writes them. It is lost if the log cannot be written."""
    line = {
        "pid": end.pid,
        "exit_code": end.exit_code,
        "killed_because": end.killed_because,
        "event": f"{end.name} process ended",
        "level": "error",
        "timestamp": datetime.now(UTC).isoformat(),
    }
    with suppress(OSError), os.fdopen(opened_log(log), "ab") as file:
        file.write(msgspec.json.encode(line) + b"\n")
