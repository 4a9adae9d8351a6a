"""One open connection with aiohttp's HTTP parser; handles one request at a time."""

import asyncio
import ssl
from collections.abc import Collection
from itertools import chain
from typing import TYPE_CHECKING, Protocol, cast

from aiohttp import (
    ClientConnectionError,
    ClientOSError,
    ClientPayloadError,
    ServerDisconnectedError,
    StreamReader,
)
from aiohttp.http import HttpResponseParser, RawResponseMessage
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD

from gossamer.fetch.http_statuses import BODILESS, MAX_INTERIM_RESPONSES, is_interim
from gossamer.fetch.lenient_headers import (
    ENOUGH_BYTES,
    MAX_HEAD_BYTES,
    MalformedResponseError,
    too_large,
)
from gossamer.fetch.lenient_parser import LenientParser
from gossamer.fetch.timeouts import ServerTime, waited_s
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning

if TYPE_CHECKING:
    from aiohttp.base_protocol import BaseProtocol

MAX_HEAD_FIELD_BYTES = 65_536
MAX_HEAD_FIELDS = 1_000
_RETAINED_BYTES = 1 << 16
"""Of a body in chunks, which aiohttp's parser may refuse and browsers do not."""
_BUFFER_BYTES = 1 << 18
"""From twice as much of a body that nobody has read yet, no more is received."""
_FIRST_STATUS = 100
_END_OF_HEAD = b"\r\n\r\n"


class ConnectionCounter(Protocol):
    """Counts the open connections."""

    def add(self, connection: "HttpConnection") -> None:
        """Note an open connection; called by the connection itself."""

    def remove(self, connection: "HttpConnection") -> None:
        """Note a closed connection; called by the connection itself."""


