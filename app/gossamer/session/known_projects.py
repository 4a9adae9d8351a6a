"""Lists project files: the remembered ones and those in the data folder."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.session.default_paths import SUFFIX, projects_folder
from gossamer.store.locking.file_identity import file_of
from gossamer.store.reading.project_listing import ProjectInfo, glance

__all__ = ["ProjectInfo", "glance", "listed"]


def listed(remembered: Iterable[Path] = ()) -> list[ProjectInfo]:
    """Information on `remembered` and all projects in the data folder, the latest first.

    Unnamed crawls are found in the data folder, those of schedules in their own subfolders.
    """
    folder = projects_folder()
    kept = (*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*/*{SUFFIX}")) if folder.is_dir() else ()
    paths = {file_of(path): path.absolute() for path in (*kept, *reversed(list(remembered)))}
    found = [glance(path) for path in paths.values()]
    return sorted(found, key=lambda seen: seen.changed_at, reverse=True)
