"""Runs the test suite with the Python of a Debian release: its set-up, checks and tests.

Usage: sudo python3 packaging/suite_in_chroot.py RELEASE [ARGS...]

RELEASE is deb12 (Python 3.11), deb13 (3.13), testing or unstable (3.14), or a name that debootstrap
knows. ARGS go to pytest; without any, all tests are run. The system stays where it was made, with
what set-up installed, for the next run; see packaging/chroots.py. `--fresh` before RELEASE begins
with a new one.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from chroots import Chroot, archive_folder, kept_chroot, remove
from script_arguments import ScriptParser
from shell import REPO, SetupError, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

USE = "tests"
INSIDE = "/gossamer"
EXIT_FAILED = 1


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return pytest's exit code."""
    # What follows the release is pytest's, options too.
    own = next((n for n, word in enumerate(arguments, 1) if not word.startswith("-")), None)
    parser = ScriptParser(__doc__)
    parser.add_argument("release", metavar="RELEASE")
    parser.add_argument("--fresh", action="store_true")
    wanted, tests = parser.read(arguments[:own]), arguments[own:] if own else []
    try:
        if wanted.fresh:
            remove(archive_folder() / f"{wanted.release}-{USE}")
        return run_tests(kept_chroot(wanted.release, USE), tests)
    except SetupError as error:
        say(str(error))
        return EXIT_FAILED


def run_tests(system: Chroot, tests: Sequence[str]) -> int:
    """Run them in `system`, on a copy of what git holds and would hold here."""
    if not system.path("/usr/bin/git").exists():
        # With the font that tests of the window's layout were made for.
        system.install("python3", "python3-venv", "git", "ca-certificates", "fonts-dejavu-core")
    copy_checkout(system)
    command = ["python3", f"{INSIDE}/packaging/dev.py", "test", *tests]
    return system.run(command).returncode


def copy_checkout(system: Chroot) -> None:
    """Have the files of this checkout in `system`, in a git of their own, and none of before.

    What set-up made there stays.
    """
    inside = system.path(INSIDE)
    inside.mkdir(exist_ok=True)
    git(inside, "init", "--quiet")
    for name in git(inside, "ls-files", "-z"):
        (inside / name).unlink(missing_ok=True)
    for name in git(REPO, "ls-files", "-z", "--cached", "--others", "--exclude-standard"):
        if (REPO / name).is_file():
            (inside / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPO / name, inside / name)
    git(inside, "add", "--all")


def git(folder: Path, *arguments: str) -> list[str]:
    """What git says in `folder`, by names that end with a zero byte."""
    # Whoever owns the folder: another user has made it, perhaps.
    command = ["git", "-C", str(folder), "-c", "safe.directory=*", *arguments]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [name for name in said.split("\0") if name]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
