"""Bodies that are compressed, too large, broken off or damaged."""

import gzip
import socket
import ssl
import sys
import threading
import zlib
from collections.abc import Callable

import brotli
import pytest

from gossamer.fetch import HttpFetcher
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import FetchMode, Visit
from tests.integration.fetching import (
    CHUNKED,
    LOOPS,
    MIB,
    OK,
    PAGE,
    TLS_FOLDER,
    Loop,
    ScriptedServer,
    assert_failed,
    content,
    run,
    trusting,
    visit,
)
from tests.sites import Site
from tests.sites.misbehaviour import Encoding
from tests.zstandard import zstd

# ---------------------------------------------------------------- compression

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}
ENCODINGS = sorted(COMPRESS)


def encoded(encoding: str, body: bytes) -> bytes:
    length = f"Content-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
    return OK + length.encode() + body


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_compressed_pages_are_decoded(site: Site, encoding: str) -> None:
    page = b"<p>compressed</p>" * 1000
    body = COMPRESS[encoding](page)
    site.raw("/a", encoded(encoding, body))
    seen = visit(site.url("/a"))
    assert (seen.outcome, content(seen), seen.truncated) == (Outcome.PAGE, page, False)
    assert (seen.size_bytes, seen.raw_bytes) == (len(page), len(body))


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_compression_bombs_are_truncated(site: Site, encoding: Encoding) -> None:
    site.bomb("/a", encoding=encoding, size=64 * MIB)
    seen = visit(site.url("/a"), max_body_bytes=MIB)
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.PAGE, MIB, True)
    assert str(seen.detail) == "cut at 1048576 bytes"
    assert seen.warnings == (ResponseWarning.SIZE_LIMIT,)
    assert seen.raw_bytes < MIB


def test_nested_compression_bombs_are_truncated(site: Site) -> None:
    bomb = gzip.compress(gzip.compress(bytes(64 * MIB)))
    site.raw("/a", encoded("gzip, gzip", bomb))
    seen = visit(site.url("/a"), max_body_bytes=MIB)
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.PAGE, MIB, True)


def test_a_compressed_body_is_also_limited_by_its_raw_size(site: Site) -> None:
    # Empty deflate blocks: any number of bytes that decode to nothing.
    squeeze = zlib.compressobj()
    nothing = squeeze.compress(b"")
    nothing += b"".join(squeeze.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    empty_block = b"\x00\x00\x00\xff\xff"
    site.raw("/a", encoded("deflate", nothing + empty_block * MIB))
    seen = visit(site.url("/a"), max_body_bytes=MIB)
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.PAGE, 0, True)
    assert MIB < seen.raw_bytes < 3 * MIB


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("framing", [b"Connection: close\r\n\r\n", None], ids=["open", "length"])
def test_compressed_data_that_ends_early_is_flagged(
    site: Site, encoding: str, framing: bytes | None
) -> None:
    body = COMPRESS[encoding](b"<p>" + bytes(range(256)) * 40)[:-5]
    framing = framing or b"Content-Length: %d\r\n\r\n" % len(body)
    site.raw("/a", OK + f"Content-Encoding: {encoding}\r\n".encode() + framing + body)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.truncated) == (Outcome.PAGE_INCOMPLETE, True)
    assert seen.warnings == (ResponseWarning.INCOMPLETE,)
    assert seen.transient
    assert str(seen.detail) == "the compressed data ended too early"
    assert site.paths == ["/a"]


def test_damaged_compressed_data_is_requested_again_uncompressed() -> None:
    damaged = encoded("gzip", b"\x1f\x8b no, it is not")
    with ScriptedServer([[damaged, PAGE], [PAGE]]) as server:
        seen = visit(server.url())
    assert (seen.outcome, content(seen), seen.truncated) == (Outcome.PAGE, b"<p>", False)
    first, second = server.requests
    assert b"Accept-Encoding: gzip, deflate, br, zstd\r\n" in first
    assert b"Accept-Encoding: identity\r\n" in second


def test_a_caller_may_request_an_uncompressed_body() -> None:
    damaged = encoded("gzip", b"\x1f\x8b no, it is not")
    with ScriptedServer([[damaged], [PAGE]]) as server:
        url = server.url()

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            broken = await fetcher.fetch(url, mode=FetchMode.USUAL)
            return [broken, await fetcher.fetch(url, mode=broken.again)]

        seen = run(act)
    assert [each.again for each in seen] == [FetchMode.UNCOMPRESSED, FetchMode.USUAL]
    assert [each.outcome for each in seen] == [Outcome.BROKEN_ENCODING, Outcome.PAGE]
    assert b"Accept-Encoding: identity\r\n" in server.requests[1]


