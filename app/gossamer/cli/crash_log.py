"""Where errors of the program itself are written down."""

import os
import sys
import traceback
from datetime import datetime
from pathlib import Path

from gossamer import __version__


def log_bug(error: BaseException) -> Path | None:
    """Append the traceback to the command line's log; its path, None if it cannot be written."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    command = " ".join(_unspoken(sys.argv[1:]))
    trace = "".join(traceback.format_exception(error))
    try:
        # What is broken may be these.
        from gossamer.ipc.log_file import opened_log  # noqa: PLC0415 - likewise
        from gossamer.session.default_paths import program_log  # noqa: PLC0415 - likewise

        path = program_log()
        with os.fdopen(opened_log(path), "a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{now} Gossamer {__version__}: {command}\n{trace}\n")
    except (OSError, ImportError):
        return None
    return path


def _unspoken(arguments: list[str]) -> list[str]:
    """The command and the names of its options: what they are given may be a password."""
    return [
        word.partition("=")[0]
        for number, word in enumerate(arguments)
        if word.startswith("--") or (number == 0 and word.isalpha())
    ]
