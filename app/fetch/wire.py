"""One open connection: aiohttp's protocol and HTTP parser, one request at a time."""

import asyncio
from typing import Protocol

from aiohttp import ClientPayloadError, ServerDisconnectedError, StreamReader
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.http_exceptions import BadHttpMessage

MAX_HEAD_FIELD_BYTES = 65_536
MAX_HEAD_FIELDS = 1_000
MAX_INTERIM_ANSWERS = 32
"""Answers of status 1xx before the one that counts."""
_SWITCHING_PROTOCOLS = 101
_FIRST_STATUS = 100
_FIRST_FINAL_STATUS = 200
_END_OF_HEAD = b"\r\n\r\n"


class Register(Protocol):
    """Who keeps count of the open connections."""

    def made(self, wire: "Wire") -> None:
        """Note an open connection; called by the connection itself."""

    def lost(self, wire: "Wire") -> None:
        """Note a closed connection; called by the connection itself."""


class Wire(ResponseHandler):
    """One open connection: aiohttp's protocol, with what it leaves in the dark made known."""

    def __init__(self, register: Register, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._register = register
        self.requests = 0
        """Requests written to this connection so far."""
        self.heard = False
        """Whether anything came since the last request was written."""
        self._has_body = True
        self._hushed = False
        self._spoilt = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio's: the connection stands, TLS included."""
        super().connection_made(transport)
        self._register.made(self)

    def data_received(self, data: bytes) -> None:
        """Asyncio's: bytes came."""
        if self.heard:
            super().data_received(data)
            return
        self.heard = True
        self._hushed = True
        super().data_received(data)
        self._hushed = False
        if self._spoilt:
            self._spoilt = False
            self._receive_again(data)

    def _receive_again(self, data: bytes) -> None:
        """Take the first bytes of an answer that end in nonsense, the head by itself.

        aiohttp drops the whole answer where what follows a sound one in the same bytes is none,
        such as more body than announced.
        """
        end = data.find(_END_OF_HEAD) + len(_END_OF_HEAD)
        self._expect_answer()
        super().data_received(data[:end])
        if self.exception() is None:
            super().data_received(data[end:])

    def connection_lost(self, exc: BaseException | None) -> None:
        """Asyncio's: the connection is gone; `exc` is None when it ended in good order."""
        payload = self._payload
        if exc is not None and payload is not None and not payload.is_eof():
            # A body that lasts until the connection ends would otherwise count as whole.
            payload.set_exception(ClientPayloadError("the connection was reset"), exc)
        if payload is not None and payload.exception() is not None:
            # The reader knows what is wrong; aiohttp would tell it of the end instead.
            self._payload = None
        super().connection_lost(exc)
        self._register.lost(self)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        """Tell the reader of the body too: aiohttp lets it wait when the framing is broken."""
        if self._hushed:
            self._spoilt = True
            return
        super().set_exception(exc, exc_cause if exc_cause is not None else exc)
        payload = self._payload
        if payload is not None and not payload.is_eof() and payload.exception() is None:
            payload.set_exception(exc)

    def close(self) -> None:
        """Close now. A close in good order sends what is left and, on TLS, waits for an answer."""
        self.abort()

    def write_request(self, request: bytes, *, has_body: bool = True) -> None:
        """Send `request` and expect one answer; ServerDisconnectedError if nobody is there.

        The answer to a HEAD request has no body, whatever its headers say.
        """
        self.requests += 1
        self.heard = False
        if self.transport is None or self.transport.is_closing():
            raise ServerDisconnectedError
        self._has_body = has_body
        self._expect_answer()
        self.transport.write(request)

    def _expect_answer(self) -> None:
        """Have a parser for one answer."""
        self.set_response_params(
            skip_payload=not self._has_body,
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=MAX_HEAD_FIELD_BYTES,
            max_field_size=MAX_HEAD_FIELD_BYTES,
            max_headers=MAX_HEAD_FIELDS,
        )

    async def final_answer(self) -> tuple[RawResponseMessage, StreamReader]:
        """Wait for the head of the answer that counts; its body is still to be read."""
        for _ in range(MAX_INTERIM_ANSWERS + 1):
            message, payload = await self.read()
            if message.code < _FIRST_STATUS:
                raise BadHttpMessage(f"a status of {message.code:03}")
            if message.code >= _FIRST_FINAL_STATUS or message.code == _SWITCHING_PROTOCOLS:
                return message, payload
        raise BadHttpMessage(f"more than {MAX_INTERIM_ANSWERS} interim answers")
