"""Schedules and throttles the refresh of counters, charts and panels."""

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

REST: Final = 5
"""A refresh that took t seconds is followed by a rest of at least 5 t."""
FIRST_REST: Final = 1
"""The same of the first one, which opens the project: others take a fraction of its time."""

_LONGEST_REST_S: Final = 30.0


class PartRefresh:
    """Refreshes one part of the window: merges requests and runs one refresh at a time.

    `start` begins one; call `finished` when all its requests have results.
    """

    def __init__(
        self, throttle: "RefreshThrottle", start: Callable[[], None], interval_s: float
    ) -> None:
        self._throttle = throttle
        self._start = start
        self._interval_s = interval_s
        self._requested = False
        self._started_at: float | None = None
        self._rests_until = -math.inf
        self._is_first = True

    def request(self) -> None:
        """Refresh now, or as soon as the last refresh is over and has been rested from."""
        self._requested = True
        self._throttle.run_due()

    def finished(self) -> None:
        """The current refresh is over."""
        if self._started_at is None:
            return
        now = self._throttle.clock()
        times = FIRST_REST if self._is_first else REST
        rest_s = min(times * (now - self._started_at), _LONGEST_REST_S)
        self._rests_until = now + max(rest_s, self._interval_s)
        self._started_at, self._is_first = None, False
        if self._requested:
            self._throttle.run_due()

    def reset(self) -> None:
        """Drop requests, and the current refresh."""
        self._requested = False
        self._started_at = None
        self._rests_until = -math.inf
        self._is_first = True

    def due_at(self) -> float:
        """When the next refresh may start; infinity if none is requested or one is running."""
        if not self._requested or self._started_at is not None:
            return math.inf
        return self._rests_until

    def run(self) -> None:
        """Start it."""
        self._requested = False
        self._started_at = self._throttle.clock()
        self._start()


class RefreshThrottle:
    """Starts all refreshes of a window. Independent of Qt: `wake_in` schedules `run_due`."""

    def __init__(
        self, wake_in: Callable[[float], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = clock
        self._wake_in = wake_in
        self._refreshes: list[PartRefresh] = []

    def add(self, start: Callable[[], None], interval_s: float = 0.0) -> PartRefresh:
        """Add a part that refreshes by `start`, after a rest of at least `interval_s`."""
        refresh = PartRefresh(self, start, interval_s)
        self._refreshes.append(refresh)
        return refresh

    def run_due(self) -> None:
        """Start what is requested and rested, and schedule the next."""
        now = self.clock()
        for refresh in self._refreshes:
            if refresh.due_at() <= now:
                refresh.run()
        next_at = min((refresh.due_at() for refresh in self._refreshes), default=math.inf)
        if next_at < math.inf:
            self._wake_in(next_at - self.clock())


def refresh_throttle(parent: QObject) -> RefreshThrottle:
    """A throttle on a timer of Qt's, which lives as long as `parent`."""
    timer = QTimer(parent, singleShot=True)
    throttle = RefreshThrottle(lambda delay_s: timer.start(max(0, int(delay_s * 1_000)) + 1))
    timer.timeout.connect(throttle.run_due)
    return throttle
