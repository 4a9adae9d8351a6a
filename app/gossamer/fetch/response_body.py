"""The body of an answer, read up to the caps: whatever breaks it off, what came is there."""

from collections.abc import Callable
from enum import Enum

from aiohttp import ClientPayloadError, StreamReader
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct

from gossamer.fetch.body_memory import LARGE_BODY_BYTES, ReservedBytes
from gossamer.fetch.content_decoding import Decoder
from gossamer.fetch.fetch_failures import failure_of
from gossamer.model.outcome_details import Detail, DetailCode


class BodyEnd(Enum):
    """What a body was cut by."""

    CAP = "a cap of ours"
    LOSS = "the server or the network: another time it may come whole"
    FAILURE = "what went wrong while it was read, and is told as its cut"


class ResponseBody(Struct):
    """What came so far: `data` is decoded, `raw_bytes` counts what came over the wire.

    `data` is as the connection handed it out, not copied, while it is one piece. `cut` says why
    the body is not whole, None if it is, and `cut_by` what is to blame, if the reading of it came
    to an end by that. Memory is `reserved` before `data` grows beyond LARGE_BODY_BYTES.
    """

    raw_bytes: int = 0
    cut: Detail | None = None
    cut_by: BodyEnd | None = None
    data: bytearray | bytes = b""
    reserved: ReservedBytes | None = None

    def end(self, cut: Detail, cut_by: BodyEnd) -> None:
        """No more will come."""
        self.cut, self.cut_by = cut, cut_by


async def read_body(
    body: ResponseBody,
    payload: StreamReader,
    decoder: Decoder | None,
    cap_bytes: int,
    pace: Callable[[int], None],
) -> None:
    """Read `payload` into `body`, until its end or until `cap_bytes` came, raw or decoded.

    A body that the server breaks off is no error here: `body.cut` says so. `pace` is told the
    number of raw bytes before each wait. Raises DecodingError, and aiohttp's HttpProcessingError
    for framing that is broken from the beginning.
    """
    while await read_chunk(body, payload, decoder, cap_bytes, pace):
        pass


async def read_chunk(
    body: ResponseBody,
    payload: StreamReader,
    decoder: Decoder | None,
    cap_bytes: int,
    pace: Callable[[int], None],
) -> bool:
    """One step of `read_body`: read what is there or comes next; whether there may be more."""
    if not payload.is_eof():
        pace(body.raw_bytes)
    try:
        chunk = await payload.readany()
    except (ClientPayloadError, HttpProcessingError) as problem:
        # aiohttp does not hand out what it still holds when the connection is lost.
        await _add(body, payload._read_nowait(-1), decoder, cap_bytes)  # noqa: SLF001 - the only way in
        if isinstance(problem, HttpProcessingError) and not body.data:
            raise
        body.end(failure_of(problem).detail, BodyEnd.LOSS)
        return False
    if chunk:
        if not await _add(body, chunk, decoder, cap_bytes):
            return False
        if not payload.at_eof():
            return True
    if decoder is not None and body.raw_bytes and not decoder.complete:
        body.end(DetailCode.CODING_CUT(), BodyEnd.LOSS)
    return False


async def _add(body: ResponseBody, chunk: bytes, decoder: Decoder | None, cap_bytes: int) -> bool:
    """Decode and keep `chunk`; False once a cap is reached."""
    body.raw_bytes += len(chunk)
    for piece in [chunk] if decoder is None else decoder.pieces(chunk):
        if body.reserved is not None and len(body.data) + len(piece) > LARGE_BODY_BYTES:
            await body.reserved.grow(len(body.data) + len(piece))
        body.data = _grown(body.data, piece)
        if len(body.data) > cap_bytes:
            body.data = body.data[:cap_bytes]
            body.end(DetailCode.CUT(size=cap_bytes), BodyEnd.CAP)
            return False
    if body.raw_bytes > cap_bytes:
        body.end(DetailCode.CUT(size=cap_bytes), BodyEnd.CAP)
        return False
    return True


def _grown(data: bytearray | bytes, piece: bytes) -> bytearray | bytes:
    if not data:
        return piece
    if isinstance(data, bytes):
        data = bytearray(data)
    data += piece
    return data
