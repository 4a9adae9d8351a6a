"""What hostile, broken and distant servers do, and the one typed outcome it ends in."""

import asyncio
from contextlib import nullcontext

import pytest
from aiohttp.http_exceptions import HttpProcessingError

from gossamer.fetch import HttpFetcher
from gossamer.fetch.body_readers import HeaderPairs
from gossamer.fetch.fetcher import BodyTimeLimits
from gossamer.fetch.http_client import HttpClient
from gossamer.fetch.http_request import RequestBuilder
from gossamer.fetch.timeouts import ServerTime
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Extract, FetchMode, Visit
from tests.fakes.connections import connected
from tests.integration.fetching import (
    CHUNKED,
    LOOPS,
    MIB,
    OK,
    PAGE,
    PARTLY_S,
    Loop,
    ScriptedServer,
    assert_failed,
    content,
    run,
    trusting,
    visit,
    visits,
)
from tests.sites import Site
from tests.sites.refused import refusing_port

# ---------------------------------------------------------------- answers that are none


def test_an_empty_response_is_not_retried_by_the_fetcher(site: Site) -> None:
    site.raw("/empty", b"")
    site.reset("/reset")
    site.raw("/half", b"HTTP/1.1 200 OK\r\nContent-Ty")
    for seen in visits(site.url(path) for path in ("/empty", "/reset", "/half")):
        assert_failed(seen, Outcome.CONNECTION_LOST, transient=True)
        assert seen.status is None
    assert site.paths == ["/empty", "/reset", "/half"]


MALFORMED = {
    "HTTP/0.9": b"<html><p>hello</html>",
    "two lengths": OK + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\n<p>ab",
    "status below 100": b"HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n",
    "header of 300 KB": OK + b"X-A: " + b"a" * 300_000 + b"\r\n\r\n",
    "headers of 600 KB": OK + b"".join(b"X-%d: " % n + b"a" * 6000 + b"\r\n" for n in range(100)),
    "11,000 headers": OK + b"X-A: a\r\n" * 11_000 + b"\r\n",
    "33 interim responses": b"HTTP/1.1 103 Early Hints\r\n\r\n" * 33 + PAGE,
    "TLS": b"\x15\x03\x03\x00\x02\x02\x46",
    "h2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
}


@pytest.mark.parametrize("answer", MALFORMED.values(), ids=MALFORMED)
def test_malformed_responses_are_distinguished_from_client_errors(
    site: Site, answer: bytes
) -> None:
    site.raw("/a", answer)
    seen = visit(site.url("/a"))
    assert_failed(seen, Outcome.MALFORMED_RESPONSE, transient=False)
    assert seen.status is None
    assert site.paths == ["/a"]


READABLE = {
    "no status": b"HTTP/1.1 \r\n\r\n",
    "letters for a status": b"HTTP/1.1 abc OK\r\n\r\n",
    "negative length": OK + b"Content-Length: -1\r\n\r\n",
    "length of 30 digits": OK + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n",
    "length and chunked": OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "NUL in a header": OK + b"X-A: a\0b\r\n\r\n",
    "header of 70 KB": OK + b"X-A: " + b"a" * 70_000 + b"\r\n\r\n",
    "1100 headers": OK + b"X-A: a\r\n" * 1100 + b"\r\n",
    "1100 trailers": CHUNKED + b"0\r\n" + b"X-A: a\r\n" * 1100 + b"\r\n",
}


@pytest.mark.parametrize("answer", READABLE.values(), ids=READABLE)
def test_malformed_responses_that_browsers_accept_get_a_warning(site: Site, answer: bytes) -> None:
    site.raw("/a", answer)
    seen = visit(site.url("/a"))
    assert (seen.outcome in {Outcome.PAGE, Outcome.FILE}, seen.status) == (True, 200)
    assert (bool(seen.warnings), seen.detail) == (True, None)
    assert (seen.truncated, seen.transient) == (False, False)


def test_framing_that_breaks_after_the_head(site: Site) -> None:
    site.raw("/a", CHUNKED + b"zz\r\n<p>\r\n0\r\n\r\n")
    seen = visit(site.url("/a"))
    assert_failed(seen, Outcome.MALFORMED_RESPONSE, transient=False)
    assert (seen.status, seen.truncated) == (200, True)
    assert site.paths == ["/a"]


def test_framing_that_breaks_in_the_middle_of_a_page(site: Site) -> None:
    """The head was read long ago: aiohttp alone would wait for the deadline."""
    site.raw("/a", CHUNKED + b"100000\r\n" + bytes(MIB) + b"\r\nzz\r\n", close=False)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status) == (Outcome.PAGE_INCOMPLETE, 200)
    assert (seen.size_bytes, seen.truncated, seen.transient) == (MIB, True, True)


