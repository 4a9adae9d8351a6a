"""Follows the files that a worker of a node archives to, so that they can be collected."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gossamer.model.archive_record import FILE_SUFFIX
from gossamer.model.messages.node_messages import ArchivePiece


class FileGrowth(NamedTuple):
    """`length` bytes at `offset` of a file that are written and have not been sent."""

    worker: int
    path: Path
    offset: int
    length: int

    def split(self, size: int) -> "tuple[FileGrowth, FileGrowth | None]":
        """The first `size` bytes, and the others if there are any."""
        if self.length <= size:
            return self, None
        rest = self._replace(offset=self.offset + size, length=self.length - size)
        return self._replace(length=size), rest

    def read(self) -> ArchivePiece:
        """The bytes; fewer if some were removed again. OSError if they cannot be read.

        When a file begins, those before it have been sent, and are removed.
        """
        if not self.offset:
            for other in self.path.parent.iterdir():
                if other.name < self.path.name:
                    other.unlink(missing_ok=True)
        with self.path.open("rb") as file:
            file.seek(self.offset)
            data = file.read(self.length)
        return ArchivePiece(self.worker, self.path.name, self.offset, data)


class ArchiveTail:
    """Tracks the growth of the files in the folder of one worker.

    A worker writes a record before it reports the page. So reading the growth after the report, and
    sending it first, sends no page without its record.
    """

    def __init__(self, worker: int, folder: Path) -> None:
        """Make the folder for the files of a worker; OSError if that fails."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._worker = worker
        self._folder = folder
        self._told: dict[str, int] = {}

    def grown(self) -> Iterator[FileGrowth]:
        """What was added since the last call, in the order of the files."""
        sizes = self._sizes()
        for name in sorted(sizes):
            told, size = self._told.get(name, 0), sizes[name]
            if name.endswith(FILE_SUFFIX) and size > told:
                self._told[name] = size
                yield FileGrowth(self._worker, self._folder / name, told, size - told)

    def _sizes(self) -> dict[str, int]:
        """The sizes of the files by name; a thread may be removing those that were sent."""
        found = {}
        with suppress(OSError), os.scandir(self._folder) as entries:
            for each in entries:
                with suppress(OSError):
                    found[each.name] = each.stat().st_size
        return found
