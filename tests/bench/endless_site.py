"""A site without end, served by a process of its own that counts what it sees.

Everything follows from the seed: page n of a shape has the same bytes in each run. Addresses are
words, as those of a shop or an encyclopedia, so that no guard against calendars and mazes holds
a crawl back.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray
from random import Random
from types import TracebackType
from typing import Any, Final, Self

_SYLLABLES: Final = [a + b for a in "bdfgklmnprstvwyz" for b in "aeio"]
_VALUE: Final = {syllable: value for value, syllable in enumerate(_SYLLABLES)}
_BASE: Final = len(_SYLLABLES)
_TEXT: Final = (
    "<p>What is written here is of no importance, but a page has some text between its links,"
    " and a parser has to read it: so here it is, in about the amount that pages have.</p>\n"
)
_START_S: Final = 20.0
_HOLD_LIMIT_S: Final = 90.0
_SEEN: Final = ("requests", "in_flight", "peak", "open", "received_ns", "closed_ns")


@dataclass(frozen=True, slots=True)
class Shape:
    """What the site is like. Page 0 is the root, at `/`.

    A page has `links` (least, most) links, the share `fresh` of them to pages nobody else links
    to. With `discovers`, it leads to so many new pages instead, and its other links lead to any of
    those that are known when pages are fetched in order of discovery, old and new alike. With
    `wide`, only the root has links, so many. `delay_s` (least, most) passes before an answer; with
    `hold`, no answer but the root's is sent until so many are waiting.
    """

    seed: int = 1
    links: tuple[int, int] = (20, 60)
    fresh: float = 0.9
    discovers: int = 0
    wide: int = 0
    delay_s: tuple[float, float] = (0.0, 0.0)
    hold: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """What the server has seen. Times are `time.monotonic_ns()`, 0 for never.

    `in_flight` requests wait for their answer, `peak` is the most that ever did; `open`
    connections are not closed; `received_ns` is the last byte of a client, `closed_ns` the last
    end of a connection.
    """

    requests: int
    in_flight: int
    peak: int
    open: int
    received_ns: int
    closed_ns: int


class EndlessSite:
    """Serves a shape on a free loopback port while it is entered."""

    def __init__(self, shape: Shape) -> None:
        context = multiprocessing.get_context("spawn")
        self._counters = RawArray("q", len(_SEEN))
        self._told, telling = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_serve, args=(shape, self._counters, telling), daemon=True
        )
        self._port = 0

    @property
    def root_url(self) -> str:
        """Where a crawl starts."""
        return f"http://127.0.0.1:{self._port}/"

    def seen(self) -> Seen:
        """The counters now."""
        return Seen(*self._counters)

    def __enter__(self) -> Self:
        """Start the server. TimeoutError if it does not come up."""
        self._process.start()
        if not self._told.poll(_START_S):
            self._process.kill()
            raise TimeoutError("the endless site did not start")
        self._port = self._told.recv()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End it."""
        self._process.terminate()
        self._process.join()


def path_of(number: int) -> str:
    """The path of page `number`."""
    if number == 0:
        return "/"
    word = ""
    rest = number
    while rest:
        rest, digit = divmod(rest, _BASE)
        word += _SYLLABLES[digit]
    return f"/catalogue/{_SYLLABLES[number % 31]}-{_SYLLABLES[number % 37]}/{word}-and-more.html"


def number_of(path: str) -> int | None:
    """The page at `path`; None if there is none."""
    if path == "/":
        return 0
    word = path.rpartition("/")[2].removesuffix("-and-more.html")
    number = 0
    for start in range(len(word) - 2, -1, -2):
        digit = _VALUE.get(word[start : start + 2])
        if digit is None:
            return None
        number = number * _BASE + digit
    return number if path_of(number) == path else None


