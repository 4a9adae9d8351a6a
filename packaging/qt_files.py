"""What of PySide6 the window needs: its wheel also has Qt Quick, the Designer and much more."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Final

from folder_contents import is_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_IMPORT: Final = re.compile(r"^\s*from PySide6\.(Qt\w+) import", re.MULTILINE)
_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")


def unneeded_qt_files(site: Path) -> list[Path]:
    """The files of PySide6 in a folder of packages that nothing of Gossamer's there uses."""
    home = site / "PySide6"
    modules = imported_modules(site / "gossamer")
    kept = {path for path in home.glob("*") if path.suffix == ".py"}
    kept |= {home / f"{name}.abi3.so" for name in modules}
    for pattern in ("plugins/*/*", "translations/*"):
        optional = (home / "Qt").glob(pattern)
        kept |= {path for path in optional if is_wanted(path.relative_to(site).as_posix())}
    libraries = {path.name: path for path in home.rglob("lib*.so*")}
    waiting = [path for path in kept if ".so" in path.name]
    while waiting:
        for name in linked_libraries(waiting.pop()):
            if (library := libraries.get(name)) and library not in kept:
                kept.add(library)
                waiting.append(library)
    every = (path for path in home.rglob("*") if path.is_file())
    return [path for path in every if path not in kept and not is_support(path, home)]


def imported_modules(package: Path) -> set[str]:
    """The modules of PySide6 that a package imports."""
    return {
        name for path in package.rglob("*.py") for name in _IMPORT.findall(path.read_text("utf-8"))
    }


def is_support(path: Path, home: Path) -> bool:
    """Whether PySide6 itself reads a file when it is imported."""
    return path.relative_to(home).parts[0] == "support"


def linked_libraries(path: Path) -> Iterator[str]:
    """The names of the shared libraries that a file is linked with."""
    asked = ["readelf", "--dynamic", "--wide", str(path)]
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    yield from _NEEDED.findall(told)
