"""Reads one record of a WARC or ARC file from its beginning, compressed or not.

Memory is bounded whatever a file says: headers have a limit, and content comes in pieces.
"""

import re
from collections.abc import Callable, Mapping
from typing import BinaryIO, Final

from gossamer.archive.record_unpacking import Unpacking, UnpackingError, unpacking_of
from gossamer.model.archive_captures import ArchivePart
from gossamer.model.lazy_pattern import lazy_pattern

READ_BYTES: Final = 1 << 16
MAX_HEADER_BYTES: Final = 1 << 16
MAX_RECORD_BYTES: Final = (1 << 30) + (1 << 20)
"""Per record of ours, unpacked: the most that settings let a crawl keep of a body, and heads."""
_BLOCKS_PER_STEP: Final = 16
"""Of READ_BYTES each: a mebibyte."""
_ARC_FIELDS: Final = 5
_STAMP_DIGITS: Final = (12, 14)
_ADDRESS: Final = lazy_pattern(r"[0-9]+(?:\.[0-9]+){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*")
_EMPTY_LINE: Final = re.compile(rb"^[ \t\r]*\n", re.MULTILINE)
_GOES_ON: Final = re.compile(rb"\r?\n(?=[ \t])")
_MAX_DIGITS: Final = 15
_BEGINNINGS: Final = (b"WARC/", b"http://", b"https://")


class RecordError(Exception):
    """There is no complete record."""


class RecordReader:
    """A record: its header fields, by names in lower case, and its content, read in pieces.

    It begins at `offset` from the beginning of `part`, whose file is open.
    """

    def __init__(self, file: BinaryIO, part: ArchivePart, offset: int) -> None:
        """Read the header; RecordError if there is none, EOFError at the end of the part."""
        self._file = file
        self._end = part.start + part.size
        self._position = part.start + offset
        self._start = part.start
        try:
            self._unzip: Unpacking | None = unpacking_of(file, part)
        except UnpackingError as e:
            raise RecordError(str(e)) from e
        self._packed = b""
        self._buffer = b""
        """What was unpacked and not read yet."""
        self.fields: Mapping[str, str] = self._read_header()
        self.left = _length(self.fields)
        """Bytes of the content that were not read yet."""

    def read(self) -> bytes:
        """The next piece of the content, b"" at its end; RecordError if the record is torn."""
        if not self.left:
            return b""
        piece, self._buffer = (self._buffer or self._more())[: self.left], self._buffer[self.left :]
        if not piece:
            raise RecordError("the record ends too early")
        self.left -= len(piece)
        return piece

    def skip(self, on_step: Callable[[], None] = lambda: None) -> int:
        """Read to the end; the offset of what comes next in the part. RecordError if it is torn.

        `on_step` is called after each mebibyte that is unpacked, and may raise.
        """
        if self._unzip is None:
            skipped = max(self.left - len(self._buffer), 0)
            self._buffer = self._buffer[self.left :]
            self.left = 0
            if skipped:
                self._position += skipped
            if self._position > self._end:
                raise RecordError("the record ends too early")
            self._skip_line_ends()
            return self._position - len(self._buffer) - self._start
        blocks = 0
        while self.read():
            blocks += 1
            if blocks % _BLOCKS_PER_STEP == 0:
                on_step()
        self._finish_member()
        return self._position - len(self._packed) - self._start

    @property
    def begins_another(self) -> bool:
        """Whether another record follows in the same member, where each should have its own.

        For use after `skip`.
        """
        return self._buffer.lstrip().startswith(_BEGINNINGS)

    def _skip_line_ends(self) -> None:
        """Skip line ends in the buffer; it is empty at the end."""
        while not (rest := self._buffer.lstrip(b"\r\n")) and (more := self._more()):
            self._buffer = more
        self._buffer = rest

    def _finish_member(self) -> None:
        """Read the end of the member: line ends, which the standard requires, and little else."""
        unzip = self._unzip
        while unzip is not None and not unzip.is_over and len(self._buffer) < READ_BYTES:
            more = self._more()
            self._buffer += more
            if not more and not unzip.is_over:
                raise RecordError("the compressed data ends too early")
        if unzip is not None:
            self._packed = unzip.rest

    def _more(self) -> bytes:
        """The next bytes, unpacked; b"" at the end."""
        if self._unzip is None:
            return self._read_file()
        unpacked = b""
        while not unpacked and not self._unzip.is_over:
            packed = self._read_file() if self._unzip.wants_more else b""
            if not packed and self._unzip.wants_more:
                break
            try:
                unpacked = self._unzip.unpack(packed, READ_BYTES)
            except UnpackingError as e:
                raise RecordError(str(e)) from e
        return unpacked

    def _read_file(self) -> bytes:
        self._file.seek(self._position)  # others may read the file between
        data = self._file.read(max(min(READ_BYTES, self._end - self._position), 0))
        self._position += len(data)
        return data

    def _read_header(self) -> Mapping[str, str]:
        self._skip_line_ends()
        if not self._buffer:
            if self._unzip is not None and self._position - len(self._unzip.rest) < self._end:
                raise RecordError("the compressed data is empty")
            raise EOFError
        first = self._line()
        if not first.startswith(b"WARC/"):
            return _arc_fields(first)
        while (end := _EMPTY_LINE.search(self._buffer)) is None:
            more = self._more() if len(self._buffer) < MAX_HEADER_BYTES else b""
            if not more:
                raise RecordError("the header ends too early, or is too long")
            self._buffer += more
        lines, self._buffer = self._buffer[: end.start()], self._buffer[end.end() :]
        return _fields(_GOES_ON.sub(b" ", lines).split(b"\n"))

    def _line(self) -> bytes:
        while b"\n" not in self._buffer and len(self._buffer) < MAX_HEADER_BYTES:
            more = self._more()
            if not more:
                break
            self._buffer += more
        line, newline, rest = self._buffer.partition(b"\n")
        if not newline and len(line) >= MAX_HEADER_BYTES:
            raise RecordError("a line is too long")
        self._buffer = rest
        return line + newline


def _fields(lines: list[bytes]) -> Mapping[str, str]:
    """The first of each name counts."""
    found: dict[str, str] = {}
    for line in filter(None, lines):
        name, _, value = line.decode("utf-8", "replace").partition(":")
        found.setdefault(name.strip().lower(), " ".join(value.split()))
    return found


def _arc_fields(line: bytes) -> Mapping[str, str]:
    """The header of an ARC record, a line, as the fields that a WARC record has instead."""
    words = line.decode("utf-8", "replace").split()
    if len(words) < _ARC_FIELDS or not words[-1].isdecimal():
        raise RecordError("no record begins here")
    position = next(
        filter(lambda position: _is_stamp(words, position), range(2, len(words) - 1)), 2
    )
    url, stamp = " ".join(words[: position - 1]), words[position]
    return {
        "warc-type": "response" if url.startswith("http") else "warcinfo",
        "warc-target-uri": url,
        "warc-date": stamp,
        "content-type": "application/http",
        "content-length": words[-1],
    }


def _is_stamp(words: list[str], position: int) -> bool:
    """Whether the word at this position is the time, after an IP address: URLs may have spaces."""
    word, address = words[position], words[position - 1]
    is_time = word.isdecimal() and len(word) in _STAMP_DIGITS
    return is_time and (address == "-" or _ADDRESS.fullmatch(address) is not None)


def _length(fields: Mapping[str, str]) -> int:
    text = fields.get("content-length", "")
    if not (text.isascii() and text.isdecimal()) or len(text) > _MAX_DIGITS:
        raise RecordError("the record has no length")
    return int(text)
