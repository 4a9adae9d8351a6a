"""Finds the WARC data in archive files: WARC, ARC, WACZ."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from gossamer.archive.record_reader import RecordError, RecordReader
from gossamer.archive.record_unpacking import (
    DICTIONARY_MAGIC,
    ZSTD_MAGIC,
    dictionary_end,
    unpacked,
)
from gossamer.archive.unpacked_archives import unpacked_file
from gossamer.model.archive_captures import ArchivePart, Packing
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence, system_reason
from gossamer.store.locking.file_identity import NoRegularFileError

_GZIP: Final = b"\x1f\x8b\x08"
_ZIP: Final = b"PK\x03\x04"
_ZSTD: Final = (ZSTD_MAGIC, DICTIONARY_MAGIC)
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
"""Of a file in a ZIP archive: signature, length of its name, length of what is extra."""
_PIECE_BYTES: Final = 1 << 20
_UNPACKED_BYTES: Final = 1 << 20
_WARC_NAMES: Final = (".warc.gz", ".warc", ".arc.gz", ".arc")

_NOT_FOUND: Final[Sentence] = "{path} does not exist."
NOT_A_FILE: Final[Sentence] = (
    "{path} in the archive is not a regular file but a link, a pipe or the like; put the file "
    "itself there, or delete it."
)
_UNREADABLE: Final[Sentence] = "{path} cannot be read ({reason})."
_SHORTER: Final[Sentence] = "{path} has become shorter while it was read; try again."
_FOREIGN: Final[Sentence] = (
    "{path} is not a web archive: name a WARC file (.warc, .warc.gz, .warc.zst) or a WACZ file "
    "(.wacz)."
)
_DAMAGED_ZIP: Final[Sentence] = "{path} is a damaged ZIP file; get it again."
_NO_WARC: Final[Sentence] = "{path} has no WARC file inside, so it is not a WACZ archive."


@contextmanager
def reading_archive(path: Path) -> Iterator[None]:
    """Turn errors of reading the archive at `path` into a UsageError."""
    try:
        yield
    except FileNotFoundError:
        raise UsageError(_NOT_FOUND, path=path) from None
    except NoRegularFileError as e:
        raise UsageError(NOT_A_FILE, path=path) from e
    except OSError as e:
        raise UsageError(_UNREADABLE, path=path, reason=system_reason(e)) from e


def part_pieces(part: ArchivePart) -> Iterator[bytes]:
    """All bytes of a part, in pieces; UsageError if they cannot be read or some are missing."""
    left = part.size
    with reading_archive(part.path), part.path.open("rb") as file:
        file.seek(part.start)
        while left:
            piece = file.read(min(_PIECE_BYTES, left))
            if not piece:
                raise UsageError(_SHORTER, path=part.path)
            left -= len(piece)
            yield piece


def archive_parts(path: Path, on_step: Callable[[], None] = lambda: None) -> list[ArchivePart]:
    """The WARC data in the archive at `path`, in order; UsageError if it is none, or unreadable.

    `on_step` is called now and then while something is unpacked, and may raise.
    """
    with reading_archive(path), path.open("rb") as file:
        magic = file.read(4)
        size = file.seek(0, 2)
        if magic == _ZIP:
            parts = list(_members(path, file, on_step))
        elif magic in _ZSTD:
            first = dictionary_end(file)
            parts = [ArchivePart(path, first, max(size - first, 0), Packing.ZSTD)]
        elif magic.startswith((_GZIP, b"WARC", b"file")):  # "filedesc:": ARC
            parts = [ArchivePart(path, 0, size, _packing(magic[:3]))]
        else:
            raise UsageError(_FOREIGN, path=path)
        return [_readable(part, on_step) for part in parts]


def _members(path: Path, file: BinaryIO, on_step: Callable[[], None]) -> Iterator[ArchivePart]:
    """The WARC files in a WACZ file.

    It should have them uncompressed, so that records can be found; others are unpacked.
    """
    found = False
    try:
        with zipfile.ZipFile(file) as package:
            for member in _distinct(package, path.stat().st_size):
                if not member.filename.lower().endswith(_WARC_NAMES):
                    continue
                found = True
                if member.compress_type == zipfile.ZIP_STORED:
                    yield _stored(path, file, member)
                else:
                    yield _inflated(path, package, member, on_step)
    except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError, OverflowError) as e:
        raise UsageError(_DAMAGED_ZIP, path=path) from e
    if not found:
        raise UsageError(_NO_WARC, path=path)


def _distinct(package: zipfile.ZipFile, size: int) -> list[zipfile.ZipInfo]:
    """The members of a package of `size` bytes, each once, whatever names its directory gives it.

    BadZipFile if they overlap: reading all of them could take forever.
    """
    found = {each.header_offset: each for each in reversed(package.infolist())}
    members = sorted(found.values(), key=lambda each: each.header_offset)
    ends = [each.header_offset for each in members[1:]] + [size]
    for member, end in zip(members, ends, strict=True):
        if member.header_offset + member.compress_size > end:
            raise zipfile.BadZipFile
    return [each for each in package.infolist() if found.get(each.header_offset) is each]


def _stored(path: Path, file: BinaryIO, member: zipfile.ZipInfo) -> ArchivePart:
    file.seek(member.header_offset)
    signature, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    start = member.header_offset + _LOCAL_HEADER.size + name + extra
    if signature != _ZIP or start + member.file_size > file.seek(0, 2):
        raise UsageError(_DAMAGED_ZIP, path=path)
    file.seek(start)
    return ArchivePart(path, start, member.file_size, _packing(file.read(3)))


def _inflated(
    path: Path, package: zipfile.ZipFile, member: zipfile.ZipInfo, on_step: Callable[[], None]
) -> ArchivePart:
    """A WARC file that the ZIP file compresses, unpacked once into the cache folder.

    DiskError if there is no room.
    """

    def pieces() -> Iterator[bytes]:
        left = member.file_size
        try:
            with package.open(member) as packed:
                while data := packed.read(min(_UNPACKED_BYTES, left + 1)):
                    left -= len(data)
                    if left < 0:
                        raise zipfile.BadZipFile
                    yield data
        except (zlib.error, EOFError, RuntimeError) as e:  # RuntimeError: it needs a password
            raise zipfile.BadZipFile from e

    place = unpacked_file(path, member.filename, pieces(), on_step, size=member.file_size)
    with place.open("rb") as file:
        return ArchivePart(place, 0, member.file_size, _packing(file.read(3)))


def _readable(part: ArchivePart, on_step: Callable[[], None]) -> ArchivePart:
    """The part itself; one that is compressed as a whole is unpacked once into the cache folder.

    Its records could not be read again without all that precedes them. DiskError if there is no
    room.
    """
    if part.packing is Packing.NONE:
        return part
    with part.path.open("rb") as file:
        if not _is_one_member(file, part, on_step):
            return part
        place = unpacked_file(part.path, str(part.start), unpacked(file, part), on_step)
    return ArchivePart(place, 0, place.stat().st_size, Packing.NONE)


def _is_one_member(file: BinaryIO, part: ArchivePart, on_step: Callable[[], None]) -> bool:
    """Whether the first member or frame has more than one record."""
    try:
        reader = RecordReader(file, part, 0)
    except (EOFError, RecordError):
        return False
    with suppress(RecordError):  # the member may be cut behind the record
        reader.skip(on_step)
    return reader.begins_another


def _packing(magic: bytes) -> Packing:
    return Packing.GZIP if magic == _GZIP else Packing.NONE
