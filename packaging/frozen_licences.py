"""Puts into a frozen folder the licences of everything inside.

`LICENSES` gets a folder for each Python package and each Debian package of which something is
inside, Python's own, PyInstaller's (its start program), and the texts of the LGPL for Qt.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from bundled_libraries import bundled_libraries
from shell import REPO, SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "LICENSES"
COMMON = Path(os.environ.get("GOSSAMER_LICENCE_TEXTS", "/usr/share/common-licenses"))
QT_TEXTS = ("LGPL-3", "GPL-3")
"""The wheels of PySide6 come without. The GPL is part of the LGPL, which amends it."""
READ_ME = """\
Licences of what is in this folder
==================================

Gossamer itself is under the MIT licence: see LICENSE beside this folder. Each folder here names a
package of which something is inside, and holds its licences.

Qt and PySide6, in _internal/PySide6 and _internal/shiboken6, are used under the GNU Lesser General
Public License, version 3 (qt/LGPL-3, qt/GPL-3). They are unmodified shared libraries, as the
packages PySide6_Essentials {pyside} and shiboken6 {pyside} on PyPI contain them. You may replace
them with another build of the same interface: put its files in place of
_internal/PySide6/Qt/lib/libQt6* (Linux), _internal/PySide6/Qt6*.dll (Windows) or
_internal/PySide6/Qt/lib (macOS). Source: https://download.qt.io/official_releases/, in qt and
QtForPython.

axe-core, in _internal/gossamer/resources/axe, is under the Mozilla Public License 2.0;
publicsuffixlist too. Their licences lie beside them or here; their source is the packages of these
names on npm and PyPI.

The start program is PyInstaller's, under the GPL 2 with an exception that permits to distribute
programs made with it under any licence (pyinstaller/COPYING.txt).
"""
_TELL = """
import json, sysconfig
print(json.dumps([sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")]))
"""
_PROGRAMS_OF_MAKING = {"pip", "setuptools", "altgraph", "packaging", "pyinstaller-hooks-contrib"}


def write_licences(folder: Path, python: Path) -> None:
    """Write them for the folder that was made in the environment of `python`.

    Raises SetupError where a licence is not to be found.
    """
    target = folder / FOLDER
    told = subprocess.run([str(python), "-c", _TELL], check=True, capture_output=True, text=True)
    site, standard_library = map(Path, json.loads(told.stdout))
    libraries = {each.name.lower(): each for each in bundled_libraries(site)}
    for name in libraries.keys() - _PROGRAMS_OF_MAKING:
        copy_licences(target / name, libraries[name].files)
    copy_licences(target / "python", [python_licence(standard_library)])
    copy_licences(target / "qt", [COMMON / name for name in QT_TEXTS])
    shutil.copy(REPO / "LICENSE", folder / "LICENSE")
    copy_system_licences(folder, target)
    about = READ_ME.format(pyside=libraries["pyside6_essentials"].version)
    (target / "README.txt").write_text(about, encoding="utf-8")


def copy_licences(target: Path, files: Iterable[Path]) -> None:
    """Copy licences into a folder, none over another; SetupError where one is missing."""
    for file in files:
        if not file.is_file():
            raise SetupError(f"the folder needs the licence {file}, which is missing.")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, free_name(target / file.name))


def free_name(path: Path) -> Path:
    """`path`, or where that is taken, the same with a number: packages hold several by one name."""
    number, free = 2, path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free


def python_licence(standard_library: Path) -> Path:
    """The licence of the Python inside; Debian keeps it elsewhere."""
    own = standard_library / "LICENSE.txt"
    return own if own.is_file() else Path("/usr/share/doc") / standard_library.name / "copyright"


def copy_system_licences(folder: Path, target: Path) -> None:
    """Copy the licences of the system's packages of which the folder holds libraries."""
    if shutil.which("dpkg-query") is None:
        return
    told = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    places = dict(line.split(" => ")[::-1] for line in told.splitlines() if " => " in line)
    names = {path.name for path in (folder / "_internal").glob("lib*.so*")}
    for place, library in sorted(places.items()):
        if library.split()[0] not in names:
            continue
        package = owner(Path(place.strip()).resolve())
        copyright_ = Path("/usr/share/doc") / package / "copyright"
        if package and copyright_.is_file():
            own = target / "system" / package
            own.mkdir(parents=True, exist_ok=True)
            shutil.copy(copyright_, own / "copyright")


def owner(file: Path) -> str:
    """The Debian package of a file, "" if it is of none. Its folder may go by the name /lib."""
    asked = ["dpkg-query", "--search", str(file), str(file).removeprefix("/usr")]
    found = subprocess.run(asked, check=False, capture_output=True, text=True).stdout
    return found.partition(":")[0]
