"""Copies project files while a crawl writes to them, and deletes project files."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from gossamer.model.errors import ProjectError
from gossamer.model.translatable import system_reason
from gossamer.store.database import file_version, open_for_reading, translated
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import FILES, new_project
from gossamer.store.writer_lock import WriterLock

SUFFIX = ".gossamer"
PAGES_AT_ONCE = 512
"""Copied at a time: 2 MiB, after which somebody may have changed their mind."""


class CopyCancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The copy was cancelled and removed."""


def copy_project(
    source: Path,
    target: Path,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    cancelled: Callable[[], bool] = lambda: False,
    add_archive: Callable[[Path], None] = lambda _part: None,
) -> None:
    """Make a copy of a project as it is now, also while it is crawled; `target` must be new.

    The copy appears when it is complete, also with what `add_archive` makes beside it then.
    `progress` is told of pages copied, and of how many. Raises CopyCancelled soon after `cancelled`
    says so, ProjectError where it cannot be made.
    """

    def tell(_status: int, left: int, of: int) -> None:
        if cancelled():
            raise CopyCancelled
        progress(of - left, of)

    with (
        new_project(target) as (_, part),
        translated(source),
        closing(open_for_reading(source)) as original,
    ):
        # The project as of now: without it, each commit of the crawl would begin the copy again.
        original.execute("BEGIN")
        original.execute("SELECT 1 FROM project").fetchone()
        with translated(part), closing(sqlite3.connect(part)) as copy:
            original.backup(copy, pages=PAGES_AT_ONCE, progress=tell)
        add_archive(part)


def delete_project(path: Path) -> None:
    """Remove a project file and what SQLite and we keep beside it. There is no way back.

    ProjectError if it is being crawled, or is no project and is not called like one.
    """
    try:
        if path.suffix != SUFFIX or not path.is_file():
            file_version(path)  # damaged projects and newer ones may be deleted, other files not
        file = file_of(path)
        with closing(WriterLock(path)):
            for suffix in FILES:
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            if path.is_symlink():  # it would lead nowhere
                path.unlink()
    except OSError as e:
        raise ProjectError(
            "{path} cannot be deleted ({reason}); close it in other programs, then try again.",
            path=path,
            reason=system_reason(e),
        ) from e
