"""Compiles what Gossamer has in C, which is an option: without it, Python does the same.

No header of Python's is needed, only a C compiler: $CC, or cc. Not on Windows, where selectolax
does not export the functions of lexbor that the library calls.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from shell import REPO, SetupError, run_quietly

FOLDER = REPO / "app" / "gossamer" / "extract" / "native"
SOURCE_NAME, LIBRARY_NAME = "native_walk.c", "libnativewalk.so"
LIBRARY = FOLDER / LIBRARY_NAME
STANDARD = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic")
OPTIONS = ("-O3", "-fPIC", "-fvisibility=hidden", "-shared")
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def compiler() -> str | None:
    """Return the C compiler's command, None where there is none."""
    return shutil.which(os.environ.get("CC", "cc"))


def build_native_library(folder: Path = FOLDER) -> bool:
    """Compile the library unless it is newer than what it is made of; say whether it is there."""
    library = folder / LIBRARY_NAME
    newest = max(path.stat().st_mtime_ns for path in folder.glob("*.[ch]"))
    if library.exists() and library.stat().st_mtime_ns >= newest:
        return True
    command = None if sys.platform == "win32" else compiler()
    if command is None:
        library.unlink(missing_ok=True)  # an old one would be worse than none
        return False
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        made = Path(aside) / LIBRARY_NAME
        options = [*STANDARD, *OPTIONS, *wanted_options()]
        compile_it = [command, *options, "-o", str(made), str(folder / SOURCE_NAME)]
        if not run_quietly(compile_it, "what is in C could not be compiled"):
            library.unlink(missing_ok=True)
            return False
        made.replace(library)  # a running Gossamer keeps the one that it has
    return True


def wanted_options() -> list[str]:
    """What the environment adds to a compiler's command, as it does for other builds."""
    names = ("ARCHFLAGS", "CFLAGS", "LDFLAGS")  # the first: for which processors, on a Mac
    return [word for name in names for word in shlex.split(os.environ.get(name, ""))]


def run_sanitized(python: str) -> int:
    """Run the library over the corpus of tests/sanitize.py; return the exit code.

    It is compiled with GCC's sanitizers for addresses and undefined behaviour, which end the run
    at the first fault.
    """
    command = compiler()
    if command is None:
        raise SetupError("there is no C compiler.")
    runtime = _sanitizer_runtime(command)
    with tempfile.TemporaryDirectory() as aside:
        made = str(Path(aside) / LIBRARY_NAME)
        options = [*STANDARD, *OPTIONS, *SANITIZERS]
        subprocess.run([command, *options, "-o", made, str(FOLDER / SOURCE_NAME)], check=True)
        environment = {
            **os.environ,
            "LD_PRELOAD": runtime,
            # Python and its extensions keep what they have until the process ends.
            "ASAN_OPTIONS": "detect_leaks=0",
            # So that what Python hands over is watched block by block.
            "PYTHONMALLOC": "malloc",
        }
        run_it = [python, "-m", "tests.sanitize", made]
        return subprocess.run(run_it, cwd=REPO, env=environment, check=False).returncode


def _sanitizer_runtime(command: str) -> str:
    """The library that must be in the process before Python, which is not compiled with it."""
    asked = [command, "-print-file-name=libasan.so"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(found).is_absolute():
        raise SetupError(f"{command} has no address sanitizer: set CC to a GCC that has.")
    return found
