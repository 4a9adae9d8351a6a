"""Decompresses response bodies (Content-Encoding) in chunks of bounded size.

aiohttp could decompress by itself, but it takes a truncated stream for a complete one, and does not
count the bytes before decompression; a crawler needs both.
"""

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import brotli

from gossamer.model.outcome_details import Detail, DetailCode, DetailedError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
PIECE_BYTES = 1 << 20
"""No piece is larger, except brotli's: its blocks grow, and the last one may double a piece."""
MAX_CODINGS = 3
"""Servers compress once, misconfigured ones twice."""
MAX_MEMBERS = 2_000
"""Members of one gzip body, frames of one zstd body."""

_DAMAGES = (
    (
        DetailCode.DATA_FORMAT,
        ("incorrect header check", "unknown compression method", "Unknown frame descriptor"),
    ),
    (
        DetailCode.DATA_CHECKSUM,
        ("incorrect data check", "incorrect length check", "doesn't match checksum"),
    ),
    (DetailCode.DATA_MEMORY, ("too much memory",)),
)
_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW_LOG = 23
"""RFC 9659: a window of at most 8 MiB in the content coding "zstd"."""
_ZLIB_HEADER_BYTES = 2


class DecodingError(DetailedError):
    """The compressed data cannot be decoded."""


class Decoder(Protocol):
    """Decodes one content coding."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What `data` adds to the plain bytes. Raises DecodingError.

        A caller that stops before the last piece must not feed more.
        """

    @property
    def complete(self) -> bool:
        """Whether the compressed stream has reached its proper end."""


def decoder_for(listed: str) -> Decoder | None:
    """The decoder for codings as a header lists them; None if there is nothing to decode.

    Unknown codings count as none, as they do in browsers. Raises DecodingError for a body that
    is compressed more than MAX_CODINGS times.
    """
    names = [name.strip().lower() for name in listed.split(",")]
    codings = [_CODINGS[name] for name in names if name in _CODINGS]
    if len(codings) > MAX_CODINGS:
        raise DecodingError(DetailCode.CODING_TIMES(times=len(codings)))
    decoder: Decoder | None = None
    # The header lists the codings in the order in which they were applied.
    for coding in reversed(codings):
        decoder = coding() if decoder is None else _Nested(decoder, coding())
    return decoder


class _Nested:
    """Two codings on top of each other: `outer` was applied last and is undone first."""

    def __init__(self, outer: Decoder, inner: Decoder) -> None:
        self._outer = outer
        self._inner = inner

    def pieces(self, data: bytes) -> Iterator[bytes]:
        for piece in self._outer.pieces(data):
            yield from self._inner.pieces(piece)

    @property
    def complete(self) -> bool:
        return self._outer.complete and self._inner.complete


class _Members:
    """A sequence of compressed members that each start with a magic number.

    What follows the last member is ignored, as it is by browsers and curl.
    """

    def __init__(self, name: str, magic: bytes, begin: Callable[[], Any]) -> None:
        """`begin` makes a decompressor with the interface that zlib's and zstd's share."""
        self._name = name
        self._magic = magic
        self._begin = begin
        self._member = begin()
        self._members = 1
        self._after = b""
        self._ignoring = False

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while not self._ignoring:
            if self._member.eof:
                data = self._after + data
                if len(data) < len(self._magic):
                    self._after = data
                    return
                self._next_member(data)
            else:
                yield from _decompressed(self._member, data, self._name)
                if not self._member.eof:
                    return
                data = self._member.unused_data

    def _next_member(self, data: bytes) -> None:
        self._after = b""
        self._ignoring = not data.startswith(self._magic)
        if self._ignoring:
            return
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise DecodingError(DetailCode.CODING_MEMBERS(coding=self._name, most=MAX_MEMBERS))
        self._member = self._begin()

    @property
    def complete(self) -> bool:
        return bool(self._member.eof)


def _decompressed(stream: Any, data: bytes, name: str) -> Iterator[bytes]:  # noqa: ANN401 - zlib's or zstd's, which share no type
    """What `stream` makes of `data`, up to the end of the data or of the stream."""
    while not stream.eof:
        try:
            piece: bytes = stream.decompress(data, PIECE_BYTES)
        except (zlib.error, zstd.ZstdError) as e:
            raise _damaged(name, e) from e
        if piece:
            yield piece
        if len(piece) < PIECE_BYTES:
            return
        # zlib hands back what it did not read, zstd keeps it.
        data = getattr(stream, "unconsumed_tail", b"")


def _damaged(coding: str, problem: Exception) -> DecodingError:
    return DecodingError(DetailCode.CODING_DAMAGED(coding=coding, why=damage_detail(problem)))


def damage_detail(problem: Exception) -> Detail:
    """What a decompressor says of data. All of them say it by English words alone."""
    said = str(problem)
    for code, signs in _DAMAGES:
        if any(sign in said for sign in signs):
            return code()
    return DetailCode.DATA_DAMAGED()


def _gzip() -> Decoder:
    """RFC 1952."""
    return _Members("gzip", _GZIP_MAGIC, lambda: zlib.decompressobj(zlib.MAX_WBITS | 16))


def _zstd() -> Decoder:
    """RFC 8878."""
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
    return _Members("zstd", _ZSTD_MAGIC, lambda: zstd.ZstdDecompressor(options=options))


class _Deflate:
    """The coding "deflate": zlib's format (RFC 1950), or raw (RFC 1951) as some servers send."""

    def __init__(self) -> None:
        self._start = b""
        self._stream: Any = None

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            data = self._start + data
            if len(data) < _ZLIB_HEADER_BYTES:
                self._start = data
                return
            is_zlib = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
        yield from _decompressed(self._stream, data, "deflate")

    @property
    def complete(self) -> bool:
        return self._stream is not None and bool(self._stream.eof)


class _Brotli:
    """RFC 7932. The library calls a stream damaged when other bytes follow its end at once."""

    def __init__(self) -> None:
        self._stream: Any = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while not self._stream.is_finished():
            try:
                piece: bytes = self._stream.process(data, output_buffer_limit=PIECE_BYTES)
            except brotli.error as e:
                raise _damaged("br", e) from e
            data = b""
            if not piece:
                return
            yield piece

    @property
    def complete(self) -> bool:
        return bool(self._stream.is_finished())


_CODINGS: dict[str, Callable[[], Decoder]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _Deflate,
    "br": _Brotli,
    "zstd": _zstd,
}
