"""`dev.py package image [--base IMAGE]`: the command line as an image for containers (OCI).

It is built with buildah, podman or docker, whichever is there, from `packaging/image/Dockerfile`
and the wheel of gossamer-core, and written as an archive that each of them loads. `--base` names
another image of Debian 13 to build on.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_metadata import SUMMARY, VERSION
from shell import REPO, SetupError
from wheels import built

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCKERFILE = REPO / "packaging" / "image" / "Dockerfile"
NAME = f"gossamer:{VERSION}"
LABELS = {
    "org.opencontainers.image.title": "Gossamer",
    "org.opencontainers.image.description": SUMMARY.english,
    "org.opencontainers.image.version": VERSION,
    "org.opencontainers.image.licenses": "MIT",
}
TOOLS = ("buildah", "podman", "docker")


def build(dist: Path, options: Sequence[str]) -> list[Path]:
    """Make the image and pack it."""
    base = named_base(options)
    tool = next((each for each in TOOLS if shutil.which(each)), None)
    if tool is None:
        raise SetupError("an image is built with buildah, podman or docker: install one of them.")
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    target = dist / f"gossamer-{VERSION}-image-{machine}.tar"
    aside = target.with_name(f".{target.name}.part")
    with tempfile.TemporaryDirectory(prefix="gossamer-image-") as name:
        context = context_in(Path(name))
        for command in commands(tool, context, aside, base):
            if subprocess.run(command, check=False).returncode:
                raise SetupError("no image could be made; the lines above say why.")
    return [aside.replace(target)]


def named_base(options: Sequence[str]) -> str:
    """The image that `--base` names, "" for that of the Dockerfile; SetupError."""
    if not options:
        return ""
    if len(options) != 2 or options[0] != "--base":  # noqa: PLR2004 - the option and its value
        raise SetupError("package image has one option, --base IMAGE.")
    return options[1]


def context_in(folder: Path) -> Path:
    """A folder with what the Dockerfile copies, and nothing else."""
    context = folder / "context"
    context.mkdir()
    wheel = built("wheel", REPO, folder / "made")
    for file in (wheel, REPO / "packaging" / "constraints.txt", DOCKERFILE):
        shutil.copy(file, context)
    return context


def commands(tool: str, context: Path, target: Path, base: str) -> list[list[str]]:
    """The commands that build the image and write it to the file `target`."""
    words = [f"--label={name}={value}" for name, value in LABELS.items()]
    words += [f"--build-arg=BASE={base}"] if base else []
    words += [f"--tag={NAME}", str(context)]
    target.unlink(missing_ok=True)
    if tool == "docker":
        return [["docker", "buildx", "build", f"--output=type=oci,dest={target}", *words]]
    isolated = ["--isolation=chroot", "--network=host"] if tool == "buildah" else []
    made = [tool, "build", "--format=oci", *isolated, *words]
    if tool == "buildah":
        return [made, ["buildah", "push", NAME, f"oci-archive:{target}:{NAME}"]]
    return [made, ["podman", "save", "--format=oci-archive", f"--output={target}", NAME]]
