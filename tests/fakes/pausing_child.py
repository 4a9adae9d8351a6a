"""A process that does one thing, and stops in the middle of it for good.

What a test does when it hears of a step comes too late where the process has ended by then.
"""

import sys
from typing import Final

import pytest

from gossamer.ipc import ChildRole
from gossamer.ipc.process_start import (
    LaunchedProcess,
    command_line,
    launch_command,
    program_command,
)

_SCRIPT: Final = """
import sys, threading
from gossamer.__main__ import main
from gossamer.ipc.single_task_process import ThreadTask

is_due, told = ThreadTask._is_due, []

def is_due_once(task, step):
    if told:
        threading.Event().wait()
    if step.done:
        told.append(step)
    return is_due(task, step) or bool(told)

ThreadTask._is_due = is_due_once
sys.argv[0] = "gossamer"
sys.exit(main())
"""


def pause_children(patch: pytest.MonkeyPatch) -> None:
    """Have each process that is started for a task stop once it has told that something is done."""

    def launch(role: ChildRole, *arguments: str) -> LaunchedProcess:
        words = command_line(role, *arguments)[len(program_command()) :]
        return launch_command([sys.executable, "-P", "-c", _SCRIPT, *words])

    patch.setattr("gossamer.session.child_task.launch", launch)