def test_long_and_many_headers_are_accepted(site: Site) -> None:
    headers = b"X-Long: " + b"a" * 9_000 + b"\r\n" + b"X-A: a\r\n" * 200
    site.raw("/a", PAGE.replace(b"\r\n\r\n", b"\r\n" + headers + b"\r\n"))
    seen = visit(site.url("/a"))
    assert (seen.outcome, len(seen.headers)) == (Outcome.PAGE, 203)
    assert seen.headers[2] == ("X-Long", "a" * 9_000)


def test_endless_headers_are_aborted(site: Site) -> None:
    site.endless("/a", in_head=True)
    assert_failed(visit(site.url("/a")), Outcome.MALFORMED_RESPONSE, transient=False)
    site.block_until(lambda: site.open_connections == 0)


def test_malformed_headers_are_accepted_and_sanitised(site: Site) -> None:
    headers = b"Set-Cookie: ;;;=\xff\r\nX-Esc: \x1b[2J\r\nX-A: \xc3\xa4\r\n"
    site.raw("/a", PAGE.replace(b"\r\n\r\n", b"\r\n" + headers + b"\r\n"))
    seen = visit(site.url("/a"))
    assert seen.outcome is Outcome.PAGE
    assert seen.headers[2:] == [("Set-Cookie", ";;;=ÿ"), ("X-Esc", "\ufffd[2J"), ("X-A", "ä")]


# ---------------------------------------------------------------- time


def test_a_server_that_never_answers_times_out(site: Site) -> None:
    site.hang("/a")
    seen = visit(site.url("/a"), timeout_s=0.1)
    assert_failed(seen, Outcome.TIMEOUT, transient=True)
    assert seen.status is None
    assert seen.elapsed_ms >= 90
    site.block_until(lambda: site.open_connections == 0)


def test_slowly_dripping_headers_time_out(site: Site) -> None:
    site.drip("/a", interval_s=0.01, n=10_000, in_head=True)
    assert_failed(visit(site.url("/a"), timeout_s=0.2), Outcome.TIMEOUT, transient=True)


def test_a_stalled_body_times_out_and_counts_the_bytes_received(site: Site) -> None:
    site.hang("/a", after=OK + b"Content-Length: 900\r\n\r\n<p>")
    seen = visit(site.url("/a"), timeout_s=PARTLY_S)
    assert_failed(seen, Outcome.TIMEOUT, transient=True)
    assert (seen.status, seen.size_bytes, seen.truncated) == (200, 3, True)


def test_a_dripping_body_is_aborted_before_the_deadline(site: Site) -> None:
    site.drip("/a", interval_s=0.02, n=10_000)
    seen = visit(site.url("/a"), timeout_s=60.0, patience=BodyTimeLimits(grace_s=1.0))
    assert_failed(seen, Outcome.TOO_SLOW, transient=True)
    assert (seen.status, seen.truncated) == (200, True)
    assert 0 < (seen.size_bytes or 0) < 100
    assert seen.elapsed_ms >= 990
    site.block_until(lambda: site.open_connections == 0)


# ---------------------------------------------------------------- connecting


def test_a_refused_connection() -> None:
    with refusing_port() as port:
        seen = visit(f"http://127.0.0.1:{port}/")
    assert_failed(seen, Outcome.CONNECTION_REFUSED, transient=True)


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_a_host_that_cannot_be_resolved(loop_factory: Loop) -> None:
    seen = visit(f"http://{'a' * 70}.example/", loop_factory=loop_factory)
    assert_failed(seen, Outcome.DNS_FAILURE, transient=False)


def test_an_ipv6_host() -> None:
    try:
        with refusing_port("::1") as port:
            seen = visit(f"http://[::1]:{port}/")
    except OSError:
        pytest.skip("no IPv6 on loopback here")
    assert_failed(seen, Outcome.CONNECTION_REFUSED, transient=True)


# ---------------------------------------------------------------- kept connections


def test_a_request_on_a_closed_idle_connection_is_repeated_on_a_new_one() -> None:
    # After its first answer the server reads the next request and closes without a word.
    with ScriptedServer([[PAGE], [PAGE]]) as server:
        first, second = visits([server.url("/1"), server.url("/2")])
    assert (first.outcome, second.outcome) == (Outcome.PAGE, Outcome.PAGE)
    assert [request.split()[1] for request in server.requests] == [b"/1", b"/2", b"/2"]


