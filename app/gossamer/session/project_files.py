"""Lists project files and deletes them with their logs."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gossamer.ipc.log_file import kept_logs
from gossamer.session.default_paths import SUFFIX, log_path, projects_folder
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project_copy import CopyCancelled, copy_project
from gossamer.store.project_copy import delete_project as delete_file
from gossamer.store.reading.project_listing import ProjectInfo, glance
from gossamer.store.rescue.project_rescue import RescueCancelled, RescueReport, TableReport, rescue

__all__ = [
    "CopyCancelled",
    "ProjectInfo",
    "RescueCancelled",
    "RescueReport",
    "TableReport",
    "copy_project",
    "delete_project",
    "glance",
    "listed",
    "rescue",
]


def listed(remembered: Iterable[Path] = ()) -> list[ProjectInfo]:
    """A look at each of `remembered` and at all projects in the data folder, the latest first.

    Crawls that were never given a name are in the data folder: there they are found again.
    """
    folder = projects_folder()
    kept = folder.glob(f"*{SUFFIX}") if folder.is_dir() else ()
    paths = {file_of(path): path.absolute() for path in (*kept, *reversed(list(remembered)))}
    found = [glance(path) for path in paths.values()]
    return sorted(found, key=lambda seen: seen.changed_at, reverse=True)


def delete_project(path: Path) -> None:
    """Remove a project and its log; ProjectError if that cannot be. There is no way back."""
    delete_file(path)
    with suppress(OSError):  # a log that stays is found by nobody any more
        for log in kept_logs(log_path(path)):
            log.unlink(missing_ok=True)
