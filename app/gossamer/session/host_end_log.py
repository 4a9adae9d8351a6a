"""Writes into the log of a crawl how its process has ended, which that could not do itself."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.ipc.log_file import opened_log


class HostEnd(Struct, frozen=True):
    """How a crawl process has ended."""

    pid: int
    exit_code: int | None
    """Negative: the signal that ended it. None: it could not be ended."""
    killed_because: str = ""
    """Why we killed it; "" if we did not."""


def log_end(log: Path, end: HostEnd) -> None:
    """Append a line as the process writes them. It is lost if the log cannot be written."""
    line = {
        **msgspec.structs.asdict(end),
        "event": "crawl process ended",
        "level": "error",
        "timestamp": datetime.now(UTC).isoformat(),
    }
    with suppress(OSError), os.fdopen(opened_log(log), "ab") as file:
        file.write(msgspec.json.encode(line) + b"\n")
