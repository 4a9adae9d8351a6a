"""Takes the archive of a project along when the project is copied, replaced or deleted."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from gossamer.model.archive_record import archive_folder, is_archive_file
from gossamer.model.errors import ProjectError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.disk_space import disk_error
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project_copy import CopyCancelled

_COPIED_BYTES: Final = 1 << 24


def ensure_no_archive(project: Path) -> None:
    """Raise ProjectError where the archive of a new project would be in another one's place."""
    folder = archive_folder(project)
    if os.path.lexists(folder):  # False for a name that is too long: it is told with the project's
        raise ProjectError("{path} is in the way; move or delete it.", path=folder)


def copy_archive(source: Path, target: Path, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Copy the archive of the project at `source`, if it has one, to that at `target`.

    The copy appears when it is complete. Raises CopyCancelled soon after `cancelled` says so,
    DiskError where it cannot be made.
    """
    folder, copy = archive_folder(file_of(source)), archive_folder(target)
    if not folder.is_dir():
        return
    try:
        with StagingFolder(copy.parent) as aside:
            part = aside.path / copy.name
            part.mkdir(mode=0o700)
            for path in sorted(folder.iterdir()):
                if is_archive_file(path.name):
                    _copy_file(path, part / path.name, cancelled)
            part.rename(copy)
    except OSError as e:
        raise disk_error(copy, e) from e


def _copy_file(source: Path, target: Path, cancelled: Callable[[], bool]) -> None:
    with source.open("rb") as original, target.open("xb") as copy:
        target.chmod(0o600)
        while data := original.read(_COPIED_BYTES):
            if cancelled():
                raise CopyCancelled
            copy.write(data)


def delete_archive(file: Path) -> None:
    """Remove the archive of a project, but for files of others; ProjectError if that cannot be.

    `file` is that of the project itself, see `file_of`: a link to it may be gone already.
    """
    folder = archive_folder(file)
    if not folder.is_dir():
        return
    try:
        for path in folder.iterdir():
            if is_archive_file(path.name):
                path.unlink(missing_ok=True)
    except OSError as e:
        raise ProjectError(
            "{path} cannot be deleted ({reason}); close it in other programs, then try again.",
            path=folder,
            reason=system_reason(e),
        ) from e
    with suppress(OSError):  # somebody keeps other files there
        folder.rmdir()


def replace_archive(source: Path, target: Path) -> None:
    """Have the archive of `source` be that of `target`, whose own is removed.

    `source` has just taken the place of `target`: records of the other are named by nobody.
    """
    delete_archive(target)
    folder, place = archive_folder(source), archive_folder(target)
    if folder.is_dir():
        try:
            place.mkdir(mode=0o700, exist_ok=True)
            for path in folder.iterdir():
                path.rename(place / path.name)
            folder.rmdir()
        except OSError as e:
            raise disk_error(place, e) from e
