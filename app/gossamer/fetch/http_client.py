"""An HTTP client with keepalive connections, built on aiohttp's resolver, TLS and parser.

aiohttp's ClientSession is not used because of what it does between the call and the wire: it
repeats the request whenever a server ends a connection without a response, it drops an empty query
(`/a?` becomes `/a`), it shuts TLS connections down properly, which waits for the other side, and it
takes as much time again as the rest of a fetch. Only `connector` and `http_connection` use aiohttp
below its documented surface.
"""

import asyncio
import ssl
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    StreamReader,
)
from aiohttp.abc import AbstractResolver
from aiohttp.http import RawResponseMessage
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct
from yarl import URL

from gossamer.fetch.address_guard import AddressGuard
from gossamer.fetch.connector import Connector, Endpoint, HostNameError, ProxyTunnel
from gossamer.fetch.fetch_failures import failure_of
from gossamer.fetch.http_connection import HttpConnection
from gossamer.fetch.http_request import HttpRequest
from gossamer.fetch.lenient_headers import ENOUGH_BYTES, may_begin
from gossamer.fetch.open_file_limit import room_for_connections
from gossamer.fetch.server_certificates import ServerCertificates
from gossamer.fetch.socks_proxy import SocksProxy
from gossamer.fetch.timeouts import DeadlineExceededError, ServerTime
from gossamer.fetch.tls_contexts import NO_CLIENT_CERTIFICATES, ClientCertificates
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.secrets import HttpAuth
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import parse_proxy
from gossamer.urls.url_parsing import host_and_port

KEEP_ALIVE_S = 15.0
"""How long a connection may wait at least; many servers close it after as much."""
_SWEEP_S = 5.0


