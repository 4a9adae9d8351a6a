"""What is read as browsers read it: the same as ever where nothing is odd, and never for ever."""

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from aiohttp import ClientPayloadError, StreamReader
from aiohttp.http import HttpResponseParser, RawResponseMessage
from aiohttp.http_exceptions import HttpProcessingError
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.lenient_headers import MAX_HEAD_BYTES, Malformed, read_head
from gossamer.fetch.lenient_parser import LenientParser
from gossamer.model.response_warnings import ResponseWarning

if TYPE_CHECKING:
    from aiohttp.base_protocol import BaseProtocol

LIMIT_BYTES = 1 << 18
OK = b"HTTP/1.1 200 OK\r\n"


class Protocol:
    """What a reader of bodies asks of its connection."""

    def pause_reading(self) -> None:
        pass

    def resume_reading(self, resume_parser: bool = True) -> None:  # noqa: FBT002 - aiohttp's signature
        del resume_parser


def protocol() -> "BaseProtocol":
    return cast("BaseProtocol", Protocol())


def fed(parser: LenientParser | HttpResponseParser, pieces: list[bytes]) -> tuple[object, ...]:
    """Status, reason, headers, body, and whether that was whole."""
    messages: list[tuple[RawResponseMessage, StreamReader]] = []
    for piece in pieces:
        messages += parser.feed_data(piece)[0]
    [(message, payload)] = messages
    is_whole = payload.is_eof()
    body = payload._read_nowait(-1) if payload.total_bytes else b""  # noqa: SLF001 - no loop waits
    return message.code, message.reason, message.raw_headers, body, is_whole


def lenient(loop: asyncio.AbstractEventLoop) -> LenientParser:
    return LenientParser(protocol(), loop, LIMIT_BYTES, has_body=True)


def strict(loop: asyncio.AbstractEventLoop) -> HttpResponseParser:
    return HttpResponseParser(
        protocol(),
        loop,
        LIMIT_BYTES,
        payload_exception=ClientPayloadError,
        response_with_body=True,
        read_until_eof=True,
        auto_decompress=False,
    )


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


NAMES = st.from_regex(r"X-[A-Za-z0-9]{1,8}", fullmatch=True)
VALUES = st.text("abc ;=/,.-", max_size=20).map(lambda text: text.strip().encode())
PLACES = st.lists(st.integers(0, 400), max_size=8)


@given(
    fields=st.lists(st.tuples(NAMES, VALUES), max_size=5),
    chunks=st.lists(st.binary(min_size=1, max_size=40), max_size=5),
    chunked=st.booleans(),
    places=PLACES,
)
def test_valid_responses_are_parsed_as_by_the_strict_parser(
    fields: list[tuple[str, bytes]], chunks: list[bytes], chunked: bool, places: list[int]
) -> None:
    lines = [name.encode() + b": " + value for name, value in fields]
    body = b"".join(chunks)
    if chunked:
        lines.append(b"Transfer-Encoding: chunked")
        framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
        framed += b"0\r\n\r\n"
    else:
        lines.append(b"Content-Length: %d" % len(body))
        framed = body
    data = OK + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + framed
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        assert fed(lenient(loop), cut(data, places)) == fed(strict(loop), [data])


@given(start=st.sampled_from([b"", OK, OK + b"Transfer-Encoding: chunked\r\n\r\n"]), data=st.data())
def test_any_bytes_are_parsed_or_refused(start: bytes, data: st.DataObject) -> None:
    rest = data.draw(st.binary(max_size=200) | st.text("HTP/1. 20\r\n:;\0a-f", max_size=200))
    raw = start + (rest if isinstance(rest, bytes) else rest.encode())
    with asyncio.Runner() as runner:
        parser = lenient(runner.get_loop())
        try:
            for piece in cut(raw, data.draw(PLACES)):
                parser.feed_data(piece)
            parser.feed_eof()
        except HttpProcessingError:
            return


@pytest.mark.parametrize("line", [b"x" * 1000, b"X-Many: 1\r\n" * 100])
def test_the_size_of_a_response_head_is_limited(line: bytes) -> None:
    fitting = (MAX_HEAD_BYTES - len(OK)) // len(line)
    with asyncio.Runner() as runner:
        parser = lenient(runner.get_loop())
        parser.feed_data(OK)
        for _ in range(fitting):
            parser.feed_data(line)
        with pytest.raises(HttpProcessingError):
            parser.feed_data(line)


@pytest.mark.parametrize(
    ("lines", "length", "said"),
    [
        (b"Content-Length: 5\r\nContent-Length: 5", 5, {ResponseWarning.LENGTH_TWICE}),
        (b"Content-Length : 5", 5, {ResponseWarning.HEADER_SPACE}),
        (b"X-Fold: a\r\n b\r\nContent-Length: 5", 5, set()),
        (b"Content-Length: 5\0", 5, {ResponseWarning.HEADER_NUL}),
        (b"Content-Length: -5", None, {ResponseWarning.BAD_LENGTH}),
        (b"Content-Length: 9223372036854775808", None, {ResponseWarning.BAD_LENGTH}),
        (b"Content-Length: " + b"1" * 5_000, None, {ResponseWarning.BAD_LENGTH}),
        (b"Content-Length: 5\r\nTransfer-Encoding: x", 5, {ResponseWarning.TRANSFER_ENCODING}),
    ],
)
def test_response_body_framing(
    lines: bytes, length: int | None, said: set[ResponseWarning]
) -> None:
    malformed: Malformed = set()
    assert read_head(OK + lines + b"\r\n\r\n", malformed).length == length
    assert malformed == said


@pytest.mark.parametrize(
    "lines",
    [b"Content-Length: 5\r\nContent-Length: 6", b"Content-Length: 5, 6", b"X: 1\r\n" * 10_001],
)
def test_responses_that_browsers_refuse_are_refused(lines: bytes) -> None:
    with pytest.raises(HttpProcessingError):
        read_head(OK + lines + b"\r\n\r\n", set())
