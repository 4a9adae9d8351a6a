"""The body of an answer, read up to the caps: whatever breaks it off, what came is there."""

from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import ClientPayloadError, StreamReader

from app.fetch.decoding import Decoder
from app.fetch.failures import failure_of


@dataclass(slots=True)
class Body:
    """What came so far. `cut` is one line about why it is not whole, "" if it is."""

    raw_bytes: int = 0
    size_bytes: int = 0
    cut: str = ""
    pieces: list[bytes] = field(default_factory=list)

    def joined(self) -> bytes:
        """The decoded body in one piece."""
        return self.pieces[0] if len(self.pieces) == 1 else b"".join(self.pieces)


async def read_body(
    body: Body,
    payload: StreamReader,
    decoder: Decoder | None,
    cap_bytes: int,
    pace: Callable[[int], None],
) -> None:
    """Read `payload` into `body`, until its end or until `cap_bytes` came, raw or decoded.

    A body that the server breaks off is no error here: `body.cut` says so. `pace` is told the
    number of raw bytes before each wait. Raises DamagedError, and aiohttp's HttpProcessingError
    for broken framing.
    """
    while await read_chunk(body, payload, decoder, cap_bytes, pace):
        pass


async def read_chunk(
    body: Body,
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
    except ClientPayloadError as problem:
        body.cut = failure_of(problem).detail
        # aiohttp does not hand out what it still holds when the connection is lost.
        _add(body, payload._read_nowait(-1), decoder, cap_bytes)  # noqa: SLF001 - the only way in
        return False
    if chunk:
        return _add(body, chunk, decoder, cap_bytes)
    if decoder is not None and body.raw_bytes and not decoder.complete:
        body.cut = "the compressed data ended too early"
    return False


def _add(body: Body, chunk: bytes, decoder: Decoder | None, cap_bytes: int) -> bool:
    """Decode and keep `chunk`; False once a cap is reached."""
    body.raw_bytes += len(chunk)
    for piece in [chunk] if decoder is None else decoder.pieces(chunk):
        room = cap_bytes - body.size_bytes
        if len(piece) > room:
            body.pieces.append(piece[:room])
            body.size_bytes = cap_bytes
            body.cut = f"cut at {cap_bytes} bytes"
            return False
        body.pieces.append(piece)
        body.size_bytes += len(piece)
    if body.raw_bytes > cap_bytes:
        body.cut = f"cut at {cap_bytes} bytes"
        return False
    return True
