"""Detects that the machine was suspended or this process was stopped."""

import time
from collections.abc import Callable
from typing import Final

SLEPT_S: Final = 10.0
"""With so much between two clocks the machine has slept: servers have hung up meanwhile."""
STOPPED_S: Final = 30.0
"""So long after the last look, nothing here has run."""


def _time_awake_or_not() -> float:
    """Seconds on a clock that goes on while the machine sleeps.

    Where there is none, the time of day, which people set: that looks like sleep, and does no harm.
    """
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.time() if boot is None else time.clock_gettime(boot)


class SuspendDetector:
    """Compares a clock that stops while the machine sleeps with one that does not.

    On Windows both go on; there, and where the process itself was stopped, the gap since the last
    look tells.
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
        """Whether so much time was missed since the last look. To be asked often."""
        awake, always = self._awake_s(), self._always_s()
        ran, passed = awake - self._awake, always - self._always
        self._awake, self._always = awake, always
        return passed - ran > SLEPT_S or ran > STOPPED_S
