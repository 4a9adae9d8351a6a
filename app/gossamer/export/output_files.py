"""Writes export files under temporary names and renames them together when complete."""

import errno
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Self

from gossamer.model.errors import OutputError, UsageError
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder
from gossamer.store.folder_replacement import can_be_exchanged
from gossamer.store.locking.file_identity import file_of

_BUFFER_BYTES = 1 << 16


class OutputFiles:
    """The destination of a format: `path`, and more files next to it if needed.

    Leaving the context without `put_in_place` leaves nothing behind.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts: list[tuple[Path, Path]] = []
        self._aside: StagingFolder | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._aside is not None:
            self._aside.close()

    @contextmanager
    def part(self) -> Iterator[IO[bytes]]:
        """A new file to write. It will become `path`, unless `rename` changes that."""
        part = self._staging().new(str(len(self._parts)))
        self._parts.append((part, self.path))
        with part.open("wb", buffering=_BUFFER_BYTES) as file:
            yield file

    @property
    def folder(self) -> Path:
        """Where files can be kept while they are made; what is left there is removed in the end."""
        return self._staging().path

    def _staging(self) -> StagingFolder:
        """Where files are made: on the disk of their destination."""
        if self._aside is None:
            self._aside = StagingFolder(self._beside())
        return self._aside

    def _beside(self) -> Path:
        return file_of(self.path).parent

    def rename(self, number: int, path: Path) -> None:
        """Set the final name of the file made as the `number`th, from 0."""
        self._parts[number] = (self._parts[number][0], path)

    def put_in_place(self) -> tuple[Path, ...]:
        """Give all files their names, in order of making; returns the names.

        Each replaces an older file in one step, once it is on the disk. OutputError for one that
        cannot be replaced.
        """
        for part, path in self._parts:
            with output_errors(path):
                try:
                    self._put(part, path)
                except PermissionError as e:
                    # Windows does not replace a file that a program has open.
                    raise OutputError(
                        "{path} cannot be replaced; if it is open in another program, close it "
                        "there, then export again.",
                        path=path,
                    ) from e
        return tuple(path for _part, path in self._parts)

    def _put(self, part: Path, path: Path) -> None:
        if self._aside is not None:
            self._aside.put(part, path, replace=True)


class OutputFolder(OutputFiles):
    """A folder whose files appear together: all are complete before the first is put in place.

    If the folder exists already, its other files stay, except those in `earlier`: what an earlier
    export to it may have written. If it has nothing else, and the system can exchange folders, all
    are replaced in one step, otherwise one by one.
    """

    def __init__(self, path: Path, earlier: Collection[str]) -> None:
        super().__init__(path)
        self._earlier = frozenset(earlier)
        self._folder = path.resolve()
        self._can_be_exchanged = path.is_dir() and can_be_exchanged(self._folder)

    def name(self, name: str) -> None:
        """Set the final name of the file that was made last."""
        self.rename(len(self._parts) - 1, self.path / name)

    def put_in_place(self) -> tuple[Path, ...]:
        """As with files; a new folder appears with all of them in one step."""
        paths = tuple(path for _part, path in self._parts)
        parts = [(part, path.name) for part, path in self._parts]
        if not self.path.exists():
            with output_errors(self.path):
                self._staging().put_folder(parts, self.path)
            return paths
        for path in paths:
            check_folder(path)
        with output_errors(self.path):
            if self._can_be_exchanged and self._staging().replace_folder(
                parts, self._folder, self._earlier
            ):
                return paths
        super().put_in_place()
        with output_errors(self.path):
            for left in self._earlier.difference(path.name for path in paths):
                (self.path / left).unlink(missing_ok=True)
        return paths

    def _beside(self) -> Path:
        if self._can_be_exchanged:
            return self._folder.parent
        # An existing folder may be on another disk.
        return self.path if self.path.is_dir() else super()._beside()


class OutputStream(OutputFiles):
    """An output to a stream, such as standard output; limited to one file."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        super().__init__(path)
        self._stream = stream
        self._begun = False

    @contextmanager
    def part(self) -> Iterator[IO[bytes]]:
        """The stream, once. UsageError if a format needs a second file."""
        if self._begun:
            raise UsageError("This export needs several files; name one with -o instead of '-'.")
        self._begun = True
        yield self._stream
        self._stream.flush()

    def put_in_place(self) -> tuple[Path, ...]:
        """Everything is in place already."""
        return ()


def check_folder(out: Path) -> None:
    """Raise OutputError with the reason if no file `out` can be written."""
    with output_errors(out):
        if not out.parent.is_dir():
            raise OutputError(
                "The folder {folder} does not exist; create it first.", folder=out.parent
            )
        if out.is_dir():
            raise OutputError("{path} is a folder; add a file name.", path=out)
        if out.exists() and not out.is_file():
            raise OutputError("{path} is not a file; choose another name.", path=out)
        if not os.access(out.parent, os.W_OK):
            raise OutputError(
                "The folder {folder} is not writable; choose another one.", folder=out.parent
            )


@contextmanager
def output_errors(out: Path) -> Iterator[None]:
    """Turn the system's objection to writing `out` into a sentence: an OutputError."""
    try:
        yield
    except OSError as e:
        if e.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise OutputError(
                "The disk is full; free some space, then export {name} again.", name=out.name
            ) from e
        raise OutputError(
            "{path} cannot be written ({reason}); choose another location.",
            path=out,
            reason=system_reason(e),
        ) from e
