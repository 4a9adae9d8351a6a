"""Reads a response body within its size limits and the memory budget of the process."""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import Final

from aiohttp import ClientPayloadError, StreamReader
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct

from gossamer.fetch.content_decoding import Decoder
from gossamer.fetch.fetch_failures import failure_of
from gossamer.model.outcome_details import Detail, DetailCode

LARGE_BODY_BYTES: Final = 1 << 20
"""Decoded size from which a body must reserve memory. Few pages are so large, so few ever wait."""
ROOM_BYTES: Final = 12 << 20


class BodyMemory:
    """The memory budget for bodies in one process, granted in order of request.

    The body that has waited longest gets as much as it needs, so that one can always finish: one
    body more than fits may be in memory.
    """

    def __init__(self, size_bytes: int = ROOM_BYTES) -> None:
        """All of it is free."""
        self._size_bytes = size_bytes
        self._reserved: dict[ReservedBytes, int] = {}
        self._waiting: list[asyncio.Future[None]] = []

    def reserve(self) -> "ReservedBytes":
        """Room for one body, of no size yet."""
        return ReservedBytes(self)

    def _fits(self, reserved: "ReservedBytes", size_bytes: int) -> bool:
        had = self._reserved.setdefault(reserved, 0)
        if next(iter(self._reserved)) is not reserved:
            held = sum(self._reserved.values()) - had
            if held + size_bytes > self._size_bytes:
                return False
        self._reserved[reserved] = size_bytes
        return True

    async def _changed(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        await waiter

    def _end(self, reserved: "ReservedBytes") -> None:
        if self._reserved.pop(reserved, None) is None:
            return
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)


class ReservedBytes:
    """The memory reserved for one body."""

    def __init__(self, room: BodyMemory) -> None:
        """`room` is the budget it belongs to."""
        self._room = room

    async def grow(self, size_bytes: int) -> None:
        """Wait until there is room for so many bytes in all; it is kept until `end`."""
        while not self._room._fits(self, size_bytes):  # noqa: SLF001 - of this module
            await self._room._changed()  # noqa: SLF001 - likewise

    def end(self) -> None:
        """Give the room back."""
        self._room._end(self)  # noqa: SLF001 - likewise


class BodyTruncation(Enum):
    """Why a body was truncated."""

    CAP = "a cap of ours"
    LOSS = "the server or the network: another time it may come whole"
    FAILURE = "what went wrong while it was read, and is told as its cut"


class ResponseBody(Struct):
    """The body received so far: `data` is decoded, `raw_bytes` counts bytes on the wire.

    `data` is as the connection delivered it, not copied, while it is one piece. `cut` says why the
    body is incomplete, None if it is complete, and `cut_by` what is to blame, if that ended the
    reading. Of `memory`, if given, some is `reserved` before `data` grows beyond LARGE_BODY_BYTES.
    `wire` has the body as it came, if there is an archive to keep it.
    """

    raw_bytes: int = 0
    cut: Detail | None = None
    cut_by: BodyTruncation | None = None
    data: bytearray | bytes = b""
    memory: BodyMemory | None = None
    reserved: ReservedBytes | None = None
    wire: list[bytes] | None = None
    is_decoded: bool = False
    """Whether `data` is another than what came over the wire."""

    @property
    def wire_bytes(self) -> int:
        """How much memory the body takes as received."""
        return 0 if self.wire is None else self.raw_bytes

    def whole(self) -> bytes:
        """`data`, which is copied once if it came in several pieces.

        For the archive, it takes their place where it is the same: a page of some megabytes is not
        in memory twice while it is parsed.
        """
        self.data = bytes(self.data)
        if self.wire and not self.is_decoded and len(self.data) == self.raw_bytes:
            self.wire = [self.data]
        return self.data

    def end(self, cut: Detail, cut_by: BodyTruncation) -> None:
        """Note that no more will come."""
        self.cut, self.cut_by = cut, cut_by


async def read_chunk(
    body: ResponseBody,
    payload: StreamReader,
    decoder: Decoder | None,
    cap_bytes: int,
    pace: Callable[[int], None],
) -> bool:
    """Read available or next bytes of `payload` into `body`; whether there may be more.

    There is no more at its end, or once `cap_bytes` came, raw or decoded. A body that the server
    breaks off is no error here: `body.cut` says so. `pace` gets the number of raw bytes before each
    wait. Raises DecodingError, and aiohttp's HttpProcessingError for framing that is broken from
    the beginning.
    """
    if not payload.is_eof():
        pace(body.raw_bytes)
    try:
        chunk = await payload.readany()
    except (ClientPayloadError, HttpProcessingError) as problem:
        # aiohttp does not hand out what it still holds when the connection is lost.
        await _add(body, payload._read_nowait(-1), decoder, cap_bytes)  # noqa: SLF001 - the only way in
        if isinstance(problem, HttpProcessingError) and not body.data:
            raise
        body.end(failure_of(problem).detail, BodyTruncation.LOSS)
        return False
    if chunk:
        if not await _add(body, chunk, decoder, cap_bytes):
            return False
        if not payload.at_eof():
            return True
    if decoder is not None and body.raw_bytes and not decoder.complete:
        body.end(DetailCode.CODING_CUT(), BodyTruncation.LOSS)
    return False


async def _add(body: ResponseBody, chunk: bytes, decoder: Decoder | None, cap_bytes: int) -> bool:
    """Decode and keep `chunk`; False once a cap is reached."""
    body.raw_bytes += len(chunk)
    if body.wire is not None:
        body.wire.append(chunk)
    body.is_decoded = decoder is not None
    for piece in [chunk] if decoder is None else decoder.pieces(chunk):
        size_bytes = len(body.data) + len(piece)
        held_bytes = size_bytes + body.wire_bytes
        if held_bytes > LARGE_BODY_BYTES and body.memory is not None:
            body.reserved = body.reserved or body.memory.reserve()
            await body.reserved.grow(held_bytes)
        if not body.data:
            body.data = piece
        else:
            if isinstance(body.data, bytes):
                body.data = bytearray(body.data)
            body.data += piece
        if size_bytes > cap_bytes:
            body.data = body.data[:cap_bytes]
            body.end(DetailCode.CUT(size=cap_bytes), BodyTruncation.CAP)
            return False
    if body.raw_bytes > cap_bytes:
        body.end(DetailCode.CUT(size=cap_bytes), BodyTruncation.CAP)
        return False
    return True
