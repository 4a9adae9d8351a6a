"""The test sites keep their word: other tests' verdicts rest on what these record."""

import asyncio
import gzip
import http.client
import socket
import time
import urllib.error
import urllib.request
import zlib
from contextlib import closing, suppress

import brotli
import pytest

from tests.patience import PATIENCE_S
from tests.sites import Response, Site
from tests.zstandard import zstd


def connect(site: Site) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)


def ask(site: Site, path: str) -> tuple[int, dict[str, str], bytes]:
    with closing(connect(site)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()


def ask_raw(site: Site, path: str) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S)
    sock.sendall(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
    return sock


def read_to_end(sock: socket.socket) -> bytes:
    received = b""
    while data := sock.recv(1 << 16):
        received += data
    return received


def test_page_has_title_and_links(site: Site) -> None:
    site.page("/", title="Home & away", links=["/a?b=1&c=2"])
    status, headers, body = ask(site, "/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>Home &amp; away</title>" in body
    assert b'<a href="/a?b=1&amp;c=2">' in body


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
def test_redirect_sends_location_verbatim(site: Site, status: int) -> None:
    site.redirect("/a", " ../b c", status=status)
    answered, headers, body = ask(site, "/a")
    assert (answered, headers["Location"], body) == (status, "../b c", b"")


def test_redirect_may_lack_its_location(site: Site) -> None:
    site.redirect("/a", None)
    status, headers, _ = ask(site, "/a")
    assert status == 302
    assert "Location" not in headers


def test_unknown_path_is_404_and_robots_is_text(site: Site) -> None:
    assert ask(site, "/nowhere")[0] == 404
    site.robots("User-agent: *\nDisallow: /private/\n")
    assert ask(site, "/robots.txt")[2].endswith(b"/private/\n")


def test_responses_come_in_turn(site: Site) -> None:
    site.respond("/", Response(503), Response(503), Response(200))
    assert [ask(site, "/")[0] for _ in range(4)] == [503, 503, 200, 200]


def test_generated_site_answers_what_nothing_else_does(site: Site) -> None:
    site.page("/", title="written down")
    site.generate(lambda path: Response(body=path.encode()) if path.startswith("/n/") else None)
    assert b"written down" in ask(site, "/")[2]
    assert ask(site, "/n/7")[2] == b"/n/7"
    assert ask(site, "/m/7")[0] == 404


def test_head_has_no_body(site: Site) -> None:
    site.page("/", title="Home")
    with closing(connect(site)) as connection:
        connection.request("HEAD", "/")
        response = connection.getresponse()
        assert int(response.headers["Content-Length"]) > 0
        assert response.read() == b""
        connection.request("GET", "/")
        assert b"Home" in connection.getresponse().read()


def test_requests_and_connections_are_recorded(site: Site) -> None:
    site.page("/")
    before_ns = time.monotonic_ns()
    with closing(connect(site)) as connection:
        for path in ["/", "/b?c=d"]:
            connection.request("GET", path, headers={"X-Seen": "yes"})
            connection.getresponse().read()
    site.block_until(lambda: site.open_connections == 0)
    first, second = site.requests
    assert (first.path, second.path) == ("/", "/b?c=d")
    assert first.header("x-seen") == "yes"
    assert first.header("absent") is None
    assert first.connection == second.connection == 0
    assert before_ns < first.at_ns < second.at_ns == site.last_request_ns
    (record,) = site.connections
    assert record.closed_ns is not None
    assert record.opened_ns < first.at_ns < record.closed_ns
    assert record.bytes_received > 0
    assert record.bytes_sent > 0
    assert site.last_byte_ns == record.last_received_ns
    assert site.last_sent_ns == record.last_sent_ns
    assert site.in_flight == 0


def test_slow_page_waits_for_its_gate_and_concurrency_is_counted(site: Site) -> None:
    gate = site.slow("/slow", title="at last")
    socks = [ask_raw(site, "/slow") for _ in range(3)]
    site.block_until(lambda: site.in_flight == 3)
    gate.open()
    for sock in socks:
        with sock:
            assert b"HTTP/1.1 200 OK" in sock.recv(1 << 16)
    assert site.peak_in_flight == site.peak_connections == 3
    assert b"at last" in ask(site, "/slow")[2]


def test_slow_page_comes_after_its_delay(site: Site) -> None:
    site.slow("/slow", delay_s=0.05)
    start_s = time.monotonic()
    assert ask(site, "/slow")[0] == 200
    assert time.monotonic() - start_s >= 0.05


def test_a_client_that_disconnects_ends_its_request(site: Site) -> None:
    site.hang("/hang", after=b"HTTP/1.1 200 OK\r\n")
    with ask_raw(site, "/hang") as sock:
        assert sock.recv(100) == b"HTTP/1.1 200 OK\r\n"
        assert site.in_flight == 1
    site.block_until(lambda: site.in_flight == 0 and site.open_connections == 0)


def test_reset_sends_a_tcp_reset(site: Site) -> None:
    site.reset("/reset", after=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    with ask_raw(site, "/reset") as sock, pytest.raises(ConnectionResetError):
        read_to_end(sock)


def test_raw_bytes_are_sent_unchanged(site: Site) -> None:
    site.raw("/raw", b"HTTP/0.9 what\0ever")
    with ask_raw(site, "/raw") as sock:
        assert read_to_end(sock) == b"HTTP/0.9 what\0ever"


@pytest.mark.parametrize("in_head", [False, True])
def test_drip_sends_one_byte_at_a_time(site: Site, *, in_head: bool) -> None:
    site.drip("/drip", interval_s=0.005, n=9, in_head=in_head)
    start_s = time.monotonic()
    with ask_raw(site, "/drip") as sock:
        assert b"." * 9 in read_to_end(sock)
    assert time.monotonic() - start_s >= 9 * 0.005


@pytest.mark.parametrize("in_head", [False, True])
def test_endless_never_ends_and_stops_when_nobody_reads(site: Site, *, in_head: bool) -> None:
    site.endless("/endless", in_head=in_head)
    with ask_raw(site, "/endless") as sock:
        received = 0
        while received < 4 << 20:
            received += len(sock.recv(1 << 16))
    site.block_until(lambda: site.open_connections == 0)


def test_bombs_decode_to_their_size(site: Site) -> None:
    size = 3_000_000
    site.bomb("/gzip", encoding="gzip", size=size)
    site.bomb("/deflate", encoding="deflate", size=size)
    site.bomb("/br", encoding="br", size=size)
    site.bomb("/zstd", encoding="zstd", size=size)
    bodies = {path: ask(site, path)[2] for path in ["/gzip", "/deflate", "/br", "/zstd"]}
    assert max(map(len, bodies.values())) < size // 100
    assert gzip.decompress(bodies["/gzip"]) == bytes(size)
    assert zlib.decompress(bodies["/deflate"]) == bytes(size)
    assert brotli.decompress(bodies["/br"]) == bytes(size)
    assert zstd.decompress(bodies["/zstd"]) == bytes(size)


def test_site_can_be_awaited_from_another_loop() -> None:
    async def scenario() -> None:
        async with Site() as site:
            site.hang("/")
            reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            await site.wait_for_requests(1)
            await site.wait_for_in_flight(1)
            writer.close()
            await site.wait_for_disconnect()
            with pytest.raises(TimeoutError, match="the site saw 1 requests, 0 in flight"):
                await site.wait_for_requests(2, deadline_s=0.01)
            assert await reader.read() == b""

    asyncio.run(scenario())


def test_stopping_closes_all_connections() -> None:
    with Site() as site:
        site.slow("/slow")
        site.hang("/hang")
        site.endless("/endless")
        socks = [ask_raw(site, path) for path in ["/slow", "/hang", "/endless"]]
        site.block_until(lambda: site.in_flight == 3)
    for sock in socks:
        with sock, suppress(ConnectionError):
            while sock.recv(1 << 16):  # what came before the cut, which is all there ever will be
                pass
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(site.url("/"), timeout=PATIENCE_S)  # noqa: S310 - http on loopback


def test_an_exception_in_the_test_site_is_raised() -> None:
    def broken(path: str) -> Response:
        raise LookupError(path)

    site = Site().__enter__()
    site.generate(broken)
    with pytest.raises(http.client.RemoteDisconnected):
        ask(site, "/")
    with pytest.raises(ExceptionGroup, match="the test site itself failed"):
        site.__exit__(None, None, None)
