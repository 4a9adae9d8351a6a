"""Locates the indexes of full-text search: files of the data folder that can be rebuilt.

They are named after the projects' series and times, so that a project that is moved keeps its own.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import DiskError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import make_private
from gossamer.store.data_folder import data_folder
from gossamer.store.database import opened, primary_code
from gossamer.store.locking.folder_lock import locked_folder
from gossamer.store.shared_database import remove_beside
from gossamer.store.stale_files import stale_files

_SUFFIX: Final = ".search"
MOST_BYTES: Final = 4 * 1024**3
"""Of all indexes together, but for those that are in use: some two million pages."""


def index_folder() -> Path:
    """Where the indexes of all projects are."""
    return data_folder() / "search"


def index_path(project: sqlite3.Connection) -> Path:
    """The file of the index of a project, which may not be there."""
    return index_of(*project.execute("SELECT series, created_at FROM project").fetchone())


def index_of(series: str, created_at: float) -> Path:
    """The file of the index of the project of a series that was made then."""
    return index_folder() / f"{series}-{int(created_at * 1000)}{_SUFFIX}"


@contextmanager
def made_in(path: Path) -> Iterator[None]:
    """Inside, the index at `path` is made, for which old ones give room; DiskError."""
    try:
        make_private(path.parent)
        if not path.exists():
            for unused in stale_files(path.parent, f"*{_SUFFIX}"):
                remove_index(unused)
            make_room(path)
        yield
    except OSError as e:
        raise DiskError(
            "The search index {path} cannot be built ({reason}); check its disk and permissions.",
            path=path,
            reason=system_reason(e),
        ) from e


def make_room(path: Path, most: int | None = None) -> None:
    """Remove the indexes that were searched longest ago, until all have `most` bytes at most.

    The one at `path` stays, and so do those that anybody has open.
    """
    indexes = sorted(_sizes(path.parent))
    total = sum(size for _, size, _ in indexes)
    for _, size, index in indexes:
        if total <= (MOST_BYTES if most is None else most):
            return
        if index != path and not is_open(index):
            remove_index(index)
            total -= size


def _sizes(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each index was last used, its bytes and its file."""
    for each in folder.glob(f"*{_SUFFIX}"):
        with suppress(OSError):  # it has just been removed
            status = each.stat()
            yield status.st_mtime, status.st_size, each


def is_open(path: Path) -> bool:
    """Whether anybody has an index open: SQLite leaves WAL mode for the only one that has.

    What is no index is not open.
    """
    try:
        with closing(opened(path, "mode=rw")) as connection:
            connection.execute("PRAGMA busy_timeout=0")
            mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.Error as e:
        return primary_code(e) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return bool(mode == "wal")


def remove_index(path: Path) -> None:
    """Remove an index, if that can be: who has it open will find that it is gone."""
    if path.parent.is_dir():
        with suppress(OSError), locked_folder(path.parent):
            path.unlink(missing_ok=True)
            remove_beside(path)
