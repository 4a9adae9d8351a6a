"""Decides what of the collected files a frozen folder needs: pure functions of names and links."""

from __future__ import annotations

from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

PLUGINS = (
    "platforms/*qxcb*",
    "platforms/*qwayland*",
    "platforms/*qoffscreen*",
    "platforms/*qwindows*",
    "platforms/*qcocoa*",
    "platformthemes/*qxdgdesktopportal*",  # the file dialogs of the desktop; GTK's need all of GTK
    "platforminputcontexts/*",  # Chinese and accents
    "wayland-*/*",
    "imageformats/*qsvg*",
    "imageformats/*qico*",
    "imageformats/*qjpeg*",
    "imageformats/*qgif*",
    "imageformats/*qwebp*",
    "iconengines/*",
    "printsupport/*",  # the list of shortcuts is printed
    "styles/*",  # how Windows and macOS look
)
"""Qt's plugins that the window uses. No page is fetched with Qt, and nothing drawn with OpenGL."""
UNWANTED_PLUGINS = (
    "wayland-graphics-integration-*/*",
    "platforms/*egl*",
    "platforminputcontexts/*virtualkeyboard*",  # its libraries are in another wheel
)
LANGUAGES = ("qtbase_en.qm", "qtbase_zh_CN.qm", "qt_en.qm", "qt_zh_CN.qm")
OF_EVERY_DESKTOP = (
    "libfontconfig.so*",  # newer configurations need the system's own
    "libfreetype.so*",
    "libEGL.so*",  # belong to the graphics driver
    "libGL.so*",
    "libGLX.so*",
    "libGLdispatch.so*",
    "libcups.so*",  # belongs to the system's printers; without it, a list is printed to a file
)
"""Libraries that a system with a screen has, and that must be its own."""


FOR_BUILDING = (
    ".c",
    ".cpp",
    ".h",
    ".hpp",
    ".pyx",
    ".pxd",
    ".pxi",
    ".pyi",
    ".typed",
    ".f90",
    ".pyf",
)
"""What is in packages for compilers and type checkers."""
UNUSED = frozenset({"tests", "dictionaries"})
"""Folders: dictionaries are the system's (`proofreading/dictionary_files.py`)."""
LIBRARY, EXTENSION, SYMLINK = "BINARY", "EXTENSION", "SYMLINK"
"""Kinds of collected files: extensions are modules of Python, loaded by name."""


class CollectedFile(NamedTuple):
    """A file as PyInstaller lists it: its place in the folder, where it is from, and its kind."""

    place: str
    source: str
    kind: str


def is_installed(package: str, environment: Path) -> bool:
    """Whether a package is one of the environment, and no folder of that name in the checkout.

    Some distributions name `build` and `docs` as packages of theirs, without having them.
    """
    found = find_spec(package)
    if found is None:
        return False
    places = [*(found.submodule_search_locations or ()), *filter(None, [found.origin])]
    return any(Path(place).is_relative_to(environment) for place in places)


def is_wanted(place: str) -> bool:
    """Whether a file belongs into the folder, by its place."""
    path = PurePosixPath(place.replace("\\", "/"))
    if "plugins" in path.parts and "PySide6" in path.parts:
        plugin = "/".join(path.parts[-2:])
        return _matches(plugin, PLUGINS) and not _matches(plugin, UNWANTED_PLUGINS)
    if "translations" in path.parts and "PySide6" in path.parts:
        return path.name in LANGUAGES
    if _matches(path.name, OF_EVERY_DESKTOP):
        return False
    is_ours = path.parts[0] == "gossamer"
    return is_ours or not (path.suffix in FOR_BUILDING or UNUSED.intersection(path.parts))


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def wanted_binaries(
    collected: Sequence[CollectedFile], imports: Callable[[str], Iterable[str]]
) -> list[CollectedFile]:
    """Those that are wanted, and of shared libraries those that something wanted loads.

    `imports` returns the names of the libraries that the file at a path is linked with. What a
    plugin that was left out needed, goes with it.
    """
    kept = [each for each in collected if is_wanted(each.place) and each.kind != SYMLINK]
    libraries = {PurePosixPath(each.place).name: each for each in kept if _is_library(each)}
    needed: set[str] = set()
    waiting = [each for each in kept if not _is_library(each)]
    while waiting:
        for name in imports(waiting.pop().source):
            if name in libraries and name not in needed:
                needed.add(name)
                waiting.append(libraries[name])
    return [
        each for each in kept if not _is_library(each) or PurePosixPath(each.place).name in needed
    ]


def standing_links(
    collected: Iterable[CollectedFile], kept: Iterable[CollectedFile]
) -> list[CollectedFile]:
    """The symbolic links to files that are kept; what such a link is "from" is its target."""
    places = {each.place for each in kept}
    return [each for each in collected if each.kind == SYMLINK and each.source in places]


def _is_library(file: CollectedFile) -> bool:
    """Whether it is there because others are linked with it, and for no other reason.

    Such libraries lie at the top, those of Qt in its own folder.
    """
    path = PurePosixPath(file.place.replace("\\", "/"))
    if file.kind != LIBRARY or ".so" not in path.name or path.name.startswith("libpython"):
        return False
    return len(path.parts) == 1 or path.parts[-3:-1] == ("Qt", "lib")
