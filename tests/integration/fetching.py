"""What the tests of fetching share: a fetcher on a loop of choice, and a server that follows a
script byte for byte."""

import asyncio
import socket
import ssl
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from aiohttp.abc import AbstractResolver, ResolveResult

from gossamer.fetch import HttpFetcher
from gossamer.fetch.body_readers import ExtractPage, HeaderLinks, HeaderPairs, ReadStyleSheet
from gossamer.fetch.fetcher import BodyTimeLimits
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Extract, Link, PageLinks, Visit
from gossamer.session.crawl_secrets import split_off_secrets

if sys.platform == "win32":
    import winloop as fast_loop
else:
    import uvloop as fast_loop

Loop = Callable[[], asyncio.AbstractEventLoop]
LOOPS: list[Loop] = [asyncio.new_event_loop, fast_loop.new_event_loop]
TLS_FOLDER = Path(__file__).parent / "tls"
PATIENCE_S = 60.0
PARTLY_S = 2.0
"""A timeout for answers that begin and never end: a busy machine needs less for the beginning."""

T = TypeVar("T")

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
PAGE = OK + b"Content-Length: 3\r\n\r\n<p>"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MIB = 1 << 20


def content(seen: Visit) -> bytes:
    """The body that `extract` was given."""
    assert seen.facts is not None
    return seen.facts.content_hash or b""


def assert_failed(seen: Visit, outcome: Outcome, *, transient: bool) -> None:
    """It failed so, nothing was made of it, and the detail is one line."""
    assert (seen.outcome, seen.transient) == (outcome, transient)
    assert (seen.facts, len(seen.links), seen.location) == (None, 0, None)
    assert seen.detail
    assert "\n" not in str(seen.detail)


def extract(body: bytes, url: str, charset: str | None, headers: HeaderPairs = ()) -> Extract:
    """What a page yields when all that counts is which bytes arrived."""
    del headers
    facts = PageFacts(title=body[:40].decode("latin-1"), word_count=len(body), content_hash=body)
    return Extract(facts, charset or "", [f"{url}#"], PageLinks.of([Link(0, LinkKind.ANCHOR)]))


def run(
    act: Callable[[HttpFetcher], Awaitable[T]],
    *,
    loop_factory: Loop = fast_loop.new_event_loop,
    extract: ExtractPage = extract,
    header_links: HeaderLinks | None = None,
    read_style_sheet: ReadStyleSheet | None = None,
    robot: str = "gossamer",
    tls: ssl.SSLContext | None = None,
    resolver: AbstractResolver | None = None,
    patience: BodyTimeLimits | None = None,
    secrets: Secrets = NO_SECRETS,
    **settings: Any,
) -> T:
    """Run `act` with a fetcher in a loop of its own."""
    defaults: dict[str, Any] = {"roots": ("http://localhost/",), "timeout_s": PATIENCE_S}
    crawl = CrawlSettings(**defaults | settings)

    async def inside() -> T:
        public, in_settings = split_off_secrets(crawl)
        async with HttpFetcher(
            public,
            extract,
            secrets=secrets.over(in_settings),
            robot=robot,
            tls=tls,
            resolver=resolver,
            patience=patience,
            header_links=header_links,
            read_style_sheet=read_style_sheet,
        ) as fetcher:
            return await act(fetcher)

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(inside())


def visit(url: str, **options: Any) -> Visit:
    """Fetch one URL with a fetcher of its own."""
    return run(lambda fetcher: fetcher.fetch(url), **options)


def visits(urls: Iterable[str], **options: Any) -> list[Visit]:
    """Fetch URLs one after the other with one fetcher."""

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        return [await fetcher.fetch(url) for url in urls]

    return run(act, **options)


def trusting(certificate: str) -> ssl.SSLContext:
    """A client's context that trusts that one certificate."""
    return ssl.create_default_context(cafile=TLS_FOLDER / certificate)


class NameServer(AbstractResolver):
    """Gives each host its answers in turn, the last one for ever; an unknown host has none."""

    def __init__(self, **answers: list[list[str]]) -> None:
        """Hosts are written with "_" for "."; an answer is a list of addresses."""
        self._answers = {host.replace("_", "."): list(each) for host, each in answers.items()}
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        answers = self._answers.get(host)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "no such host")
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing to close."""


class ScriptedServer:
    """Answers the n-th request on the m-th connection with `script[m][n]`.

    Where a connection's list ends, the server reads one more request and then closes; an answer
    of None closes without waiting for a request. With a `certificate`, it speaks TLS. A `deaf`
    one reads nothing more where a list ends and does not notice that the client goes.
    """

    def __init__(
        self,
        script: list[list[bytes | None]],
        certificate: str | None = None,
        *,
        deaf: bool = False,
    ) -> None:
        self._script = script
        self._deaf = deaf
        self._over = threading.Event()
        self._context: ssl.SSLContext | None = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(TLS_FOLDER / certificate, TLS_FOLDER / "key.pem")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, name="scripted server", daemon=True)
        self.requests: list[bytes] = []
        """The heads of all requests, as they came."""

    def url(self, path: str = "/", *, scheme: str = "http", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes `accept`; not everywhere allowed
        self._listener.close()
        self._thread.join(PATIENCE_S)

    def _serve(self) -> None:
        for answers in self._script:
            with suppress(OSError):
                sock, _ = self._listener.accept()
                sock.settimeout(PATIENCE_S)
                with sock:
                    self._talk(sock, answers)

    def _talk(self, sock: socket.socket, answers: list[bytes | None]) -> None:
        stream = self._context.wrap_socket(sock, server_side=True) if self._context else sock
        with stream:
            for answer in answers:
                if answer is None:
                    return
                if not self._read_request(stream):
                    return
                stream.sendall(answer)
            if self._deaf:
                self._over.wait(PATIENCE_S)
            else:
                self._read_request(stream)

    def _read_request(self, sock: socket.socket) -> bool:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            data = sock.recv(65_536)
            if not data:
                return False
            head += data
        self.requests.append(head)
        return True


class TunnellingProxy(ScriptedServer):
    """Answers CONNECT on the m-th connection with `tunnels[m]`, then is the server behind it.

    That server answers each connection with `answers` in turn.
    """

    def __init__(self, tunnels: list[bytes], answers: list[bytes | None], certificate: str) -> None:
        super().__init__([answers] * len(tunnels), certificate)
        self._tunnels = list(tunnels)

    def _talk(self, sock: socket.socket, answers: list[bytes | None]) -> None:
        if self._read_request(sock):
            sock.sendall(self._tunnels.pop(0))
            super()._talk(sock, answers)
