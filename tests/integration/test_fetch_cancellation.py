"""Cancelled at any await, a fetch is over at once, and so is its connection."""

import asyncio
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import psutil
import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.http_client import HttpClient
from gossamer.fetch.http_connection import HttpConnection
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from tests.integration.fetching import (
    LOOPS,
    PAGE,
    Loop,
    ScriptedServer,
    extract,
    run,
    trusting,
    visit,
)
from tests.patience import PATIENCE_S
from tests.sites import Site

TURNS = 20
"""Of the event loop. What waits for the other side or a timer takes more than these."""

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n"

with_each_loop = pytest.mark.parametrize("loop_factory", LOOPS, ids=["asyncio", "fast"])


@pytest.fixture
def busy() -> Iterator[int]:
    """The port of a listener whose queue is full: whoever connects has to wait."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        waiting = []
        for _ in range(4):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(address)
            waiting.append(sock)
        yield address[1]
        for sock in waiting:
            sock.close()


async def turn() -> None:
    """Let the loop do what waits for nothing."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def cancel_when(reached: Awaitable[object], fetching: Awaitable[Visit]) -> None:
    """Cancel `fetching` once `reached` is: it ends without waiting for anything."""

    async def fetch() -> None:
        seen = await fetching
        raise AssertionError(f"not cancelled: {seen}")

    async with asyncio.TaskGroup() as group:
        task = group.create_task(fetch(), name="fetch")
        await reached
        task.cancel()
        await turn()
        assert task.cancelled()


def connections_to(port: int) -> int:
    """TCP sockets of this process, in whatever state, that lead to `port`."""
    own = psutil.Process(os.getpid()).net_connections("tcp")
    return sum(1 for each in own if each.raddr and each.raddr.port == port)


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop turn until `holds()`; for what no event announces."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110 - the condition is about sockets, no loop knows it
            await asyncio.sleep(0)


def assert_closed_after(site: Site, cancelled_ns: int) -> None:
    site.block_until(lambda: site.open_connections == 0)
    for connection in site.connections:
        assert connection.closed_ns is not None
        assert connection.last_received_ns < cancelled_ns


@with_each_loop
@pytest.mark.skipif(sys.platform != "linux", reason="a full queue makes others fail, not wait")
def test_cancelling_while_connecting(busy: int, loop_factory: Loop) -> None:
    before = connections_to(busy)

    async def act(fetcher: HttpFetcher) -> None:
        reached = until(lambda: connections_to(busy) > before)
        await cancel_when(reached, fetcher.fetch(f"http://127.0.0.1:{busy}/"))

    run(act, loop_factory=loop_factory)
    assert connections_to(busy) == before


class _ReportingClient(HttpClient):
    """Reports each connection at the moment at which it is made."""

    def __init__(self, settings: CrawlSettings, on_made: Callable[[], None], **more: Any) -> None:
        super().__init__(settings, connect_s=PATIENCE_S, **more)
        self._on_made = on_made

    def add(self, connection: HttpConnection) -> None:
        super().add(connection)
        self._on_made()


@with_each_loop
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cancelling_just_when_the_connection_is_made(scheme: str, loop_factory: Loop) -> None:
    """uvloop does not tell the protocol of such a connection that it has ended."""

    async def act(server: ScriptedServer) -> None:
        settings = CrawlSettings(roots=(server.url(scheme=scheme),))
        tls = trusting("localhost.pem") if scheme == "https" else None

        def cancel() -> None:
            task.cancel()

        client = partial(_ReportingClient, settings, cancel, tls=tls)
        async with HttpFetcher(settings, extract, make_client=client) as fetcher:
            async with asyncio.TaskGroup() as group:
                task = group.create_task(fetcher.fetch(server.url(scheme=scheme)), name="fetch")
                await asyncio.wait({task})
                assert task.cancelled()
                dropping = group.create_task(fetcher.drop(), name="drop")
                await turn()
                assert dropping.done()
            assert connections_to(server.port) == 0

    certificate = "localhost.pem" if scheme == "https" else None
    with (
        ScriptedServer([[PAGE]], certificate) as server,
        asyncio.Runner(loop_factory=loop_factory) as runner,
    ):
        runner.run(act(server))


@with_each_loop
@pytest.mark.skipif(sys.platform != "linux", reason="a full queue makes others fail, not wait")
def test_a_connection_that_is_never_made_times_out(busy: int, loop_factory: Loop) -> None:
    before = connections_to(busy)
    seen = visit(f"http://127.0.0.1:{busy}/", timeout_s=0.1, loop_factory=loop_factory)
    assert (seen.outcome, seen.transient, seen.status) == (Outcome.TIMEOUT, True, None)
    assert connections_to(busy) == before


@with_each_loop
def test_cancelling_in_the_tls_handshake(site: Site, loop_factory: Loop) -> None:
    """The site takes the greeting for an HTTP request that has not ended and waits for more."""
    url = site.url("/").replace("http:", "https:")

    async def act(fetcher: HttpFetcher) -> int:
        reached = until(lambda: site.last_byte_ns > 0)
        await cancel_when(reached, fetcher.fetch(url))
        return time.monotonic_ns()

    cancelled_ns = run(act, loop_factory=loop_factory, tls=trusting("localhost.pem"))
    assert_closed_after(site, cancelled_ns)


