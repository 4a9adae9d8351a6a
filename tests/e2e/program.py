"""The program as a person starts it: a process with arguments, in a folder."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gossamer.cli.foreground_crawl import SAVING
from gossamer.ipc.process_start import FORKS
from gossamer.session.host_connection import OPENING
from tests.fakes.preloaded import run_preloaded
from tests.patience import PATIENCE_S

SLOW: Final = tuple(f"gossamer: {sentence}\n" for sentence in (OPENING, SAVING))
"""What a crawl says after seconds, on a busy machine: no test that runs one here is about it."""


def command(*arguments: str | Path) -> list[str]:
    """The words that start it."""
    return [sys.executable, "-P", "-m", "gossamer", *map(str, arguments)]


def gossamer(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run it to its end: in a copy of a process that has imported it, where that can be."""
    if not FORKS:
        return gossamer_started(*arguments, cwd=cwd)
    done = run_preloaded([*map(str, arguments)], cwd, PATIENCE_S)
    out, err = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
    for line in SLOW:
        err = err.replace(line, "")
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def run_line(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line that starts the program as a shell does: a single command as `gossamer` does."""
    if line.startswith("gossamer ") and not re.search(r" (?:[|>]|&&) |\$", line):
        return gossamer(*shlex.split(line)[1:], cwd=folder)
    return subprocess.run(  # noqa: S602 - lines from our own documentation
        re.sub(r"\bgossamer ", f"{shlex.join(command())} ", line, count=1),
        shell=True,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )


def gossamer_started(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Start it as a person does, and let it run to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
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
