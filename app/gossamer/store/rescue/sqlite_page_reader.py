"""Reads the b-tree pages of an SQLite file without SQLite, and skips damaged ones.

https://www.sqlite.org/fileformat2.html tells the layout. Whatever stands in the file, these
functions end, raise nothing but DamagedPageError, and read no more than there is.
"""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Final

from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.locking.database_descriptors import DatabaseFile
from gossamer.store.locking.file_identity import ensure_own_files, file_of

Value = int | float | str | bytes | None

TABLE_LEAF: Final = 0x0D
TABLE_INTERIOR: Final = 0x05
INDEX_LEAF: Final = 0x0A
INDEX_INTERIOR: Final = 0x02
_KINDS: Final = frozenset({TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR})
_INTERIOR: Final = frozenset({TABLE_INTERIOR, INDEX_INTERIOR})
_SIZES: Final = (4096, 8192, 16_384, 32_768, 65_536, 2048, 1024, 512)
_SAMPLE: Final = 512 * 1024
_FILE_HEADER: Final = 100
_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MOST_GROWTH: Final = 2
"""A page has no higher number than so many times all pages there are: a few are never written."""
_MAX_VARINT: Final = 9
_MORE: Final = 0x80
"""The bit of a byte that says that more follow."""
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Serial type → bytes."""


class DamagedPageError(Exception):
    """A page, cell or record is invalid."""


@dataclass(frozen=True, slots=True)
class BTreeCell:
    """What a cell of a b-tree page holds. `rowid` is None in indexes, `payload` in their like."""

    rowid: int | None
    payload: bytes


@dataclass(frozen=True, slots=True)
class BTreePage:
    """A b-tree page. `damaged` counts cells that could not be read."""

    kind: int
    cells: list[BTreeCell]
    children: list[int]
    damaged: int = 0


class DatabasePages(ClosedOnExit):
    """The pages of a file as of its last commit: those in the -wal file override its own."""

    def __init__(self, path: Path) -> None:
        """Open the file; OSError if that cannot be, ProjectError for a -wal that is no file."""
        file = file_of(path)
        ensure_own_files(file)
        self._file = DatabaseFile(file)
        self._wal: IO[bytes] | None = None
        self._in_wal: dict[int, int] = {}
        try:
            self.size = self._page_size()
            self._file.seek(0, 2)
            whole = -(-self._file.tell() // self.size)
            self._open_wal(file.with_name(f"{file.name}-wal"), whole)
            self.count = max(whole, max(self._in_wal, default=0))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        if self._wal is not None:
            self._wal.close()

    def read(self, number: int) -> bytes:
        """The bytes of a page, the first of which is 1; fewer where the file ends in it.

        DamagedPageError if there is none, or the disk does not give it.
        """
        try:
            if self._wal is not None and number in self._in_wal:
                self._wal.seek(self._in_wal[number])
                return self._wal.read(self.size)
            self._file.seek((number - 1) * self.size)
            data = self._file.read(self.size)
        except OSError as e:
            raise DamagedPageError(f"page {number}: {e}") from e
        if not data or number < 1:
            raise DamagedPageError(f"page {number} is not there")
        return data

    def btree(self, number: int) -> BTreePage:
        """A page of a b-tree; DamagedPageError if it is none. Counts cells that cannot be read."""
        data = self.read(number)
        start = _FILE_HEADER if number == 1 else 0
        kind, cells = _btree_header(data, start)
        head = start + (12 if kind in _INTERIOR else 8)
        found: list[BTreeCell] = []
        children: list[int] = []
        damaged = 0
        for index in range(cells):
            try:
                at = _number(data, head + 2 * index, 2)
                if kind in _INTERIOR:
                    children.append(_number(data, at, 4))
                    at += 4
                if kind != TABLE_INTERIOR:
                    found.append(self._cell(data, at, kind))
            except DamagedPageError:
                damaged += 1
        if kind in _INTERIOR:
            children.append(_number(data, start + 8, 4))
        return BTreePage(kind, found, children, damaged)

    def children(self, number: int) -> list[int]:
        """The pages right below one of a b-tree; none for a leaf, or what is no such page."""
        try:
            data = self.read(number)
            start = _FILE_HEADER if number == 1 else 0
            kind, cells = _btree_header(data, start)
            if kind not in _INTERIOR:
                return []
            places = [_number(data, start + 12 + 2 * index, 2) for index in range(cells)]
            return [_number(data, at, 4) for at in (*places, start + 8)]
        except DamagedPageError:
            return []

    def free(self) -> Iterator[int]:
        """The pages of the list of free ones, as far as it can be followed."""
        try:
            trunk = _number(self.read(1), 32, 4)
            seen: set[int] = set()
            while trunk and trunk not in seen:
                seen.add(trunk)
                yield trunk
                data = self.read(trunk)
                for index in range(min(_number(data, 4, 4), self.size // 4 - 2)):
                    yield _number(data, 8 + 4 * index, 4)
                trunk = _number(data, 0, 4)
        except DamagedPageError:
            return

    def _cell(self, data: bytes, at: int, kind: int) -> BTreeCell:
        length, at = _varint(data, at)
        rowid = None
        if kind == TABLE_LEAF:
            rowid, at = _varint(data, at)
        room = self.size - 35 if kind == TABLE_LEAF else (self.size - 12) * 64 // 255 - 23
        if length <= room:
            return BTreeCell(rowid, _bytes(data, at, length))
        if length > self.count * self.size:
            raise DamagedPageError("a record longer than the file")
        least = (self.size - 12) * 32 // 255 - 23
        local = least + (length - least) % (self.size - 4)
        local = local if local <= room else least
        parts = [_bytes(data, at, local)]
        self._overflow(parts, _number(data, at + local, 4), length - local)
        return BTreeCell(rowid, b"".join(parts))

    def _overflow(self, parts: list[bytes], number: int, left: int) -> None:
        """Add what is left of a record, from the chain of pages that begins at `number`."""
        while left > 0:
            data = self.read(number)
            part = _bytes(data, 4, min(left, self.size - 4))
            parts.append(part)
            left -= len(part)
            number = _number(data, 0, 4)

    def _page_size(self) -> int:
        """The size under which most pages at the beginning are pages, whatever the header says."""
        sample = self._file.read(_SAMPLE)
        said = int.from_bytes(sample[16:18], "big")
        said = 65_536 if said == 1 else said
        sizes = [said, *_SIZES] if said in _SIZES else list(_SIZES)
        return max(sizes, key=lambda size: _plausible(sample, size))

    def _open_wal(self, path: Path, whole: int) -> None:
        """Find the committed pages in the -wal file of a file with `whole` pages.

        Checksums are left alone: one damaged byte would make all that follows worthless. A page far
        behind all others is none: its number is damaged.
        """
        try:
            self._wal = DatabaseFile(path)
            frames = self._wal.seek(0, 2) // self.size
            most = _MOST_GROWTH * (whole + frames)
            self._wal.seek(0)
            header = self._wal.read(_WAL_HEADER)
            salts, waiting = header[16:24], dict[int, int]()
            while len(frame := self._wal.read(_FRAME_HEADER)) == _FRAME_HEADER:
                number, commit = struct.unpack(">II", frame[:8])
                at = self._wal.tell()
                if frame[8:16] != salts or len(self._wal.read(self.size)) < self.size:
                    break
                if number <= most:
                    waiting[number] = at
                if commit:
                    self._in_wal.update(waiting)
                    waiting.clear()
        except OSError:
            return


def record(payload: bytes) -> list[Value]:
    """The values of a record; DamagedPageError if it is none."""
    length, _ = _varint(payload, 0)
    if not 0 < length <= len(payload):
        raise DamagedPageError("a record without its values")
    end, places = _places(payload[:length])
    if end != len(payload):
        raise DamagedPageError("a record of another length")
    return [
        int.from_bytes(payload[at:to], "big", signed=True)
        if kind in _INTEGERS
        else _value(payload[at:to], kind)
        for kind, at, to in places
    ]


@lru_cache(10_000)
def _places(header: bytes) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Where a record with such a header ends, and the type of each value and where it stands.

    Most records of a table have one of a few headers.
    """
    length, at = _varint(header, 0)
    places = []
    to = length
    while at < length:
        kind, at = _varint(header, at)
        places.append((kind, to, to := to + _size_of(kind)))
    return to, tuple(places)


