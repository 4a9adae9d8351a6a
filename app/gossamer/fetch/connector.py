"""Opens connections to permitted addresses, directly or through a proxy."""

import asyncio
import math
import socket
import ssl
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Any, Protocol, cast

from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientConnectorSSLError,
    ClientRequest,
    ClientTimeout,
    TCPConnector,
    ThreadedResolver,
)
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from yarl import URL

from gossamer.fetch.address_guard import AddressGuard
from gossamer.fetch.http_connection import ConnectionCounter, HttpConnection
from gossamer.fetch.http_statuses import SUCCESS
from gossamer.fetch.proxy_challenges import wanted_by_proxy
from gossamer.fetch.socks_proxy import (
    ProxyRefusedError,
    ProxyUnreachableError,
    SocksProxy,
    SocksReplyError,
)
from gossamer.fetch.timeouts import Deadline, ServerTime
from gossamer.fetch.tls_contexts import trusted, unchecked
from gossamer.model.outcome_details import Detail, DetailCode

if TYPE_CHECKING:
    from functools import partial

    from aiohappyeyeballs import AddrInfoType
    from aiohttp.tracing import Trace

DNS_CACHE_S = 60
_PATIENT = ClientTimeout(ceil_threshold=math.inf)
"""No limits: the caller has one for the whole connection."""


class HostNameError(socket.gaierror):
    """A host name that cannot be resolved."""

    def __init__(self, detail: Detail) -> None:
        super().__init__(socket.EAI_NONAME, str(detail))
        self.detail = detail


