"""Proxies on loopback, of the kinds that a crawl can go through, that write down what they did."""

import asyncio
import contextlib
import ipaddress
import ssl
import struct
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_GRANTED_4 = b"\0\x5a" + bytes(6)
_REJECTED_4 = b"\0\x5b" + bytes(6)
_END_OF_HEAD = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Relayed:
    """One connection that the proxy was asked for. `host` is as it was said: address or name."""

    host: str
    port: int
    user: str = ""
    password: str = ""


class LoopbackProxy:
    """A proxy that looks up every name as 127.0.0.1. Use with `with`.

    It speaks SOCKS 4, 4a and 5, and HTTP's CONNECT and absolute addresses, whichever comes;
    `tls` puts TLS around all of that. With `credentials` it wants just these. `reply` is what a
    SOCKS 5 client gets in place of a connection.
    """

    def __init__(
        self,
        *,
        credentials: tuple[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
        reply: int = 0,
    ) -> None:
        self.relayed: list[Relayed] = []
        self._credentials = credentials
        self._tls = tls
        self._reply = reply
        self._listening: Future[int] = Future()
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._talks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listening.result(10.0)

    def __enter__(self) -> Self:
        self._thread.start()
        self._listening.result(10.0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10.0)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, ssl=self._tls)
        self._listening.set_result(server.sockets[0].getsockname()[1])
        await self._stop.wait()
        server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        try:
            with contextlib.suppress(OSError, EOFError):
                await self._talk(reader, writer)
        finally:
            self._talks.discard(talk)
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readexactly(1)
        if first == b"\5":
            asked = await self._socks5(reader, writer)
        elif first == b"\4":
            asked = await self._socks4(reader, writer)
        else:
            asked = await self._http(first, reader, writer)
        if asked is None:
            return
        port, early = asked
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        server_writer.write(early)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pump(reader, server_writer), name="up")
                group.create_task(_pump(server_reader, writer), name="down")
        finally:
            server_writer.close()

    def _is_welcome(self, user: str, password: str) -> bool:
        return self._credentials in {None, (user, password)}

    # ---------------------------------------------------------------- SOCKS

    async def _socks5(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[int, bytes] | None:
        methods = await reader.readexactly((await reader.readexactly(1))[0])
        user = password = ""
        if self._credentials is None:
            writer.write(b"\5\0")
        elif 2 not in methods:
            writer.write(b"\5\xff")
            return None
        else:
            writer.write(b"\5\2")
            await reader.readexactly(1)
            user, password = await _counted(reader), await _counted(reader)
            if not self._is_welcome(user, password):
                writer.write(b"\1\1")
                return None
            writer.write(b"\1\0")
        _, _, _, kind = await reader.readexactly(4)
        host = await _address(reader, kind)
        [port] = struct.unpack("!H", await reader.readexactly(2))
        self.relayed.append(Relayed(host, port, user, password))
        writer.write(bytes([5, self._reply, 0, 1]) + bytes(6))
        return None if self._reply else (port, b"")

    async def _socks4(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[int, bytes] | None:
        _, port, address = struct.unpack("!BH4s", await reader.readexactly(7))
        user = (await reader.readuntil(b"\0"))[:-1].decode()
        host = str(ipaddress.IPv4Address(address))
        if address[:3] == bytes(3):
            host = (await reader.readuntil(b"\0"))[:-1].decode()
        self.relayed.append(Relayed(host, port, user))
        if not self._is_welcome(user, ""):
            writer.write(_REJECTED_4)
            return None
        writer.write(_GRANTED_4)
        return port, b""

    # ---------------------------------------------------------------- HTTP

    async def _http(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[int, bytes] | None:
        """CONNECT, or one request with an absolute address, after which the server is talked to."""
        head = first + await reader.readuntil(_END_OF_HEAD)
        method, target, _ = head.split(b" ", 2)
        authority = target if method == b"CONNECT" else target.split(b"/")[2]
        host, _, port = authority.decode().rpartition(":")
        told = [line for line in head.split(b"\r\n") if line.lower().startswith(b"proxy-auth")]
        self.relayed.append(Relayed(host, int(port), b"".join(told).decode()))
        if self._credentials is not None and not told:
            writer.write(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n")
            return None
        if method == b"CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            return int(port), b""
        path = target.split(b"/", 3)[3]
        head = head.replace(target, b"/" + path, 1)
        return int(port), head.removesuffix(b"\r\n") + b"Connection: close\r\n\r\n"


async def _counted(reader: asyncio.StreamReader) -> str:
    return (await reader.readexactly((await reader.readexactly(1))[0])).decode()


async def _address(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == 1:
        return str(ipaddress.IPv4Address(await reader.readexactly(4)))
    if kind == 4:
        return str(ipaddress.IPv6Address(await reader.readexactly(16)))
    return await _counted(reader)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Hand on what comes until either side goes; then the other is told."""
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
    sink.close()