@with_each_loop
@pytest.mark.parametrize("after", [b"", HEAD[:30]], ids=["no byte", "half a head"])
def test_cancelling_while_waiting_for_the_response_head(
    site: Site, after: bytes, loop_factory: Loop
) -> None:
    site.hang("/a", after=after)

    async def act(fetcher: HttpFetcher) -> int:
        reached = site.wait_for_in_flight(1)
        await cancel_when(reached, fetcher.fetch(site.url("/a")))
        return time.monotonic_ns()

    assert_closed_after(site, run(act, loop_factory=loop_factory))


@with_each_loop
def test_cancelling_in_a_body_over_tls(loop_factory: Loop) -> None:
    """A close in good order would wait for the server, which does not listen."""

    async def act(fetcher: HttpFetcher) -> None:
        reached = until(lambda: len(server.requests) == 1)
        url = server.url(scheme="https")
        await cancel_when(reached, fetcher.fetch(url))
        await turn()
        assert connections_to(server.port) == 0

    with ScriptedServer([[HEAD + bytes(1000)]], "localhost.pem", deaf=True) as server:
        run(act, loop_factory=loop_factory, tls=trusting("localhost.pem"))


ENDINGS = {
    "page": HEAD,
    "error page": HEAD.replace(b"200 OK", b"404 Not Found"),
    "drained redirect": b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 60000\r\n\r\n",
}


@with_each_loop
@pytest.mark.parametrize("head", ENDINGS.values(), ids=ENDINGS)
def test_cancelling_in_the_body(site: Site, head: bytes, loop_factory: Loop) -> None:
    site.hang("/a", after=head + bytes(50_000))

    async def act(fetcher: HttpFetcher) -> int:
        reached = body_reached(site)
        await cancel_when(reached, fetcher.fetch(site.url("/a")))
        return time.monotonic_ns()

    assert_closed_after(site, run(act, loop_factory=loop_factory))


@with_each_loop
def test_cancelling_in_the_body_of_a_text(site: Site, loop_factory: Loop) -> None:
    site.hang("/a", after=HEAD + bytes(50_000))

    async def fetch_text(fetcher: HttpFetcher) -> Visit:
        return (await fetcher.fetch_text(site.url("/a")))[0]

    async def act(fetcher: HttpFetcher) -> int:
        await cancel_when(body_reached(site), fetch_text(fetcher))
        return time.monotonic_ns()

    assert_closed_after(site, run(act, loop_factory=loop_factory))


async def body_reached(site: Site) -> None:
    await until(lambda: site.last_sent_ns > 0)
    for _ in range(20):  # what was sent is there: the loop only has to turn to it
        await asyncio.sleep(0)


@with_each_loop
def test_cancelling_one_fetch_does_not_affect_others(site: Site, loop_factory: Loop) -> None:
    site.hang("/hung")
    gate = site.slow("/slow")

    async def act(fetcher: HttpFetcher) -> Visit:
        async with asyncio.TaskGroup() as group:
            slow = group.create_task(fetcher.fetch(site.url("/slow")), name="slow")
            await site.wait_for_in_flight(1)
            await cancel_when(site.wait_for_in_flight(2), fetcher.fetch(site.url("/hung")))
            gate.open()
            return await slow

    assert run(act, loop_factory=loop_factory).outcome is Outcome.PAGE


# ---------------------------------------------------------------- dropping connections


async def fetch_at_once(fetcher: HttpFetcher, urls: list[str]) -> list[Visit]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(fetcher.fetch(url), name=url) for url in urls]
    return [task.result() for task in tasks]


@with_each_loop
def test_drop_returns_when_every_idle_connection_is_closed(site: Site, loop_factory: Loop) -> None:
    site.page("/a")

    async def act(fetcher: HttpFetcher) -> None:
        await fetch_at_once(fetcher, [site.url("/a")] * 5)
        assert connections_to(site.port) == 5
        await fetcher.drop()
        assert connections_to(site.port) == 0
        [seen] = await fetch_at_once(fetcher, [site.url("/a")])
        assert seen.outcome is Outcome.PAGE
        await fetcher.drop()
        await fetcher.drop()
        assert connections_to(site.port) == 0

    run(act, loop_factory=loop_factory)


@with_each_loop
@pytest.mark.parametrize("after", [b"", HEAD, HEAD + bytes(50_000)], ids=["head", "body", "more"])
def test_drop_aborts_fetches_in_flight(site: Site, after: bytes, loop_factory: Loop) -> None:
    site.hang("/a", after=after)

    async def act(fetcher: HttpFetcher) -> Visit:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(fetcher.fetch(site.url("/a")), name="fetch")
            await site.wait_for_in_flight(1)
            await (body_reached(site) if after else asyncio.sleep(0))
            drop = group.create_task(fetcher.drop(), name="drop")
            await turn()
            assert drop.done()
            assert connections_to(site.port) == 0
            return await task

    seen = run(act, loop_factory=loop_factory)
    expected = (Outcome.PAGE_INCOMPLETE, True) if after else (Outcome.CONNECTION_LOST, False)
    assert (seen.outcome, seen.truncated) == expected


@with_each_loop
def test_no_connection_is_open_after_the_fetcher_closes(site: Site, loop_factory: Loop) -> None:
    site.page("/a")
    run(lambda fetcher: fetcher.fetch(site.url("/a")), loop_factory=loop_factory)
    assert connections_to(site.port) == 0
