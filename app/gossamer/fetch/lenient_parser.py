"""Reads responses that aiohttp's parser rejects, as browsers do.

Nothing may follow such a response on its connection, as its end is ambiguous.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from aiohttp import StreamReader
from aiohttp.http import HttpVersion, RawResponseMessage
from multidict import CIMultiDict, CIMultiDictProxy

from gossamer.fetch.http_statuses import BODILESS, MAX_INTERIM_RESPONSES, is_interim
from gossamer.fetch.lenient_headers import (
    MAX_HEAD_BYTES,
    LenientHead,
    Malformed,
    MalformedResponseError,
    end_of_head,
    may_begin,
    read_head,
    too_large,
)
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning

if TYPE_CHECKING:
    from aiohttp.base_protocol import BaseProtocol


MAX_LINE_KIB: Final = 16
MAX_TRAILER_KIB: Final = 256
_KIB: Final = 1024
_SIZE: Final = lazy_pattern(rb"[0-9a-fA-F]{1,16}")


class ChunkedBody:
    """Decodes a chunked body as its bytes arrive."""

    def __init__(self, malformed: Malformed) -> None:
        """Violations of the standard go into `malformed`."""
        self._malformed = malformed
        self._line = bytearray()
        """What was received of the current line."""
        self._left = 0
        """Bytes of the current chunk that are still to come."""
        self._in_data = False
        self._after_data = False
        self._in_trailer = False
        self._trailer_bytes = 0
        self.complete = False

    def data(self, came: bytes) -> bytes:
        """The part of the body in `came`. MalformedResponseError if it is no chunk."""
        parts = []
        at = 0
        while at < len(came) and not self.complete:
            if self._in_data:
                part = came[at : at + self._left]
                parts.append(part)
                at += len(part)
                self._left -= len(part)
                self._after_data = not self._left
                self._in_data = bool(self._left)
            else:
                at = self._line_from(came, at)
        return b"".join(parts)

    def _line_from(self, came: bytes, start: int) -> int:
        """Take bytes from `start` up to the end of the line; returns its position."""
        end = came.find(b"\n", start) + 1
        self._line += came[start : end or len(came)]
        if len(self._line) > MAX_LINE_KIB * _KIB:
            raise MalformedResponseError(DetailCode.HTTP_CHUNK_LINE(size=MAX_LINE_KIB))
        if not end:
            return len(came)
        line = bytes(self._line)
        self._line.clear()
        if not line.endswith(b"\r\n"):
            self._malformed.add(ResponseWarning.CHUNK_LINE_END)
        self._take(line.rstrip(b"\r\n"))
        return end

    def _take(self, line: bytes) -> None:
        if self._in_trailer:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > MAX_TRAILER_KIB * _KIB:
                raise MalformedResponseError(DetailCode.HTTP_TRAILERS(size=MAX_TRAILER_KIB))
            self.complete = not line
        elif self._after_data:
            if line:
                raise MalformedResponseError(DetailCode.HTTP_CHUNK_LONG())
            self._after_data = False
        else:
            self._begin(line)

    def _begin(self, line: bytes) -> None:
        spelled, extended, _ = line.partition(b";")
        size = spelled.rstrip(b" ")
        if extended and size != spelled:
            self._malformed.add(ResponseWarning.CHUNK_EXTENSION)
        if not _SIZE.fullmatch(size):
            raise MalformedResponseError(DetailCode.HTTP_CHUNK_SIZE())
        self._left = int(size, 16)
        self._in_data, self._in_trailer = bool(self._left), not self._left


_OVERLAP: Final = 3
"""How many bytes of the end of a head may be in the piece before."""

Messages = list[tuple[RawResponseMessage, StreamReader]]


class LenientParser:
    """The parts of aiohttp's `HttpResponseParser` that a connection uses, for one response."""

    def __init__(
        self,
        protocol: "BaseProtocol",
        loop: asyncio.AbstractEventLoop,
        limit: int,
        *,
        has_body: bool,
        payload: StreamReader | None = None,
    ) -> None:
        """`protocol` and `limit` are for the reader of the body.

        With a `payload`, its head was reported before: what it has received already is skipped.
        """
        self._new_payload = partial(StreamReader, protocol, limit, loop=loop)
        self._has_body = has_body
        self._payload = payload
        self._is_reported = payload is not None
        self._skipped = payload.total_bytes if payload is not None else 0
        self._head: LenientHead | None = None
        self._interims = 0
        self._begun = bytearray()
        self._chunks: ChunkedBody | None = None
        self._left: int | None = None
        self.malformed: Final[Malformed] = set()
        """The violations of the standard so far."""

    def feed_data(self, data: bytes) -> tuple[Messages, bool, bytes]:
        """Parse bytes; returns the heads that are complete by now, with their bodies."""
        messages: Messages = []
        while self._head is None:
            rest = self._rest_after_head(data)
            if rest is None:
                return messages, False, b""
            data = rest
            self._take_head(messages)
        self._take_body(data)
        return messages, False, b""

    def feed_eof(self) -> None:
        """The connection ended. Raises if head or body is incomplete."""
        payload = self._payload
        if self._head is None or payload is None:
            raise MalformedResponseError(DetailCode.HTTP_HEADERS_END())
        if payload.is_eof():
            return
        if self._chunks is not None:
            raise MalformedResponseError(DetailCode.HTTP_CHUNKS_SHORT())
        if self._left:
            raise MalformedResponseError(DetailCode.HTTP_BODY_SHORT())
        self._end(payload)

    def pause_reading(self) -> None:
        """Nothing is buffered here: what came is passed on at once."""

    def _rest_after_head(self, data: bytes) -> bytes | None:
        """What follows the complete head; None while it is incomplete."""
        searched = max(len(self._begun) - _OVERLAP, 0)
        self._begun += data
        if not may_begin(self._begun):
            raise MalformedResponseError(DetailCode.HTTP_STATUS_LINE())
        end = end_of_head(self._begun, searched)
        if (len(self._begun) if end is None else end) > MAX_HEAD_BYTES:
            raise too_large()
        if end is None:
            return None
        rest = bytes(self._begun[end:])
        del self._begun[end:]
        return rest

    def _take_head(self, messages: Messages) -> None:
        head = read_head(bytes(self._begun), self.malformed)
        self._begun.clear()
        if is_interim(head.status):
            # Each is searched for in a copy of what came behind it: that is to take no long time.
            self._interims += 1
            if self._interims > MAX_INTERIM_RESPONSES:
                raise MalformedResponseError(DetailCode.HTTP_INTERIM(most=MAX_INTERIM_RESPONSES))
            return
        self._head = head
        if self._payload is None:
            self._payload = self._new_payload()
        if not self._is_reported:
            messages.append((_message(head), self._payload))
        if not self._has_body or head.status in BODILESS:
            self._end(self._payload)
        elif head.is_chunked:
            self._chunks = ChunkedBody(self.malformed)
        elif head.length == 0:
            self._end(self._payload)
        else:
            self._left = head.length

    def _take_body(self, data: bytes) -> None:
        payload = self._payload
        if payload is None or payload.is_eof():
            return
        is_whole = False
        if self._chunks is not None:
            data = self._chunks.data(data)
            is_whole = self._chunks.complete
        elif self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
            is_whole = not self._left
        known = min(self._skipped, len(data))
        self._skipped -= known
        if len(data) > known:
            payload.feed_data(data[known:])
        if is_whole:
            self._end(payload)

    def _end(self, payload: StreamReader) -> None:
        if not self.malformed:
            # Or it would have been read by somebody else.
            self.malformed.add(ResponseWarning.MALFORMED)
        payload.feed_eof()


def _message(head: LenientHead) -> RawResponseMessage:
    parsed = CIMultiDict(
        (name.decode("ascii"), value.decode("utf-8", "surrogateescape"))
        for name, value in head.headers
    )
    return RawResponseMessage(
        HttpVersion(*head.version),
        head.status,
        head.reason.decode("utf-8", "surrogateescape"),
        CIMultiDictProxy(parsed),
        tuple(head.headers),
        should_close=True,
        compression=None,
        upgrade=False,
        chunked=head.is_chunked,
    )
