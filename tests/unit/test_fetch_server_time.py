"""The server's time, apart from our own."""

import asyncio
import socket
import sys

import pytest

from gossamer.fetch.timeouts import WORTH_ASKING_S, ServerTime, waited_s

PATIENCE_S = 10.0
WAITED_S = 0.05


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.spent = ServerTime(self)

    def __call__(self) -> float:
        return self.now_s

    def passes(self, seconds: float) -> ServerTime:
        self.now_s += seconds
        return self.spent


def at_once() -> float:
    return 0.0


def never_asked() -> float:
    raise AssertionError("the system was asked")


def test_what_waited_for_us_does_not_count() -> None:
    clock = Clock()
    clock.passes(5.0).record_bytes(lambda: 4.0)
    clock.spent.record_head()
    clock.passes(3.0).record_bytes(lambda: 2.5)
    assert (clock.spent.first_byte_ms, clock.spent.last_byte_ms) == (1000, 1500)


def test_what_was_there_before_the_last_bytes_were_taken_took_no_time() -> None:
    clock = Clock()
    clock.passes(1.0).record_bytes(at_once)
    clock.passes(2.0).record_bytes(lambda: 60.0)
    assert clock.spent.last_byte_ms == 1000


def test_the_system_is_not_asked_about_moments() -> None:
    clock = Clock()
    clock.passes(WORTH_ASKING_S / 2).record_bytes(never_asked)
    assert clock.spent.last_byte_ms == 5


def test_no_time_passes_while_nothing_is_taken() -> None:
    clock = Clock()
    clock.passes(1.0).pause()
    clock.passes(50.0).pause()
    assert clock.spent.elapsed_s == 1.0
    clock.spent.resume()
    clock.passes(2.0).resume()
    assert clock.spent.elapsed_s == 3.0
    clock.passes(1.0).record_bytes(at_once)
    assert clock.spent.last_byte_ms == 4000


def test_what_passed_before_the_server_was_asked_is_ours() -> None:
    clock = Clock()
    clock.passes(7.0).restart()
    clock.passes(2.0).record_bytes(at_once)
    assert clock.spent.last_byte_ms == 2000


def test_a_second_request_is_measured_by_itself_and_the_whole_goes_on() -> None:
    clock = Clock()
    clock.passes(2.0).record_bytes(at_once)
    clock.spent.pause()
    clock.passes(9.0).start_over()
    clock.passes(1.0).record_bytes(at_once)
    clock.spent.record_head()
    assert (clock.spent.first_byte_ms, clock.spent.last_byte_ms) == (1000, 1000)
    assert clock.spent.elapsed_s == 3.0
    assert clock.passes(4.0).waiting_ms == 5000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_system_tells_how_long_data_has_been_there() -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            server, _ = listener.accept()
            with server:
                server.send(b"x")
                await reader.readexactly(1)
                async with asyncio.timeout(PATIENCE_S):
                    while waited_s(writer.transport) < WAITED_S:  # noqa: ASYNC110 - no event tells
                        await asyncio.sleep(0)
                writer.close()

    asyncio.run(main())


def test_where_nobody_tells_nothing_has_waited() -> None:
    assert waited_s(None) == 0.0
    assert waited_s(asyncio.BaseTransport()) == 0.0
