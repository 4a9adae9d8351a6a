"""Starts a run of a schedule at once, on request."""

import subprocess
import threading

from gossamer.ipc.process_start import program_command
from gossamer.model.errors import OutputError
from gossamer.model.translatable import system_reason


def start_run(name: str) -> None:
    """Start a run of a schedule in a process that outlives this one; its history tells the rest.

    OutputError if it cannot be started.
    """
    words = [*program_command(), "schedule", "run", name]
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program
            words, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )
    except OSError as e:
        raise OutputError(
            "{program} cannot be run ({reason}).", program=words[0], reason=system_reason(e)
        ) from e
    # Its end must be reaped, or it stays in the process list until ours ends.
    threading.Thread(target=process.wait, name="scheduled run", daemon=True).start()
