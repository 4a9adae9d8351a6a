"""`dev.py package flatpak`: what flatpak-builder makes Gossamer of, on this kind of machine.

The manifest, and the wheels of this checkout and of all that it needs, as pip resolves them with
our constraints for the Python of the runtime. Each is listed with its hash: flatpak-builder builds
from them alone, without a network.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_files import write_desktop_files
from desktop_metadata import DESKTOP_ID, VERSION
from environment import CONSTRAINTS, venv_python
from frozen_folder import DRAW_ICONS, WINDOW, drawn
from shell import REPO, SetupError
from wheels import built, moved

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

RUNTIME, RUNTIME_VERSION, RUNTIME_PYTHON = "org.freedesktop", "25.08", "3.13"
PLATFORMS = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
PERMISSIONS = (
    "--share=network",  # it is a crawler
    "--share=ipc",  # X11 wants it
    "--socket=wayland",
    "--socket=fallback-x11",
    "--talk-name=org.freedesktop.Notifications",
    "--talk-name=org.freedesktop.secrets",  # passwords that a user wants to be kept
    # A project has files beside it while it is written, which the portal for files does not give.
    "--filesystem=xdg-documents",
    "--env=GOSSAMER_RELEASES=",  # the app store updates it
)


def build(dist: Path, _options: Namespace) -> list[Path]:
    """Write the archive."""
    name = f"gossamer-{VERSION}-flatpak-{platform.machine()}"
    target = dist / f"{name}.tar.gz"
    aside = target.with_name(f".{target.name}.part")
    with tempfile.TemporaryDirectory(prefix="gossamer-flatpak-") as aside_name:
        folder = Path(aside_name) / name
        folder.mkdir()
        wheels = folder / "wheels"
        wheels.mkdir()
        sources = fetched(wheels)
        for project in (REPO, WINDOW):
            sources.append(source_of(moved(built("wheel", project, folder / project.name), wheels)))
            shutil.rmtree(folder / project.name)
        write_json(folder / f"{DESKTOP_ID}.json", manifest(sources))
        write_desktop_files(folder / "files")
        drawn(DRAW_ICONS, folder / "files")
        with tarfile.open(aside, "w:gz") as archive:
            archive.add(folder, folder.name)
    return [aside.replace(target)]


def manifest(sources: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """What flatpak-builder reads."""
    install = (
        "pip3 install --no-index --no-build-isolation --no-deps --prefix=${FLATPAK_DEST} *.whl"
    )
    return {
        "id": DESKTOP_ID,
        "runtime": f"{RUNTIME}.Platform",
        "runtime-version": RUNTIME_VERSION,
        "sdk": f"{RUNTIME}.Sdk",
        "command": "gossamer",
        "finish-args": list(PERMISSIONS),
        "modules": [
            {
                "name": "gossamer",
                "buildsystem": "simple",
                "build-commands": [install, "cp --recursive files/share ${FLATPAK_DEST}/"],
                "sources": [*sources, {"type": "dir", "path": "files", "dest": "files"}],
            }
        ],
    }


def fetched(folder: Path) -> list[dict[str, str]]:
    """The wheels of all that both distributions need, put in `folder`, as sources."""
    words = ["download", "--quiet", "--only-binary=:all:", "--python-version", RUNTIME_PYTHON]
    for oldest in PLATFORMS:  # pip takes those that are named, not what is older
        words += ["--platform", f"{oldest}_{platform.machine()}"]
    words += ["--dest", str(folder), "--constraint", CONSTRAINTS, *requirements()]
    pip = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", *words]
    if subprocess.run(pip, cwd=REPO, check=False).returncode:
        raise SetupError("pip did not get what the Flatpak needs; the lines above say why.")
    return [source_of(each) for each in sorted(folder.iterdir())]


def requirements() -> list[str]:
    """What both distributions ask for, but each other."""
    core = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))
    window = tomllib.loads((WINDOW / "pyproject.toml").read_text("utf-8"))
    return [*core["project"]["dependencies"], *window["tool"]["gossamer"]["dependencies"]]


def source_of(wheel: Path) -> dict[str, str]:
    """A wheel in the folder of that name, pinned by its hash."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return {"type": "file", "path": f"wheels/{wheel.name}", "sha256": digest}


def write_json(path: Path, content: object) -> None:
    """Write JSON that a user can read."""
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
