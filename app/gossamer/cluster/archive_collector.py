"""Appends what nodes archive to the archive of the project, piece by piece."""

import errno
import logging
import os
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from gossamer.model.archive_record import is_archive_file
from gossamer.model.messages.node_messages import ArchivePiece
from gossamer.model.visit import Visit

_log = logging.getLogger(__name__)


class ArchiveCollector:
    """The files of an archive that come from nodes.

    A file takes pieces in order. If the disk rejects one, or one is missing, its file is broken:
    later pieces are left out, and the pages whose records should be in it have none.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is the project's archive; it is not made here: see `ArchiveFiles`."""
        self._folder = folder
        self._broken: dict[str, int] = {}
        """The system's error number, by file."""
        self._writing = threading.Lock()
        self._is_closed = False

    def write(self, pieces: Iterable[ArchivePiece]) -> None:
        """Append pieces, each to its file; the system then has them. For any one thread."""
        with self._writing:
            for piece in pieces:
                if self._is_closed:
                    return
                if piece.file in self._broken:
                    continue
                try:
                    self._append(piece)
                except OSError as e:
                    _log.warning("archive not collected", extra={"error": repr(e)})
                    self._broken[piece.file] = e.errno or errno.EIO

    def close(self) -> None:
        """Return when nothing is written any more, whatever still comes."""
        with self._writing:
            self._is_closed = True

    def settled(self, visit: Visit) -> Visit:
        """The visit, if its records are here; else without them, and with the reason."""
        if not self._broken:
            return visit
        problem = self._problem_of([record.file for record in visit.archived])
        return replace(visit, archived=[], archive_errno=problem) if problem else visit

    def _problem_of(self, files: Sequence[str]) -> int:
        return next((self._broken[name] for name in files if name in self._broken), 0)

    def _append(self, piece: ArchivePiece) -> None:
        if not is_archive_file(piece.file) or Path(piece.file).name != piece.file:
            raise OSError(errno.EINVAL, "no name of an archive file", piece.file)
        flags = os.O_WRONLY | getattr(os, "O_BINARY", 0)
        if not piece.offset:
            flags |= os.O_CREAT | os.O_EXCL
        descriptor = os.open(self._folder / piece.file, flags, 0o600)
        try:
            if os.lseek(descriptor, 0, os.SEEK_END) != piece.offset:
                raise OSError(errno.ESTALE, "the file was changed", piece.file)
            _write_all(descriptor, piece)
        finally:
            os.close(descriptor)


def _write_all(descriptor: int, piece: ArchivePiece) -> None:
    """Write all of a piece, or nothing."""
    view = memoryview(piece.data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        os.ftruncate(descriptor, piece.offset)
        raise
