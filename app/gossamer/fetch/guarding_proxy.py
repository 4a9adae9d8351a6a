"""A local proxy for a browser with a window: it may go where the crawl may, and no further.

Its password keeps out the other programs of this computer, which can reach it too. Chromium's
requests for https come as tunnels, those for http as absolute URLs (RFC 9112 §3.2.2). Each
connection serves one request and is closed: a second one might be for another server.
"""

import asyncio
import logging
from contextlib import suppress
from hmac import compare_digest
from secrets import token_urlsafe
from types import TracebackType
from typing import Final, NamedTuple, Self

from gossamer.fetch.guarded_dialer import MAX_HEAD_BYTES, Connection, GuardedDialer
from gossamer.fetch.http_request import basic_auth
from gossamer.fetch.socks_proxy import ProxyUnreachableError
from gossamer.model.outcome_details import DetailedError
from gossamer.model.secrets import HttpAuth
from gossamer.urls.url_parsing import host_and_port, is_http, origin

_CHUNK_BYTES: Final = 64 * 1024
_END: Final = b"\r\n\r\n"
_HEAD_S: Final = 60.0
_AUTHORIZATION: Final = b"proxy-authorization:"
_NOT_PASSED_ON: Final = (
    b"connection:",
    b"proxy-connection:",
    _AUTHORIZATION,
    b"keep-alive:",
)
_INTERIM: Final = b"1"
_PASSWORD_BYTES: Final = 32
_ASK: Final = 'Proxy-Authenticate: Basic realm="Gossamer"\r\n'
_log = logging.getLogger(__name__)


class ProxyRequest(NamedTuple):
    """The head of a request to a proxy: for a tunnel, or for a URL."""

    method: bytes
    host: str
    port: int
    target: bytes
    """Path and query; for a tunnel the authority."""
    url: bytes
    headers: list[bytes]
    """Lines, without those that are for the proxy."""
    credentials: bytes = b""
    """The value of Proxy-Authorization."""

    @property
    def is_tunnel(self) -> bool:
        """Whether the connection is to be handed on as it is."""
        return self.method == b"CONNECT"

    @property
    def body_bytes(self) -> int:
        """The length of its body; ValueError if it is not declared, which no browser omits."""
        size_bytes = 0
        for line in self.headers:
            name, _, value = line.lower().partition(b":")
            if name == b"transfer-encoding":
                raise ValueError("a request without a length")
            if name == b"content-length":
                size_bytes = int(value)
        return size_bytes


def request_of(head: bytes) -> ProxyRequest:
    """The request that has this head, its empty line included; ValueError if it is none for us."""
    first, *lines = head.removesuffix(_END).split(b"\r\n")
    method, url, _version = first.split(b" ")
    text = url.decode("ascii")
    if method == b"CONNECT":
        site, target = f"https://{text}", url
    elif is_http(text) and text.startswith("http:"):
        site = origin(text)
        rest = url.partition(b"//")[2]
        target = b"/" + rest.partition(b"/")[2]
    else:
        raise ValueError("neither a tunnel nor an absolute URL")
    host, port = host_and_port(origin(f"{site}/"))
    kept = [line for line in lines if not line.lower().startswith(_NOT_PASSED_ON)]
    shown = (line for line in lines if line.lower().startswith(_AUTHORIZATION))
    credentials = next(shown, b"").partition(b":")[2].strip()
    return ProxyRequest(method, host, port, target, url, kept, credentials)


class GuardingProxy:
    """Listens on loopback for one browser. Use with `async with`, on one loop."""

    def __init__(self, dialer: GuardedDialer) -> None:
        """It does not listen yet. `dialer` decides where the browser may go."""
        self._dialer = dialer
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self.port = 0
        self.auth = HttpAuth("gossamer", token_urlsafe(_PASSWORD_BYTES))
        """The credentials that a client has to send."""
        self._credentials = basic_auth(self.auth).encode("ascii")

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEAD_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in tuple(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - it is one of asyncio's server
        self._open.add(task)
        try:
            await self._pass_on(reader, writer)
        except* (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            _log.debug("a connection of the browser broke off", exc_info=True)
        finally:
            self._open.discard(task)
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_S):
            head = await reader.readuntil(_END)
        request = request_of(head)
        if not compare_digest(request.credentials, self._credentials):
            _refuse(writer, "407 Proxy Authentication Required", "a password is needed", _ASK)
            return
        try:
            server = await self._dialer.open(
                request.host, request.port, is_tunnel=request.is_tunnel
            )
        except DetailedError as e:
            _refuse(writer, "403 Forbidden", str(e.detail))
            return
        except (OSError, TimeoutError, ProxyUnreachableError) as e:
            _refuse(writer, "502 Bad Gateway", str(e) or type(e).__name__)
            return
        try:
            if request.is_tunnel:
                writer.write(b"HTTP/1.1 200 OK" + _END)
                await _relay_both(Connection(reader, writer), server)
            else:
                await _exchange(request, reader, writer, server)
        finally:
            server.writer.transport.abort()


async def _exchange(
    request: ProxyRequest,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    server: Connection,
) -> None:
    """Pass on one request and its response."""
    target = request.target if server.proxy_headers is None else request.url
    lines = [b"%s %s HTTP/1.1" % (request.method, target), *request.headers, b"Connection: close"]
    server.writer.write(b"\r\n".join(lines) + b"\r\n" + (server.proxy_headers or b"") + b"\r\n")
    async with asyncio.TaskGroup() as group:
        sending = group.create_task(_send_body(request, reader, server.writer), name="body")
        await _pass_response(server.reader, writer)
        sending.cancel()


async def _send_body(
    request: ProxyRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    with suppress(OSError):  # a server may respond before it has read everything
        left = request.body_bytes
        while left and (part := await reader.read(min(left, _CHUNK_BYTES))):
            left -= len(part)
            writer.write(part)
            await writer.drain()


async def _pass_response(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on a response, modified to say that the connection ends with it."""
    while True:
        head = await reader.readuntil(_END)
        first, *lines = head.removesuffix(_END).split(b"\r\n")
        if first.partition(b" ")[2].startswith(_INTERIM):
            writer.write(head)
            await writer.drain()
            continue
        kept = [line for line in lines if not line.lower().startswith(_NOT_PASSED_ON)]
        writer.write(b"\r\n".join([first, *kept, b"Connection: close"]) + _END)
        await _relay(reader, writer)
        return


async def _relay_both(browser: Connection, server: Connection) -> None:
    """Pass on what each side sends, until one has ended and the other has received it."""
    async with asyncio.TaskGroup() as group:
        up = group.create_task(_relay(browser.reader, server.writer), name="up")
        down = group.create_task(_relay(server.reader, browser.writer), name="down")
        await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        up.cancel()
        down.cancel()


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while part := await reader.read(_CHUNK_BYTES):
            writer.write(part)
            await writer.drain()


def _refuse(writer: asyncio.StreamWriter, status: str, why: str, header: str = "") -> None:
    body = f"Gossamer: {why}\n".encode("utf-8", "replace")
    head = (
        f"HTTP/1.1 {status}\r\n{header}Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close"
    )
    writer.write(head.encode("ascii") + _END + body)