def _size_of(kind: int) -> int:
    """How many bytes a value of a serial type has."""
    if kind in _INTEGERS:
        return _INTEGERS[kind]
    if kind in {0, 8, 9}:
        return 0
    if kind == 7:  # noqa: PLR2004 - the type of floating point numbers
        return 8
    if kind < 12:  # noqa: PLR2004 - reserved up to there
        raise DamagedPageError("a value of no type")
    return (kind - 12) // 2


def _value(data: bytes, kind: int) -> Value:
    """The value of a serial type that is no integer with bytes."""
    if kind == 0:
        return None
    if kind in {8, 9}:
        return kind - 8
    if kind == 7:  # noqa: PLR2004 - the type of floating point numbers
        (real,) = struct.unpack(">d", data)
        return float(real)
    if kind % 2 == 0:
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        raise DamagedPageError("a text that is none") from e


def _btree_header(data: bytes, start: int) -> tuple[int, int]:
    """The kind of a page and its number of cells."""
    kind = _number(data, start, 1)
    cells = _number(data, start + 3, 2)
    if kind not in _KINDS or cells * 2 > len(data):
        raise DamagedPageError("no page of a b-tree")
    return kind, cells


def _plausible(sample: bytes, size: int) -> int:
    """How many pages of a sample look like pages of that size."""
    found: Counter[bool] = Counter()
    for at in range(0, len(sample) - size + 1, size):
        data = sample[at : at + size]
        start = _FILE_HEADER if at == 0 else 0
        try:
            _, cells = _btree_header(data, start)
            content = _number(data, start + 5, 2) or 65_536
        except DamagedPageError:
            continue
        found[start + 8 + 2 * cells <= content <= size] += 1
    return found[True] - found[False]


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(_bytes(data, at, size), "big")


def _bytes(data: bytes, at: int, size: int) -> bytes:
    part = data[at : at + size]
    if len(part) != size:
        raise DamagedPageError("the end of a page")
    return part


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of 1 to 9 bytes, and where the next thing begins."""
    if at < len(data) and data[at] < _MORE:  # as most are
        return data[at], at + 1
    value = 0
    for index in range(at, min(at + _MAX_VARINT - 1, len(data))):
        byte = data[index]
        value = value << 7 | byte & 0x7F
        if byte < _MORE:
            return value, index + 1
    value = value << 8 | _number(data, at + _MAX_VARINT - 1, 1)
    return value - (1 << 64) if value >> 63 else value, at + _MAX_VARINT
