"""Copies, rescues and deletes project files, with their logs."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gossamer.ipc.log_file import kept_logs
from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import ProjectError
from gossamer.session.default_paths import log_path
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import ensure_new, ensure_no_archive
from gossamer.store.project_copy import CopyCancelled
from gossamer.store.project_copy import copy_project as copy_file
from gossamer.store.project_copy import delete_project as delete_file
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.rescue.project_rescue import RescueCancelled
from gossamer.store.rescue.project_rescue import rescue as rescue_file
from gossamer.store.rescue.rescue_report import RescueReport, TableReport

__all__ = [
    "CopyCancelled",
    "RescueCancelled",
    "RescueReport",
    "TableReport",
    "copy_project",
    "delete_project",
    "rescue",
]


OnProgress = Callable[[int, int], None]


def copy_project(
    source: Path,
    target: Path,
    progress: OnProgress = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Copy a project, as `store.project_copy` does, with its archive."""
    from gossamer.session.project_archive import copy_archive  # noqa: PLC0415 - few have one

    ensure_new(target)
    ensure_no_archive(archive_folder(target))
    copy_file(
        *(source, target, progress, cancelled),
        add_archive=lambda part: copy_archive(source, part, target, cancelled),
    )


def rescue(
    source: Path,
    target: Path,
    progress: OnProgress = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> RescueReport:
    """Rescue a project, as `store.rescue` does, with its archive, of which nothing is lost."""
    from gossamer.session.project_archive import copy_archive  # noqa: PLC0415 - likewise

    ensure_new(target)
    ensure_no_archive(archive_folder(target))
    try:
        return rescue_file(
            *(source, target, progress, cancelled),
            add_archive=lambda part: copy_archive(source, part, target, cancelled),
        )
    except CopyCancelled as e:
        raise RescueCancelled from e


def delete_project(path: Path) -> None:
    """Remove a project, its archive and its log; ProjectError if that fails.

    This cannot be undone.

    Its series keeps the figures, unless it was the only crawl and nothing else is kept there. Where
    there is a copy, nothing of the crawl is forgotten.
    """
    series, created_at = "", 0.0
    file = file_of(path)
    with suppress(ProjectError):  # a damaged project may be deleted
        series, created_at = read_identity(path)
    delete_file(path)
    from gossamer.session.project_archive import delete_archive  # noqa: PLC0415 - likewise

    delete_archive(file)
    if series:
        from gossamer.session.project_locations import forget_project  # noqa: PLC0415 - it imports all audit rules
        from gossamer.store.searching.index_files import index_of, remove_index  # noqa: PLC0415 - likewise

        if forget_project(series, created_at, path):
            remove_index(index_of(series, created_at))
    with suppress(OSError):  # nobody would find a log that stays
        for log in kept_logs(log_path(file)):
            log.unlink(missing_ok=True)
