"""A new folder with subfolders, made aside: it appears with all of its files in one step."""

import json
import os
from pathlib import Path
from typing import Final, Self

from gossamer.export.output_files import check_folder, output_errors
from gossamer.model.errors import OutputError
from gossamer.store.atomic_files import StagingFolder, make_private

MARKER: Final = ".gossamer-export.json"
"""A file with the number of other files that the folder had when made: then it may be replaced."""
_VERSION: Final = 1


class OutputTree:
    """The destination of an export of many files. A context manager; OutputError.

    Leaving the context without `put_in_place` leaves nothing behind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._paths: list[str] = []

    def __enter__(self) -> Self:
        with output_errors(self.path):
            self._aside = StagingFolder(self.path.absolute().parent)
            self._tree = self._aside.path / "tree"
            make_private(self._tree)
        return self

    def __exit__(self, *_: object) -> None:
        self._aside.close()

    def new(self, path: str) -> Path:
        """A new empty file at a path in the folder, separated by slashes."""
        file = self._tree / path
        with output_errors(self.path):
            make_private(file.parent)
            self._aside.new(str(file.relative_to(self._aside.path)))
        self._paths.append(path)
        return file

    def put_in_place(self) -> tuple[Path, ...]:
        """Make the folder appear; returns its files, and itself last."""
        marker = {"version": _VERSION, "files": len(self._paths)}
        self.new(MARKER).write_text(json.dumps(marker), "utf-8")
        with output_errors(self.path):
            former = self._aside.path / "former"
            if self.path.is_dir():
                _ensure_ours(self.path)
                self.path.rename(former)  # it goes with the folder aside
            try:
                self._aside.put_tree(self._tree, self.path)
            except OSError:
                if former.is_dir():
                    former.rename(self.path)
                raise
        return (*(self.path / each for each in self._paths), self.path)


def _ensure_ours(folder: Path) -> None:
    """Raise OutputError unless a folder is empty, or has only an earlier export."""
    count = sum(len(names) for _, _, names in os.walk(folder))
    if not count and not any(folder.iterdir()):
        return
    try:
        marker = json.loads((folder / MARKER).read_text("utf-8"))
        is_ours = marker["version"] == _VERSION and marker["files"] + 1 == count
    except (OSError, ValueError, TypeError, KeyError):
        is_ours = False
    if not is_ours:
        raise OutputError(
            "{path} has other files than an earlier export; name a new folder.", path=folder
        )


def check_new_folder(out: Path) -> None:
    """Raise OutputError with the reason if no folder `out` can be made, or replaced."""
    with output_errors(out):
        if not out.is_dir():
            check_folder(out)
        if out.is_file():
            raise OutputError("{path} is a file; name a new folder.", path=out)
        if out.is_dir():
            _ensure_ours(out)
