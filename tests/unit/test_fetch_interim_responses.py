"""Interim responses (status 1xx) come before the final one, and are no response."""

import asyncio

import pytest
from aiohttp.http import RawResponseMessage

from gossamer.fetch.http_connection import HttpConnection
from gossamer.fetch.http_statuses import MAX_INTERIM_RESPONSES
from gossamer.fetch.lenient_headers import MalformedResponseError
from gossamer.fetch.timeouts import ServerTime
from gossamer.model.outcome_details import DetailCode
from gossamer.model.response_warnings import ResponseWarning
from tests.fakes.connections import connected
from tests.fakes.virtual_loop import run_virtual

REQUEST = b"GET / HTTP/1.1\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
FINAL = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>"


async def head_of(connection: HttpConnection, *pieces: bytes) -> RawResponseMessage:
    """The head that somebody reads who waits while these pieces come."""
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(connection.read_head(), name="reader")
        for piece in pieces:
            await asyncio.sleep(0)
            connection.data_received(piece)
    return reading.result()[0]


@pytest.mark.parametrize("cut", [1, 15, len(FINAL) - 1])
def test_the_server_is_still_waited_for_after_an_interim_response(cut: int) -> None:
    now_s = 100.0

    async def main() -> None:
        nonlocal now_s
        spent = ServerTime(lambda: now_s)
        connection, _ = connected()
        connection.write_request(REQUEST, spent)
        async with asyncio.TaskGroup() as group:
            group.create_task(connection.read_head(), name="reader")
            for piece in (HINTS, FINAL[:cut]):
                connection.data_received(piece)
                await asyncio.sleep(0)
                now_s += 5.0
            assert spent.elapsed_s == 10.0
            connection.data_received(FINAL[cut:])
        now_s += 5.0
        assert spent.elapsed_s == 10.0

    run_virtual(main())


@pytest.mark.parametrize("pieces", [[HINTS, FINAL], [HINTS + FINAL[:9], FINAL[9:]]])
def test_an_interim_response_in_pieces_delays_nothing(pieces: list[bytes]) -> None:
    async def main() -> None:
        connection, _ = connected()
        connection.write_request(REQUEST, ServerTime())
        head = await head_of(connection, *pieces)
        assert head.code == 200
        assert connection.is_free

    run_virtual(main())


ODD = b"HTTP/1.1 200 OK\r\nodd line\r\nContent-Length: 3\r\n\r\n<p>"


@pytest.mark.parametrize("pieces", [[HINTS, ODD], [HINTS + ODD], [HINTS[:9], HINTS[9:] + ODD]])
def test_an_odd_head_after_an_interim_response_is_read_as_browsers_do(pieces: list[bytes]) -> None:
    async def main() -> None:
        connection, _ = connected()
        connection.write_request(REQUEST, ServerTime())
        head = await head_of(connection, *pieces)
        assert head.code == 200
        assert ResponseWarning.HEADER_LINE in connection.malformed

    run_virtual(main())


@pytest.mark.parametrize("pieces_of", [1, 7, 1 << 20])
@pytest.mark.parametrize(("interim", "is_read"), [(32, True), (33, False), (4_000, False)])
def test_odd_interim_responses_are_counted(pieces_of: int, interim: int, *, is_read: bool) -> None:
    came = b"HTTP/1.1 103 \r\nodd line\r\n\r\n" * interim + FINAL
    pieces = [came[at : at + pieces_of] for at in range(0, min(len(came), 2_000), pieces_of)]

    async def main() -> None:
        connection, line = connected()
        connection.write_request(REQUEST, ServerTime())
        for piece in pieces:
            if not line.is_closed:
                connection.data_received(piece)
        assert line.is_closed is not is_read
        if is_read:
            assert (await connection.read_head())[0].code == 200
        else:
            with pytest.raises(MalformedResponseError) as refused:
                await connection.read_head()
            assert refused.value.detail == DetailCode.HTTP_INTERIM(most=MAX_INTERIM_RESPONSES)

    run_virtual(main())
