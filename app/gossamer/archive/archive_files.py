"""The files of an archive that one process writes: names and appended records."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gossamer import __version__
from gossamer.archive.warc_records import (
    FIELDS,
    PROGRAM,
    WarcRecord,
    WarcType,
    field_line,
    member_of,
    new_id,
    warc_date,
)
from gossamer.model.archive_record import FILE_SUFFIX, archived_name
from gossamer.model.file_names import file_name

MAX_FILE_BYTES: Final = 1_000_000_000
"""Size after which another file is begun."""
_FORMAT: Final = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_MAX_SERIAL: Final = 99_999
_LARGE_BYTES: Final = 64 * 1024
"""A member from this size on is not copied, to be written with others in one call."""


class RecordLocation(NamedTuple):
    """Where a member was written: the name of a file, and its bytes there."""

    file: str
    offset: int
    length: int


def archive_file_name(stem: str, run: str, worker: int, serial: int) -> str:
    """The name of a file: project, start of the run, process, and number of the file."""
    return file_name(stem, f"-{run}-{worker}-{serial:05}{FILE_SUFFIX}")


class ArchiveFiles:
    """Appends records to files of its own, one after the other.

    Once `append` returns, the operating system has the records: they survive this process.
    """

    def __init__(
        self,
        folder: Path,
        user_agent: str,
        *,
        writer: int = 0,
        max_bytes: int = MAX_FILE_BYTES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`folder` is there or will be: it is not made here. No file is begun yet.

        If it is missing, it was moved away. Made anew, it would look as if its files were lost.
        `writer` distinguishes the files from those of others; by default, the process id.
        """
        self._folder = folder
        self._user_agent = user_agent
        self._writer = writer or os.getpid()
        self._max_bytes = max_bytes
        self._clock = clock
        self._serial = 0
        self._name = ""
        self._path = self._folder
        self._descriptor = -1
        self._size = 0

    def begin(self) -> str:
        """Ensure a file that takes records; returns its name.

        OSError if that is impossible. FileNotFoundError if the folder is missing, and once if the
        file begun before is, since what was written to it may be lost: `close` it before an archive
        is repaired.
        """
        if self._descriptor >= 0 and (self._size >= self._max_bytes or self._is_cut()):
            self.close()
        if self._descriptor < 0:
            self._open()
        return self._name

    def append(self, members: Sequence[bytes]) -> RecordLocation:
        """Append members to the file of `begin`, all or none; where the last one is.

        OSError if the disk rejects them.
        """
        *others, last = members
        if len(last) < _LARGE_BYTES:
            self._write(b"".join(members))
        else:
            self._write(b"".join(others), last)
        return RecordLocation(self._name, self._size - len(last), len(last))

    def close(self) -> None:
        """End the file: later records go into another one."""
        descriptor, self._descriptor = self._descriptor, -1
        self._name = ""
        if descriptor >= 0:
            os.close(descriptor)

    def _is_cut(self) -> bool:
        """Whether the archive was repaired meanwhile, which removed unnamed records."""
        try:
            return os.stat(self._path).st_size != self._size  # noqa: PTH116 - per record; a Path costs twice as much
        except FileNotFoundError:
            self.close()
            raise

    def _open(self) -> None:
        stem = archived_name(self._folder)
        run = time.strftime("%Y%m%d%H%M%S", time.gmtime(self._clock()))
        while self._descriptor < 0:
            name = archive_file_name(stem, run, self._writer, self._serial)
            self._serial += 1
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with suppress(FileExistsError):
                self._descriptor = os.open(self._folder / name, flags, 0o600)
            if self._serial > _MAX_SERIAL:
                raise FileExistsError(self._folder / name)
        self._name, self._path, self._size = name, self._folder / name, 0
        try:
            self._write(member_of(self._warcinfo(name)))
        except OSError:
            self.close()
            with suppress(OSError):
                (self._folder / name).unlink()
            raise

    def _warcinfo(self, name: str) -> WarcRecord:
        about = (
            ("software", f"{PROGRAM}{__version__}"),
            ("format", "WARC File Format 1.1"),
            ("conformsTo", _FORMAT),
            ("http-header-user-agent", self._user_agent),
        )
        return WarcRecord(
            WarcType.WARCINFO,
            new_id(),
            warc_date(self._clock()),
            FIELDS,
            field_line("WARC-Filename", name),
            "".join(field_line(*each) for each in about).encode("utf-8", "replace"),
        )

    def _write(self, *parts: bytes) -> None:
        """Append all parts, or nothing: a partial record is removed again.

        Then the file takes no more: a follower may have seen what was removed.
        """
        try:
            for part in parts:
                view, written = memoryview(part), 0
                while written < len(view):
                    written += os.write(self._descriptor, view[written:])
        except OSError:
            with suppress(OSError):  # a torn tail is cut off when the project is opened
                os.ftruncate(self._descriptor, self._size)
            self.close()
            raise
        self._size += sum(map(len, parts))
