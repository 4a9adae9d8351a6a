"""Sleep told from work, on clocks that the test sets."""

import pytest

from gossamer.crawl_host.suspend_detector import SLEPT_S, STOPPED_S, SuspendDetector


class Clocks:
    def __init__(self) -> None:
        self.awake_s, self.always_s = 1000.0, 5000.0
        self.watch = SuspendDetector(lambda: self.awake_s, lambda: self.always_s)

    def work(self, seconds: float) -> None:
        self.awake_s += seconds
        self.always_s += seconds

    def sleep(self, seconds: float) -> None:
        self.always_s += seconds


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_an_hour_of_sleep_is_noticed_once(clocks: Clocks) -> None:
    clocks.work(0.1)
    assert not clocks.watch.slept()
    clocks.sleep(3600.0)
    clocks.work(0.1)
    assert clocks.watch.slept()
    clocks.work(0.1)
    assert not clocks.watch.slept()


def test_a_process_that_was_stopped_notices(clocks: Clocks) -> None:
    clocks.work(STOPPED_S + 1)
    assert clocks.watch.slept()


def test_a_machine_under_load_does_not_sleep(clocks: Clocks) -> None:
    for _ in range(100):
        clocks.work(STOPPED_S - 1)
        assert not clocks.watch.slept()


@pytest.mark.parametrize("seconds", [-86_400.0, -3600.0, 1.0, SLEPT_S - 1])
def test_a_clock_that_is_set_back_or_a_little_does_not_matter(
    clocks: Clocks, seconds: float
) -> None:
    clocks.sleep(seconds)
    assert not clocks.watch.slept()
    clocks.work(0.1)
    assert not clocks.watch.slept()


def test_the_clocks_of_this_machine_agree() -> None:
    assert not SuspendDetector().slept()
