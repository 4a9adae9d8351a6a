"""Runs asyncio on Qt's event loop through qasync, tuned for low overhead and fairness.

qasync starts a Qt timer for every callback, and a cancelled handle leaves its timer alive until
it is due. `WindowLoop` keeps callbacks as asyncio does: one deque of what is ready, run in passes
by one zero timer, and one heap of what is due later, woken by one timer.

Cyclic garbage is collected on the loop's thread, between its passes. Python does that in whichever
thread happens to allocate: in a reader's thread it would delete widgets there, and Qt's next timer
would fire at a deleted one, which ends the process.
"""

import asyncio
import gc
import heapq
import itertools
import math
import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context
from typing import TYPE_CHECKING, Any, Final

os.environ["QT_API"] = "pyside6"  # qasync uses the first binding that it finds

from PySide6.QtCore import QObject, Qt, QTimer, QTimerEvent, Signal
from qasync import QEventLoop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtWidgets import QApplication

PASS_S: Final = 0.008
"""Longest time that callbacks are run before Qt may paint and handle clicks again."""

_PURGE_AT: Final = 64
"""Fewer cancelled handles than this are left in the heap until they are due."""
_THREADS: Final = 4
_LONGEST_S: Final = 86_400.0
"""Qt's timers count milliseconds in 32 bits; what is due later is checked once a day."""


