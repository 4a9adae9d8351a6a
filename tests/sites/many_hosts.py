"""Many small sites that link to each other, each on a loopback address of its own, from one server.

Linux answers on all addresses from 127.0.0.1 to 127.255.255.254 without being told.
"""

import asyncio
import random
import threading
from collections import Counter
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S

PAGES = 10
"""Of each host, in a tree below its first page."""
_REDIRECTS = 10


class ManyHosts:
    """So many hosts, generated from one number. Use as a context manager."""

    def __init__(self, hosts: int, seed: int = 0, delay_s: float = 0.0) -> None:
        self.names = [f"127.0.{1 + n // 250}.{1 + n % 250}" for n in range(hosts)]
        self._numbers = {name: n for n, name in enumerate(self.names)}
        self._seed = seed
        self._delay_s = delay_s
        self._port = 0
        self.requests: Counter[str] = Counter()
        """How often each URL was asked for."""
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="many hosts", daemon=True)

    @property
    def roots(self) -> tuple[str, ...]:
        """The first page of each host."""
        return tuple(self.url(n, "/") for n in range(len(self.names)))

    def url(self, number: int, path: str) -> str:
        return f"http://{self.names[number]}:{self._port}{path}"

    def block_until(self, requests: int, deadline_s: float = PATIENCE_S) -> bool:
        """Wait until so many requests came in all; whether they did in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.requests.total() >= requests, deadline_s)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(PATIENCE_S)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        server = await asyncio.start_server(self._serve, "0.0.0.0", 0, backlog=1000)  # noqa: S104 - all loopback addresses
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                number, path = self._asked(head)
                with self._changed:
                    self.requests[self.url(number, path)] += 1
                    self._changed.notify_all()
                await asyncio.sleep(self._delay_s)
                writer.write(self._answer(number, path, head))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _asked(self, head: list[str]) -> tuple[int, str]:
        """The host's number and the path."""
        host = next(line for line in head if line.lower().startswith("host:"))
        return self._numbers[host.split(":")[1].strip()], head[0].split()[1]

    def _answer(self, number: int, path: str, _head: list[str]) -> bytes:
        kind, digits = path[:2], path[2:]
        body, status, location = b"", "404 Not Found", ""
        if path == "/" or (kind == "/p" and digits.isdecimal() and int(digits) < PAGES):
            status, body = "200 OK", self._page(number, int(digits or 0)).encode()
        elif kind == "/r" and digits.isdecimal():
            # Some lead nowhere, and some to each other, in circles through several hosts.
            chance = random.Random(f"{self._seed} {number} {path}")
            target = chance.choice(["/p", "/p", "/r"]) + str(chance.randrange(PAGES + 1))
            status = "302 Found"
            location = f"Location: {self.url(chance.randrange(len(self.names)), target)}\r\n"
        length = f"Content-Length: {len(body)}\r\n\r\n"
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n{location}{length}"
        return head.encode() + body

    def _page(self, number: int, page: int) -> str:
        chance = random.Random(f"{self._seed} {number} {page}")
        links = [f"/p{below}" for below in (2 * page + 1, 2 * page + 2) if below < PAGES]
        links += [
            self.url(chance.randrange(len(self.names)), f"/p{chance.randrange(PAGES)}")
            for _ in range(chance.randint(0, 2))
        ]
        links.append(self.url((number + 1) % len(self.names), "/"))
        if page % 4 == 0:
            links.append(f"/r{chance.randrange(_REDIRECTS)}")
        words = " ".join(f"{chance.getrandbits(40):x}" for _ in range(30))
        anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        return (
            f"<html lang=en><title>Page {page} of {number}</title><h1>Page {page} of {number}</h1>"
            f"<p>{words}</p>{anchors}"
        )
