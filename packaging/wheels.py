"""`dev.py package wheel`: source distributions, and wheels that are made of them alone."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from environment import venv_python
from packages import refuse_options
from shell import REPO, SetupError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROJECTS = (REPO, REPO / "packaging" / "window")
"""gossamer-core, and gossamer, which adds the window to it."""


def build(dist: Path, options: Sequence[str]) -> list[Path]:
    """Make both of each distribution in `dist`."""
    refuse_options("wheel", options)
    with tempfile.TemporaryDirectory(prefix="gossamer-wheel-") as name:
        made = [path for project in PROJECTS for path in distributions(project, Path(name))]
        return [moved(path, dist) for path in made]


def distributions(project: Path, aside: Path) -> list[Path]:
    """The source distribution of a project and the wheel that is made of it alone."""
    aside = Path(tempfile.mkdtemp(dir=aside))
    source = built("sdist", project, aside)
    with tarfile.open(source) as archive:
        archive.extractall(aside / "tree", filter="data")
    (tree,) = (aside / "tree").iterdir()
    return [source, built("wheel", tree, aside)]


def built(target: str, tree: Path, folder: Path) -> Path:
    """What hatchling makes of the project in `tree`, alone in its folder below `folder`."""
    made = folder / target
    command = [str(venv_python()), "-m", "hatchling", "build", "--target", target]
    done = subprocess.run([*command, "--directory", str(made)], cwd=tree, check=False)
    if done.returncode:
        raise SetupError(f"no {target} could be made; the lines above say why.")
    (path,) = made.iterdir()
    return path


def moved(path: Path, dist: Path) -> Path:
    """`path`, complete at once, in the folder `dist`, which may be on another disk."""
    aside = dist / f".{path.name}.part"
    aside.write_bytes(path.read_bytes())
    return aside.replace(dist / path.name)
