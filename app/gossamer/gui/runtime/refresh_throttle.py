"""How often a panel reads again: soon, but never so often that it is busy with that alone."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

REST: Final = 5
"""A refresh that took t seconds is followed by a rest of at least 5 t."""

_LONGEST_REST_S: Final = 30.0


class RefreshThrottle(QObject):
    """Turns any number of wishes for a refresh into few: one at a time, with rests between.

    Connect `due`; call `finished` when what `due` started is over. `clock` gives seconds.
    """

    due = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        least_s: float = 0.0,
    ) -> None:
        """A rest is never shorter than `least_s`."""
        super().__init__(parent)
        self._clock = clock
        self._least_s = least_s
        self._wanted = False
        self._started: float | None = None
        self._rest_until = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._consider)

    def want(self) -> None:
        """Wish for a refresh."""
        self._wanted = True
        self._consider()

    def finished(self) -> None:
        """The refresh is over."""
        if self._started is None:
            return
        now = self._clock()
        rest_s = min(REST * (now - self._started), _LONGEST_REST_S)
        self._rest_until = now + max(rest_s, self._least_s)
        self._started = None
        self._consider()

    def reset(self) -> None:
        """Forget wishes, and the refresh under way."""
        self._wanted = False
        self._started = None
        self._rest_until = 0.0
        self._timer.stop()

    def _consider(self) -> None:
        if not self._wanted or self._started is not None:
            return
        rest_s = self._rest_until - self._clock()
        if rest_s > 0:
            self._timer.start(int(rest_s * 1_000) + 1)
            return
        self._wanted = False
        self._started = self._clock()
        self.due.emit()