def test_a_repeated_request_is_not_repeated_again() -> None:
    with ScriptedServer([[PAGE], []]) as server:
        _, second = visits([server.url("/1"), server.url("/2")])
    assert_failed(second, Outcome.CONNECTION_LOST, transient=True)
    assert len(server.requests) == 3


def test_a_request_that_fails_inside_the_response_is_not_repeated() -> None:
    with ScriptedServer([[PAGE, b"HTTP/1.1 200 O", None], [PAGE]]) as server:
        _, second = visits([server.url("/1"), server.url("/2")])
    assert_failed(second, Outcome.CONNECTION_LOST, transient=True)
    assert len(server.requests) == 2


EXCESS = {
    "before the response": [b"</html>" + PAGE],
    "alone": [b"</body></html>", None],
    "a few bytes alone": [b"\r\nx", None],
}
"""What a server still sends of the response before, having announced a length that is too small."""


@pytest.mark.parametrize("late", EXCESS.values(), ids=EXCESS)
def test_a_request_met_by_the_rest_of_a_body_is_repeated_on_a_new_connection(
    late: list[bytes | None],
) -> None:
    with ScriptedServer([[PAGE, *late], [PAGE]]) as server:
        first, second = visits([server.url("/1"), server.url("/2")])
    assert (first.outcome, second.outcome) == (Outcome.PAGE, Outcome.PAGE)
    assert (content(second), second.warnings) == (b"<p>", first.warnings)
    assert [request.split()[1] for request in server.requests] == [b"/1", b"/2", b"/2"]


@pytest.mark.parametrize(
    ("method", "is_repeated"),
    [("OPTIONS", True), ("POST", False), ("DELETE", False), ("PUT", False)],
)
def test_of_requests_without_a_body_those_that_change_something_are_not_repeated(
    method: str, is_repeated: bool
) -> None:
    """What meets the rest of a body may have been served: its response may stand behind it."""

    async def act(server: ScriptedServer) -> None:
        settings = CrawlSettings(roots=(server.url(),))
        builder, client = RequestBuilder(settings), HttpClient(settings, connect_s=5.0)
        try:
            for each in ("GET", method):
                request = builder.of_page(server.url("/1"), each, (), b"", "")
                message = request.accepting(FetchMode.USUAL)
                exchange = await client.send(request, message, ServerTime())
                await exchange.payload.read()
                exchange.release()
        finally:
            await client.close()

    ends = nullcontext() if is_repeated else pytest.raises(HttpProcessingError)
    with ScriptedServer([[PAGE, b"</body></html>"], [PAGE]]) as server, ends:
        asyncio.run(act(server))
    assert len(server.requests) == 2 + is_repeated


def test_a_request_is_repeated_once_for_the_rest_of_a_body() -> None:
    with ScriptedServer([[PAGE, b"</html>" + PAGE], [b"</html>" + PAGE]]) as server:
        _, second = visits([server.url("/1"), server.url("/2")])
    assert_failed(second, Outcome.MALFORMED_RESPONSE, transient=False)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "unasked", [OK + b"Content-Length: 5\r\n\r\nwrong", OK], ids=["all of it", "its beginning"]
)
def test_an_unsolicited_response_is_not_taken_for_the_next_one(site: Site, unasked: bytes) -> None:
    """The bytes of a second answer lie ready on the idle connection when the next URL is asked."""
    site.raw("/1", PAGE, close=False)
    site.raw("/2", PAGE, close=False)

    async def act(fetcher: HttpFetcher) -> Visit:
        await fetcher.fetch(site.url("/1"))
        client = fetcher._client  # noqa: SLF001 - a server cannot time this
        assert isinstance(client, HttpClient)
        [connection] = client._connections  # noqa: SLF001 - likewise
        connection.data_received(unasked)
        return await fetcher.fetch(site.url("/2"))

    seen = run(act)
    assert (seen.outcome, content(seen)) == (Outcome.PAGE, b"<p>")
    assert len(site.connections) == 2


# ---------------------------------------------------------------- TLS


