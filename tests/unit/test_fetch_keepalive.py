"""Which connections are used again, and how long they wait for it."""

import asyncio
import gc

import pytest
from yarl import URL

from gossamer.fetch.connector import Endpoint
from gossamer.fetch.http_client import KEEP_ALIVE_S, IdleConnections
from gossamer.fetch.timeouts import ServerTime
from tests.fakes.connections import connected
from tests.fakes.virtual_loop import run_virtual

HERE = Endpoint(URL("http://here.example/"))
THERE = Endpoint(URL("http://there.example/"))


def test_the_most_recently_used_connection_is_taken_first() -> None:
    async def main() -> None:
        idle = IdleConnections()
        (first, _), (second, _), (other, _) = connected(), connected(), connected()
        idle.keep(HERE, first)
        idle.keep(THERE, other)
        idle.keep(HERE, second)
        assert [idle.take(HERE) for _ in range(3)] == [second, first, None]
        assert idle.take(THERE) is other

    run_virtual(main())


def test_a_connection_that_waits_holds_nothing_of_the_answer_before() -> None:
    body = b"%x\r\n" % 100_000 + bytes(100_000) + b"\r\n0\r\n\r\n"

    async def main() -> None:
        connection, _ = connected()
        connection.write_request(b"GET / HTTP/1.1\r\n\r\n", ServerTime())
        connection.data_received(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        _, payload = await connection.read_head()
        connection.data_received(body)
        await payload.read()
        assert connection.is_free
        IdleConnections().keep(HERE, connection)
        assert not [
            part for part in gc.get_referents(connection) if isinstance(part, list) and part
        ]

    run_virtual(main())


def test_connections_closed_by_the_server_are_not_reused() -> None:
    async def main() -> None:
        idle = IdleConnections()
        (open_one, _), (lost_one, _) = connected(), connected()
        idle.keep(HERE, open_one)
        idle.keep(HERE, lost_one)
        lost_one.connection_lost(None)
        assert idle.take(HERE) is open_one

    run_virtual(main())


@pytest.mark.parametrize(
    "unasked", [b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", b"HTTP/1.1 2"]
)
def test_a_connection_with_unsolicited_data_is_closed(unasked: bytes) -> None:
    async def main() -> None:
        idle = IdleConnections()
        connection, line = connected()
        idle.keep(HERE, connection)
        connection.data_received(unasked)
        assert idle.take(HERE) is None
        assert line.is_closed

    run_virtual(main())


def test_connections_idle_for_too_long_are_closed() -> None:
    async def main() -> None:
        idle = IdleConnections()
        (old, old_line), (new, new_line) = connected(), connected()
        idle.keep(HERE, old)
        await asyncio.sleep(KEEP_ALIVE_S - 1.0)
        assert not old_line.is_closed
        idle.keep(HERE, new)
        await asyncio.sleep(6.0)
        assert (old_line.is_closed, new_line.is_closed) == (True, False)
        assert idle.take(HERE) is new
        idle.keep(THERE, new)
        await asyncio.sleep(10 * KEEP_ALIVE_S)
        assert new_line.is_closed

    run_virtual(main())


def test_all_connections_can_be_closed() -> None:
    async def main() -> None:
        idle = IdleConnections()
        (here, here_line), (there, there_line) = connected(), connected()
        idle.keep(HERE, here)
        idle.keep(THERE, there)
        idle.close()
        assert here_line.is_closed
        assert there_line.is_closed
        assert idle.take(HERE) is None

    run_virtual(main())
