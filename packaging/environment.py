"""The virtual environment in .venv: made, brought up to date, or made anew when broken."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from pyside_modules import WRITE_MODULES
from shell import REPO, SetupError, run_quietly, say, setup_lock
from system_packages import install_with_apt, is_root

VENV = REPO / ".venv"
STAMP = VENV / "gossamer-setup.json"
INSTALLING = VENV / "gossamer-installing"  # there while pip works; left behind when it was killed
CONSTRAINTS = "packaging/constraints.txt"
WINDOW = "packaging/window"  # the distribution `gossamer`; the root is gossamer-core
BUILD_BACKEND = ("hatchling", "editables")


def venv_python() -> Path:
    """Return the path of .venv's interpreter on this system."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def prepare_venv() -> None:
    """Bring .venv up to date with pyproject.toml and the constraints, if it is not."""
    stamp = wanted_stamp()
    if is_ready(stamp):
        return
    with setup_lock():
        if is_ready(stamp):  # another dev.py was faster
            return
        if must_be_made(stamp):
            make_venv()
        install_python_packages()
        STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def wanted_stamp() -> dict[str, str]:
    """Return what an up-to-date .venv was made from."""
    pinned = hashlib.sha256()
    for path in (REPO / "pyproject.toml", REPO / WINDOW / "pyproject.toml", REPO / CONSTRAINTS):
        pinned.update(path.read_bytes())
    pinned.update(WRITE_MODULES.encode())
    python = f"{sys.version_info[0]}.{sys.version_info[1]} {os.path.realpath(base_python())}"
    return {"place": str(REPO), "python": python, "packages": pinned.hexdigest()}


def found_stamp() -> dict[str, str]:
    """Return what .venv was made from as far as it tells."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def is_ready(stamp: dict[str, str]) -> bool:
    """Say whether .venv was made from this, completely, and still has an interpreter."""
    return found_stamp() == stamp and venv_python().exists() and not INSTALLING.exists()


def must_be_made(stamp: dict[str, str]) -> bool:
    """Say whether .venv cannot be updated: absent, cut off in the middle, moved or broken."""
    if INSTALLING.exists() or not venv_python().exists():
        return True
    found = found_stamp()
    if found and any(found.get(key) != stamp[key] for key in ("place", "python")):
        return True
    probe = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    works = subprocess.run([venv_python(), "-c", probe], capture_output=True, check=False)
    return works.returncode != 0


def make_venv() -> None:
    """Make .venv from nothing."""
    if importlib.util.find_spec("ensurepip") is None:  # Debian ships it in a package of its own
        install_venv_module()
    say("making .venv ...")
    shutil.rmtree(VENV, ignore_errors=True)
    if not run_quietly([base_python(), "-m", "venv", str(VENV)], "making .venv did not work"):
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError("without .venv nothing can be started.")


def base_python() -> str:
    """Return the interpreter to make environments with: dev.py may run from .venv itself."""
    return str(getattr(sys, "_base_executable", sys.executable))


def faster_python(configured: str, programs: Path = Path("/usr/bin")) -> str | None:
    """Return the system's Python of our version if ours was `configured` to be slower, or None.

    Distributions compile theirs guided by profiles. pyenv does so only when told, and what it
    compiles by default is slower: see CONTRIBUTING.md.
    """
    ours = Path(base_python()).resolve()
    theirs = programs / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    if sys.platform != "linux" or "--enable-optimizations" in configured or not theirs.exists():
        return None
    if ours == theirs.resolve() or not (may_install() or has_venv_module(theirs)):
        return None
    return str(theirs)


def has_venv_module(python: Path) -> bool:
    """Say whether a Python can make environments that have pip."""
    done = subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False)
    return done.returncode == 0


def may_install() -> bool:
    """Say whether missing system packages are installed here, and not only told."""
    return is_root() and shutil.which("apt-get") is not None


def install_venv_module() -> None:
    """Install the part of the standard library that Debian leaves out, or raise SetupError."""
    name = f"python3.{sys.version_info[1]}-venv"
    if shutil.which("apt-get") is None:
        raise SetupError("this Python has no module ensurepip: install it, then try again.")
    if not is_root():
        raise SetupError(f"please run first: sudo apt-get install -y {name}")
    install_with_apt([name])


def install_python_packages() -> None:
    """Install Gossamer in place and everything it is developed with, in the pinned versions."""
    say("installing the Python packages into .venv (one to two minutes) ...")
    INSTALLING.touch()
    pip = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    # The build backend is installed first and not into a passing environment of pip's, because
    # the constraints would not reach it there.
    # Both distributions of ours go first: one that had the other's files would take them along.
    ours = ["-e", ".[dev]", "-e", WINDOW]
    steps = (
        [*pip[:-1], "uninstall", "--quiet", "--yes", "gossamer", "gossamer-core"],
        [*pip, "-c", CONSTRAINTS, *BUILD_BACKEND],
        [*pip, "-c", CONSTRAINTS, "--no-build-isolation", *ours],
    )
    for step in steps:
        if not run_quietly(step, "installing the Python packages did not work"):
            raise SetupError("nothing was started; the next try begins with a new .venv.")
    run_quietly([str(venv_python()), "-c", WRITE_MODULES], "the window will start more slowly")
    INSTALLING.unlink()
