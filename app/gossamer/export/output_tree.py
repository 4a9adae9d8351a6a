"""A new folder with folders in it, made aside: it appears with all of its files in one step."""

from pathlib import Path
from typing import Self

from gossamer.export.output_files import check_folder, told
from gossamer.model.errors import OutputError
from gossamer.store.atomic_files import StagingFolder, make_private


class OutputTree:
    """The destination of an export of many files. A context manager; OutputError.

    Leaving the context without `put_in_place` leaves nothing behind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._paths: list[str] = []

    def __enter__(self) -> Self:
        with told(self.path):
            self._aside = StagingFolder(self.path.absolute().parent)
            self._tree = self._aside.path / "tree"
            make_private(self._tree)
        return self

    def __exit__(self, *_: object) -> None:
        self._aside.close()

    def new(self, path: str) -> Path:
        """A new empty file at a path in the folder, parts of which slashes separate."""
        file = self._tree / path
        with told(self.path):
            make_private(file.parent)
            self._aside.new(str(file.relative_to(self._aside.path)))
        self._paths.append(path)
        return file

    def put_in_place(self) -> tuple[Path, ...]:
        """Have the folder appear; its files, and itself last."""
        with told(self.path):
            if self.path.is_dir():
                self.path.rmdir()  # which is empty
            self._aside.put_tree(self._tree, self.path)
        return (*(self.path / each for each in self._paths), self.path)


def check_new_folder(out: Path) -> None:
    """Raise OutputError with the reason where no new folder `out` can be made."""
    with told(out):
        if not out.is_dir():
            check_folder(out)
        if out.is_file():
            raise OutputError("{path} is a file; name a new folder.", path=out)
        if out.is_dir() and any(out.iterdir()):
            raise OutputError("{path} is not empty; name a new folder.", path=out)
