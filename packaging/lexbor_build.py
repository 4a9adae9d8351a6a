"""Compiles selectolax's parser, lexbor, anew with GCC: as a whole, and guided by a profile.

The wheel has it compiled file by file, for any program. Compiled from the same release with what a
run over the demo site tells, it parses in three quarters of the time (docs/adr/0084). That is an
option: without GCC, Python's headers or the sources, the wheel's library stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from native_library import compiler
from shell import REPO, say, setup_lock

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSION = "1.0.2"
SHA256 = "f0508ad927aa426425d4aa7a2bb2f8b21c01412534465bd227e241d4d0a6a418"
"""Of the sources of that release, a .tar.gz."""
STAMP_NAME = "gossamer-lexbor.json"
_OPTIONS = (
    *("-std=c99", "-O3", "-g0", "-w", "-fPIC", "-fwrapv", "-fno-semantic-interposition"),
    *("-DNDEBUG", "-DLEXBOR_STATIC"),
)
_OTHER_SYSTEMS = "ports/windows_nt"
_PARSING = ("core", "dom", "html", "ns", "ports", "tag")
"""The folders of lexbor that parse; the others are compiled once."""
_MOST_S = 900
_PLACES = """
import json, sys, sysconfig, selectolax, selectolax.lexbor as lexbor
include, own = sysconfig.get_path("include"), lexbor.__file__
json.dump([selectolax.__version__, own, include], sys.stdout)
"""
_PARSE = """
import hashlib, sys
from gossamer.demo.site import build_site
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser
options = int(LexborDocumentOptions.WO_EVENTS)
answers = build_site("http://127.0.0.1").responses.values()
types = [dict(each.headers).get("Content-Type", "") for each in answers]
pages = [each.body for each, name in zip(answers, types) if name.startswith("text/html")]
"""
"""The pages of the demo site, to be parsed as Gossamer does it."""
_TRAIN = f"""{_PARSE}
for page in pages * 10:
    LexborHTMLParser(page, options=options)
"""
_READ = f"""{_PARSE}
html = [LexborHTMLParser(page, options=options).html for page in pages]
sys.stdout.write(hashlib.sha256(repr(html).encode()).hexdigest())
"""
"""Prints a hash of what is read."""


class _Places(NamedTuple):
    """Where a Python has selectolax's library, and its own headers."""

    library: Path
    headers: Path


class _BuildError(Exception):
    """Why it was not compiled, in a sentence without its full stop; "" where that goes unsaid."""


def build_lexbor(python: Path, *, retry: bool = False) -> bool:
    """Have the library of `python`'s selectolax compiled anew; say whether it is.

    What could not be done is tried again when this recipe or the library changes, or with `retry`.
    """
    stamp = python.parent.parent / STAMP_NAME
    told = _read(stamp)
    if is_current(told, retry=retry):
        return bool(told.get("is_built"))
    with setup_lock():
        told = _read(stamp)  # another dev.py was faster
        if is_current(told, retry=retry):
            return bool(told.get("is_built"))
        return _build(python, stamp)


def is_current(told: dict[str, object], *, retry: bool = False) -> bool:
    """Say whether a stamp tells of this recipe and of the library that is there."""
    if told.get("recipe") != recipe() or (retry and not told.get("is_built")):
        return False
    path = told.get("path")
    return told.get("library") == (seal(Path(str(path))) if path else None)


def recipe() -> str:
    """What changes when it would be compiled otherwise."""
    return f"{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()} {compiler()}"


def seal(library: Path) -> list[int] | None:
    """What changes when a library is replaced; None where there is none."""
    try:
        status = library.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _build(python: Path, stamp: Path) -> bool:
    told: dict[str, object] = {"recipe": recipe(), "is_built": False}
    try:
        library, headers = _places(python)
        told |= {"path": str(library), "library": seal(library)}
        with tempfile.TemporaryDirectory() as aside:
            made = _compiled(python, library, headers, Path(aside))
            # Beside the old one first: a running Gossamer keeps that.
            beside = library.with_suffix(".new")
            shutil.copyfile(made, beside)
            beside.replace(library)
        told |= {"library": seal(library), "is_built": True}
    except (_BuildError, OSError, ValueError) as error:  # an option must stop nobody
        if str(error):
            say(f"{error}: pages are parsed by the library of selectolax's wheel, which is slower.")
    stamp.write_text(json.dumps(told), encoding="utf-8")
    return bool(told["is_built"])


