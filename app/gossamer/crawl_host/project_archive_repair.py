"""Repairs the archive of a project before it is written to: it ends where the project says."""

import logging
from contextlib import suppress
from pathlib import Path

from gossamer.model.archive_loss import ArchiveLoss
from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import DiskError
from gossamer.store.disk_errors import disk_error
from gossamer.store.project_disk_check import try_writing
from gossamer.store.writing.writer import Writer

_log = logging.getLogger(__name__)


def repair_archive(writer: Writer, project: Path, *, is_needed: bool) -> ArchiveLoss | None:
    """Cut off records that no page of the project names, and references to missing records.

    Returns what is missing. DiskError if the folder is missing, though the project names records in
    it. If it `is_needed`, a new one is made where the project names none; DiskError if it cannot be
    written to. No worker may write to it meanwhile.
    """
    ends = writer.archive_ends()
    folder = archive_folder(project)
    if not folder.exists():
        if ends.own:
            raise DiskError(
                "The archive {path} is missing; put it back, or create an empty folder of that "
                "name to continue without its contents.",
                path=folder,
            )
        if not is_needed:
            return None
        _make(folder)
    from gossamer.archive.archive_repair import carry_out, file_sizes, repair_of  # noqa: PLC0415 - few crawls have an archive

    try:
        sizes = {name: n for name, n in file_sizes(folder).items() if name not in ends.others}
        repair = repair_of(ends.own, sizes)
        # A file goes after its row: a kill in between must not leave a row without a file.
        lost = writer.forget_archived(repair.lost) if repair.lost or repair.remove else 0
        carry_out(folder, repair)
    except OSError as e:
        raise disk_error(folder, e) from e
    if repair.lost:
        _log.warning("the archive lacks records", extra={"urls": lost, "folder": str(folder)})
    if is_needed:
        try_writing(folder, folder)
    return ArchiveLoss(tuple(sorted(repair.lost)), lost) if repair.lost else None


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as e:
        raise disk_error(folder, e) from e


def finish_archive(writer: Writer, project: Path) -> ArchiveLoss | None:
    """Repair the archive, and sync it so that it survives a power failure.

    Returns what is missing. DiskError if that is the whole folder, or if it cannot be repaired.
    """
    loss = repair_archive(writer, project, is_needed=False)
    folder = archive_folder(project)
    from gossamer.archive.archive_repair import flush_files  # noqa: PLC0415 - likewise

    with suppress(OSError):
        flush_files(folder, writer.archive_ends().own)
    return loss
