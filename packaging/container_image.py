"""`dev.py package image [--cluster] [--base IMAGE]`: the command line as an image (OCI).

It is built with buildah, podman or docker, whichever is there, from `packaging/image/Dockerfile`
and the wheel of gossamer-core, and written as an archive that each of them loads. With `--cluster`
it has Dask too, for the recipes in `packaging/cluster`. `--base` names another image of Debian 13
to build on.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_metadata import SUMMARY, VERSION
from shell import REPO, SetupError
from wheels import built

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

DOCKERFILE = REPO / "packaging" / "image" / "Dockerfile"
NAME = f"gossamer:{VERSION}"
LABELS = {
    "org.opencontainers.image.title": "Gossamer",
    "org.opencontainers.image.description": SUMMARY.english,
    "org.opencontainers.image.version": VERSION,
    "org.opencontainers.image.licenses": "MIT",
}
TOOLS = ("buildah", "podman", "docker")


@dataclass(frozen=True)
class Variant:
    """Which image is wanted: on what ("" for that of the Dockerfile), and whether with Dask."""

    base: str = ""
    cluster: bool = False

    @property
    def name(self) -> str:
        """What it is called and tagged."""
        return f"{NAME}-cluster" if self.cluster else NAME

    @property
    def arguments(self) -> list[str]:
        """What the Dockerfile is told."""
        told = {"BASE": self.base, "EXTRAS": "[cluster]" if self.cluster else ""}
        return [f"--build-arg={name}={value}" for name, value in told.items() if value]


def add_options(parser: ArgumentParser) -> None:
    """What `dev.py package image` takes."""
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--base", default="", metavar="IMAGE")


def build(dist: Path, options: Namespace) -> list[Path]:
    """Make the image and pack it."""
    variant = Variant(options.base, options.cluster)
    tool = next((each for each in TOOLS if shutil.which(each)), None)
    if tool is None:
        raise SetupError("an image is built with buildah, podman or docker: install one of them.")
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    kind = "cluster-image" if variant.cluster else "image"
    target = dist / f"gossamer-{VERSION}-{kind}-{machine}.tar"
    aside = target.with_name(f".{target.name}.part")
    with tempfile.TemporaryDirectory(prefix="gossamer-image-") as name:
        context = context_in(Path(name))
        for command in commands(tool, context, aside, variant):
            if subprocess.run(command, check=False).returncode:
                raise SetupError("no image could be made; the lines above say why.")
    return [aside.replace(target)]


def context_in(folder: Path) -> Path:
    """A folder with what the Dockerfile copies, and nothing else."""
    context = folder / "context"
    context.mkdir()
    wheel = built("wheel", REPO, folder / "made")
    for file in (wheel, REPO / "packaging" / "constraints.txt", DOCKERFILE):
        shutil.copy(file, context)
    return context


def commands(tool: str, context: Path, target: Path, variant: Variant) -> list[list[str]]:
    """The commands that build the image and write it to the file `target`."""
    words = [f"--label={name}={value}" for name, value in LABELS.items()]
    words += [*variant.arguments, f"--tag={variant.name}", str(context)]
    target.unlink(missing_ok=True)
    if tool == "docker":
        return [["docker", "buildx", "build", f"--output=type=oci,dest={target}", *words]]
    isolated = ["--isolation=chroot", "--network=host"] if tool == "buildah" else []
    made = [tool, "build", "--format=oci", *isolated, *words]
    if tool == "buildah":
        return [made, ["buildah", "push", variant.name, f"oci-archive:{target}:{variant.name}"]]
    return [made, ["podman", "save", "--format=oci-archive", f"--output={target}", variant.name]]
