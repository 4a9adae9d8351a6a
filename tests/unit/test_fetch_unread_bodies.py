"""What is reported of bodies that are not read does not depend on when their bytes come."""

import asyncio
from collections.abc import Callable

import pytest
from yarl import URL

from gossamer.fetch.connector import Endpoint
from gossamer.fetch.http_client import Exchange, IdleConnections
from gossamer.fetch.http_request import HttpRequest
from gossamer.fetch.http_response import HttpResponse, ResponseReader
from gossamer.fetch.response_head import reading_of
from gossamer.fetch.timeouts import Deadline, ServerTime
from gossamer.fetch.visit_from_response import visit_of
from gossamer.model.visit import Visit
from tests.fakes.connections import connected
from tests.fakes.virtual_loop import run_virtual

HERE = Endpoint(URL("http://here.example/"))
FILE = bytes(1_800)


class Pieces:
    """A server that sends its response in pieces, each when the one before was read."""

    room = 1

    def __init__(self, *pieces: bytes) -> None:
        self._pieces = pieces

    def set_patience(self, connect_s: float) -> None:
        """It is connected already."""

    async def look_at_refused(self) -> None:
        """There are none."""

    async def drop(self) -> None:
        """Nothing is open."""

    async def close(self) -> None:
        """Nothing is open."""

    async def send(self, request: HttpRequest, message: bytes, server_time: ServerTime) -> Exchange:
        connection, _ = connected()
        connection.write_request(message, server_time, has_body=not request.is_head)
        first, *rest = self._pieces
        connection.data_received(first)
        loop = asyncio.get_running_loop()
        for turn, piece in enumerate(rest, 1):
            loop.call_later(0.1 * turn, connection.data_received, piece)
        head, payload = await connection.read_head()
        return Exchange(IdleConnections(), HERE, connection, head, payload)


def seen(*pieces: bytes) -> Visit:
    async def main() -> Visit:
        response = HttpResponse("http://here.example/")
        with Deadline(asyncio.get_running_loop(), response.time, 20.0) as deadline:
            reader = ResponseReader(response, deadline, reading_of, 1_000_000, "gossamer")
            await reader.read(Pieces(*pieces), HttpRequest("http://here.example", b""), b"")
        return visit_of(response)

    return run_virtual(main())


def head_of(lines: str) -> bytes:
    return f"HTTP/1.1 {lines}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


END = b"0\r\n\r\n"
WAYS: dict[str, Callable[[bytes], list[bytes]]] = {
    "at once": lambda head: [head + chunk(FILE) + END],
    "head first": lambda head: [head, chunk(FILE) + END],
    "in two": lambda head: [head + chunk(FILE[:600]), chunk(FILE[600:]) + END],
    "end last": lambda head: [head + chunk(FILE), END],
}


@pytest.mark.parametrize(
    ("lines", "size_bytes"),
    [
        ("200 OK\r\nContent-Type: application/pdf", None),
        ("200 OK\r\nContent-Type: application/json", None),
        ("200 OK\r\nContent-Type: text/plain", None),
        ("200 OK\r\nContent-Type: image/png", len(FILE)),
        ("302 Found\r\nLocation: /a", None),
        ("404 Not Found\r\nContent-Type: application/json", None),
    ],
)
def test_the_size_of_a_body_without_length_does_not_depend_on_its_pieces(
    lines: str, size_bytes: int | None
) -> None:
    found = {name: seen(*way(head_of(lines))) for name, way in WAYS.items()}
    assert {name: each.size_bytes for name, each in found.items()} == dict.fromkeys(
        WAYS, size_bytes
    )


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n", b"GIF89a"])
def test_a_file_whose_bytes_say_that_pages_load_it_is_measured(start: bytes) -> None:
    data = start + bytes(5_000)
    pieces = [head_of("200 OK\r\nX-No-Type: 1") + chunk(data[:600]), chunk(data[600:]) + END]
    for each in (pieces, [b"".join(pieces)]):
        assert seen(*each).size_bytes == len(data)


def test_a_short_text_is_known_in_full() -> None:
    head, text = head_of("200 OK\r\nContent-Type: text/plain"), b"hello " * 50
    for pieces in ([head + chunk(text) + END], [head, chunk(text[:9]), chunk(text[9:]) + END]):
        assert seen(*pieces).size_bytes == len(text)
