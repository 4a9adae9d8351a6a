"""`dev.py package installer`: the frozen folder as an installer for Windows, made by NSIS."""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_metadata import VERSION
from environment import venv_python
from frozen_folder import archive_name, made_folder
from shell import REPO, SetupError

if TYPE_CHECKING:
    from argparse import Namespace

SCRIPT = REPO / "packaging" / "windows" / "gossamer.nsi"
PLACES = (r"C:\Program Files (x86)\NSIS\makensis.exe", r"C:\Program Files\NSIS\makensis.exe")
DRAW_ICON = """
import sys; sys.path.insert(0, "packaging")
import pathlib, program_icons; program_icons.write_ico(pathlib.Path(sys.argv[1]))
"""


def build(dist: Path, _options: Namespace) -> list[Path]:
    """Make the installer."""
    if platform.system() != "Windows":
        raise SetupError("the installer holds programs for Windows, which are made on Windows.")
    compiler = shutil.which("makensis") or next(
        (each for each in PLACES if Path(each).is_file()), None
    )
    if compiler is None:
        raise SetupError("an installer is made by NSIS: install it.")
    target = dist / f"{archive_name()}-setup.exe"
    with tempfile.TemporaryDirectory(prefix="gossamer-installer-") as name:
        folder = made_folder(Path(name))
        icon, made = Path(name) / "gossamer.ico", Path(name) / target.name
        subprocess.run([str(venv_python()), "-c", DRAW_ICON, str(icon)], cwd=REPO, check=True)
        if subprocess.run(compilation(compiler, folder, icon, made), check=False).returncode:
            raise SetupError("no installer could be made; the lines above say why.")
        aside = target.with_name(f".{target.name}.part")
        shutil.copyfile(made, aside)
        return [aside.replace(target)]


def compilation(compiler: str, folder: Path, icon: Path, target: Path) -> list[str]:
    """The command that makes an installer of a folder."""
    values = {"VERSION": VERSION, "FOLDER": folder, "ICON": icon, "OUTPUT": target}
    words = [f"-D{name}={value}" for name, value in values.items()]
    return [compiler, "-V2", "-WX", *words, str(SCRIPT)]
