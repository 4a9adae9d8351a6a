"""The server's side of one connection: minimal HTTP/1.1 in, any bytes out.

Written on `asyncio.Protocol` and not on streams, so that every arrival of bytes is timed and
an answer that waits is cancelled the moment its client goes away.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import replace

from tests.sites.ledger import ConnectionRecord, Ledger, Request

_HEAD_LIMIT_BYTES = 1 << 20


class Connection(asyncio.Protocol):
    """One accepted connection; requests on it are answered one after the other."""

    def __init__(
        self, ledger: Ledger, answer: "Answer", start: Callable[["Connection"], None]
    ) -> None:
        """`start` is called once connected and must run `converse()` as a task it owns."""
        self._ledger = ledger
        self._answer = answer
        self._start = start
        self._buffer = bytearray()
        self._arrived = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._first_byte_ns = 0
        self.answered = 0
        """Requests of this connection that were answered so far."""
        self._conversation: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport
        self._record: ConnectionRecord

    # --- what the event loop calls -------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._record = self._ledger.opened()
        self._start(self)

    def data_received(self, data: bytes) -> None:
        now_ns = self._ledger.received(self._record, len(data))
        if not self._buffer:
            self._first_byte_ns = now_ns
        self._buffer += data
        self._arrived.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._ledger.closed(self._record)
        if self._conversation is not None:
            self._conversation.cancel()

    # --- what answers use ----------------------------------------------------------------

    async def send(self, data: bytes) -> None:
        """Write, and wait while the client reads more slowly than we write."""
        self._transport.write(data)
        self._ledger.sent(self._record, len(data))
        await self._writable.wait()

    def close(self) -> None:
        """Send what is buffered, then end the connection in good order."""
        self._transport.close()

    def abort(self) -> None:
        """End the connection now, dropping what is buffered."""
        self._transport.abort()

    def reset(self) -> None:
        """End the connection with a TCP RST, as a crashed server does."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    # --- the conversation ----------------------------------------------------------------

    async def converse(self) -> None:
        """Read requests and answer them until the client goes away or an answer closes."""
        self._conversation = asyncio.current_task()
        try:
            while not self._transport.is_closing():
                request = await self._read_request()
                self._ledger.begun(request)
                try:
                    await self._answer(request, self)
                finally:
                    self._ledger.ended(request)
                self.answered += 1
                if (request.header("connection") or "").lower() == "close":
                    self.close()
        finally:
            self._transport.close()

    async def _read_request(self) -> Request:
        head = await self._read_head()
        first, *rest = head.decode("latin-1").split("\r\n")
        method, path, _version = first.split(" ", 2)
        pairs = (line.partition(":") for line in rest if line)
        headers = tuple((name.strip(), value.strip()) for name, _, value in pairs)
        request = Request(method, path, headers, self._first_byte_ns, self._record.number)
        body = await self._read_body(int(request.header("content-length") or 0))
        return replace(request, body=body) if body else request

    async def _read_head(self) -> bytes:
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > _HEAD_LIMIT_BYTES:
                raise ValueError("a request head of more than 1 MiB")
            await self._more()
        head = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        return head

    async def _read_body(self, size_bytes: int) -> bytes:
        while len(self._buffer) < size_bytes:
            await self._more()
        body = bytes(self._buffer[:size_bytes])
        del self._buffer[:size_bytes]
        return body

    async def _more(self) -> None:
        self._arrived.clear()
        await self._arrived.wait()


Answer = Callable[[Request, Connection], Awaitable[None]]