class WindowLoop(QEventLoop):  # type: ignore[misc] # qasync has no annotations
    """An asyncio event loop on the Qt main thread.

    Callbacks run in the order of `call_soon`, timers in the order they are due; what becomes
    ready during a pass runs in the next one, as on asyncio. A nested Qt event loop that is
    entered from inside a callback runs no callbacks: tasks cannot be entered twice.
    """

    def __init__(self, app: "QApplication") -> None:
        self._soon: deque[asyncio.Handle] = deque()
        self._due: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._count = itertools.count()
        self._cancelled = 0
        self._in_pass = False
        self._wake_at = math.inf
        self._pump = _Pump(self._run_pass, self._ring)
        super().__init__(app)
        self._pump.arrived.connect(self._add_callback)
        self.set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="window"))

    def call_soon(
        self, callback: "Callable[..., object]", *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """Run `callback` in the next pass."""
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context=context)
        self._add_callback(handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: "Callable[..., object]",
        *args: object,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run `callback` in `delay` seconds, at the precision of Qt's timers: 1 ms."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: "Callable[..., object]",
        *args: object,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run `callback` at `when` on this loop's clock."""
        self._check_closed()
        handle = asyncio.TimerHandle(when, callback, args, self, context=context)
        heapq.heappush(self._due, (when, next(self._count), handle))
        handle._scheduled = True  # type: ignore[attr-defined] # noqa: SLF001 - cancel() tells us
        if when < self._wake_at:
            self._set_alarm(when)
        return handle

    def call_soon_threadsafe(
        self, callback: "Callable[..., object]", *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """Run `callback` in a coming pass; from any thread."""
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context=context)
        self._pump.arrived.emit(handle)
        return handle

    def run_forever(self) -> None:
        """Run until `stop`; asynchronous generators are finalised as on asyncio.

        Meanwhile garbage is collected by this thread alone.
        """
        hooks = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(
            firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook
        )
        try:
            with collected_by_hand():
                super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*hooks)

    def close(self) -> None:
        """Drop all callbacks, end the threads; the loop cannot run again."""
        super().close()
        self._pump.stop()
        self._soon.clear()
        self._due.clear()

    def pending_timers(self) -> int:
        """Timer handles held, cancelled ones included."""
        return len(self._due)

    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        """Append a ready handle. asyncio calls this for signals, the pump for threads."""
        del delay
        self._soon.append(handle)
        if not self._in_pass:
            self._pump.run_soon()
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Count a cancelled timer; asyncio.TimerHandle.cancel calls this."""
        del handle
        self._cancelled += 1
        if self._cancelled >= _PURGE_AT and self._cancelled * 2 > len(self._due):
            self._due = [entry for entry in self._due if not entry[2].cancelled()]
            heapq.heapify(self._due)
            self._cancelled = 0

    def _run_pass(self) -> None:
        """Run what is ready now, for at most PASS_S."""
        if self._in_pass:
            self._pump.rest()  # a nested event loop must not spin; the outer pass goes on
            return
        self._in_pass = True
        clock = self.time
        start = clock()
        end = start + PASS_S
        soon = self._soon
        self._take_due(start)
        try:
            for _ in range(len(soon)):
                handle = soon.popleft()
                if not handle.cancelled():
                    handle._run()  # noqa: SLF001 - this is what a loop does with a handle
                    if clock() >= end:
                        break
        finally:
            handle = None  # type: ignore[assignment] # else the last task lives until the next
            self._in_pass = False
            if soon:
                self._pump.run_soon()
            else:
                self._pump.rest()
            if self._due and self._due[0][0] != self._wake_at:
                self._set_alarm(self._due[0][0])
        collect_due()

    def _ring(self) -> None:
        """The alarm went off; Qt may be a little early, so the next one is always set again."""
        self._wake_at = math.inf
        self._run_pass()

    def _take_due(self, now: float) -> None:
        """Move the timers that are due to what is ready."""
        due = self._due
        while due and (due[0][0] <= now or due[0][2].cancelled()):
            handle = heapq.heappop(due)[2]
            handle._scheduled = False  # type: ignore[attr-defined] # noqa: SLF001 - left the heap
            if handle.cancelled():
                self._cancelled -= 1
            else:
                self._soon.append(handle)

    def _set_alarm(self, when: float) -> None:
        self._wake_at = when
        self._pump.run_in(min(when - self.time(), _LONGEST_S))


class _Pump(QObject):
    """The two Qt timers of a loop and its entry for other threads."""

    arrived = Signal(object)

    def __init__(self, run_pass: "Callable[[], None]", ring: "Callable[[], None]") -> None:
        super().__init__()
        self._run_pass = run_pass
        self._zero = 0
        self._alarm = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._alarm.timeout.connect(ring)

    def run_soon(self) -> None:
        """Run passes, one per turn of Qt's loop, until `rest`."""
        if not self._zero:
            self._zero = self.startTimer(0)

    def rest(self) -> None:
        """Nothing is ready: no pass until `run_soon` or the alarm."""
        if self._zero:
            self.killTimer(self._zero)
            self._zero = 0

    def run_in(self, delay_s: float) -> None:
        """Ring in `delay_s` seconds, replacing any earlier setting."""
        self._alarm.start(max(0, math.ceil(delay_s * 1000)))

    def stop(self) -> None:
        """Run no more passes."""
        self.rest()
        self._alarm.stop()

    def timerEvent(self, event: QTimerEvent) -> None:
        """Run one pass."""
        del event
        self._run_pass()


def run(app: "QApplication", main: "Coroutine[Any, Any, int]") -> int:
    """Run `main` on a WindowLoop of `app` to its end and return its result.

    Tasks that `main` leaves behind are cancelled and awaited, as by asyncio.run.
    """
    with asyncio.Runner(loop_factory=lambda: WindowLoop(app)) as runner:
        return runner.run(main)


@contextmanager
def collected_by_hand() -> Iterator[None]:
    """Inside, no thread collects anything except by `collect_due`."""
    automatic = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if automatic:
            gc.enable()


def collect_due() -> None:
    """Collect the oldest generation whose threshold is passed, as Python does by itself.

    Costs a tenth of a microsecond while there is nothing to do.
    """
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if counts[0] > thresholds[0]:
        # A threshold of 0 is none: that of the oldest, where Python collects it bit by bit.
        gc.collect(max(i for i in range(3) if counts[i] > thresholds[i] and thresholds[i]))
