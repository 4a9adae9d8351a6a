"""Answers that no well-meaning server gives: slow, broken, endless, explosive."""

import asyncio
import importlib
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol

from tests.sites.connection import Answer, Connection
from tests.sites.ledger import Request

Encoding = Literal["gzip", "deflate", "br", "zstd"]

_BLOCK = bytes(1 << 16)


def raw(data: Sequence[bytes], *, close: bool) -> Answer:
    """Exactly these bytes in turn, the last for ever; keeps the connection open unless `close`."""
    left = list(data)

    async def answer(_request: Request, connection: Connection) -> None:
        await connection.send(left.pop(0) if len(left) > 1 else left[0])
        if close:
            connection.close()

    return answer


def hang(after: bytes) -> Answer:
    """Send `after`, then nothing until the client gives up."""

    async def answer(_request: Request, connection: Connection) -> None:
        if after:
            await connection.send(after)
        await asyncio.Event().wait()

    return answer


def reset(after: bytes) -> Answer:
    """Send `after`, then break the connection off with a RST."""

    async def answer(_request: Request, connection: Connection) -> None:
        if after:
            await connection.send(after)
        connection.reset()

    return answer


def stale(data: bytes, *, reset: bool) -> Answer:
    """Send `data` to the first request of a connection; end the connection at any other.

    As a server does that closes what was idle for too long at the moment it is used again.
    """

    async def answer(_request: Request, connection: Connection) -> None:
        if connection.answered == 0:
            await connection.send(data)
        elif reset:
            connection.reset()
        else:
            connection.close()

    return answer


def drip(prefix: bytes, dripped: bytes, interval_s: float) -> Answer:
    """Send `prefix` at once and then one byte of `dripped` per interval."""

    async def answer(_request: Request, connection: Connection) -> None:
        if prefix:
            await connection.send(prefix)
        for byte in dripped:
            await asyncio.sleep(interval_s)
            await connection.send(bytes([byte]))
        connection.close()

    return answer


def endless(prefix: bytes, repeated: bytes) -> Answer:
    """Send `prefix`, then `repeated` for as long as somebody reads it."""

    async def answer(_request: Request, connection: Connection) -> None:
        await connection.send(prefix)
        while True:
            await connection.send(repeated)
            # An unpaused `send` does not yield; other connections want their turn.
            await asyncio.sleep(0)

    return answer


def bomb(encoding: Encoding, size_bytes: int) -> Answer:
    """A small body that decodes to `size_bytes` of NUL bytes."""

    async def answer(_request: Request, connection: Connection) -> None:
        head = (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            f"Content-Encoding: {encoding}\r\n\r\n"
        )
        await connection.send(head.encode("ascii"))
        for block in _compressed_zeros(encoding, size_bytes):
            await connection.send(block)
            await asyncio.sleep(0)
        connection.close()

    return answer


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class _Brotli:
    """`brotli.Compressor` under the method names that the other compressors have."""

    def __init__(self) -> None:
        self._inner: Any = importlib.import_module("brotli").Compressor(quality=5)

    def compress(self, data: bytes, /) -> bytes:
        return bytes(self._inner.process(data))

    def flush(self) -> bytes:
        return bytes(self._inner.finish())


def _compressor(encoding: Encoding) -> _Compressor:
    if encoding == "br":
        return _Brotli()
    if encoding == "zstd":
        compressor: _Compressor = importlib.import_module("tests.zstandard").zstd.ZstdCompressor()
        return compressor
    window_bits = 31 if encoding == "gzip" else 15
    return zlib.compressobj(9, zlib.DEFLATED, window_bits)


def _compressed_zeros(encoding: Encoding, size_bytes: int) -> Iterator[bytes]:
    compressor = _compressor(encoding)
    left = size_bytes
    while left > 0:
        yield compressor.compress(_BLOCK[:left])
        left -= len(_BLOCK)
    yield compressor.flush()