def test_a_page_over_tls() -> None:
    with ScriptedServer([[PAGE, PAGE]], "localhost.pem") as server:
        urls = [server.url(path, scheme="https") for path in ("/1", "/2")]
        seen = visits(urls, tls=trusting("localhost.pem"))
    assert [each.outcome for each in seen] == [Outcome.PAGE, Outcome.PAGE]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("certificate", "trusted", "detail"),
    [
        ("localhost.pem", "other-host.pem", "self-signed certificate"),
        ("expired.pem", "expired.pem", "certificate has expired"),
        ("other-host.pem", "other-host.pem", "certificate is not valid for '127.0.0.1'"),
    ],
)
@pytest.mark.parametrize("loop_factory", LOOPS)
def test_invalid_certificates(
    certificate: str, trusted: str, detail: str, loop_factory: Loop
) -> None:
    with ScriptedServer([[PAGE]], certificate) as server:
        url = server.url(scheme="https")
        seen = visit(url, tls=trusting(trusted), loop_factory=loop_factory)
    assert_failed(seen, Outcome.BAD_CERTIFICATE, transient=False)
    assert detail in str(seen.detail)
    assert server.requests == []


def test_an_unknown_issuer_is_not_trusted_by_default() -> None:
    with ScriptedServer([[PAGE]], "localhost.pem") as server:
        seen = visit(server.url(scheme="https"))
    assert_failed(seen, Outcome.BAD_CERTIFICATE, transient=False)


def test_https_to_a_server_without_tls() -> None:
    with ScriptedServer([[None]]) as server:
        assert visit(server.url(scheme="https")).outcome is Outcome.CONNECTION_LOST


def test_https_to_an_http_server(site: Site) -> None:
    seen = visit(site.url("/").replace("http:", "https:"), timeout_s=0.3)
    assert seen.outcome in {Outcome.NOT_HTTPS, Outcome.TIMEOUT}


# ---------------------------------------------------------------- our own faults


def test_a_page_that_cannot_be_parsed_keeps_its_visit(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    def explode(body: bytes, url: str, charset: str | None, headers: HeaderPairs) -> Extract:
        raise ZeroDivisionError(f"{len(body)} {url} {charset} {headers}")

    site.page("/a", title="x")
    seen = visit(site.url("/a").replace("//", "//jo:secret@"), extract=explode)
    assert (seen.outcome, seen.status) == (Outcome.PAGE_NOT_PARSED, 200)
    assert str(seen.detail).startswith("ZeroDivisionError: ")
    assert (seen.facts, list(seen.links), seen.transient) == (None, [], False)
    assert seen.size_bytes
    [record] = caplog.records
    assert record.levelname == "ERROR"
    assert record.exc_info
    assert vars(record)["url"] == site.url("/a")


def test_an_unexpected_exception_is_an_outcome_and_logged_with_traceback(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    class Unreadable(str):
        __slots__ = ()

        def partition(self, _separator: str) -> tuple[str, str, str]:
            raise ZeroDivisionError("nobody foresaw this")

    seen = visit(Unreadable(site.url("/")))
    assert_failed(seen, Outcome.UNEXPECTED_ERROR, transient=False)
    assert [(each.levelname, bool(each.exc_info)) for each in caplog.records] == [("ERROR", True)]


# ---------------------------------------------------------------- read as browsers do

ODD = {
    "head": OK + b"no colon here\r\nContent-Length: 3\r\n\r\n<p>",
    "length twice": OK + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\n<p>",
    "length beside chunks": CHUNKED[:-2] + b"Content-Length: 9\r\n\r\n3\r\n<p>\r\n0\r\n\r\n",
    "chunk size": CHUNKED + b"3 ; a=b\r\n<p>\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_nothing_is_read_after_a_malformed_response(site: Site, answer: bytes) -> None:
    """Where it ends is a matter of opinion: what follows could be taken for another answer."""
    site.raw("/a", answer + PAGE.replace(b"200 OK", b"404 No"), close=False)
    site.page("/b")
    first, second = visits([site.url("/a"), site.url("/b")])
    assert (first.outcome, first.status, first.size_bytes) == (Outcome.PAGE, 200, 3)
    assert (bool(first.warnings), first.truncated) == (True, False)
    assert (second.outcome, second.status) == (Outcome.PAGE, 200)
    assert len(site.connections) == 2


def test_a_malformed_chunk_is_accepted_after_earlier_chunks_were_read() -> None:
    async def act() -> tuple[bytes, list[ResponseWarning]]:
        connection, _ = connected()
        connection.write_request(b"GET / HTTP/1.1\r\n\r\n", ServerTime())
        for piece in (CHUNKED, b"3\r\n<p>\r\n5\r\nte", b"xt.\r\n4 ; a=b\r\n</p>\r\n0\r\n\r\n"):
            connection.data_received(piece)
        _, payload = await connection.read_head()
        assert not connection.is_free
        return await payload.read(), list(connection.malformed)

    body, malformed = asyncio.run(act())
    assert body == b"<p>text.</p>"
    assert malformed == [ResponseWarning.CHUNK_EXTENSION]
