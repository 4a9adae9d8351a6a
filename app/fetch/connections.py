"""Connections: aiohttp's pool, resolver, TLS and HTTP parser, one request at a time.

aiohttp's ClientSession is not used, for what it does between the call and the wire: it asks
again whenever a server ends a connection without an answer, it leaves out an empty query (`/a?`
becomes `/a`), it ends TLS connections in good order, which waits for the other side, and it
takes as much time again as the rest of a fetch. What is used of aiohttp below its documented
surface is used in this file alone.
"""

import asyncio
import math
import socket
import ssl
from functools import partial
from typing import Final, cast

from aiohttp import (
    ClientConnectionError,
    ClientPayloadError,
    ClientRequest,
    ClientTimeout,
    ServerDisconnectedError,
    StreamReader,
    TCPConnector,
)
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.http import RawResponseMessage
from aiohttp.http_exceptions import BadHttpMessage
from yarl import URL

KEEP_ALIVE_S = 15.0
DNS_CACHE_S = 60
MAX_HEAD_FIELD_BYTES = 65_536
MAX_HEAD_FIELDS = 1_000
MAX_INTERIM_ANSWERS = 32
"""Answers of status 1xx before the one that counts."""
_SWITCHING_PROTOCOLS = 101
_FIRST_FINAL_STATUS = 200
_MAX_ENDPOINTS = 10_000


