"""Spells commands as a person would type them, to be told how to go on."""

import shlex
import subprocess
import sys


def typed_command(*words: object) -> str:
    """The command `gossamer` with these arguments, for the shell of the system."""
    command = ["gossamer", *map(str, words)]
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
