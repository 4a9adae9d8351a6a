"""Replaces a project by another, in one step."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from gossamer.model.errors import ProjectError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.database import open_for_writing, translated
from gossamer.store.locking.file_identity import BESIDE, file_of
from gossamer.store.writer_lock import WriterLock


def replace_project(source: Path, target: Path, check: Callable[[], None] = lambda: None) -> None:
    """Have the project at `source` take the place of the one at `target`, on the same disk.

    Who reads `target` goes on reading what it was. `check` is called when nobody else can write
    to them any more, and may raise. ProjectError, with both as they were, if one of them is being
    written, or a reader needs what is in a -wal file.
    """
    source, target = file_of(source), file_of(target)
    try:
        with closing(WriterLock(target)), closing(WriterLock(source)):
            check()
            _settle(target)
            _settle(source)
            with StagingFolder(target.parent) as aside:
                aside.put(source, target, replace=True)
    except OSError as e:
        raise ProjectError(
            "{path} cannot be replaced ({reason}); close it in other programs, then try again.",
            path=target,
            reason=system_reason(e),
        ) from e


def _settle(path: Path) -> None:
    """Have all of a project be in its file, with nothing beside it.

    SQLite finds a -wal file by its name: one that stayed would count for the other project.
    """
    with translated(path), closing(open_for_writing(path)) as connection:
        connection.execute("PRAGMA busy_timeout=300")  # who reads for long is told of at once
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise ProjectError(
            "{path} is open in another program; close it there, then try again.", path=path
        )
    for end in BESIDE:
        path.with_name(path.name + end).unlink(missing_ok=True)
