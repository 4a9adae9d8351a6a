"""A mail server on loopback that keeps what it is given, or refuses it."""

import asyncio
import socket
import ssl
import threading
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass
class MailServer:
    """Takes mail with STARTTLS, or with TLS from the start; use with `with`.

    With `credentials`, which need STARTTLS, it wants just these. It answers RCPT as `recipients`
    says, and DATA with `data`. It drops the connection at QUIT if it is `rude`.
    """

    tls: ssl.SSLContext | None = None
    is_tls_from_start: bool = False
    credentials: tuple[bytes, bytes] | None = None
    recipients: dict[str, str] = field(default_factory=dict)
    data: str = "250 OK"
    is_rude: bool = False
    mails: list[Envelope] = field(default_factory=list)
    over_tls: list[bool] = field(default_factory=list)
    port: int = 0
    """Where it listens."""

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="mail server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _serve(self) -> None:
        more: dict[str, Any] = {}
        if self.credentials is not None:
            more = {"authenticator": self._authenticate, "auth_required": True}
        if self.tls is not None and not self.is_tls_from_start:
            more |= {"tls_context": self.tls, "require_starttls": True}
        loop = self._loop
        server = loop.run_until_complete(
            loop.create_server(
                lambda: SMTP(self, hostname="mail.example", loop=loop, **more),
                "127.0.0.1",
                ssl=self.tls if self.is_tls_from_start else None,
            )
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    def _authenticate(
        self, _server: object, _session: Session, _envelope: Envelope, _way: str, data: object
    ) -> AuthResult:
        is_right = (
            isinstance(data, LoginPassword)
            and (
                data.login,
                data.password,
            )
            == self.credentials
        )
        return AuthResult(success=is_right, handled=False)

    async def handle_RCPT(  # noqa: N802 - as aiosmtpd calls it
        self, _server: object, _session: Session, envelope: Envelope, address: str, _o: object
    ) -> str:
        answer = self.recipients.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(  # noqa: N802 - likewise
        self,
        server: SMTP,
        _session: Session,
        envelope: Envelope,
    ) -> str:
        assert server.transport is not None
        self.over_tls.append(server.transport.get_extra_info("ssl_object") is not None)
        if self.data.startswith("250"):
            self.mails.append(envelope)
        return self.data

    async def handle_QUIT(  # noqa: N802 - likewise
        self,
        server: SMTP,
        _session: Session,
        _envelope: Envelope,
    ) -> str:
        if self.is_rude:
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return "221 Bye"


class SilentServer:
    """Accepts connections and says nothing, or `says` a letter at a time for ever."""

    def __init__(self, drip: bytes = b"") -> None:
        self._drip = drip
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        port: int = self._listener.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        with ExitStack() as kept:
            while not self._over.is_set():
                try:
                    connection, _ = self._listener.accept()
                except OSError:
                    return
                kept.enter_context(connection)
                while self._drip and not self._over.wait(0.02):
                    try:
                        connection.sendall(self._drip)
                    except OSError:
                        break


class ClosingServer(SilentServer):
    """Accepts connections, says `greeting` and closes them."""

    def __init__(self, greeting: bytes = b"") -> None:
        super().__init__()
        self._greeting = greeting

    def _serve(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                connection, _ = self._listener.accept()
                with connection:
                    connection.sendall(self._greeting)