@pytest.mark.parametrize("encoding", [*ENCODINGS, "gzip, gzip, gzip, gzip"])
def test_damaged_data_is_requested_at_most_twice(site: Site, encoding: str) -> None:
    site.raw("/a", encoded(encoding, b"<html>not compressed at all</html>"))
    seen = visit(site.url("/a"))
    assert_failed(seen, Outcome.BROKEN_ENCODING, transient=False)
    assert (seen.status, seen.truncated) == (200, True)
    assert site.paths == ["/a", "/a"]


def test_an_error_page_that_is_damaged_is_an_error_page(site: Site) -> None:
    site.raw("/a", encoded("gzip", b"<html>oops").replace(b"200 OK", b"500 Oops"))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status, seen.truncated) == (Outcome.SERVER_ERROR, 500, True)
    assert site.paths == ["/a"]


# ---------------------------------------------------------------- bodies


@pytest.mark.parametrize("size", [MIB, 5 * MIB])
def test_bodies_up_to_the_cap_are_whole(site: Site, size: int) -> None:
    site.file("/a", b"x" * size, "text/html")
    seen = visit(site.url("/a"), max_body_bytes=5 * MIB)
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.PAGE, size, False)


def test_an_endless_body_is_truncated(site: Site) -> None:
    site.endless("/a")
    seen = visit(site.url("/a"), max_body_bytes=MIB)
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.PAGE, MIB, True)
    site.block_until(lambda: site.open_connections == 0)


PARTS = {
    "length": OK + b"Content-Length: 900\r\n\r\n<p>",
    "between chunks": CHUNKED + b"3\r\n<p>\r\n",
    "inside a chunk": CHUNKED + b"40\r\n<p>",
}
UNTIL_CLOSED = OK + b"Connection: close\r\n\r\n<p>"


def assert_cut(seen: Visit) -> None:
    assert (seen.outcome, content(seen)) == (Outcome.PAGE_INCOMPLETE, b"<p>")
    assert (seen.truncated, seen.transient) == (True, True)
    assert seen.detail
    assert "\n" not in str(seen.detail)


@pytest.mark.parametrize("start", PARTS.values(), ids=PARTS)
def test_an_interrupted_body_is_kept_as_far_as_received(site: Site, start: bytes) -> None:
    site.raw("/a", start)
    assert_cut(visit(site.url("/a")))


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels drop what was not yet read")
@pytest.mark.parametrize("start", [*PARTS.values(), UNTIL_CLOSED], ids=[*PARTS, "until closed"])
def test_a_body_ended_by_a_reset_is_kept_as_far_as_received(site: Site, start: bytes) -> None:
    site.reset("/a", after=start)
    assert_cut(visit(site.url("/a")))


def test_a_body_in_very_many_chunks_is_whole(site: Site) -> None:
    """The parser stops in between, so as not to note where all of them end."""
    site.raw("/a", CHUNKED + b"1\r\nx\r\n" * 60_000 + b"0\r\n\r\n", close=False)
    seen = visit(site.url("/a"))
    assert (seen.outcome, content(seen), seen.truncated) == (Outcome.PAGE, b"x" * 60_000, False)


def test_a_body_that_lasts_until_the_connection_closes_is_whole(site: Site) -> None:
    site.raw("/a", UNTIL_CLOSED)
    seen = visit(site.url("/a"))
    assert (seen.outcome, content(seen), seen.truncated) == (Outcome.PAGE, b"<p>", False)


def serve_and_end_rudely(listener: socket.socket, answer: bytes) -> None:
    """Answer one request over TLS, and close the connection without a word (no close_notify)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS_FOLDER / "localhost.pem", TLS_FOLDER / "key.pem")
    accepted, _ = listener.accept()
    with context.wrap_socket(accepted, server_side=True) as stream:
        stream.recv(1 << 16)
        stream.sendall(answer)
        socket.socket(fileno=stream.detach()).close()


@pytest.mark.parametrize("loop_factory", LOOPS)
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (PARTS["length"], Outcome.PAGE_INCOMPLETE),
        (PARTS["inside a chunk"], Outcome.PAGE_INCOMPLETE),
        (UNTIL_CLOSED, Outcome.PAGE),
    ],
    ids=["length", "chunk", "until closed"],
)
def test_tls_closed_without_close_notify(
    answer: bytes, outcome: Outcome, loop_factory: Loop
) -> None:
    """It says nothing where the length is not known, as in browsers: many servers do so."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        arguments = (listener, answer)
        server = threading.Thread(target=serve_and_end_rudely, args=arguments, name="rude server")
        server.start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        seen = visit(url, tls=trusting("localhost.pem"), loop_factory=loop_factory)
        server.join()
    assert (seen.outcome, content(seen)) == (outcome, b"<p>")
