"""The vocabulary: a web site on loopback that a test writes down in a few lines.

The server runs in a thread of its own with a loop of its own, so code under test may use any
loop (asyncio, uvloop, Qt) or another process, and a test may be synchronous.
"""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S
from tests.sites import misbehaviour
from tests.sites.connection import Answer, Connection
from tests.sites.ledger import ConnectionRecord, Ledger, Request
from tests.sites.responses import HTML, Response, html_page

_ACCEPT_TURNS = 5
"""Of the loop, in which asyncio makes a connection of a socket that it has accepted."""

Headers = Iterable[tuple[str, str]]


class Gate:
    """Holds an answer back until the test opens it; may be opened from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._opened = asyncio.Event()

    def open(self) -> None:
        """Let everything through, now and later. Does nothing once the site is closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._opened.set)

    async def _passed(self, delay_s: float | None) -> None:
        try:
            async with asyncio.timeout(delay_s):
                await self._opened.wait()
        except TimeoutError:
            # The delay is over: that is the other way through this gate.
            return


class Site:
    """A loopback HTTP/1.1 site. Use as a context manager, with ``with`` or ``async with``.

    With a context for `tls` it is an https site.

    Every word may be called before and while the site is being crawled; a path is the request
    target as it goes over the wire (percent-encoded, with its query). Unknown paths are 404.
    """

    def __init__(self, host: str = "127.0.0.1", *, tls: ssl.SSLContext | None = None) -> None:
        self.ledger = Ledger()
        self._host = host
        self._tls = tls
        self._port = 0
        self._answers: dict[str, Answer] = {}
        self._generated: Callable[[str], Response | None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stop = asyncio.Event()
        self._open: set[Connection] = set()
        self._listening: Future[int] = Future()
        self._thread = threading.Thread(target=self._run, name="test site", daemon=True)
        self._faults: list[Exception] = []

    # --- ordinary answers ----------------------------------------------------------------

    def page(
        self,
        path: str,
        *,
        links: Iterable[str] = (),
        title: str | None = None,
        body: str = "",
        status: int = 200,
        headers: Headers = (),
        content_type: str = HTML,
        delay_s: float = 0.0,
    ) -> None:
        """An HTML page with a title, these links and any further HTML in its body."""
        content = html_page(title, links, body)
        self.respond(path, Response(status, content, content_type, tuple(headers), delay_s))

    def respond(self, path: str, *responses: Response) -> None:
        """Answer with these in turn, the last one for ever (``503, 503, 200`` for a retry)."""
        left = list(responses)

        async def answer(request: Request, connection: Connection) -> None:
            response = left.pop(0) if len(left) > 1 else left[0]
            await _send_response(response, request, connection)

        self._answers[path] = answer

    def answer(self, path: str, answer: Callable[[Request], Response]) -> None:
        """Answer each request as `answer` says, which is called in the server's thread."""

        async def answered(request: Request, connection: Connection) -> None:
            await _send_response(answer(request), request, connection)

        self._answers[path] = answered

    def redirect(
        self, path: str, location: str | None, *, status: int = 302, headers: Headers = ()
    ) -> None:
        """A redirect with that ``Location`` verbatim; None leaves the header out."""
        located = () if location is None else (("Location", location),)
        self.respond(path, Response(status, b"", None, (*located, *headers)))

    def status(self, path: str, status: int, *, headers: Headers = (), body: bytes = b"") -> None:
        """A bare status, for errors."""
        self.respond(path, Response(status, body, "text/plain", tuple(headers)))

    def file(self, path: str, body: bytes, content_type: str) -> None:
        """Any bytes with any content type."""
        self.respond(path, Response(200, body, content_type))

    def robots(self, text: str) -> None:
        """The site's robots.txt."""
        self.file("/robots.txt", text.encode(), "text/plain; charset=utf-8")

    def generate(self, page_of: Callable[[str], Response | None]) -> None:
        """Answer every path that nothing else was said about; None is 404.

        `page_of` is called in the server's thread and must not block.
        """
        self._generated = page_of

    # --- bad answers ---------------------------------------------------------------------

    def slow(
        self,
        path: str,
        *,
        delay_s: float | None = None,
        title: str | None = None,
        links: Iterable[str] = (),
    ) -> Gate:
        """A page held back until the returned gate is opened or `delay_s` is over."""
        gate = Gate(self._loop)
        response = Response(body=html_page(title, links))

        async def answer(request: Request, connection: Connection) -> None:
            await gate._passed(delay_s)  # noqa: SLF001 - of this module, for the loop's thread only
            await _send_response(response, request, connection)

        self._answers[path] = answer
        return gate

    def raw(self, path: str, *data: bytes, close: bool = True) -> None:
        """Exactly these bytes, status line included; of several the next each time it is asked."""
        self._answers[path] = misbehaviour.raw(data, close=close)

    def hang(self, path: str, *, after: bytes = b"") -> None:
        """Accept the request, send `after`, and never go on."""
        self._answers[path] = misbehaviour.hang(after)

    def reset(self, path: str, *, after: bytes = b"") -> None:
        """Accept the request, send `after`, then reset the connection."""
        self._answers[path] = misbehaviour.reset(after)

    def stale(self, path: str, data: bytes, *, reset: bool = False) -> None:
        """These bytes, but to a connection that was used before nothing: it closes, or resets."""
        self._answers[path] = misbehaviour.stale(data, reset=reset)

    def drip(self, path: str, *, interval_s: float, n: int, in_head: bool = False) -> None:
        """One byte per interval, `n` in all, in the body or in a header; then close."""
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        if in_head:
            answer = misbehaviour.drip(head + b"X-Drip: ", b"." * n + b"\r\n\r\n", interval_s)
        else:
            length = f"Content-Length: {n}\r\n\r\n".encode("ascii")
            answer = misbehaviour.drip(head + length, b"." * n, interval_s)
        self._answers[path] = answer

    def bomb(
        self, path: str, *, encoding: misbehaviour.Encoding = "gzip", size: int = 1 << 30
    ) -> None:
        """A compressed body that decodes to `size` bytes."""
        self._answers[path] = misbehaviour.bomb(encoding, size)

    def endless(self, path: str, *, in_head: bool = False) -> None:
        """A body (or headers) without an end."""
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        if in_head:
            answer = misbehaviour.endless(head, b"X-More: and more\r\n" * 64)
        else:
            answer = misbehaviour.endless(head + b"\r\n", b"<p>and then</p>\n" * 1024)
        self._answers[path] = answer

    # --- what was seen -------------------------------------------------------------------

    def url(self, path: str = "/") -> str:
        """The absolute URL of a path."""
        scheme = "http" if self._tls is None else "https"
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"{scheme}://{host}:{self._port}{path}"

    @property
    def port(self) -> int:
        """The TCP port; 0 before the site runs."""
        return self._port

    @property
    def requests(self) -> list[Request]:
        """All requests so far (robots.txt included), in order of arrival; but see `checks`."""
        return [request for request in self.ledger.requests if not request.is_check]

    @property
    def checks(self) -> list[Request]:
        """The requests about the host alone: made-up URLs, and llms.txt."""
        return [request for request in self.ledger.requests if request.is_check]

    @property
    def paths(self) -> list[str]:
        """The targets of all requests so far, in order of arrival."""
        return [request.path for request in self.requests]

    @property
    def connections(self) -> list[ConnectionRecord]:
        """All connections so far."""
        return self.ledger.connections

    @property
    def last_byte_ns(self) -> int:
        """When the last byte from any client was seen; 0 if none was."""
        return self.ledger.last_byte_ns

    @property
    def last_sent_ns(self) -> int:
        """When the last byte to any client was sent; 0 if none was."""
        return self.ledger.last_sent_ns

    @property
    def last_request_ns(self) -> int:
        """When the first byte of the latest request was seen; 0 if there was none."""
        requests = self.ledger.requests
        return max((request.at_ns for request in requests), default=0)

    @property
    def in_flight(self) -> int:
        """Requests seen and not yet answered whose client is still there; but see `checks`."""
        return self.ledger.in_flight

    @property
    def peak_in_flight(self) -> int:
        """The highest `in_flight` so far."""
        return self.ledger.peak_in_flight

    @property
    def open_connections(self) -> int:
        """Connections open now."""
        return self.ledger.open_connections

    @property
    def peak_connections(self) -> int:
        """The highest `open_connections` so far."""
        return self.ledger.peak_connections

    # --- waiting -------------------------------------------------------------------------

    async def wait_until(self, holds: Callable[[], bool], deadline_s: float = PATIENCE_S) -> None:
        """Wait, on any loop, until `holds()` is true after something was recorded.

        Raises TimeoutError that says what was seen.
        """
        arrived = asyncio.wrap_future(self.ledger.when(holds))
        try:
            async with asyncio.timeout(deadline_s):
                await arrived
        except TimeoutError:
            raise TimeoutError(self._seen()) from None

    async def wait_for_requests(self, n: int, deadline_s: float = PATIENCE_S) -> None:
        """Wait until `n` requests in all were seen."""
        await self.wait_until(lambda: self.ledger.request_count >= n, deadline_s)

    async def wait_for_in_flight(self, n: int, deadline_s: float = PATIENCE_S) -> None:
        """Wait until exactly `n` requests are in flight."""
        await self.wait_until(lambda: self.ledger.in_flight == n, deadline_s)

    async def wait_for_disconnect(self, deadline_s: float = PATIENCE_S) -> None:
        """Wait until no connection is open."""
        await self.wait_until(lambda: self.ledger.open_connections == 0, deadline_s)

    def block_until(self, holds: Callable[[], bool], deadline_s: float = PATIENCE_S) -> None:
        """`wait_until` for a test without a loop: blocks the calling thread."""
        try:
            self.ledger.when(holds).result(deadline_s)
        except TimeoutError:
            raise TimeoutError(self._seen()) from None

    def _seen(self) -> str:
        ledger = self.ledger
        return (
            f"the site saw {ledger.request_count} requests, {ledger.in_flight} in flight, "
            f"{ledger.open_connections} open connections, lately {self.paths[-5:]}"
        )

    # --- life ----------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        self._port = self._listening.result(PATIENCE_S)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Cut all connections; raise what went wrong inside the site, if anything did."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            raise TimeoutError("the test site did not stop")
        if self._faults and exc is None:
            raise ExceptionGroup("the test site itself failed", self._faults)

    async def __aenter__(self) -> Self:
        """As `__enter__`: listening takes about a millisecond."""
        return self.__enter__()

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """As `__exit__`, without blocking the calling loop."""
        await asyncio.to_thread(self.__exit__, exc_type, exc, traceback)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve())
        except BaseException as problem:  # noqa: BLE001 - handed to the thread that waits
            if self._listening.done():
                self._faults.append(RuntimeError(f"the server loop ended: {problem!r}"))
            else:
                self._listening.set_exception(problem)

    async def _serve(self) -> None:
        async with asyncio.TaskGroup() as conversations:

            def start(connection: Connection) -> None:
                if self._stop.is_set():  # it was accepted before nobody listened any more
                    connection.abort()
                    return
                self._open.add(connection)
                conversations.create_task(self._converse(connection), name="conversation")

            server = await self._loop.create_server(
                lambda: Connection(self.ledger, self._answer, start),
                self._host,
                0,
                backlog=1024,
                ssl=self._tls,
            )
            self._listening.set_result(server.sockets[0].getsockname()[1])
            await self._stop.wait()
            # A server that is closed makes no connections of the sockets that it has accepted.
            self._loop.remove_reader(server.sockets[0].fileno())
            for _ in range(_ACCEPT_TURNS):
                await asyncio.sleep(0)
            server.close()
            for connection in self._open:
                connection.abort()

    async def _converse(self, connection: Connection) -> None:
        try:
            await connection.converse()
        except ConnectionError:
            # The client's right: it went away while we were writing.
            return
        except Exception as problem:  # noqa: BLE001 - one bad answer must not end the site
            self._faults.append(problem)
        finally:
            self._open.discard(connection)

    async def _answer(self, request: Request, connection: Connection) -> None:
        answer = self._answers.get(request.path)
        if answer is not None:
            await answer(request, connection)
            return
        response = self._generated(request.path) if self._generated is not None else None
        if response is None:
            response = Response(404, b"not found\n", "text/plain")
        await _send_response(response, request, connection)


async def _send_response(response: Response, request: Request, connection: Connection) -> None:
    if response.delay_s:
        await asyncio.sleep(response.delay_s)
    body = response.body if request.method != "HEAD" and response.may_have_body else b""
    await connection.send(response.head() + body)
