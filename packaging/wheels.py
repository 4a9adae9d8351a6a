"""`dev.py package wheel [--cross]`: source distributions, and wheels that are made of them alone.

Of gossamer-core there is a wheel for every system, without what is in C, and one for this system.
`--cross` adds those for other systems of Linux that a compiler is here for. pip takes the one that
fits best.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from environment import venv_python
from release_tools import prepared_tools, run_tool
from shell import REPO, SetupError, say

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping

CORE, WINDOW = REPO, REPO / "packaging" / "window"
"""The projects of gossamer-core, and of gossamer, which adds the window to it."""
PURE = "GOSSAMER_PURE"
"""Whoever sets this variable wants no library in C."""
_PLATFORM = "_PYTHON_HOST_PLATFORM"
"""What Python takes for the name of its system when it builds for another one."""


@dataclass(frozen=True)
class Target:
    """A system that is not this one, its C compiler, and Debian's package of that."""

    platform: str
    compiler: str
    package: str
    is_audited: bool
    """Whether auditwheel can tell here on which releases of the system the library runs."""


TARGETS = (
    Target("linux-aarch64", "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu", is_audited=True),
    # Debian's musl-gcc is of 1.2; auditwheel looks at such wheels on such systems alone.
    Target("musllinux_1_2-x86_64", "musl-gcc", "musl-tools", is_audited=False),
)


def add_options(parser: ArgumentParser) -> None:
    """What `dev.py package wheel` takes."""
    parser.add_argument("--cross", action="store_true")


def build(dist: Path, options: Namespace) -> list[Path]:
    """Make them in `dist`, in place of those that are there."""
    return build_wheels(dist, cross=options.cross)


def build_wheels(dist: Path, *, cross: bool = False) -> list[Path]:
    """Make them, those for other systems too with `cross`."""
    with tempfile.TemporaryDirectory(prefix="gossamer-wheel-") as name:
        aside = Path(name)
        made = [*of_window(aside / "window"), *of_core(aside / "core", cross=cross)]
        for pattern in ("gossamer-*.whl", "gossamer[-_]*.tar.gz", "gossamer_core-*.whl"):
            for old in dist.glob(pattern):
                old.unlink()
        return [moved(path, dist) for path in made]


def of_window(aside: Path) -> list[Path]:
    """The source distribution of the window and its wheel."""
    source, tree = unpacked_source(WINDOW, aside)
    return [source, built("wheel", tree, aside / "wheel")]


def of_core(aside: Path, *, cross: bool) -> list[Path]:
    """The source distribution of the core and its wheels."""
    source, tree = unpacked_source(CORE, aside)
    made = [source, built("wheel", tree, aside / "pure", {PURE: "1"})]
    here = built("wheel", tree, aside / "here")
    if here.name != made[-1].name:  # there is a compiler
        made.append(audited(here) if sys.platform == "linux" else here)
    for target in TARGETS if cross else ():
        if shutil.which(target.compiler) is None:
            say(f"no wheel for {target.platform}: Debian's {target.package} has its compiler.")
            continue
        library = tree / "app" / "gossamer" / "extract" / "native" / "libnativewalk.so"
        library.unlink(missing_ok=True)
        environment = {"CC": target.compiler, _PLATFORM: target.platform}
        wheel = built("wheel", tree, aside / target.platform, environment)
        made.append(audited(wheel) if target.is_audited else wheel)
    return made


def unpacked_source(project: Path, aside: Path) -> tuple[Path, Path]:
    """The source distribution of a project, and its content unpacked."""
    source = built("sdist", project, aside / "source")
    with tarfile.open(source) as archive:
        # Not as an argument: Debian 12's Python 3.11.2 has none.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(aside / "tree")  # noqa: S202 - made by us a moment ago
    (tree,) = (aside / "tree").iterdir()
    return source, tree


def built(
    target: str, tree: Path, folder: Path, environment: Mapping[str, str] | None = None
) -> Path:
    """What hatchling makes of the project in `tree`, alone in its folder."""
    command = [str(venv_python()), "-m", "hatchling", "build", "--target", target]
    done = subprocess.run(
        [*command, "--directory", str(folder)],
        cwd=tree,
        env={**os.environ, **(environment or {})},
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SetupError(f"no {target} of {tree.name} could be made:\n{done.stdout}")
    (path,) = folder.iterdir()
    return path


def audited(wheel: Path) -> Path:
    """The wheel under the names of the releases of Linux that auditwheel finds it runs on.

    Where it cannot be asked, the wheel as it is, which is good for this machine.
    """
    if not prepared_tools():
        return wheel
    named = wheel.parent / "named"
    done = run_tool("auditwheel", "repair", "--wheel-dir", named, wheel)
    if done.returncode:
        raise SetupError(f"auditwheel refuses {wheel.name}:\n{done.stdout}")
    (path,) = named.iterdir()
    return path


def moved(path: Path, dist: Path) -> Path:
    """`path`, complete at once, in the folder `dist`, which may be on another disk."""
    aside = dist / f".{path.name}.part"
    shutil.copyfile(path, aside)
    return aside.replace(dist / path.name)
