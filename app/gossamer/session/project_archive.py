"""Copies, replaces or deletes the archive of a project with the project."""

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.archive_record import archive_folder, is_archive_file
from gossamer.model.errors import ProjectError
from gossamer.model.translatable import system_reason
from gossamer.store.disk_errors import disk_error
from gossamer.store.locking.file_identity import file_of, is_file_itself
from gossamer.store.project import ensure_no_archive
from gossamer.store.project_copy import CopyCancelled

_COPIED_BYTES: Final = 1 << 24


def copy_archive(
    source: Path, part: Path, target: Path, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Copy the archive of the project at `source`, if it has one, beside `part`.

    That is a project that becomes the one at `target`. Links and pipes are left out, whatever their
    names: see `is_file_itself`. Raises CopyCancelled soon after `cancelled` says so, DiskError if
    it cannot be made.
    """
    folder, made, place = archive_folder(file_of(source)), *map(archive_folder, (part, target))
    if not folder.is_dir():
        return
    ensure_no_archive(place)
    try:
        made.mkdir(mode=0o700)
        for path in sorted(folder.iterdir()):
            if is_archive_file(path.name) and is_file_itself(path):
                _copy_file(path, made / path.name, cancelled)
    except OSError as e:
        raise disk_error(place, e) from e


def _copy_file(source: Path, target: Path, cancelled: Callable[[], bool]) -> None:
    with source.open("rb") as original, target.open("xb") as copy:
        target.chmod(0o600)
        while data := original.read(_COPIED_BYTES):
            if cancelled():
                raise CopyCancelled
            copy.write(data)


def delete_archive(file: Path, kept: Collection[str] = ()) -> None:
    """Remove the archive of a project, except foreign files; ProjectError if that fails.

    `file` is that of the project itself, see `file_of`: a link to it may be gone already. Files
    with the names `kept` stay.
    """
    folder = archive_folder(file)
    if not folder.is_dir():
        return
    try:
        for path in folder.iterdir():
            if is_archive_file(path.name) and path.name not in kept:
                path.unlink(missing_ok=True)
    except OSError as e:
        raise ProjectError(
            "{path} cannot be deleted ({reason}); close it in other programs, then try again.",
            path=folder,
            reason=system_reason(e),
        ) from e
    with suppress(OSError):  # somebody keeps other files there
        folder.rmdir()


@contextmanager
def linked_archive(source: Path, target: Path) -> Iterator[None]:
    """Inside, `source` replaces `target`, whose archive has the files of both.

    So a process killed there leaves whatever is at `target` with its own archive. A disk without
    hard links does without.
    """
    folder, place = archive_folder(source), archive_folder(target)
    linked = []
    with suppress(OSError):
        for path in _files_in(folder):
            place.mkdir(mode=0o700, exist_ok=True)
            with suppress(FileExistsError):
                os.link(path, place / path.name)
                linked.append(place / path.name)
    try:
        yield
    except BaseException:
        for path in linked:
            with suppress(OSError):
                path.unlink()
        raise


def replace_archive(source: Path, target: Path) -> None:
    """Make the archive of `source` that of `target`, whose own is removed.

    `source` has just replaced `target`: nothing names records of the other any more.
    """
    folder, place = archive_folder(source), archive_folder(target)
    try:
        files = _files_in(folder)
        delete_archive(target, kept={path.name for path in files})
        if not folder.is_dir():
            return
        place.mkdir(mode=0o700, exist_ok=True)
        for path in files:
            moved = place / path.name
            if moved.exists() and moved.samefile(path):
                path.unlink()  # to rename it would do nothing
            else:
                path.replace(moved)
        folder.rmdir()
    except OSError as e:
        raise disk_error(place, e) from e


def _files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
