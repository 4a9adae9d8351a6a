"""Serves requests from an archive instead of the network.

Archived responses go through the same parser as those of servers, so they are read in the same way,
and show the same defects.
"""

import asyncio
from collections.abc import Iterator
from typing import Any, Final, Protocol, cast

from yarl import URL

from gossamer.fetch.connector import Endpoint
from gossamer.fetch.http_client import Exchange, IdleConnections
from gossamer.fetch.http_connection import HttpConnection
from gossamer.fetch.http_request import HttpRequest
from gossamer.fetch.timeouts import ServerTime
from gossamer.urls.url_parsing import is_http

_ROOM: Final = 1_000
"""Requests at once: each may hold a piece of a body in memory."""
_PIECES_AT_ONCE: Final = 16
"""Pieces of a body delivered in one turn of the loop."""
_NOWHERE: Final = URL("http://archive.invalid/")


class ArchivedResponse(Protocol):
    """Head and body of a response as they would come over the wire."""

    @property
    def head(self) -> bytes:
        """Up to its empty line."""

    @property
    def body(self) -> Iterator[bytes]:
        """In pieces; any exception means that there is no more."""


class ResponseSource(Protocol):
    """Finds responses in an archive."""

    def response(self, url: str, *, is_head: bool) -> ArchivedResponse:
        """The response to a request for `url`; NotArchivedError if there is none."""


class ArchiveClient:
    """Replaces HttpClient. Must be made and used on one running loop."""

    def __init__(self, source: ResponseSource) -> None:
        """Responses come from `source`."""
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._idle = IdleConnections()
        self.room: Final = _ROOM

    async def send(self, request: HttpRequest, message: bytes, server_time: ServerTime) -> Exchange:
        """The response to `request`, whose head has been read. Raises as HttpClient does."""
        response = self._source.response(_url_of(request), is_head=request.is_head)
        connection = HttpConnection(self, self._loop)
        transport = _ArchiveTransport(
            connection, response, self._loop, has_body=not request.is_head
        )
        connection.connection_made(cast("asyncio.Transport", transport))
        try:
            connection.write_request(message, server_time, has_body=not request.is_head)
            head, payload = await connection.read_head()
        except BaseException:
            connection.close()
            raise
        return Exchange(self._idle, Endpoint(_NOWHERE), connection, head, payload)

    def set_patience(self, connect_s: float) -> None:
        """Does nothing: nothing is waited for."""

    async def look_at_refused(self) -> None:
        """Does nothing: no server shows a certificate."""

    async def drop(self) -> None:
        """No connection is ever open."""

    async def close(self) -> None:
        """Likewise."""

    def add(self, connection: HttpConnection) -> None:
        """Called by the connection."""

    def remove(self, connection: HttpConnection) -> None:
        """Called by the connection."""


class _ArchiveTransport:
    """Stands in for the socket of a connection: an archive sends what a server would."""

    def __init__(
        self,
        connection: HttpConnection,
        response: ArchivedResponse,
        loop: asyncio.AbstractEventLoop,
        *,
        has_body: bool,
    ) -> None:
        self._connection = connection
        self._pieces = _wire(response, has_body=has_body)
        self._loop = loop
        self._is_paused = False
        self._is_closed = False
        self._turn: asyncio.Handle | None = None

    def write(self, _request: bytes) -> None:
        self._go_on()

    def is_closing(self) -> bool:
        return self._is_closed

    def abort(self) -> None:
        self._is_closed = True
        if self._turn is not None:
            self._turn.cancel()
            self._turn = None

    close = abort

    def pause_reading(self) -> None:
        self._is_paused = True

    def resume_reading(self) -> None:
        self._is_paused = False
        self._go_on()

    def get_extra_info(self, _name: str) -> Any:  # noqa: ANN401 - asyncio's signature
        return None

    def _go_on(self) -> None:
        if self._turn is None and not self._is_closed:
            self._turn = self._loop.call_soon(self._feed)

    def _feed(self) -> None:
        """Deliver some pieces, and then, if the reader keeps up, more."""
        self._turn = None
        for _ in range(_PIECES_AT_ONCE):
            if self._is_paused or self._is_closed:
                return
            try:
                piece = next(self._pieces, None)
            except Exception as problem:  # noqa: BLE001 - a torn archive is like a lost connection
                self._end(ConnectionResetError(str(problem)))
                return
            if piece is None:
                self._end(None)
                return
            self._connection.data_received(piece)
        self._go_on()

    def _end(self, problem: Exception | None) -> None:
        self._is_closed = True
        self._connection.connection_lost(problem)


def _url_of(request: HttpRequest) -> str:
    """The URL of a request; those for a proxy have all of it in their first line."""
    target = request.head.split(b" ", 2)[1].decode("ascii")
    return target if is_http(target) else request.origin + target


def _wire(response: ArchivedResponse, *, has_body: bool) -> Iterator[bytes]:
    yield response.head
    if has_body:
        yield from response.body
