"""Servers that never get as far as HTTP: they break off while TLS begins, or do not speak it."""

import socket
import ssl
import struct
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

_LINGER_NOT = struct.pack("ii", 1, 0)


class BrokenHandshake:
    """Accepts, reads what comes first, answers `data`, and ends the connection, or holds it.

    With `reset` the end is a TCP RST; without `accept` nobody ever accepts, and the queue of
    connections is full, so that not even TCP comes to an end. With a context for `tls`, that
    has its say first.
    """

    def __init__(
        self,
        data: bytes = b"",
        *,
        reset: bool = False,
        hold: bool = False,
        accept: bool = True,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._data = data
        self._tls = tls
        self._reset = reset
        self._hold = hold
        self._accept = accept
        self._held: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=0 if not accept else 64)
        self._thread = threading.Thread(target=self._serve, name="handshakes", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._listener.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        if self._accept:
            self._thread.start()
        else:
            self._fill()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes `accept`
        self._listener.close()
        for sock in self._held:
            sock.close()
        if self._accept:
            self._thread.join(10.0)

    def _fill(self) -> None:
        for _ in range(4):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.1", self.port))
            self._held.append(sock)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                sock.settimeout(10.0)
                with suppress(OSError):
                    if self._tls is not None:
                        sock = self._tls.wrap_socket(sock, server_side=True)
                    sock.recv(4_096)
                    sock.sendall(self._data)
                if self._hold:
                    self._held.append(sock)
                    continue
                if self._reset:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
                sock.close()
