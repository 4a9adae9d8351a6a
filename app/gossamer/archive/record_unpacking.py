"""Unpacks a record that is compressed on its own: a gzip member, or a Zstandard frame.

WARC files with Zstandard may begin with a dictionary, in a skippable frame:
https://iipc.github.io/warc-specifications/specifications/warc-zstd/
"""

import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

from gossamer.model.archive_captures import ArchivePart, Packing

if TYPE_CHECKING:
    from pathlib import Path

ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
DICTIONARY_MAGIC: Final = b"\x5d\x2a\x4d\x18"
_GZIP_WINDOW: Final = 31
_READ_BYTES: Final = 1 << 16
_MAX_DICTIONARY_BYTES: Final = 64 << 20
_WINDOW_LOG: Final = 27
"""128 MiB, as much as `zstd -d` accepts by default."""
_FRAME_HEADER_BYTES: Final = 8


class UnpackingError(Exception):
    """The compressed data is damaged."""


class Unpacking(Protocol):
    """Unpacks one member or frame, from its beginning."""

    @property
    def wants_more(self) -> bool:
        """Whether it has used up its input."""

    @property
    def is_over(self) -> bool:
        """Whether the member or frame has ended."""

    @property
    def rest(self) -> bytes:
        """The input after its end."""

    def unpack(self, packed: bytes, most: int) -> bytes:
        """Up to `most` bytes; UnpackingError."""


class _GzipMember:
    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP_WINDOW)

    @property
    def wants_more(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def is_over(self) -> bool:
        return self._stream.eof

    @property
    def rest(self) -> bytes:
        return self._stream.unused_data

    def unpack(self, packed: bytes, most: int) -> bytes:
        try:
            return self._stream.decompress(self._stream.unconsumed_tail or packed, most)
        except zlib.error as e:
            raise UnpackingError("the compressed data is damaged") from e


class _ZstdFrame:
    def __init__(self, dictionary: object) -> None:
        zstd = _zstd()
        self._error: type[Exception] = zstd.ZstdError
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
        self._stream = zstd.ZstdDecompressor(zstd_dict=dictionary, options=options)

    @property
    def wants_more(self) -> bool:
        return bool(self._stream.needs_input)

    @property
    def is_over(self) -> bool:
        return bool(self._stream.eof)

    @property
    def rest(self) -> bytes:
        return bytes(self._stream.unused_data)

    def unpack(self, packed: bytes, most: int) -> bytes:
        try:
            return bytes(self._stream.decompress(packed, most))
        except self._error as e:
            raise UnpackingError("the compressed data is damaged") from e


def unpacking_of(file: BinaryIO, part: ArchivePart) -> Unpacking | None:
    """The unpacker for a record of a part, whose file is open; None for uncompressed records.

    UnpackingError for a damaged dictionary.
    """
    if part.packing is Packing.GZIP:
        return _GzipMember()
    if part.packing is Packing.NONE:
        return None
    return _ZstdFrame(_dictionary(file, part.path, part.start) if part.start else None)


def unpacked(file: BinaryIO, part: ArchivePart) -> Iterator[bytes]:
    """All of a compressed part, whose file is open, in pieces; up to where it is damaged or cut."""
    position, end = part.start, part.start + part.size
    packed = b""
    with suppress(UnpackingError):
        while packed or position < end:
            unzip = unpacking_of(file, part)
            assert unzip is not None  # noqa: S101 - it is compressed
            while not unzip.is_over:
                if unzip.wants_more and not packed:
                    file.seek(position)
                    packed = file.read(min(_READ_BYTES, end - position))
                    position += len(packed)
                    if not packed:
                        return
                if piece := unzip.unpack(packed, _READ_BYTES):
                    yield piece
                packed = b""
            packed = unzip.rest


def dictionary_end(file: BinaryIO) -> int:
    """Where the first record begins in an open Zstandard file: after its dictionary."""
    file.seek(0)
    head = file.read(_FRAME_HEADER_BYTES)
    if head[:4] != DICTIONARY_MAGIC:
        return 0
    return _FRAME_HEADER_BYTES + int.from_bytes(head[4:], "little")


_kept: dict[tuple["Path", int], Any] = {}


def _dictionary(file: BinaryIO, path: "Path", end: int) -> object:
    """The dictionary at the beginning of a file, as its frame has it up to `end`."""
    if (path, end) not in _kept:
        _kept.clear()
        _kept[path, end] = _read_dictionary(file, end)
    return _kept[path, end]


def _read_dictionary(file: BinaryIO, end: int) -> object:
    zstd = _zstd()
    if end > _MAX_DICTIONARY_BYTES:
        raise UnpackingError("the dictionary is too large")
    file.seek(_FRAME_HEADER_BYTES)
    data = file.read(end - _FRAME_HEADER_BYTES)
    try:
        if data[:4] == ZSTD_MAGIC:
            data = zstd.ZstdDecompressor().decompress(data, _MAX_DICTIONARY_BYTES)
        return zstd.ZstdDict(data)
    except (zstd.ZstdError, ValueError) as e:
        raise UnpackingError("the dictionary is damaged") from e


@lru_cache(1)
def _zstd() -> Any:  # noqa: ANN401 - two modules with one interface
    if sys.version_info >= (3, 14):
        from compression import zstd  # noqa: PLC0415 - few archives need it
    else:
        from backports import zstd  # noqa: PLC0415 - likewise
    return zstd
