"""Unpacks archives into the cache folder where their records cannot be read in place."""

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from shutil import disk_usage
from typing import Final

from gossamer.store.archive_index import archive_cache
from gossamer.store.atomic_files import StagingFolder, make_private
from gossamer.store.disk_errors import disk_error
from gossamer.store.stale_files import stale_files

_MOST_OF_FREE: Final = 0.95
"""Of the free space, at most this share is used: a small file may hold a petabyte, and the disk is
not filled to find out."""


def unpacked_file(
    path: Path, name: str, pieces: Iterable[bytes], on_step: Callable[[], None], size: int = 0
) -> Path:
    """The file with the unpacked `pieces` of the part `name` of the archive at `path`.

    It is made if there is none of the archive as it is now. `size` is how many bytes that will be
    at least. Raises what `pieces` and `on_step` raise, and DiskError if there is no room.
    """
    told = f"{_version_of(path)}\0{name}"
    digest = blake2b(told.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    place = archive_cache() / f"{digest}.warc"
    try:
        os.utime(place)
    except FileNotFoundError:
        try:
            _write(place, pieces, on_step, size)
        except OSError as e:
            raise disk_error(place, e) from e
    return place


def _version_of(path: Path) -> str:
    """What an archive is known by until it changes.

    A file that was unpacked here has a name of its own, and its time is that of its last use.
    """
    if path.parent == archive_cache():
        return path.name
    status = path.stat()
    return f"{path.absolute()}\0{status.st_size}\0{status.st_mtime_ns}"


def _write(place: Path, pieces: Iterable[bytes], on_step: Callable[[], None], size: int) -> None:
    make_private(place.parent)
    for unused in stale_files(place.parent, "*.warc"):
        with suppress(OSError):
            unused.unlink()
    room = int(disk_usage(place.parent).free * _MOST_OF_FREE)
    with StagingFolder(place.parent) as aside:
        part = aside.new(place.name)
        with part.open("wb") as file:
            _ensure_room(size, room, place)
            for piece in pieces:
                size = max(size, file.tell() + len(piece))
                _ensure_room(size, room, place)
                file.write(piece)
                on_step()
        aside.put(part, place, replace=True)


def _ensure_room(size: int, room: int, place: Path) -> None:
    if size > room:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place)
