"""`dev.py package folder`: the program with Python and Qt, in a folder that runs where it is put.

PyInstaller makes it (docs/adr/0045-pyinstaller-makes-the-folder.md), from the wheels and in an
environment that holds nothing else. It contains no more than the program needs, the licences of all
that is inside, and what desktops look for, in `share`.
"""

from __future__ import annotations

import lzma
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_files import write_desktop_files
from desktop_metadata import VERSION
from environment import CONSTRAINTS, base_python, venv_python
from frozen_licences import write_licences
from pyside_modules import WRITE_MODULES
from shell import REPO, SetupError, run_quietly
from wheels import built, moved

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

PYINSTALLER = "pyinstaller==6.22.3"
WINDOW = REPO / "packaging" / "window"
SPECIFICATION = REPO / "packaging" / "folder" / "gossamer.spec"
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
INSIDE = "_internal"
_PRESET = 6
DRAW_ICNS = """
import sys; sys.path.insert(0, "packaging")
import pathlib, program_icons; program_icons.write_icns(pathlib.Path(sys.argv[1]))
"""
DRAW_ICONS = """
import sys; sys.path.insert(0, "packaging")
import pathlib, program_icons; program_icons.write_icon_theme(pathlib.Path(sys.argv[1]))
"""


def build(dist: Path, _options: Namespace) -> list[Path]:
    """Make the folder, and pack it as `.tar.xz`, on Windows as `.zip`."""
    with tempfile.TemporaryDirectory(prefix="gossamer-folder-") as name:
        folder = made_folder(Path(name))
        return [moved(packed(folder, Path(name)), dist)]


def archive_name() -> str:
    """The folder's name, which is also that of the archive without its suffix."""
    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    return f"gossamer-{VERSION}-{SYSTEMS[sys.platform]}-{machine}"


def made_folder(aside: Path) -> Path:
    """The complete folder, below the empty folder `aside`; on macOS with an app in it."""
    wheels = [built("wheel", project, aside / project.name) for project in (REPO, WINDOW)]
    python = environment(wheels, aside / "environment")
    if sys.platform == "darwin":
        os.environ["GOSSAMER_ICNS"] = str(aside / "gossamer.icns")
        drawn(DRAW_ICNS, aside / "gossamer.icns")
    freeze = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    places = ["--distpath", str(aside / "frozen"), "--workpath", str(aside / "work")]
    if not run_quietly([*freeze, *places, str(SPECIFICATION)], "PyInstaller made no folder"):
        raise SetupError("no folder could be made; the lines above say why.")
    folder = (aside / "frozen" / "gossamer").rename(aside / archive_name())
    strip_debugging(folder)
    write_licences(folder, python)
    if sys.platform == "linux":
        write_desktop_files(folder)
        drawn(DRAW_ICONS, folder)
    if sys.platform == "darwin":
        return application_folder(aside / "frozen" / "Gossamer.app", folder)
    return folder


def application_folder(app: Path, folder: Path) -> Path:
    """The folder with the app in place of what the app is made of, and with its licences."""
    shutil.rmtree(folder / INSIDE)
    (folder / "gossamer").unlink()
    shutil.copytree(app, folder / app.name, symlinks=True)
    return folder


def drawn(script: str, target: Path) -> None:
    """Draw icons with Qt, which dev.py itself has not."""
    if not run_quietly([str(venv_python()), "-c", script, str(target)], "icons are missing"):
        raise SetupError("no folder is made without its icons.")


def environment(wheels: Sequence[Path], place: Path) -> Path:
    """The Python of a new environment that holds the wheels, what they need, and PyInstaller."""
    steps = ([base_python(), "-m", "venv", str(place)],)
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    wanted = ["--no-compile", "-c", CONSTRAINTS, *map(str, wheels), PYINSTALLER]
    for step in (*steps, [*pip, *wanted]):
        if not run_quietly(step, "the environment of the folder could not be made"):
            raise SetupError("no folder could be made; the lines above say why.")
    run_quietly([str(python), "-c", WRITE_MODULES], "the window will start more slowly")
    return python


def strip_debugging(folder: Path) -> None:
    """Take out what debuggers want: a fifth of the folder. Qt's files stay as they are.

    So do those of wheels that bring libraries of their own, in `NAME.libs`: their programs were
    changed when they were put there, and strip would break them.
    """
    if sys.platform != "linux" or shutil.which("strip") is None:
        return
    inside = folder / INSIDE
    kept = {"PySide6", "shiboken6"}
    for libraries in inside.glob("*.libs"):
        kept |= {libraries.name, libraries.name.removesuffix(".libs")}
    files = [
        str(path)
        for path in sorted(inside.rglob("*.so*"))
        if path.is_file() and not path.is_symlink() and kept.isdisjoint(path.parts)
    ]
    subprocess.run(["strip", "--strip-debug", *files], check=False, capture_output=True)


def packed(folder: Path, aside: Path) -> Path:
    """The folder as one file, the same whenever the content is the same."""
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    if sys.platform == "win32":
        return Path(
            shutil.make_archive(str(aside / "packed" / folder.name), "zip", aside, folder.name)
        )
    target = aside / f"{folder.name}.tar.xz"

    def impersonal(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime = min(int(member.mtime), epoch)
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        return member

    with (
        lzma.open(target, "wb", preset=_PRESET) as file,
        tarfile.open(fileobj=file, mode="w") as tar,
    ):
        tar.add(folder, folder.name, filter=impersonal)  # it sorts names
    return target
