"""Opens connections for a browser by the rules of the crawl: guarded, through its proxy."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from gossamer.fetch.address_guard import AddressGuard
from gossamer.fetch.http_request import RequestBuilder
from gossamer.fetch.http_statuses import SUCCESS
from gossamer.fetch.socks_proxy import SocksProxy
from gossamer.fetch.tls_contexts import trusted
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import ProxyAddress, parse_proxy

CONNECT_S: Final = 15.0
MAX_HEAD_BYTES: Final = 256 * 1024
"""Most bytes of the head of a request or response that passes."""

LookUp = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host name; OSError if there are none."""


class Connection(NamedTuple):
    """An open connection. `proxy_headers` are for the proxy that reads what is written to it.

    Without such a proxy, it is None.
    """

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    proxy_headers: bytes | None = None


async def look_up(host: str, port: int) -> list[str]:
    """The addresses that the system knows for a host name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


class GuardedDialer:
    """Connects to permitted addresses, exactly those that it has checked."""

    def __init__(
        self,
        settings: CrawlSettings,
        secrets: Secrets = NO_SECRETS,
        look_up: LookUp = look_up,
    ) -> None:
        """The roots of `settings` say which networks are permitted, as in a crawl."""
        requests = RequestBuilder(settings, secrets)
        self._guard = AddressGuard(settings.roots)
        self._look_up = look_up
        self._proxy: ProxyAddress | None = None
        self._socks: SocksProxy | None = None
        self._proxy_headers = requests.proxy_headers
        if settings.proxy is not None:
            self._proxy = parse_proxy(settings.proxy)[0]
            if self._proxy.is_socks:
                self._socks = SocksProxy(self._proxy, requests.proxy_auth)

    async def open(self, host: str, port: int, *, is_tunnel: bool) -> Connection:
        """A connection to a server, or to the HTTP proxy that takes requests for it.

        With `is_tunnel`, every byte on it goes to the server. ForbiddenAddressError if it must not
        be connected to, OSError if nobody responds or the proxy refuses; TimeoutError.
        """
        self._guard.check_name(host)
        async with asyncio.timeout(CONNECT_S):
            if self._proxy is not None and self._proxy.looks_up:
                return await self._open_through(self._proxy, host, port, is_tunnel=is_tunnel)
            return await self._open_checked(host, port)

    async def _open_checked(self, host: str, port: int) -> Connection:
        """Connect to the first of the permitted addresses that accepts."""
        for name, its_port in list(self._guard.unknown.items()):
            self._guard.learn(name, await self._addresses(name, its_port))
        failure: OSError = OSError("no address")
        for address in self._guard.allowed(await self._look_up(host.strip("[]"), port)):
            try:
                if self._socks is None:
                    reader, writer = await asyncio.open_connection(
                        address, port, limit=MAX_HEAD_BYTES
                    )
                else:
                    reader, writer = await self._through_socks(self._socks, address, port)
            except OSError as e:
                failure = e
            else:
                return Connection(reader, writer)
        raise failure

    async def _addresses(self, host: str, port: int) -> list[str]:
        try:
            return await self._look_up(host, port)
        except OSError:
            return []  # whoever asks for the root itself is told

    async def _open_through(
        self, proxy: ProxyAddress, host: str, port: int, *, is_tunnel: bool
    ) -> Connection:
        """Leave the look-up to the proxy."""
        if self._socks is not None:
            return Connection(*await self._through_socks(self._socks, host.strip("[]"), port))
        tls = trusted() if proxy.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            proxy.host.strip("[]"), proxy.port, ssl=tls, limit=MAX_HEAD_BYTES
        )
        if not is_tunnel:
            return Connection(reader, writer, self._proxy_headers)
        try:
            authority = f"{host}:{port}"
            head = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n".encode("ascii")
            writer.write(head + self._proxy_headers + b"\r\n")
            response = await reader.readuntil(b"\r\n\r\n")
            _check_tunnel(response)
        except BaseException:
            writer.transport.abort()
            raise
        return Connection(reader, writer)

    @staticmethod
    async def _through_socks(
        socks: SocksProxy, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        sock = await socks.connect(host, port)
        return await asyncio.open_connection(sock=sock, limit=MAX_HEAD_BYTES)


def _check_tunnel(response: bytes) -> None:
    _, _, rest = response.partition(b" ")
    status = rest[:3]
    if not status.isdigit() or int(status) // 100 != SUCCESS:
        raise ConnectionRefusedError(f"the proxy returned {status.decode('ascii', 'replace')}")
