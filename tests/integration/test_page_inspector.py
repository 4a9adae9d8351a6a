"""What an inspector does where looking at a page has no end."""

import subprocess
import sys

from tests.patience import PATIENCE_S

LOOK = """
import re, sys
from gossamer.ipc.child_loop import ending_within
with ending_within(float(sys.argv[1])):
    re.match("(a+)+$", "a" * int(sys.argv[2]) + "b")
"""


def look(limit_s: float, length: int) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", LOOK, str(limit_s), str(length)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def test_what_has_no_end_is_ended_though_nothing_else_can_run() -> None:
    ended = look(0.2, 100)
    assert ended.returncode == 1
    assert "Timeout" in ended.stderr


def test_what_ends_in_time_goes_on() -> None:
    assert (look(50.0, 5).returncode, look(50.0, 5).stderr) == (0, "")
