"""How the development scripts talk, run commands and keep out of each other's way."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPO = Path(__file__).resolve().parent.parent
LOCK = REPO / ".venv.lock"  # beside .venv, because .venv may be made anew while it is held


class SetupError(Exception):
    """What a user has to know or do before the verb can run, in a sentence."""


def say(sentence: str) -> None:
    """Tell the user something, apart from what the started program prints."""
    print(f"dev.py: {sentence}", file=sys.stderr, flush=True)


def run_quietly(
    command: Sequence[str],
    complaint: str,
    environment: dict[str, str] | None = None,
) -> bool:
    """Run a command in the checkout, print what it said only if it fails, and say if it worked."""
    done = subprocess.run(
        command,
        cwd=REPO,
        env={**os.environ, **(environment or {})},
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode:
        print(done.stdout.rstrip(), file=sys.stderr)
        say(f"{complaint}; the lines above say why.")
    return done.returncode == 0


def become(command: list[str]) -> int:
    """Replace this process by a command, so that signals and exit code are the command's own."""
    if sys.platform == "win32":  # exec returns to the shell at once there
        return subprocess.run(command, check=False).returncode
    sys.stdout.flush()
    sys.stderr.flush()
    return os.execv(command[0], command)  # noqa: S606  # no shell is wanted


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Hold the lock that lets one dev.py at a time change the set-up."""
    with LOCK.open("a+b") as file:
        if not take_lock(file):
            say("waiting for another dev.py that is setting things up...")
            while not take_lock(file):
                time.sleep(0.2)
        yield  # closing the file gives the lock back, also when this process is killed


def take_lock(file: IO[bytes]) -> bool:
    """Try to lock an open file for this process and say whether that worked."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  # exists there alone

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  # does not exist on Windows

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
