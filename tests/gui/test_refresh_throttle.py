"""When the parts of the window refresh; the clock and the timer are the test's own."""

from collections.abc import Callable

from gossamer.gui.runtime.refresh_throttle import REST, PartRefresh, RefreshThrottle


class Clock:
    """Seconds that pass when the test says so; `wake_in` works as a timer of one shot."""

    def __init__(self) -> None:
        self.now = 100.0
        self._wakes_at: float | None = None
        self.throttle = RefreshThrottle(self._wake_in, clock=lambda: self.now)

    def pass_until(self, end: float) -> None:
        while self._wakes_at is not None and self._wakes_at <= end:
            self.now, self._wakes_at = self._wakes_at, None
            self.throttle.run_due()
        self.now = end

    def _wake_in(self, delay_s: float) -> None:
        self._wakes_at = self.now + max(0.001, delay_s)


class Part:
    """A part that notes when its refreshes start; `at_once` answers each as it starts.

    Its first refresh is over and rested from, unless it is `new`.
    """

    def __init__(
        self, clock: Clock, interval_s: float = 0.0, *, at_once: bool = False, new: bool = False
    ) -> None:
        self.starts: list[float] = []
        self._clock = clock
        self._at_once = at_once
        self.refresh: PartRefresh = clock.throttle.add(self._start, interval_s)
        if not new:
            clock.now -= interval_s
            self.refresh.request()
            self.refresh.finished()
            clock.now += interval_s
            self.starts.clear()

    def _start(self) -> None:
        self.starts.append(round(self._clock.now, 2))
        if self._at_once:
            self.refresh.finished()


def feed(clock: Clock, until: float, request: Callable[[], None]) -> None:
    """News every 100 ms."""
    while clock.now < until - 0.05:
        request()
        clock.pass_until(round(clock.now + 0.1, 2))


def test_counters_refresh_five_times_a_second_and_panels_every_second_time_with_them() -> None:
    clock = Clock()
    counters, panels = Part(clock, 0.2, at_once=True), Part(clock, 0.4, at_once=True)

    def request() -> None:
        counters.refresh.request()
        panels.refresh.request()

    feed(clock, 101.0, request)
    assert counters.starts == [100.0, 100.2, 100.4, 100.6, 100.8]
    assert panels.starts == [100.0, 100.4, 100.8]


def test_a_refresh_never_starts_before_the_last_was_answered() -> None:
    clock = Clock()
    part = Part(clock, 0.4)
    feed(clock, 105.0, part.refresh.request)
    assert part.starts == [100.0]
    part.refresh.finished()
    clock.pass_until(105.0 + REST * 5.0 - 0.01)
    assert part.starts == [100.0]
    clock.pass_until(105.0 + REST * 5.0 + 0.01)
    assert part.starts == [100.0, 130.0]


def test_a_part_that_is_not_answered_keeps_no_other_waiting() -> None:
    clock = Clock()
    slow, fast = Part(clock), Part(clock, 0.4, at_once=True)
    slow.refresh.request()
    feed(clock, 101.0, fast.refresh.request)
    assert fast.starts == [100.0, 100.4, 100.8]


def test_the_first_refresh_is_rested_from_only_as_long_as_it_took() -> None:
    clock = Clock()
    part = Part(clock, new=True)
    part.refresh.request()
    clock.pass_until(100.1)
    part.refresh.request()
    part.refresh.finished()
    clock.pass_until(101.0)
    part.refresh.request()
    part.refresh.finished()
    clock.pass_until(101.0 + REST * 0.8 - 0.01)
    assert part.starts == [100.0, 100.2]
    clock.pass_until(101.0 + REST * 0.8 + 0.01)
    assert part.starts == [100.0, 100.2, 105.0]
    part.refresh.finished()
    part.refresh.reset()
    part.refresh.request()
    clock.pass_until(106.0)
    part.refresh.request()
    part.refresh.finished()
    clock.pass_until(107.5)
    assert len(part.starts) == 5, "after a reset there is a first one again"


def test_many_requests_during_a_refresh_are_one_more_refresh() -> None:
    clock = Clock()
    part = Part(clock)
    for _ in range(3):
        part.refresh.request()
    clock.pass_until(100.01)
    part.refresh.finished()
    clock.pass_until(100.05)
    assert part.starts == [100.0], "no sooner than after a rest of five times as long"
    clock.pass_until(110.0)
    part.refresh.finished()
    clock.pass_until(300.0)
    assert part.starts == [100.0, 100.06]


def test_no_rest_is_longer_than_half_a_minute() -> None:
    clock = Clock()
    part = Part(clock)
    part.refresh.request()
    clock.pass_until(200.0)
    part.refresh.request()
    part.refresh.finished()
    clock.pass_until(229.9)
    assert part.starts == [100.0]
    clock.pass_until(230.1)
    assert part.starts == [100.0, 230.0]


def test_a_reset_forgets_requests_rests_and_the_refresh_under_way() -> None:
    clock = Clock()
    part = Part(clock, 10.0)
    part.refresh.request()
    part.refresh.request()
    part.refresh.reset()
    part.refresh.finished()
    clock.pass_until(101.0)
    assert part.starts == [100.0]
    part.refresh.request()
    assert part.starts == [100.0, 101.0]
