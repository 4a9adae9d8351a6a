"""Detects that the machine was suspended or this process was stopped."""

import time
from collections.abc import Callable
from typing import Final

SLEPT_S: Final = 10.0
"""If two clocks differ by so much, the machine has slept, and servers have hung up."""
STOPPED_S: Final = 30.0
"""This long after the last check, the process must have been stopped."""


def _time_awake_or_not() -> float:
    """Seconds on a clock that continues while the machine sleeps.

    Without one, the time of day: setting it looks like sleep, which does no harm.
    """
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.time() if boot is None else time.clock_gettime(boot)


class SuspendDetector:
    """Compares a clock that stops while the machine sleeps with one that does not.

    On Windows both continue; there, and if the process itself was stopped, the gap since the last
    check tells.
    """

    def __init__(
        self,
        awake_s: Callable[[], float] = time.monotonic,
        always_s: Callable[[], float] = _time_awake_or_not,
    ) -> None:
        """Take the two clocks."""
        self._awake_s, self._always_s = awake_s, always_s
        self._awake, self._always = awake_s(), always_s()

    def slept(self) -> bool:
        """Whether the machine or process slept since the last check. Call it often."""
        awake, always = self._awake_s(), self._always_s()
        ran, passed = awake - self._awake, always - self._always
        self._awake, self._always = awake, always
        return passed - ran > SLEPT_S or ran > STOPPED_S
