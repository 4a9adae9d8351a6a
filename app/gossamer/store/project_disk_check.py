"""Checks that the disk of a project file is still there and writable."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from gossamer.model.errors import DiskError
from gossamer.store.disk_errors import disk_error

_TRIAL_BYTES: Final = 1024 * 1024


class ProjectDisk:
    """Notices when the open file is no longer the one at its path.

    SQLite would go on to write into a file that nobody finds again.
    """

    def __init__(self, path: Path) -> None:
        """Remember the file that stands at `path` now."""
        self._path = path
        with _said_of(path):
            self._file = path.stat()

    def check(self) -> None:
        """Raise DiskError unless it still stands there."""
        with _said_of(self._path):
            present = self._path.stat()
        if not os.path.samestat(present, self._file):
            raise DiskError("{path} was replaced by another file; restore it.", path=self._path)


def try_writing(path: Path, folder: Path | None = None) -> None:
    """Raise DiskError about `path` unless its folder takes another megabyte, or `folder` does.

    Leaves nothing behind.
    """
    with _said_of(path):
        write_trial(folder or path.parent)


def write_trial(folder: Path) -> None:
    """Raise OSError unless a folder takes another megabyte. Leaves nothing behind."""
    with TemporaryFile(dir=folder, prefix=".gossamer-") as trial:
        trial.write(bytes(_TRIAL_BYTES))
        trial.flush()
        os.fsync(trial.fileno())


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as e:
        raise disk_error(path, e) from e
