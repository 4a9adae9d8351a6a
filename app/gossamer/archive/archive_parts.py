"""Finds the WARC data in the files that people call archives: WARC, ARC, WACZ."""

import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from gossamer.model.archive_captures import ArchivePart
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence, system_reason

_GZIP: Final = b"\x1f\x8b\x08"
_ZIP: Final = b"PK\x03\x04"
_ZSTD: Final = (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")
_LOCAL_HEADER: Final = struct.Struct("<4s22xHH")
"""Of a file in a ZIP archive: signature, length of its name, length of what is extra."""
_PIECE_BYTES: Final = 1 << 20
_WARC_NAMES: Final = (".warc.gz", ".warc", ".arc.gz", ".arc")

_NOT_FOUND: Final[Sentence] = "{path} does not exist."
_UNREADABLE: Final[Sentence] = "{path} cannot be read ({reason})."
_SHORTER: Final[Sentence] = "{path} has become shorter while it was read; try again."
_FOREIGN: Final[Sentence] = (
    "{path} is no web archive: name a WARC file (.warc, .warc.gz) or a WACZ file (.wacz)."
)
_ZSTD_WARC: Final[Sentence] = "{path} is compressed with Zstandard; unpack it first: zstd -d {path}"
_DAMAGED_ZIP: Final[Sentence] = "{path} is a damaged ZIP file; get it again."
_NO_WARC: Final[Sentence] = "{path} has no WARC file inside, so it is no WACZ archive."
_PACKED_TWICE: Final[Sentence] = (
    "{member} in {path} is compressed by the ZIP file; unpack {path} and name the WARC files."
)


@contextmanager
def reading_archive(path: Path) -> Iterator[None]:
    """Turn what the system says against reading the archive at `path` into a UsageError."""
    try:
        yield
    except FileNotFoundError:
        raise UsageError(_NOT_FOUND, path=path) from None
    except OSError as e:
        raise UsageError(_UNREADABLE, path=path, reason=system_reason(e)) from e


def part_pieces(part: ArchivePart) -> Iterator[bytes]:
    """All bytes of a part, in pieces; UsageError where they cannot be read or are not all there."""
    left = part.size
    with reading_archive(part.path), part.path.open("rb") as file:
        file.seek(part.start)
        while left:
            piece = file.read(min(_PIECE_BYTES, left))
            if not piece:
                raise UsageError(_SHORTER, path=part.path)
            left -= len(piece)
            yield piece


def archive_parts(path: Path) -> list[ArchivePart]:
    """The WARC data in the archive at `path`, in order; UsageError if it is none, or unreadable."""
    with reading_archive(path), path.open("rb") as file:
        magic = file.read(4)
        size = file.seek(0, 2)
        if magic == _ZIP:
            return list(_members(path, file))
    if magic in _ZSTD:
        raise UsageError(_ZSTD_WARC, path=path)
    is_gzip = magic.startswith(_GZIP)
    if not is_gzip and not magic.startswith((b"WARC", b"file")):  # "filedesc:" begins an ARC file
        raise UsageError(_FOREIGN, path=path)
    return [ArchivePart(path, 0, size, is_gzip)]


def _members(path: Path, file: BinaryIO) -> Iterator[ArchivePart]:
    """The WARC files in a WACZ file, which has them uncompressed, so that records can be found."""
    found = False
    try:
        with zipfile.ZipFile(file) as package:
            for member in package.infolist():
                if not member.filename.lower().endswith(_WARC_NAMES):
                    continue
                if member.compress_type != zipfile.ZIP_STORED:
                    raise UsageError(_PACKED_TWICE, path=path, member=member.filename)
                found = True
                yield _stored(path, file, member)
    except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError, OverflowError) as e:
        raise UsageError(_DAMAGED_ZIP, path=path) from e
    if not found:
        raise UsageError(_NO_WARC, path=path)


def _stored(path: Path, file: BinaryIO, member: zipfile.ZipInfo) -> ArchivePart:
    file.seek(member.header_offset)
    signature, name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    start = member.header_offset + _LOCAL_HEADER.size + name + extra
    if signature != _ZIP or start + member.file_size > file.seek(0, 2):
        raise UsageError(_DAMAGED_ZIP, path=path)
    file.seek(start)
    return ArchivePart(path, start, member.file_size, file.read(3) == _GZIP)