class HttpConnection(asyncio.Protocol):
    """An open connection with the parser that reads its responses.

    It replaces aiohttp's own protocol, which does more (WebSockets, its own timeouts, unexpected
    responses) and hides some of what goes wrong.
    """

    __slots__ = (
        "_counter",
        "_has_body",
        "_head_bytes",
        "_is_paused",
        "_lenient",
        "_loop",
        "_must_close",
        "_parser",
        "_payload",
        "_problem",
        "_raw",
        "_raw_bytes",
        "_responses",
        "_server_time",
        "_waiter",
        "beginning",
        "transport",
    )

    def __init__(self, counter: ConnectionCounter, loop: asyncio.AbstractEventLoop) -> None:
        """`counter` is notified when the connection is made, and when it is lost."""
        self._counter = counter
        self._loop = loop
        self.transport: asyncio.Transport | None = None
        self.beginning = b""
        """What came first since the last request was written."""
        self._parser: HttpResponseParser | LenientParser | None = None
        """None while no response is expected."""
        self._raw: list[bytes] | None = None
        """What was received of the response, as long as it may be read leniently from its
        beginning."""
        self._raw_bytes = 0
        self._lenient: LenientParser | None = None
        """The parser that reads, or has read, what aiohttp's parser refused."""
        self._has_body = True
        self._responses: list[tuple[RawResponseMessage, StreamReader]] = []
        """Heads that nobody has read yet, and their bodies."""
        self._payload: StreamReader | None = None
        """The body of the final response; None until its head has come."""
        self._waiter: asyncio.Future[None] | None = None
        self._problem: Exception | None = None
        """Why no other response comes."""
        self._must_close = False
        """Whether no other request may follow."""
        self._is_paused = False
        self._server_time = ServerTime()
        self._head_bytes: int | None = None
        """The bytes so far of a head that has not ended; None if none is expected."""

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is made, TLS included."""
        self.transport = cast("asyncio.Transport", transport)
        self._counter.add(self)

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived."""
        if self._parser is None:
            self._must_close = True
            return
        is_first = not self.beginning
        if len(self.beginning) < ENOUGH_BYTES:
            self.beginning += data[:ENOUGH_BYTES]
        if data:
            self._server_time.record_bytes(self._waited_s)
            if self._raw is not None:
                self._retain(data)
        try:
            self._parse(self._parser, data)
        except Exception as problem:  # noqa: BLE001 - whatever it is, the reader is to know
            if is_first:
                self._receive_again(data)
            else:
                self._read_leniently(problem)
        if self._payload is not None and self._payload.is_eof():
            self._server_time.pause()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; `exc` is None if it ended properly."""
        self.transport = None
        begun: RawResponseMessage | None = None
        if exc is not None:
            # A body that lasts until the connection ends would otherwise count as whole.
            self._break_off(ClientPayloadError("the connection was reset"), exc)
        elif self._parser is not None:
            try:
                begun = self._parser.feed_eof()
            except Exception as problem:  # noqa: BLE001 - as above
                self._break_off(ClientPayloadError("the body ended too early"), problem)
                if self._payload is None and self._problem is None:
                    self._fail(problem)
        if self._problem is None:
            self._fail(_lost(exc, begun))
        self._parser = None
        self._counter.remove(self)

    # What aiohttp's reader of bodies asks of a protocol

    @property
    def connected(self) -> bool:
        """Whether anything may still come."""
        return self.transport is not None

    def pause_reading(self) -> None:
        """Stop receiving: the body is not being read."""
        self._is_paused = True
        self._server_time.pause()
        if self._parser is not None:
            self._parser.pause_reading()
        if self.transport is not None:
            self.transport.pause_reading()

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT001, FBT002 - aiohttp's signature
        """Receive again. With `resume_parser`, what the parser has put aside comes first."""
        was_paused, self._is_paused = self._is_paused, False
        if resume_parser and self._payload is not None and not self._payload.is_eof():
            self.data_received(b"")
        if was_paused and not self._is_paused and self.transport is not None:
            self._server_time.resume()
            self.transport.resume_reading()

    # Asking

    @property
    def is_connected(self) -> bool:
        """Whether the connection is open."""
        return self.transport is not None and not self.transport.is_closing()

    @property
    def is_free(self) -> bool:
        """Whether another request may follow: the last response ended, and no more came."""
        return (
            not self._must_close
            and not self._responses
            and self._problem is None
            and (self._payload is None or self._payload.is_eof())
            and self.is_connected
        )

    def set_idle(self) -> None:
        """Expect nothing: what comes now would be read as the next response."""
        self._parser = None
        self._payload = None
        self._raw = None

    def close(self) -> None:
        """Close now. A proper close sends what is left and, on TLS, waits for a reply."""
        if self.transport is not None:
            self.transport.abort()
            self.transport = None
        self.set_idle()
        self._problem = None  # it leads here, by its traceback

    def write_request(
        self, request: bytes, server_time: ServerTime, *, has_body: bool = True
    ) -> None:
        """Send `request` and expect one response; ServerDisconnectedError if the server is gone.

        `server_time` is told what the server is waited for. The response to a HEAD request has no
        body, whatever its headers say.
        """
        self.beginning = b""
        if self.transport is None or self.transport.is_closing():
            raise ServerDisconnectedError
        self._has_body = has_body
        self._parser = self._new_parser()
        self._raw, self._raw_bytes = [], 0
        self._head_bytes = 0
        self._lenient = None
        self._server_time = server_time
        server_time.record_bytes(self._waited_s)
        self.transport.write(request)

    async def read_head(self) -> tuple[RawResponseMessage, StreamReader]:
        """Wait for the head of the final response; its body is still to be read."""
        for _ in range(MAX_INTERIM_RESPONSES + 1):
            if not self._responses and self._problem is None:
                self._waiter = self._loop.create_future()
                try:
                    await self._waiter
                finally:
                    self._waiter = None
            if not self._responses:
                assert self._problem is not None  # noqa: S101 - whoever wakes us says why
                raise self._problem
            message, payload = self._responses.pop(0)
            if message.code < _FIRST_STATUS:
                status = f"{message.code:03}"
                raise MalformedResponseError(DetailCode.HTTP_STATUS(status=status))
            if not is_interim(message.code):
                return message, payload
        raise MalformedResponseError(DetailCode.HTTP_INTERIM(most=MAX_INTERIM_RESPONSES))

    def _new_parser(self) -> HttpResponseParser:
        """A parser for one response: nothing is left in it from the one before."""
        return HttpResponseParser(
            cast("BaseProtocol", self),
            self._loop,
            _BUFFER_BYTES,
            payload_exception=ClientPayloadError,
            response_with_body=self._has_body,
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=MAX_HEAD_FIELD_BYTES,
            max_field_size=MAX_HEAD_FIELD_BYTES,
            max_headers=MAX_HEAD_FIELDS,
        )

    @property
    def malformed(self) -> Collection[ResponseWarning]:
        """How the response violates the standard, as far as it was read."""
        return () if self._lenient is None else self._lenient.malformed

    def _parse(self, parser: HttpResponseParser | LenientParser, data: bytes) -> None:
        messages, is_upgraded, _ = parser.feed_data(data)
        if self._head_bytes is not None and parser is not self._lenient:
            self._head_bytes = _within_bounds(self._head_bytes + len(data), messages)
        for message, payload in messages:
            is_bodiless = not self._has_body or message.code in BODILESS
            self._must_close |= message.should_close
            # An interim response has an empty body, whose end says nothing about the final one.
            self._payload = None if is_interim(message.code) else payload
            self._responses.append((message, EMPTY_PAYLOAD if is_bodiless else payload))
        if is_upgraded:
            self._must_close = True
            self._parser = None
        if messages:
            if self._payload is not None and not message.chunked:
                self._raw = None  # nothing that comes now is ambiguous
            self._server_time.record_head()
            self._wake()

    def _waited_s(self) -> float:
        return waited_s(self.transport)

    def _receive_again(self, data: bytes) -> None:
        """Parse the first bytes of a response that end in nonsense again, the head by itself.

        The parser drops a whole sound response if the same bytes end in something else, such as
        more body than announced.
        """
        end = data.find(_END_OF_HEAD) + len(_END_OF_HEAD)
        self._parser = parser = self._new_parser()
        self._head_bytes = 0
        try:
            self._parse(parser, data[:end])
            self._parse(parser, data[end:])
        except Exception as problem:  # noqa: BLE001 - as above
            self._read_leniently(problem)

    def _retain(self, data: bytes) -> None:
        """Keep what came, within bounds: odd servers are odd at the beginning."""
        self._raw_bytes += len(data)
        if self._raw is None or self._raw_bytes > MAX_HEAD_BYTES + _RETAINED_BYTES:
            self._raw = None
        else:
            self._raw.append(data)

    def _read_leniently(self, problem: Exception) -> None:
        """Read what aiohttp's parser refuses as browsers do, as far as they do."""
        raw, self._raw = self._raw, None
        payload = self._payload
        if raw is None or (payload is not None and payload.is_eof()):
            self._refuse(problem)
            return
        self._must_close = True
        self._parser = self._lenient = parser = LenientParser(
            cast("BaseProtocol", self),
            self._loop,
            _BUFFER_BYTES,
            has_body=self._has_body,
            payload=payload,
        )
        try:
            self._parse(parser, b"".join(raw))
        except Exception as e:  # noqa: BLE001 - as above
            self._refuse(e)

    def _refuse(self, problem: Exception) -> None:
        """Fail the reader of head or body: what came is not HTTP."""
        if self.transport is not None:
            self.transport.close()
        if not isinstance(problem, HttpProcessingError):
            unforeseen = HttpProcessingError(message=str(problem))
            unforeseen.__cause__ = problem
            problem = unforeseen
        self._fail(problem)
        self._break_off(problem, problem.__cause__)

    def _fail(self, problem: Exception) -> None:
        self._problem = problem
        self._wake()

    def _break_off(self, problem: Exception, cause: BaseException | None) -> None:
        """Fail the reader of the body, unless it is complete, or something was wrong before."""
        payload = self._payload
        if payload is not None and not payload.is_eof() and payload.exception() is None:
            problem.__cause__ = cause
            payload.set_exception(problem)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _within_bounds(
    received: int, messages: list[tuple[RawResponseMessage, StreamReader]]
) -> int | None:
    """How much of the next head has come: None once the head of the final response has ended.

    MalformedResponseError for a head that is too large: each of its lines may be small.
    """
    size = received
    if messages and received > MAX_HEAD_BYTES:
        size = max(sum(map(len, chain(*head.raw_headers))) for head, _ in messages)
    if size > MAX_HEAD_BYTES:
        raise too_large()
    if not messages:
        return received
    return 0 if is_interim(messages[-1][0].code) else None


def _lost(exc: Exception | None, begun: RawResponseMessage | None) -> Exception:
    """The error for the waiter for a response; `begun` is what came of its head."""
    if exc is None:
        return ServerDisconnectedError(begun)
    if isinstance(exc, ssl.SSLError):  # its number is not the operating system's
        is_refusal = "ALERT" in (exc.reason or "")
        return exc if is_refusal else ClientConnectionError(exc.reason or str(exc))
    return ClientOSError(*exc.args) if isinstance(exc, OSError) else exc
