"""Copies, rescues and deletes project files, with their logs."""

from contextlib import suppress
from pathlib import Path

from gossamer.ipc.log_file import kept_logs
from gossamer.model.errors import ProjectError
from gossamer.session.default_paths import log_path
from gossamer.store.project_copy import CopyCancelled, copy_project
from gossamer.store.project_copy import delete_project as delete_file
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.rescue.project_rescue import RescueCancelled, RescueReport, TableReport, rescue

__all__ = [
    "CopyCancelled",
    "RescueCancelled",
    "RescueReport",
    "TableReport",
    "copy_project",
    "delete_project",
    "rescue",
]


def delete_project(path: Path) -> None:
    """Remove a project and its log; ProjectError if that cannot be. There is no way back.

    Its series keeps the figures, unless it was the only crawl and nothing else is kept there.
    """
    series, created_at = "", 0.0
    with suppress(ProjectError):  # a damaged project may be deleted
        series, created_at = read_identity(path)
    delete_file(path)
    if series:
        from gossamer.session.project_places import forget_project  # noqa: PLC0415 - it imports all audit rules

        forget_project(series, created_at, path)
    with suppress(OSError):  # a log that stays is found by nobody any more
        for log in kept_logs(log_path(path)):
            log.unlink(missing_ok=True)