def _places(python: Path) -> _Places:
    command = compiler() if sys.platform == "linux" else None
    if command is None or "Free Software Foundation" not in _output([command, "--version"]):
        raise _BuildError("")
    version, library, headers = json.loads(_output([str(python), "-c", _PLACES]))
    if version != VERSION:
        raise _BuildError(f"selectolax is {version} and not {VERSION}")
    if not Path(headers, "Python.h").exists():
        raise _BuildError("Python's headers are missing")
    return _Places(Path(library), Path(headers))


def _compiled(python: Path, library: Path, headers: Path, aside: Path) -> Path:
    """A library in `aside` that reads the demo site as `library` does."""
    say("compiling the HTML parser for this machine (a minute or two) ...")
    sources = _unpacked(python, aside)
    package = aside / "trained" / "selectolax"
    shutil.copytree(library.parent, package)
    made, profile = package / library.name, aside / "profile"
    ours = {"PYTHONPATH": str(package.parent)}
    lexbor = sources / "lexbor" / "source"
    command = [compiler() or "cc", *_OPTIONS, f"-I{lexbor}", f"-I{headers}"]
    files = sorted(each for each in lexbor.rglob("*.c") if _OTHER_SYSTEMS not in each.as_posix())
    parsing = [each for each in files if each.relative_to(lexbor).parts[1] in _PARSING]
    others = [sources / "selectolax" / "lexbor.c", *(each for each in files if each not in parsing)]
    _compile(command, others)
    instrumented = [*command, f"-fprofile-generate={profile}"]
    _compile(instrumented, parsing)
    _link(instrumented, [*others, *parsing], made)
    _output([str(python), "-c", _TRAIN], ours)
    guided = [*command, f"-fprofile-use={profile}", "-fprofile-partial-training", "-flto=auto"]
    _compile(guided, parsing)
    _link(guided, [*others, *parsing], made)
    if _output([str(python), "-c", _READ], ours) != _output([str(python), "-c", _READ]):
        raise _BuildError("what was compiled reads pages otherwise than selectolax's own library")
    return made


def _unpacked(python: Path, aside: Path) -> Path:
    """The folder with the sources, as pip gets them."""
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "download"]
    wanted = ["--no-deps", "--no-binary", "selectolax", f"selectolax=={VERSION}"]
    _output([*pip, "--quiet", "--dest", str(aside), *wanted])
    package = aside / f"selectolax-{VERSION}.tar.gz"
    if not is_genuine(package):
        raise _BuildError("the sources of selectolax are not what they were")
    with tarfile.open(package) as archive:
        archive.extractall(aside)  # noqa: S202 - it is the one that was looked at
    return aside / f"selectolax-{VERSION}"


def is_genuine(package: Path) -> bool:
    """Say whether the sources are those that were looked at."""
    return package.exists() and hashlib.sha256(package.read_bytes()).hexdigest() == SHA256


def _compile(command: Sequence[str], files: Sequence[Path]) -> None:
    """Compile each file, on all processors. Profiles are found by the names of the objects."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        each = [
            pool.submit(_output, [*command, "-c", str(path), "-o", f"{path}.o"]) for path in files
        ]
        for compiled in each:
            compiled.result()


def _link(command: Sequence[str], files: Sequence[Path], library: Path) -> None:
    _output([*command, "-shared", *(f"{path}.o" for path in files), "-o", str(library)])


def _output(command: Sequence[str], environment: dict[str, str] | None = None) -> str:
    """What a command prints. Raises _BuildError if it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=REPO,
            env={**os.environ, **(environment or {})},
            check=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_MOST_S,
        )
    except subprocess.CalledProcessError as error:
        print(error.stderr.rstrip(), file=sys.stderr)
        raise _BuildError(
            f"{Path(command[0]).name} did not work; the lines above say why"
        ) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _BuildError(f"{Path(command[0]).name} did not work") from error
    return done.stdout


def _read(stamp: Path) -> dict[str, object]:
    try:
        told = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
