"""Sitemaps come compressed; what comes out of them is bounded."""

import zlib

from gossamer.model.outcome_details import Detail, DetailCode

MAX_DECODED_BYTES = 50 * 1024 * 1024
"""What the protocol of sitemaps.org allows a sitemap to have, uncompressed."""
MAX_RATIO = 500
"""Sitemaps are made a tenth or a hundredth as long; deflate can do a thousandth."""
_FREE_BYTES = 1024 * 1024
"""So much may come out whatever the ratio."""

_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS
_STEP_BYTES = 4096
"""Of compressed data at once: when some of it is damaged, all of it is lost."""
_MOST_AT_ONCE = 256 * 1024
_MAX_LAYERS = 2
"""Servers compress compressed files once more."""


def inflated(body: bytes) -> tuple[bytes, Detail | None]:
    """`body` without gzip, at most MAX_DECODED_BYTES; and why that is not all, if it is not."""
    damage: Detail | None = None
    for _ in range(_MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body, damage = _unpacked(body)
    if len(body) > MAX_DECODED_BYTES:
        return body[:MAX_DECODED_BYTES], DetailCode.FIRST_BYTES(number=MAX_DECODED_BYTES)
    return body, damage


def _unpacked(data: bytes) -> tuple[bytes, Detail | None]:
    """One layer of gzip, of one member or many."""
    most = min(MAX_DECODED_BYTES, max(len(data) * MAX_RATIO, _FREE_BYTES))
    unpacked = bytearray()
    member = zlib.decompressobj(_GZIP)
    position = 0
    rest = b""
    while rest or position < len(data):
        if member.eof:
            if not (rest + data[position : position + len(_MAGIC)]).startswith(_MAGIC):
                break  # what follows is padding
            member = zlib.decompressobj(_GZIP)
        if not rest:
            rest = data[position : position + _STEP_BYTES]
            position += len(rest)
        try:
            unpacked += member.decompress(rest, _MOST_AT_ONCE)
        except zlib.error:
            return bytes(unpacked), DetailCode.GZIP_DAMAGED()
        if len(unpacked) > most:
            return bytes(unpacked[:most]), DetailCode.FIRST_BYTES(number=most)
        rest = member.unused_data if member.eof else member.unconsumed_tail
    return bytes(unpacked), None if member.eof else DetailCode.GZIP_CUT()
