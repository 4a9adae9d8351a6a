"""The program started with a terminal to type at."""

import os
import pty
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.program import command


@contextmanager
def at_terminal(*arguments: str, cwd: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """The program with a terminal to type at, and where to write what is typed."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that there is no other terminal to ask at
    ) as process:
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(theirs)
            os.close(ours)


def said_until(process: "subprocess.Popen[str]", words: str) -> str:
    """What it says on standard error up to these words."""
    assert process.stderr is not None
    shown = ""
    while not shown.endswith(words):
        said = process.stderr.read(1)
        assert said, shown
        shown += said
    return shown
