"""Puts together what the Debian packages contain, from the wheels in `wheels`, without a network.

Usage: python3.X packaging/deb_contents.py python3.X    in the source tree that deb.py lays out

debian/rules calls this in a system of the release that the packages are for, with its Python.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import desktop_metadata as about
from debian_copyright import copyright_file
from desktop_files import write_desktop_files
from pyside_modules import WRITE_MODULES
from qt_files import unneeded_qt_files
from script_arguments import script_arguments
from shell import REPO

if TYPE_CHECKING:
    from collections.abc import Iterator

DEBIAN = REPO / "debian"
WHEELS = REPO / "wheels"
CORE, WINDOW = "gossamer-core", "gossamer"
PRIVATE = Path("usr/lib/gossamer")
"""A virtual environment whose interpreter is the system's."""
COMPLETIONS = {
    "bash": "share/bash-completion/completions/gossamer",
    "zsh": "share/zsh/vendor-completions/_gossamer",
    "fish": "share/fish/vendor_completions.d/gossamer.fish",
}
_UNUSED_IN_C = re.compile(r"(_tests|_testcapi|^lapack_lite)\.[^.]+\.so$")
"""Of numpy and multidict, imported by their tests alone."""
_AUTOLOADED = '\n_gossamer_completion "$@"\n'
"""zsh runs the file when the first completion is asked for: it must also answer that."""


def main(python: str) -> int:
    """Fill debian/gossamer-core and debian/gossamer."""
    core, window = DEBIAN / CORE, DEBIAN / WINDOW
    site = PRIVATE / "lib" / python / "site-packages"
    install_wheels(CORE, core / site)
    install_wheels(WINDOW, window / site)
    said_by(python, [window / site], "-c", WRITE_MODULES)
    for path in files_below(window / site):
        inside = path.relative_to(window)
        if (core / inside).exists():
            path.unlink()
    for path in unneeded_qt_files(window / site):
        path.unlink()
    write_environment(core / PRIVATE, python)
    write_command(core)
    write_for_shells(core, core / site, python)
    write_for_desktops(window, core / site, window / site, python)
    for package in (core, window):
        for cache in [*package.rglob("__pycache__")]:
            shutil.rmtree(cache)
        remove_empty_folders(package)
        documents = package / "usr" / "share" / "doc" / package.name
        documents.mkdir(parents=True, exist_ok=True)
        (documents / "copyright").write_text(copyright_file(package / site), encoding="utf-8")
    return 0


def install_wheels(distribution: str, site: Path) -> None:
    """Install a distribution with all that it needs into a folder, and nothing outside of it."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    offline = ["--no-index", "--find-links", str(WHEELS), "--no-compile", "--quiet"]
    subprocess.run([*pip, *offline, "--target", str(site), distribution], check=True)
    for name in ("bin", "share", "include"):  # as the system wants them, they are elsewhere
        shutil.rmtree(site / name, ignore_errors=True)
    for path in files_below(site):
        if is_for_tests(path.relative_to(site)):
            path.unlink()
        else:
            path.chmod(0o644)


def is_for_tests(inside: Path) -> bool:
    """Whether a file of a library is there to test it, or to compile something against it."""
    folders = inside.parts[:-1]
    sources = {".c", ".h", ".pxd", ".pyx", ".pyi", ".a", ".typed"}
    return (
        "tests" in folders
        or _UNUSED_IN_C.search(inside.name) is not None
        or "numpy/_core/lib/pkgconfig" in inside.as_posix()
        or (inside.suffix in sources and inside.parts[0] != "gossamer")
    )


def write_environment(private: Path, python: str) -> None:
    """What makes a virtual environment of a folder: Python looks for it beside its command."""
    (private / "bin").mkdir(parents=True)
    interpreter = os.path.relpath(f"/usr/bin/{python}", f"/{PRIVATE}/bin")
    (private / "bin" / "python3").symlink_to(interpreter)
    version = ".".join(map(str, sys.version_info[:2]))
    lines = ("home = /usr/bin", "include-system-site-packages = false", f"version = {version}")
    (private / "pyvenv.cfg").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_command(package: Path) -> None:
    """The command of users."""
    command = package / "usr" / "bin" / about.COMMAND
    command.parent.mkdir(parents=True)
    shutil.copyfile(DEBIAN / "command", command)
    command.chmod(0o755)


def write_for_shells(package: Path, site: Path, python: str) -> None:
    """The manual page and what completes commands."""
    page = package / "usr" / "share" / "man" / "man1" / f"{about.COMMAND}.1"
    page.parent.mkdir(parents=True)
    page.write_text(said_by(python, [site], "packaging/manual_page.py"), encoding="utf-8")
    for shell, path in COMPLETIONS.items():
        script = said_by(python, [site], "-m", "gossamer", "completion", shell)
        completion = package / "usr" / path
        completion.parent.mkdir(parents=True)
        autoloaded = _AUTOLOADED if shell == "zsh" else ""
        completion.write_text(script + autoloaded, encoding="utf-8")


def write_for_desktops(package: Path, core: Path, window: Path, python: str) -> None:
    """The menu entry, the file type, the component and the icons."""
    write_desktop_files(package / "usr", old_appstream="OLD_APPSTREAM" in os.environ)
    said_by(python, [core, window], "packaging/program_icons.py", "--theme", str(package / "usr"))


def said_by(python: str, sites: list[Path], *arguments: str) -> str:
    """What a program that has the packages in `sites` prints."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, sites)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": "/nonexistent",
    }
    command = [python, *arguments]
    done = subprocess.run(
        command, env=environment, cwd=REPO, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder and those in it."""
    yield from (path for path in sorted(folder.rglob("*")) if path.is_file() or path.is_symlink())


def remove_empty_folders(folder: Path) -> None:
    """Remove what holds no file any more."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink() and not any(path.iterdir()):
            path.rmdir()


if __name__ == "__main__":
    (python_here,), _ = script_arguments(__doc__, operands=range(1, 2))
    sys.exit(main(python_here))
