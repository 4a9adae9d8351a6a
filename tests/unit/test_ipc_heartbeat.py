"""The alarm that rings when somebody is silent, on a clock that jumps."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import TypeVarTuple

from gossamer.ipc.heartbeat import SilenceAlarm
from tests.fakes.virtual_loop import VirtualLoop, run_virtual

Arguments = TypeVarTuple("Arguments")
Deed = Callable[[SilenceAlarm], Awaitable[None]]


def rung(deed: Deed, until_s: float = 1000.0) -> list[float]:
    """The seconds at which the alarm rings that `deed` makes use of."""

    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        times: list[float] = []
        await deed(SilenceAlarm(lambda: times.append(loop.time())))
        await asyncio.sleep(until_s - loop.time())
        return times

    return run_virtual(main())


def test_the_alarm_rings_once_after_silence() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)

    assert rung(deed) == [75.0]


def test_the_alarm_counts_from_the_last_message() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)
        for _ in range(10):
            await asyncio.sleep(50.0)
            alarm.heard()

    assert rung(deed) == [575.0]


def test_the_alarm_is_silent_when_no_message_is_expected() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.heard()
        alarm.expect(75.0)
        await asyncio.sleep(70.0)
        alarm.rest()

    assert rung(deed) == []


def test_a_message_expected_later_has_the_full_time() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)
        await asyncio.sleep(10.0)
        alarm.rest()
        await asyncio.sleep(50.0)
        alarm.expect(75.0)

    assert rung(deed) == [135.0]


def test_the_alarm_rings_again_when_a_message_is_expected_again() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)
        await asyncio.sleep(100.0)
        alarm.expect(75.0)

    assert rung(deed) == [75.0, 175.0]


class CountingLoop(VirtualLoop):
    """Counts the timers that were set."""

    timers = 0

    def call_at(
        self,
        when: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)


def test_one_timer_suffices_for_any_number_of_messages() -> None:
    async def main() -> None:
        alarm = SilenceAlarm(lambda: None)
        for _ in range(1000):
            alarm.expect(75.0)
            alarm.heard()
            alarm.rest()
        alarm.expect(75.0)
        alarm.end()
        alarm.end()

    loop = CountingLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(main())
        assert loop.timers == 1


def test_a_closed_alarm_is_silent() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)
        alarm.end()

    assert rung(deed) == []


def test_after_the_own_process_was_stopped_the_full_time_counts_again() -> None:
    async def deed(alarm: SilenceAlarm) -> None:
        alarm.expect(75.0)
        await asyncio.sleep(50.0)
        sleeping = asyncio.get_running_loop()
        assert isinstance(sleeping, VirtualLoop)
        sleeping.jump(3600.0)

    assert rung(deed, until_s=5000.0) == [50.0 + 3600.0 + 75.0]
