"""The program as a person starts it: a process with arguments, in a folder."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEADLINE_S = 60.0


def command(*arguments: str | Path) -> list[str]:
    """The words that start it."""
    return [sys.executable, "-P", "-m", "gossamer", *map(str, arguments)]


def gossamer(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run it to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=DEADLINE_S,
        stdin=subprocess.DEVNULL,
    )


@contextmanager
def started(*arguments: str | Path, cwd: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start it and leave it running while the block runs; it is gone afterwards."""
    with subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()