class Endpoint(ClientRequest):
    """The part of a request that aiohttp's connector looks at: where to connect to."""

    def __init__(
        self,
        url: URL,
        *,
        flaw: Detail | None = None,
        tunnel: "ProxyTunnel | None" = None,
        is_proxy: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`flaw` is what is wrong with the server's certificate, which is then not checked.

        `tls` is for a server that is shown a certificate of ours.
        """
        # Not the parent's: it would build the headers of a request that is never sent.
        self.url = url
        self.proxy = None
        self.server_hostname = (url.raw_host or "").rstrip(".") if tunnel is not None else None
        self.flaw = flaw
        self.tunnel = tunnel
        self._server_time: ServerTime | None = None
        self.is_proxy = is_proxy
        self._ssl = tls or flaw is None
        self._key = ConnectionKey(
            host=url.raw_host or "",
            port=url.port,
            is_ssl=url.scheme == "https",
            ssl=flaw is None,
            proxy=tunnel.proxy.url if tunnel is not None else None,
            proxy_auth=None,
            proxy_headers_hash=None,
            server_hostname=None,
        )

    def unchecked(self, flaw: Detail, tls: ssl.SSLContext | None = None) -> "Endpoint":
        """The same endpoint, whose certificate has a `flaw` and is not checked."""
        return Endpoint(self.url, flaw=flaw, tunnel=self.tunnel, tls=tls)

    def timed(self, server_time: ServerTime) -> "Endpoint":
        """The same endpoint for one connection; `server_time` restarts when connecting begins."""
        timed = copy(self)
        timed._server_time = server_time  # noqa: SLF001 - of this class
        return timed

    def restart(self) -> None:
        """Note that connecting begins now, with the first of its addresses."""
        if self._server_time is not None:
            self._server_time.restart()
            self._server_time = None

    @property
    def connection_key(self) -> ConnectionKey:
        """The key that connections to the same endpoint share."""
        return self._key


class ProxyTunnel:
    """The way to an https server through a proxy (RFC 9110 §9.3.6)."""

    def __init__(self, proxy: Endpoint, authority: str, headers: bytes) -> None:
        """`authority` is host and port of the server; `headers` are for the proxy."""
        self.proxy = proxy
        self.request = (
            f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n".encode("ascii")
            + headers
            + b"\r\n"
        )


class ConnectionLimiter(ConnectionCounter, Protocol):
    """Counts the open connections, and limits their number."""

    def make_room(self) -> None:
        """Close idle ones if there is no room for a new one."""


class Connector(TCPConnector):
    """aiohttp's connector with checked server addresses and our own proxy tunnels.

    aiohttp's own way through a proxy needs its whole client, and leaves the first protocol of the
    connection without an end.
    """

    def __init__(
        self,
        guard: AddressGuard | None,
        make_connection: Callable[[], HttpConnection],
        limiter: ConnectionLimiter,
        tls: ssl.SSLContext | None,
        resolver: AbstractResolver | None,
        socks: SocksProxy | None = None,
    ) -> None:
        """`guard` is None where the names of servers are looked up by a proxy.

        `limiter` is notified of a connection that continues as another one. `resolver` replaces the
        system's. All connections go through `socks`, if there is one.
        """
        resolver = resolver or ThreadedResolver()
        if guard is not None:
            resolver = _GuardedResolver(resolver, guard)
        elif socks is not None:
            resolver = _NoResolver()
        super().__init__(
            ssl=tls or True,
            limit=0,
            ttl_dns_cache=DNS_CACHE_S,
            timeout_ceil_threshold=math.inf,
            resolver=resolver,
            family=socket.AF_UNSPEC if socks is None else socks.family,
        )
        self._socks = socks
        self._factory = cast("partial[ResponseHandler]", make_connection)
        self._limiter = limiter

    def _get_ssl_context(self, req: ClientRequest) -> ssl.SSLContext | None:
        """Our TLS context, where aiohttp would use the one it made when it was imported."""
        if req.is_ssl() and req.ssl is True and self._ssl is True:
            return trusted()
        if req.is_ssl() and req.ssl is False:
            return unchecked()
        return super()._get_ssl_context(req)

    async def look_up(self, host: str, port: int) -> None:
        """Look up a host as connecting to it does; connecting then finds the result cached."""
        await self._resolve_host(host, port)

    async def open(
        self, endpoint: Endpoint, patience_s: float, server_time: ServerTime
    ) -> HttpConnection:
        """A new connection; TimeoutError if it takes longer than `patience_s`.

        A process that was busy when time was up waits once more: see `Deadline`.
        `server_time` restarts when the connection is requested, after the look-up.

        aiohttp's own pool is not used: it takes three times as long as ours.
        """
        self._limiter.make_room()
        with Deadline(self._loop, ServerTime(self._loop.time), patience_s, patience_s):
            return _ours(await self._create_connection(endpoint.timed(server_time), [], _PATIENT))

    async def _create_connection(
        self,
        req: ClientRequest,
        traces: "list[Trace]",
        timeout: ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
    ) -> ResponseHandler:
        assert isinstance(req, Endpoint)  # noqa: S101 - nothing else is asked of it
        if req.tunnel is not None:
            return await self._open_tunnel(req, req.tunnel, timeout)
        if req.is_proxy:
            _, connection = await self._connect_to_proxy(req, timeout)
            return connection
        return await super()._create_connection(req, traces, timeout)

    async def _connect_to_proxy(
        self,
        proxy: Endpoint,
        timeout: ClientTimeout,  # noqa: ASYNC109 - not in seconds: it is handed on to aiohttp
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        try:
            return await self._create_direct_connection(proxy, [], timeout)
        except (ClientConnectionError, ClientConnectorCertificateError) as e:
            raise ProxyUnreachableError from e

    async def _wrap_create_connection(
        self,
        *args: Any,
        addr_infos: "list[AddrInfoType]",
        req: ClientRequest,
        timeout: ClientTimeout,  # noqa: ASYNC109 - aiohttp's signature
        client_error: type[Exception] = ClientConnectorError,
        **kwargs: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        """A connection to the first of the addresses; aiohttp comes again with the others."""
        assert isinstance(req, Endpoint)  # noqa: S101 - nothing else is asked of it
        req.restart()
        connection = self._factory()
        try:
            if self._socks is not None:
                return await self._connect_over_socks(
                    self._socks, connection, addr_infos, req, client_error, **kwargs
                )
            return await super()._wrap_create_connection(
                lambda: connection,
                *args[1:],
                addr_infos=addr_infos,
                req=req,
                timeout=timeout,
                client_error=client_error,
                **kwargs,
            )
        except BaseException:
            self._forget(_ours(connection))
            raise

    def _forget(self, connection: HttpConnection) -> None:
        """Close a connection that nobody gets, as whoever wanted it was cancelled.

        Cancelled just when it was made, uvloop closes it and does not notify it of that; asyncio
        does so in this turn of the loop.
        """
        connection.close()
        self._loop.call_soon(self._limiter.remove, connection)

    async def _connect_over_socks(
        self,
        socks: SocksProxy,
        connection: ResponseHandler,
        addr_infos: "list[AddrInfoType]",
        req: Endpoint,
        client_error: type[Exception],
        **kwargs: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        host, port = addr_infos[0][4][:2]
        try:
            sock = await socks.connect(str(host), int(port))
        except SocksReplyError as e:
            raise ClientConnectorError(req.connection_key, e) from e
        try:
            return await self._loop.create_connection(lambda: connection, **kwargs, sock=sock)
        except ssl.SSLCertVerificationError as e:
            raise ClientConnectorCertificateError(req.connection_key, e) from e
        except ssl.SSLError as e:
            raise ClientConnectorSSLError(req.connection_key, e) from e
        except OSError as e:
            raise client_error(req.connection_key, e) from e

    async def _open_tunnel(
        self,
        server: Endpoint,
        tunnel: ProxyTunnel,
        timeout: ClientTimeout,  # noqa: ASYNC109 - not in seconds: it is handed on to aiohttp
    ) -> ResponseHandler:
        transport, made = await self._connect_to_proxy(tunnel.proxy, timeout)
        connection = _ours(made)
        try:
            await _send_connect(connection, tunnel.request)
        except BaseException:
            connection.close()
            raise
        try:
            _, inner = await self._start_tls_connection(transport, server, timeout)
        finally:
            # asyncio tells the end of the connection to the inner protocol alone.
            self._limiter.remove(connection)
        return inner


def _ours(made: ResponseHandler) -> HttpConnection:
    """What our factory made, which aiohttp takes for one of its own."""
    return cast("HttpConnection", made)


async def _send_connect(connection: HttpConnection, request: bytes) -> None:
    connection.write_request(request, ServerTime())
    message, _ = await connection.read_head()
    if message.code // 100 != SUCCESS:
        challenges = message.headers.getall("Proxy-Authenticate", [])
        wanted = wanted_by_proxy(message.code, challenges)
        raise ProxyRefusedError(message.code, message.reason or "", wanted)


class _NoResolver(AbstractResolver):
    """Leaves names as they are, for a proxy that looks them up."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """`host` itself."""
        return [ResolveResult(hostname=host, host=host, port=port, family=family, proto=0, flags=0)]

    async def close(self) -> None:
        """Nothing to close."""


class _GuardedResolver(AbstractResolver):
    """Checks the results of another resolver: refused addresses are not connected to."""

    def __init__(self, resolver: AbstractResolver, guard: AddressGuard) -> None:
        self._resolver = resolver
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The permitted addresses of `host`; ForbiddenAddressError if there are none."""
        found = await self._resolver.resolve(host, port, family)
        addresses = [each["host"] for each in found]
        if not addresses:
            raise HostNameError(DetailCode.NAME_WITHOUT_ADDRESS())
        self._guard.learn(host, addresses)
        allowed = frozenset(self._guard.allowed(addresses))
        return [each for each in found if each["host"] in allowed]

    async def close(self) -> None:
        """Close the other resolver."""
        await self._resolver.close()
