"""What of PySide6 the window needs: its wheel also has Qt Quick, the Designer and much more."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLUGINS: Final = (
    "platforms/*qxcb*",
    "platforms/*qwayland*",
    "platforms/*qoffscreen*",
    "platformthemes/*qxdgdesktopportal*",
    "platforminputcontexts/libcompose*",
    "platforminputcontexts/libibus*",
    "wayland-shell-integration/*xdg*",
    "wayland-decoration-client/*",
    "imageformats/*qsvg*",
    "imageformats/*qico*",
    "imageformats/*qjpeg*",
    "imageformats/*qgif*",
    "iconengines/*",
)
"""Nothing is drawn with OpenGL, no page is fetched with Qt, and GTK's theme needs all of GTK."""
LANGUAGES: Final = ("qtbase_en.qm", "qtbase_zh_CN.qm", "qt_en.qm", "qt_zh_CN.qm")
_IMPORT: Final = re.compile(r"^\s*from PySide6\.(Qt\w+) import", re.MULTILINE)
_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")


def unneeded_qt_files(site: Path) -> list[Path]:
    """The files of PySide6 in a folder of packages that nothing of Gossamer's there uses."""
    home = site / "PySide6"
    modules = imported_modules(site / "gossamer")
    kept = {path for path in home.glob("*") if path.suffix == ".py"}
    kept |= {home / f"{name}.abi3.so" for name in modules}
    kept |= {path for path in (home / "Qt" / "plugins").glob("*/*") if is_wanted_plugin(path)}
    kept |= {home / "Qt" / "translations" / name for name in LANGUAGES}
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


def is_wanted_plugin(path: Path) -> bool:
    """Whether it is a plugin that the window uses."""
    return any(fnmatch(f"{path.parent.name}/{path.name}", pattern) for pattern in PLUGINS)


def is_support(path: Path, home: Path) -> bool:
    """Whether PySide6 itself reads a file when it is imported."""
    return path.relative_to(home).parts[0] == "support"


def linked_libraries(path: Path) -> Iterator[str]:
    """The names of the shared libraries that a file is linked with."""
    asked = ["readelf", "--dynamic", "--wide", str(path)]
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    yield from _NEEDED.findall(told)
