"""Writes the Python modules of PySide into files, so that Python keeps their bytecode.

PySide has them as text in a library, and every program that imports it compiles them anew, which
takes 75 million instructions, a thirtieth of the window's start. Its switch `SBK_EMBED` writes them
to `shiboken6/files.dir`, and from then on it imports them from there.
"""

from __future__ import annotations

from typing import Final

WRITE_MODULES: Final = """
import compileall, importlib.util, os, pathlib, shutil
folder = pathlib.Path(importlib.util.find_spec("shiboken6").origin).with_name("files.dir")
shutil.rmtree(folder, ignore_errors=True)  # perhaps of another version
os.environ["SBK_EMBED"] = "no"
import shiboken6
compileall.compile_dir(folder, quiet=2)
"""
"""A program for a Python that has PySide. A PySide without the switch is left as it is."""