def links_of(number: int, shape: Shape) -> Sequence[int]:
    """The pages that page `number` links to."""
    if shape.wide:
        return range(1, shape.wide + 1) if number == 0 else ()
    chance = Random(shape.seed * 1_000_003 + number)
    least, most = shape.links
    count = chance.randint(least, most)
    if shape.discovers:
        first = number * shape.discovers + 1
        known = (chance.randrange(first) for _ in range(count - shape.discovers))
        return [*range(first, first + shape.discovers), *known]
    fresh = round(count * shape.fresh)
    first = number * most + 1  # each page has `most` numbers to itself, so that none are shared
    parent = (number - 1) // most if number else 0
    back = [0, parent, *(chance.randrange(number + 1) for _ in range(count - fresh))]
    return [*range(first, first + fresh), *back[: count - fresh]]


def html_of(number: int, shape: Shape) -> bytes:
    """The page's document."""
    links = "".join(
        f'<li><a href="{path_of(target)}">What {target} tells</a></li>\n'
        for target in links_of(number, shape)
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Page {number}</title>'
        f'<meta name="description" content="All that is known of {number}."></head>\n'
        f"<body><h1>Page {number}</h1>\n{_TEXT * 12}<ul>\n{links}</ul></body></html>\n"
    ).encode()


class _Server:
    """State of the serving process."""

    def __init__(self, shape: Shape, counters: Any) -> None:  # noqa: ANN401 - ctypes has no name
        self.shape = shape
        self._counters = counters
        self.loop = asyncio.get_running_loop()
        self._chance = Random(shape.seed)
        self._held: list[Callable[[], None]] = []

    def opened(self) -> None:
        self._counters[3] += 1

    def closed(self, unanswered: int) -> None:
        self._counters[1] -= unanswered
        self._counters[3] -= 1
        self._counters[5] = time.monotonic_ns()

    def received(self) -> None:
        self._counters[4] = time.monotonic_ns()

    def asked(self) -> None:
        self._counters[0] += 1
        self._counters[1] += 1
        self._counters[2] = max(self._counters[2], self._counters[1])

    def answered(self) -> None:
        self._counters[1] -= 1

    def when_due(self, number: int | None, answer: Callable[[], None]) -> None:
        """Call `answer` when this page's answer is due."""
        if self.shape.hold and number:
            if not self._held:
                self.loop.call_later(_HOLD_LIMIT_S, self._release)
            self._held.append(answer)
            if len(self._held) >= self.shape.hold:
                # Time to look at the processes while all are waiting.
                self.loop.call_later(self.shape.delay_s[1], self._release)
        elif self.shape.delay_s[1]:
            self.loop.call_later(self._chance.uniform(*self.shape.delay_s), answer)
        else:
            answer()

    def _release(self) -> None:
        held, self._held = self._held, []
        for answer in held:
            answer()


class _Connection(asyncio.Protocol):
    """One client; requests are answered one after the other."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self._buffer = b""
        self._unanswered = 0
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # uvloop's is not asyncio's
        self._server.opened()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._server.closed(self._unanswered)
        self._unanswered = 0

    def data_received(self, data: bytes) -> None:
        self._server.received()
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            number = number_of(head.split(b" ", 2)[1].decode("ascii", "replace"))
            self._unanswered += 1
            self._server.asked()
            self._server.when_due(number, lambda number=number: self._answer(number))  # type: ignore[misc]  # a default binds it

    def _answer(self, number: int | None) -> None:
        if self._unanswered == 0:  # the client has gone
            return
        status, body = b"404 Not Found", b"no such page\n"
        if number is not None:
            status, body = b"200 OK", html_of(number, self._server.shape)
        self._unanswered -= 1
        self._server.answered()
        self._transport.write(
            b"HTTP/1.1 %b\r\nServer: bench\r\nContent-Type: text/html; charset=utf-8\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (status, len(body), body)
        )


def _serve(shape: Shape, counters: Any, telling: Any) -> None:  # noqa: ANN401 - ctypes, a pipe
    import uvloop  # noqa: PLC0415 - in the serving process alone

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = _Server(shape, counters)
        listening = await loop.create_server(
            lambda: _Connection(server), "127.0.0.1", 0, backlog=4096
        )
        telling.send(listening.sockets[0].getsockname()[1])
        await listening.serve_forever()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())
