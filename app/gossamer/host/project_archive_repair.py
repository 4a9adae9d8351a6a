"""Repairs the archive of a project before it is written to: it ends where the project says."""

import logging
from contextlib import suppress
from pathlib import Path

from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import DiskError
from gossamer.store.disk_space import disk_error, try_writing
from gossamer.store.writing.writer import Writer

_log = logging.getLogger(__name__)


def repair_archive(writer: Writer, project: Path, *, is_needed: bool) -> None:
    """Cut off records that no page of the project names, and references to missing records.

    DiskError if the folder is missing, though the project names records in it; and if it cannot be
    written to, if that `is_needed`. No worker may write to it meanwhile.
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
        return
    from gossamer.archive.archive_repair import carry_out, file_sizes, repair_of  # noqa: PLC0415 - few crawls have an archive

    try:
        sizes = {name: n for name, n in file_sizes(folder).items() if name not in ends.others}
        repair = repair_of(ends.own, sizes)
        # A file goes after its row: a kill in between must not leave a row without a file.
        lost = writer.forget_archived(repair.lost) if repair.lost or repair.remove else 0
        carry_out(folder, repair)
    except OSError as e:
        raise disk_error(folder, e) from e
    if lost:
        _log.warning("the archive lacks records", extra={"records": lost, "folder": str(folder)})
    if is_needed:
        try_writing(folder, folder)


def finish_archive(writer: Writer, project: Path) -> None:
    """Repair the archive, and sync it so that it survives a power failure."""
    folder = archive_folder(project)
    if not folder.exists():
        return
    repair_archive(writer, project, is_needed=False)
    from gossamer.archive.archive_repair import flush_files  # noqa: PLC0415 - likewise

    with suppress(OSError):
        flush_files(folder, writer.archive_ends().own)