class IdleConnections:
    """The idle connections of one process. Must be made and used on one running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._kept: dict[Endpoint, dict[HttpConnection, float]] = {}
        """Since when each has been idle. Some may have been closed by the server."""
        self._sweeping: asyncio.TimerHandle | None = None

    def keep(self, endpoint: Endpoint, connection: HttpConnection) -> None:
        """Keep this connection to `endpoint`, whose last response was read to its end."""
        connection.set_idle()
        self._kept.setdefault(endpoint, {})[connection] = self._loop.time()
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep)

    def take(self, endpoint: Endpoint) -> HttpConnection | None:
        """Take the connection to `endpoint` that was used last, if there is one."""
        connections = self._kept.get(endpoint)
        while connections:
            connection, _ = connections.popitem()
            if connection.is_free:
                return connection
            connection.close()
        return None

    def close(self) -> None:
        """Close them all."""
        for connections in self._kept.values():
            for connection in connections:
                connection.close()
        self._kept.clear()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None

    def _sweep(self) -> None:
        """Close connections that were idle for too long, and forget closed ones."""
        oldest_s = self._loop.time() - KEEP_ALIVE_S
        for connections in self._kept.values():
            for connection in [
                each for each, since_s in connections.items() if since_s <= oldest_s
            ]:
                connection.close()
            for connection in [each for each in connections if not each.is_connected]:
                del connections[connection]
        self._kept = {
            endpoint: connections for endpoint, connections in self._kept.items() if connections
        }
        self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep) if self._kept else None


LOOK_UP_S = 3.0
"""How long the look-up of the roots may delay the first fetch, if connecting may take so long."""
MAX_ROOTS_LOOKED_UP = 64
_MAX_ENDPOINTS = 10_000


class Exchange(Struct):
    """A response whose head has been read and whose body has not."""

    idle: IdleConnections
    endpoint: Endpoint
    connection: HttpConnection
    message: RawResponseMessage
    payload: StreamReader

    @property
    def address(self) -> str:
        """The IP address of the server; "" where a proxy stands between, or it is not known."""
        transport = self.connection.transport
        if transport is None or self.endpoint.is_proxy or self.endpoint.tunnel is not None:
            return ""
        peer = transport.get_extra_info("peername")
        return str(peer[0]) if peer else ""

    def release(self) -> None:
        """Keep the connection if the body was read to its end, else close it. No waiting."""
        if self.connection.is_free:
            self.idle.keep(self.endpoint, self.connection)
        else:
            self.connection.close()


class RequestSender(Protocol):
    """Sends requests and reads the heads of their responses: a client or a stand-in."""

    @property
    def room(self) -> int:
        """The most requests that may be under way at once."""

    def set_patience(self, connect_s: float) -> None:
        """Limit connecting to so many seconds from now on."""

    async def send(self, request: HttpRequest, message: bytes, server_time: ServerTime) -> Exchange:
        """Send `message`, the bytes of `request`, and wait for the head of the response."""

    async def look_at_refused(self) -> None:
        """Look at certificates that were refused."""

    async def drop(self) -> None:
        """Close every open connection; returns when the last is closed."""

    async def close(self) -> None:
        """Close everything for good."""


class HttpClient:
    """The open connections of one process. Must be made and used on one running loop."""

    def __init__(  # noqa: PLR0913 - what a crawl is, and what tests replace
        self,
        settings: CrawlSettings,
        *,
        connect_s: float,
        proxy_headers: bytes = b"",
        proxy_auth: HttpAuth | None = None,
        tls: ssl.SSLContext | None = None,
        resolver: AbstractResolver | None = None,
        shown: ClientCertificates = NO_CLIENT_CERTIFICATES,
        certificates: ServerCertificates | None = None,
    ) -> None:
        """`connect_s` limits look-up, connecting and TLS.

        `proxy_headers` are header lines for the proxy of the settings, `proxy_auth` is for one
        that reads none; `tls` replaces the default context and `resolver` the system's. Servers are
        `shown` certificates of ours; theirs are noted in `certificates`.
        """
        self._connections: set[HttpConnection] = set()
        self.room: Final = room_for_connections()
        """No more may be in use at once."""
        self._none_open = asyncio.Event()
        self._none_open.set()
        self._endpoints: dict[str, Endpoint] = {}
        self._idle = IdleConnections()
        self._connect_s = connect_s
        self._shown = shown
        self._certificates = certificates or ServerCertificates()
        self._guard = AddressGuard(settings.roots)
        self._insecure = frozenset(settings.insecure_hosts)
        proxy = None if settings.proxy is None else parse_proxy(settings.proxy)[0]
        socks = SocksProxy(proxy, proxy_auth) if proxy is not None and proxy.is_socks else None
        asks = proxy is not None and socks is None
        self._proxy = Endpoint(URL(proxy.url), is_proxy=True) if proxy and asks else None
        self._proxy_headers = proxy_headers
        make_connection = partial(HttpConnection, self, asyncio.get_running_loop())
        # What a proxy looks up is out of sight: only its own name is looked up here.
        guard = None if proxy is not None and proxy.looks_up else self._guard
        self._connector = Connector(guard, make_connection, self, tls, resolver, socks)
        self._roots_known = guard is None or not guard.unknown
        self._looking_up = asyncio.Lock()
        # Less than a whole fetch has, which would end before anything is known.
        self._look_up_s = min(LOOK_UP_S, connect_s / 2)

    def set_patience(self, connect_s: float) -> None:
        """Limit connecting to so many seconds from now on."""
        self._connect_s = connect_s

    async def send(self, request: HttpRequest, message: bytes, server_time: ServerTime) -> Exchange:
        """Send `message`, the bytes of `request`, wait for the head of the response.

        `server_time` measures how long the server is waited for.

        A kept connection may have been closed by the server just before, or bring the rest of a
        body that was longer than announced: if no response begins on it, the request is sent again
        on a new one; after such a rest, only if it is safe. Raises DeadlineExceededError when
        connecting takes too long, ForbiddenAddressError, ProxyRefusedError, else what aiohttp and
        the operating system raise. Cancelled, it closes the connection at once.
        """
        if not self._roots_known:
            await self._look_up_roots()
        endpoint = self._endpoint(request.origin)
        connection = self._idle.take(endpoint)
        while True:
            is_reused = connection is not None
            if connection is None:
                connection, endpoint = await self._connect(request.origin, endpoint, server_time)
            try:
                connection.write_request(message, server_time, has_body=not request.is_head)
                head, payload = await connection.read_head()
            except BaseException as problem:
                connection.close()
                if not (is_reused and _may_repeat(request, connection, problem)):
                    raise
                connection = None
            else:
                return Exchange(self._idle, endpoint, connection, head, payload)

    async def drop(self) -> None:
        """Close every open connection; returns when the last is closed.

        Whoever waits on one gets an error. Connections still being made belong to their
        `send`: cancel it.
        """
        self._idle.close()
        for connection in tuple(self._connections):
            if connection.transport is not None:
                connection.transport.abort()
        await self._none_open.wait()

    async def close(self) -> None:
        """Close everything for good."""
        await self.drop()
        await self._connector.close()

    def add(self, connection: HttpConnection) -> None:
        """Note an open connection; called by the connection itself."""
        self._connections.add(connection)
        self._none_open.clear()

    def remove(self, connection: HttpConnection) -> None:
        """Note a closed connection; called by the connection itself."""
        self._connections.discard(connection)
        if not self._connections:
            self._none_open.set()

    def make_room(self) -> None:
        """Close idle ones if there is no room for a new one."""
        if len(self._connections) >= self.room:
            self._idle.close()

    async def _look_up_roots(self) -> None:
        """Have the guard learn the addresses of the roots before anything else can set them.

        A root whose name server is slow is learnt when it is first requested.
        """
        async with self._looking_up:
            if self._roots_known:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(self._look_up_s), asyncio.TaskGroup() as group:
                    for host, port in list(self._guard.unknown.items())[:MAX_ROOTS_LOOKED_UP]:
                        group.create_task(self._look_up(host, port), name=f"look up {host}")
            self._roots_known = True

    async def _look_up(self, host: str, port: int) -> None:
        # The request for the root itself reports what is wrong with the name.
        with suppress(OSError, UnicodeError, ClientConnectionError):
            await self._connector.look_up(host, port)

    async def _connect(
        self, origin: str, endpoint: Endpoint, server_time: ServerTime
    ) -> tuple[HttpConnection, Endpoint]:
        """A new connection and its endpoint: another one if the certificate does not matter."""
        try:
            connection = await self._open(endpoint, server_time)
        except ClientConnectorCertificateError as problem:
            flaw = failure_of(problem).detail
            host, port = host_and_port(origin)
            if f"{host}:{port}" not in self._insecure:
                self._certificates.note_refused(origin, endpoint.unchecked(flaw))
                raise
            endpoint = self._skip_verification(origin, endpoint, flaw)
            connection = await self._open(endpoint, server_time)
        if endpoint.url.scheme == "https" and not endpoint.is_proxy:
            self._certificates.note(origin, connection.transport, endpoint.flaw)
        return connection, endpoint

    async def look_at_refused(self) -> None:
        """Connect, once an origin, where a certificate was refused, to read it; send nothing."""
        for origin, endpoint in self._certificates.take_refused():
            with suppress(Exception):  # that it cannot be read changes nothing
                connection = await self._connector.open(endpoint, self._look_up_s, ServerTime())
                self._certificates.note(origin, connection.transport, endpoint.flaw)
                connection.close()

    async def _open(self, endpoint: Endpoint, server_time: ServerTime) -> HttpConnection:
        try:
            return await self._connector.open(endpoint, self._connect_s, server_time)
        except TimeoutError as e:
            within = DetailCode.NO_CONNECTION_WITHIN(seconds=self._connect_s)
            raise DeadlineExceededError(within) from e
        except UnicodeError as e:
            # The resolver encodes the name, and refuses labels of over 63 characters.
            raise HostNameError(DetailCode.NAME_MALFORMED()) from e

    def _endpoint(self, origin: str) -> Endpoint:
        endpoint = self._endpoints.get(origin)
        if endpoint is None:
            host, port = host_and_port(origin)
            self._guard.check_name(host)
            if len(self._endpoints) >= _MAX_ENDPOINTS:
                self._endpoints.clear()
            endpoint = self._endpoints[origin] = self._new_endpoint(origin, f"{host}:{port}")
        return endpoint

    def _skip_verification(self, origin: str, endpoint: Endpoint, flaw: Detail) -> Endpoint:
        """Continue with `origin` without checking its certificate, which has a `flaw`."""
        tls = self._shown.context(origin, verifies=False)
        endpoint = endpoint.unchecked(flaw, tls)
        self._endpoints[origin] = endpoint
        return endpoint

    def _new_endpoint(self, origin: str, authority: str) -> Endpoint:
        url = URL(f"{origin}/", encoded=True)
        if self._proxy is not None and url.scheme == "http":
            return self._proxy
        tls = self._shown.context(origin)
        if self._proxy is None:
            return Endpoint(url, tls=tls)
        tunnel = ProxyTunnel(self._proxy, authority, self._proxy_headers)
        return Endpoint(url, tunnel=tunnel, tls=tls)


def _may_repeat(request: HttpRequest, connection: HttpConnection, problem: BaseException) -> bool:
    """Whether a request that a kept connection failed to serve may be sent on another one."""
    began = connection.beginning
    if not began:
        return isinstance(problem, ClientConnectionError)
    # Its response may stand behind the rest of a body: what changes something is not sent twice.
    is_rest = len(began) < ENOUGH_BYTES or not may_begin(began)
    is_unread = isinstance(problem, ClientConnectionError | HttpProcessingError)
    return is_rest and is_unread and request.is_safe
