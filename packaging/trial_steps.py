"""What trials of packages do in fresh systems: steps of a person, as lines of a shell."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shell import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chroots import Chroot

PERSON: Final = "person"
HOME: Final = "/home/person"
WINDOW_TOOLS: Final = ("xvfb", "openbox", "scrot", "xdotool", "x11-utils")
"""Debian's packages that steps in a window need."""
SITE: Final = """
gossamer demo --serve > ~/site & site=$!
trap 'kill $site' EXIT
for i in $(seq 100); do grep -q http ~/site && break; sleep 0.1; done
url=$(grep -o 'http://[^ ]*' ~/site | head -1)
"""
"""Lines before those that crawl `$url`."""
DISPLAY: Final = """
Xvfb :7 -screen 0 1280x800x24 -nolisten tcp 2> ~/x.log & x=$!
trap 'kill $x; wait $x || true' EXIT
export DISPLAY=:7 GOSSAMER_NO_TOUR=1
for i in $(seq 100); do xdpyinfo > /dev/null 2>&1 && break; sleep 0.1; done
openbox & sleep 1
"""
"""Lines before those that open a window."""
WAIT_FOR_WINDOW: Final = (
    "window=$(timeout 60 xdotool search --sync --onlyvisible --name Gossamer | tail -1); sleep 6"
)


@dataclass(frozen=True)
class Step:
    """A thing that a person does, as lines of bash, which end at the first error."""

    sentence: str
    script: str
    as_person: bool = True
    network: bool = False


def as_root(sentence: str, script: str) -> Step:
    """What root does, with a network: to install and remove."""
    return Step(sentence, script, as_person=False, network=True)


def add_person(system: Chroot) -> None:
    """Have somebody without rights there."""
    system.run(["useradd", "--create-home", "--home-dir", HOME, "--shell", "/bin/bash", PERSON])


def failures(system: Chroot, release: str, steps: Sequence[Step]) -> int:
    """Do these steps, say how each went, and return how many failed."""
    failed = 0
    for step in steps:
        result = done(system, step)
        say(f"{release}: {step.sentence}: {'FAILED' if result.returncode else 'yes'}")
        if result.returncode:
            print(result.stdout)
            failed += 1
    return failed


def done(system: Chroot, step: Step) -> subprocess.CompletedProcess[str]:
    """Do one step; what it prints is in the result."""
    command = ["bash", "-euo", "pipefail", "-c", step.script]
    if step.as_person:
        command = ["runuser", "-u", PERSON, "--", "env", "-C", HOME, f"HOME={HOME}", *command]
    return system.run(
        command,
        network=step.network,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
