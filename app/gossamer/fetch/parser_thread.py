"""Runs slow work such as parsing in a thread, with a timeout, off the event loop.

The HTML parser lets other threads run while it works. A thread cannot be ended from outside: one
that takes too long is abandoned. It does not delay the end of the process.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Generic, TypeVar

from gossamer.model.outcome_details import DetailCode, DetailedError

T = TypeVar("T")

_WAITS: Final = 6
"""How many times its limit a piece of work may last on a busy machine."""


def time_left(limit_s: float, clock_s: float, processor_s: float) -> float:
    """How long to wait at least for work with a limit, after so long by the clock, in seconds.

    `processor_s` is what the process has had of the processors meanwhile. A machine that is busy
    with something else is no reason to give a page up. Not positive: time is up.
    """
    return min(limit_s - processor_s, _WAITS * limit_s - clock_s)


class WorkTimeoutError(DetailedError):
    """The work exceeded its time limit."""


class SerialThread:
    """Runs one job at a time: two parse trees at once would not fit in memory."""

    def __init__(
        self, limit_s: float, processor_s: Callable[[], float] = time.process_time
    ) -> None:
        """Each piece of work may take `limit_s`; waiting for its turn does not count.

        `processor_s` is the clock of the process, which stops while others have the processors.
        """
        self._limit_s = limit_s
        self._processor_s = processor_s
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; WorkTimeoutError when it takes too long.

        Cancelled, it returns at once, though the thread goes on to the end.
        """
        async with self._turn:
            piece = _Piece(work)
            # Not an executor's thread: those are waited for when the process ends.
            threading.Thread(target=piece.do, name="aside", daemon=True).start()
            if not await self._is_done(piece):
                raise WorkTimeoutError(DetailCode.TOOK_LONG(seconds=self._limit_s))
        return piece.result()

    async def _is_done(self, piece: "_Piece[T]") -> bool:
        """Wait for it, and say whether it is done within its time."""
        begun_s, worked_s, left_s = time.monotonic(), self._processor_s(), self._limit_s
        while left_s > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(left_s, self._limit_s / 10)):
                    return await piece.done.wait()
            clock_s = time.monotonic() - begun_s
            left_s = time_left(self._limit_s, clock_s, self._processor_s() - worked_s)
        return False


class _Piece(Generic[T]):
    """One piece of work, its result, and an event for the loop it was made on."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._loop = asyncio.get_running_loop()
        self._work = work
        self._results: list[T] = []
        self._problem: BaseException | None = None
        self.done = asyncio.Event()

    def do(self) -> None:
        """Work; in the thread."""
        try:
            self._results.append(self._work())
        except BaseException as problem:  # noqa: BLE001 - handed to the task that waits
            self._problem = problem
        # The loop may have ended meanwhile: then nobody waits.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.done.set)

    def result(self) -> T:
        """What the work returned or raised, once it is done."""
        if self._problem is not None:
            raise self._problem
        return self._results[0]
