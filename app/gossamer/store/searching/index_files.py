"""Where the indexes of full-text search are: files of the data folder that can be made again.

They are named after the projects' series and times, so that a project that is moved keeps its own.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import DiskError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import make_private
from gossamer.store.data_folder import data_folder
from gossamer.store.locking.folder_lock import locked_folder
from gossamer.store.new_database import remove_beside
from gossamer.store.unused_files import unused_files

_SUFFIX: Final = ".search"


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
            for unused in unused_files(path.parent, f"*{_SUFFIX}"):
                remove_index(unused)
        yield
    except OSError as e:
        raise DiskError(
            "The search index {path} cannot be made ({reason}); check its disk and permissions.",
            path=path,
            reason=system_reason(e),
        ) from e


def remove_index(path: Path) -> None:
    """Remove an index, if that can be: who has it open will find that it is gone."""
    if path.parent.is_dir():
        with suppress(OSError), locked_folder(path.parent):
            path.unlink(missing_ok=True)
            remove_beside(path)
