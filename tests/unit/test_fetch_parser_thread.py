"""How long pages may take to be read, on machines that are busy."""

import asyncio
import threading

import pytest

from gossamer.fetch.parser_thread import SerialThread, WorkTimeoutError, time_left


@pytest.mark.parametrize(
    ("clock_s", "processor_s", "left_s"),
    [
        (20.0, 20.0, 0.0),  # it was all its own
        (20.0, 39.0, -19.0),  # with other threads beside
        (20.0, 5.0, 15.0),  # others had the rest
        (110.0, 5.0, 10.0),  # but not for ever
        (120.0, 0.0, 0.0),  # such as what waits for something that never comes
    ],
)
def test_time_is_left_for_what_a_busy_machine_kept_waiting(
    clock_s: float, processor_s: float, left_s: float
) -> None:
    assert time_left(20.0, clock_s, processor_s) == left_s


def test_work_that_had_no_processor_goes_on_past_its_limit() -> None:
    let_go = threading.Event()
    readings: list[float] = []

    def stands_still() -> float:
        readings.append(0.0)
        if len(readings) > 1:  # past the limit
            let_go.set()
        return 0.0

    thread = SerialThread(0.2, stands_still)
    assert asyncio.run(thread.run(let_go.wait))
    assert len(readings) > 1


def test_work_that_had_its_time_is_given_up() -> None:
    let_go = threading.Event()
    readings = iter((0.0, 1.0))
    thread = SerialThread(0.05, lambda: next(readings))
    with pytest.raises(WorkTimeoutError):
        asyncio.run(thread.run(let_go.wait))
    let_go.set()