class Wire(ResponseHandler):
    """One open connection: aiohttp's protocol, with what it leaves in the dark made known."""

    def __init__(self, connections: "Connections", loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._connections = connections
        self.requests = 0
        """Requests written to this connection so far."""
        self.heard = False
        """Whether anything came since the last request was written."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio's: the connection stands, TLS included."""
        super().connection_made(transport)
        self._connections.made(self)

    def data_received(self, data: bytes) -> None:
        """Asyncio's: bytes came."""
        self.heard = True
        super().data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Asyncio's: the connection is gone; `exc` is None when it ended in good order."""
        payload = self._payload
        if exc is not None and payload is not None and not payload.is_eof():
            # A body that lasts until the connection ends would otherwise count as whole.
            payload.set_exception(ClientPayloadError("the connection was reset"), exc)
        super().connection_lost(exc)
        self._connections.lost(self)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        """Tell the reader of the body too: aiohttp lets it wait when the framing is broken."""
        super().set_exception(exc, exc_cause if exc_cause is not None else exc)
        payload = self._payload
        if payload is not None and not payload.is_eof() and payload.exception() is None:
            payload.set_exception(exc)

    def close(self) -> None:
        """Close now. A close in good order sends what is left and, on TLS, waits for an answer."""
        self.abort()

    def write_request(self, request: bytes) -> None:
        """Send `request` and expect one answer; ServerDisconnectedError if nobody is there."""
        self.requests += 1
        self.heard = False
        if self.transport is None or self.transport.is_closing():
            raise ServerDisconnectedError
        self.set_response_params(
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=MAX_HEAD_FIELD_BYTES,
            max_field_size=MAX_HEAD_FIELD_BYTES,
            max_headers=MAX_HEAD_FIELDS,
        )
        self.transport.write(request)


class Exchange:
    """A request that was answered: the head of the answer, and its body still to be read."""

    def __init__(
        self, connection: Connection, message: RawResponseMessage, payload: StreamReader
    ) -> None:
        self._connection = connection
        self.message: Final = message
        self.payload: Final = payload

    def end(self) -> None:
        """Back into the pool if the body was read to its end, else close. No waiting."""
        self._connection.release()


class Connections:
    """The open connections of one process. Must be made and used on one running loop."""

    def __init__(self, *, connect_s: float, tls: ssl.SSLContext | None = None) -> None:
        """`connect_s` limits look-up, connecting and TLS; `tls` replaces the default context."""
        self._wires: set[Wire] = set()
        self._none_open = asyncio.Event()
        self._none_open.set()
        self._endpoints: dict[str, _Endpoint] = {}
        # aiohttp rounds longer times up to whole seconds unless the threshold is out of reach.
        self._timeout = ClientTimeout(connect=connect_s, ceil_threshold=math.inf)
        self._connector = TCPConnector(
            ssl=tls or True,
            limit=0,
            keepalive_timeout=KEEP_ALIVE_S,
            ttl_dns_cache=DNS_CACHE_S,
            timeout_ceil_threshold=math.inf,
        )
        loop = asyncio.get_running_loop()
        factory = cast("partial[ResponseHandler]", partial(Wire, self, loop))
        self._connector._factory = factory  # noqa: SLF001 - the only way in

    async def ask(self, origin: str, request: bytes) -> Exchange:
        """Send `request` to `origin`, wait for the head of the answer.

        A kept connection may have been closed by the server just before: if it ends before any
        byte of the answer, the request is sent again on a new one. Raises TimeoutError when
        connecting takes too long, else what aiohttp and the operating system raise. Cancelled,
        it closes the connection at once.
        """
        endpoint = self._endpoint(origin)
        connection, wire = await self._open(endpoint, fresh=False)
        try:
            return await _asked(connection, wire, request)
        except ClientConnectionError:
            if wire.requests == 1 or wire.heard:
                raise
        connection, wire = await self._open(endpoint, fresh=True)
        return await _asked(connection, wire, request)

    async def drop(self) -> None:
        """Close every open connection; returns when the last is closed.

        Whoever waits on one gets an error. Connections still being made belong to their
        `ask`: cancel it.
        """
        for wire in tuple(self._wires):
            if wire.transport is not None:
                wire.transport.abort()
        await self._none_open.wait()

    async def close(self) -> None:
        """Close everything for good."""
        await self.drop()
        await self._connector.close()

    def made(self, wire: Wire) -> None:
        """Note an open connection; called by the connection itself."""
        self._wires.add(wire)
        self._none_open.clear()

    def lost(self, wire: Wire) -> None:
        """Note a closed connection; called by the connection itself."""
        self._wires.discard(wire)
        if not self._wires:
            self._none_open.set()

    async def _open(self, endpoint: "_Endpoint", *, fresh: bool) -> tuple[Connection, Wire]:
        while True:
            try:
                connection = await self._connector.connect(endpoint, [], self._timeout)
            except TimeoutError as e:
                raise TimeoutError(f"no connection within {self._timeout.connect:g} s") from e
            except UnicodeError as e:
                # The resolver encodes the name, and refuses labels of over 63 characters.
                raise socket.gaierror(socket.EAI_NONAME, f"not a host name: {e}") from e
            wire = connection.protocol
            assert isinstance(wire, Wire)  # noqa: S101 - our factory made it
            # Bytes that came unasked on an idle connection would be read as the next answer.
            if wire.requests and (fresh or wire.should_close):
                connection.close()
                continue
            return connection, wire

    def _endpoint(self, origin: str) -> "_Endpoint":
        endpoint = self._endpoints.get(origin)
        if endpoint is None:
            if len(self._endpoints) >= _MAX_ENDPOINTS:
                self._endpoints.clear()
            endpoint = self._endpoints[origin] = _Endpoint(URL(f"{origin}/", encoded=True))
        return endpoint


async def _asked(connection: Connection, wire: Wire, request: bytes) -> Exchange:
    """Write `request` and wait for the head of the answer; whatever happens else, close."""
    try:
        wire.write_request(request)
        return Exchange(connection, *await _final_answer(wire))
    except BaseException:
        connection.close()
        raise


async def _final_answer(wire: Wire) -> tuple[RawResponseMessage, StreamReader]:
    for _ in range(MAX_INTERIM_ANSWERS + 1):
        message, payload = await wire.read()
        if message.code >= _FIRST_FINAL_STATUS or message.code == _SWITCHING_PROTOCOLS:
            return message, payload
    raise BadHttpMessage(f"more than {MAX_INTERIM_ANSWERS} interim answers")


class _Endpoint(ClientRequest):
    """As much of a request as aiohttp's connector looks at: where to connect to."""

    def __init__(self, url: URL) -> None:
        # Not the parent's: it would build the headers of a request that is never sent.
        self.url = url
        self.proxy = None
        self.server_hostname = None
        self._ssl = True
        self._key = ConnectionKey(
            host=url.raw_host or "",
            port=url.port,
            is_ssl=url.scheme == "https",
            ssl=True,
            proxy=None,
            proxy_auth=None,
            proxy_headers_hash=None,
            server_hostname=None,
        )

    @property
    def connection_key(self) -> ConnectionKey:
        return self._key
