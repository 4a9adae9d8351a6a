"""Reads an image (OCI archive) without a container engine: its configuration, its files.

What is done is what the specification of images says, as far as our images need it: layers are
unpacked one upon the other, with what they remove (https://github.com/opencontainers/image-spec).
"""

from __future__ import annotations

import json
import shutil
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_REMOVED: Final = ".wh."
_ALL_REMOVED: Final = ".wh..wh..opq"


@dataclass(frozen=True)
class ImageConfig:
    """What a container of the image is started with, unless told otherwise."""

    user: str
    environment: tuple[str, ...]
    entrypoint: tuple[str, ...]
    command: tuple[str, ...]
    folder: str
    volumes: tuple[str, ...]
    stop_signal: str


def unpack_image(archive: Path, folder: Path) -> ImageConfig:
    """Unpack the files of an image into an empty folder; needs root, for their owners."""
    with tarfile.open(archive) as image:
        (manifest_entry,) = _json(image, "index.json")["manifests"]
        manifest = _json(image, _blob(manifest_entry))
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=image.extractfile(_blob(layer))) as files:
                _unpack_layer(files, folder)
        config = _json(image, _blob(manifest["config"]))["config"]
    return ImageConfig(
        user=config.get("User", ""),
        environment=tuple(config.get("Env", ())),
        entrypoint=tuple(config.get("Entrypoint", ())),
        command=tuple(config.get("Cmd", ())),
        folder=config.get("WorkingDir") or "/",
        volumes=tuple(config.get("Volumes", {})),
        stop_signal=config.get("StopSignal", "SIGTERM"),
    )


def _blob(described: dict[str, Any]) -> str:
    digest: str = described["digest"]
    return "blobs/" + digest.replace(":", "/")


def _json(image: tarfile.TarFile, name: str) -> dict[str, Any]:
    file = image.extractfile(name)
    if file is None:
        raise ValueError(f"{name} is no file")
    found: dict[str, Any] = json.load(file)
    return found


def _unpack_layer(files: tarfile.TarFile, folder: Path) -> None:
    for member in files:
        path = folder / member.name
        if path.name == _ALL_REMOVED:
            for each in path.parent.iterdir():
                _remove(each)
        elif path.name.startswith(_REMOVED):
            _remove(path.with_name(path.name.removeprefix(_REMOVED)))
        else:
            if not (member.isdir() and path.is_dir() and not path.is_symlink()):
                _remove(path)
            files.extract(member, folder, filter="fully_trusted")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
