"""Writes an archive record as one gzip member, without recompressing compressed bodies.

isal takes a quarter of the time of zlib, which is used where isal is missing.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Final

try:
    from isal.isal_zlib import compress, compressobj, crc32

    LEVEL: Final = 0
    """Level 1 makes a plain page 9 % smaller and takes a third longer; a record of a few hundred
    bytes, such as a request, takes it four times as long."""
except ImportError:  # there is no wheel for this machine
    from zlib import compress, compressobj, crc32  # type: ignore[assignment]  # same names

    LEVEL: Final = 1  # type: ignore[misc]  # level 0 of zlib does not compress
    """Level 6 makes a plain page 10 % smaller and takes twice as long."""
_HEADER: Final = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_RAW: Final = -zlib.MAX_WBITS
_MOST_STORED: Final = 0xFFFF
"""Bytes of one stored block (RFC 1951, section 3.2.4)."""
_STORED: Final = b"\0"
_LAST_STORED: Final = b"\1"


def gzip_member(head: bytes, body: Sequence[bytes], tail: bytes, *, is_stored: bool) -> bytes:
    """The gzip member of `head`, `body` and `tail` in sequence.

    A body that `is_stored` is not compressed: one with a content coding would not shrink.
    """
    crc, size = crc32(head), len(head) + len(tail)
    for piece in body:
        crc = crc32(piece, crc)
        size += len(piece)
    crc = crc32(tail, crc)
    end = crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
    if not body:
        return _HEADER + compress(head + tail, LEVEL, _RAW) + end
    deflate = compressobj(LEVEL, zlib.DEFLATED, _RAW)
    parts: list[bytes | memoryview] = [_HEADER, deflate.compress(head)]
    if is_stored:
        parts.append(deflate.flush(zlib.Z_SYNC_FLUSH))
        parts += _blocks(body)
        parts += [_LAST_STORED, _lengths(len(tail)), tail]
    else:
        parts += map(deflate.compress, body)
        parts += [deflate.compress(tail), deflate.flush()]
    parts.append(end)
    return b"".join(parts)


def _blocks(pieces: Sequence[bytes]) -> Iterator[bytes | memoryview]:
    for piece in pieces:
        view = memoryview(piece)  # whose parts are no copies
        for start in range(0, len(view), _MOST_STORED):
            part = view[start : start + _MOST_STORED]
            yield _STORED
            yield _lengths(len(part))
            yield part


def _lengths(size: int) -> bytes:
    return size.to_bytes(2, "little") + (size ^ _MOST_STORED).to_bytes(2, "little")
