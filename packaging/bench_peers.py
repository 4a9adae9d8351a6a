"""The virtual environment in .venv-bench: other crawlers to compare with, and a profiler.

It is apart from .venv, so that nothing of it can be taken for a dependency of Gossamer.
"""

from __future__ import annotations

import hashlib
import shutil
import sys

from environment import base_python
from shell import REPO, run_quietly, say, setup_lock

PEERS_VENV = REPO / ".venv-bench"
PEERS_STAMP = PEERS_VENV / "gossamer-setup.txt"
PEERS_CONSTRAINTS = "packaging/bench-constraints.txt"
PEERS = ("scrapy", "crawlee[parsel]", "aiohttp", "uvloop", "selectolax", "py-spy")


def prepare_peers() -> None:
    """Bring .venv-bench up to date with the constraints; without it, only say so.

    A benchmark is worth something without peers too.
    """
    if sys.platform == "win32":  # uvloop is not there
        say("the peers of the benchmarks are not set up on Windows.")
        return
    stamp = peers_stamp()
    with setup_lock():
        if PEERS_STAMP.exists() and PEERS_STAMP.read_text(encoding="utf-8") == stamp:
            return
        say("installing the crawlers to compare with into .venv-bench (a minute or less) ...")
        shutil.rmtree(PEERS_VENV, ignore_errors=True)
        pip = [str(PEERS_VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        steps = (
            [base_python(), "-m", "venv", str(PEERS_VENV)],
            [*pip, "--no-input", "install", "-c", PEERS_CONSTRAINTS, *PEERS],
        )
        if all(run_quietly(step, "setting up .venv-bench did not work") for step in steps):
            PEERS_STAMP.write_text(stamp, encoding="utf-8")
        else:
            shutil.rmtree(PEERS_VENV, ignore_errors=True)
            say("the benchmarks go without other crawlers.")


def peers_stamp() -> str:
    """Return what an up-to-date .venv-bench was made from."""
    pinned = hashlib.sha256((REPO / PEERS_CONSTRAINTS).read_bytes()).hexdigest()
    return f"{sys.version_info[0]}.{sys.version_info[1]} {REPO} {' '.join(PEERS)} {pinned}"
