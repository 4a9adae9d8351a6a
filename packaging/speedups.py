"""Compiles what Gossamer has in C, which is an option: without it, Python does the same.

No header of Python's is needed, only a C compiler: $CC, or cc.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from shell import REPO, run_quietly

FOLDER = REPO / "app" / "gossamer" / "extract" / "native"
SOURCE = FOLDER / "speedups.c"
LIBRARY = FOLDER / "libspeedups.so"
STANDARD = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic")
OPTIONS = ("-O2", "-fPIC", "-fvisibility=hidden", "-shared")


def compiler() -> str | None:
    """Return the C compiler's command, None where there is none."""
    return shutil.which(os.environ.get("CC", "cc"))


def build_speedups() -> bool:
    """Compile the library unless it is newer than what it is made of; say whether it is there."""
    newest = max(path.stat().st_mtime_ns for path in FOLDER.glob("*.[ch]"))
    if LIBRARY.exists() and LIBRARY.stat().st_mtime_ns >= newest:
        return True
    command = compiler()
    if command is None:
        LIBRARY.unlink(missing_ok=True)  # an old one would be worse than none
        return False
    with tempfile.TemporaryDirectory(dir=FOLDER) as aside:
        made = Path(aside) / LIBRARY.name
        compile_it = [command, *STANDARD, *OPTIONS, "-o", str(made), str(SOURCE)]
        if not run_quietly(compile_it, "compiling the speed-ups did not work"):
            LIBRARY.unlink(missing_ok=True)
            return False
        made.replace(LIBRARY)  # a running Gossamer keeps the one that it has
    return True
