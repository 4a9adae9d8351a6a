"""`dev.py package appimage --runtime FILE`: the frozen folder as one file that starts by itself.

An AppImage is a start program, the runtime of https://github.com/AppImage/type2-runtime, and behind
it the folder as a SquashFS image, which the runtime mounts. The runtime is a program of others, for
each kind of machine, and is not fetched here: `--runtime` names the file. mksquashfs is of Debian's
package squashfs-tools.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_metadata import DESKTOP_ID
from frozen_folder import archive_name, made_folder
from shell import SetupError, run_quietly

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

ELF = b"\x7fELF"
MARK, MARK_AT = b"AI\x02", 8
"""How a runtime of type 2 is known, and where."""
START = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/gossamer" "$@"
"""


def add_options(parser: ArgumentParser) -> None:
    """What `dev.py package appimage` takes."""
    parser.add_argument("--runtime", type=Path, metavar="FILE", required=True)


def build(dist: Path, options: Namespace) -> list[Path]:
    """Make the AppImage."""
    refuse_unless_runtime(options.runtime)
    if shutil.which("mksquashfs") is None:
        raise SetupError("an AppImage needs mksquashfs: install squashfs-tools.")
    with tempfile.TemporaryDirectory(prefix="gossamer-appimage-") as name:
        folder = prepared(made_folder(Path(name)))
        return [joined(options.runtime, folder, dist)]


def refuse_unless_runtime(path: Path) -> None:
    """Raise SetupError if the file is no runtime."""
    try:
        with path.open("rb") as file:
            head = file.read(MARK_AT + len(MARK))
    except OSError as e:
        raise SetupError(f"the runtime {path} cannot be read ({e.strerror}).") from e
    if not (head.startswith(ELF) and head[MARK_AT:] == MARK):
        raise SetupError(f"{path} is no runtime for AppImages of type 2.")


def prepared(folder: Path) -> Path:
    """The folder with what an AppImage has at its top: start script, menu entry, icon."""
    start = folder / "AppRun"
    start.write_text(START, encoding="utf-8")
    start.chmod(0o755)
    entry = f"{DESKTOP_ID}.desktop"
    shutil.copy(folder / "share" / "applications" / entry, folder / entry)
    icons = folder / "share" / "icons" / "hicolor"
    shutil.copy(icons / "256x256" / "apps" / f"{DESKTOP_ID}.png", folder / f"{DESKTOP_ID}.png")
    (folder / ".DirIcon").symlink_to(f"{DESKTOP_ID}.png")
    # Where AppImages are looked through for what app stores show.
    (folder / "usr").mkdir()
    (folder / "usr" / "share").symlink_to("../share")
    return folder


def joined(runtime: Path, folder: Path, dist: Path) -> Path:
    """Runtime and folder in one file, complete at once."""
    target = dist / f"{archive_name()}.AppImage"
    image = folder.with_name("image.squashfs")
    made = ["mksquashfs", str(folder), str(image), "-root-owned", "-noappend", "-comp", "zstd"]
    # The time of all files is that of the source, which mksquashfs reads itself.
    if not run_quietly(made, "mksquashfs made no image"):
        raise SetupError("no AppImage could be made; the lines above say why.")
    aside = target.with_name(f".{target.name}.part")
    with aside.open("wb") as file:
        for part in (runtime, image):
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
    aside.chmod(0o755)
    os.utime(aside, None)
    return aside.replace(target)
