"""How long a hop may take: one deadline for all of it, and a least pace for its body."""

import asyncio
from types import TracebackType
from typing import Self

from gossamer.fetch.response_timing import ServerTime
from gossamer.model.outcome_details import DetailCode, DetailedError

GRACE_S = 10.0
"""A body may come as slowly as it likes for so long."""
LEAST_BYTES_PER_S = 100.0
"""After that, its average has to be at least this: a drip would last until the deadline."""
_LEAST_WAIT_S = 0.02
"""Until it is looked again what time it is: the server's may stand still."""
_LOOKS = 3
"""Turns of the loop in which connections are looked at, before time is up."""


class TooSlowError(DetailedError):
    """The body came below the least pace."""


class TooLateError(DetailedError, TimeoutError):
    """The time for a hop, or for its connection, is up."""


def too_slow_at(received_bytes: int, grace_s: float = GRACE_S) -> float:
    """Seconds after its beginning at which a body of so many bytes so far becomes too slow."""
    return max(grace_s, received_bytes / LEAST_BYTES_PER_S)


class Deadline:
    """A `with` block of a task that ends in TooLateError, or in TooSlowError, when time is up.

    It ends just as that of `asyncio.timeout` does, which takes twice as long. What counts is the
    server's time.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        server_time: ServerTime,
        total_s: float,
        grace_s: float = GRACE_S,
    ) -> None:
        """`loop` is the running one, which it takes a system call to find."""
        self._loop = loop
        self._server_time = server_time
        self._total_s = total_s
        self._grace_s = grace_s
        self._when = total_s
        self._body_began: float | None = None
        self._timer: asyncio.Handle | None = None
        self._timer_at = 0.0
        """When the timer looks at the time, in that of the server."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._is_up = False

    def __enter__(self) -> Self:
        self._task = asyncio.current_task(self._loop)
        assert self._task is not None  # noqa: S101 - who has no task cannot wait
        self._cancelling = self._task.cancelling()
        self._wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop()
        if not self._is_up or self._task is None:
            return
        # Who else cancelled the task meanwhile is to have it cancelled.
        if self._task.uncancel() > self._cancelling or kind is not asyncio.CancelledError:
            return
        if self._when < self._total_s:
            raise TooSlowError(DetailCode.PACE(least=LEAST_BYTES_PER_S)) from problem
        raise TooLateError(DetailCode.NO_WHOLE_ANSWER(seconds=self._total_s)) from problem

    def pace(self, received_bytes: int) -> None:
        """Wait for more of a body of which so much has come; the first call marks its beginning."""
        if self._body_began is None:
            self._body_began = self._server_time.so_far_s
        self._move(self._body_began + too_slow_at(received_bytes, self._grace_s))

    def hurry(self, seconds: float) -> None:
        """Give up in so many seconds, if not before: what comes is not worth waiting for."""
        self._move(self._server_time.so_far_s + seconds)

    def _move(self, when: float) -> None:
        self._when = min(when, self._total_s)
        if self._when < self._timer_at:  # what comes too early looks, and waits again
            self._stop()
            self._wait()

    def _wait(self) -> None:
        self._timer_at = self._when
        left_s = max(self._when - self._server_time.so_far_s, _LEAST_WAIT_S)
        self._timer = self._loop.call_later(left_s, self._look, _LOOKS)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, times: int) -> None:
        """See whether time is up. This process may be late: what has come is taken in first."""
        if self._server_time.so_far_s < self._when:
            self._wait()
        elif times:
            self._timer = self._loop.call_soon(self._look, times - 1)
        else:
            self._interrupt()

    def _interrupt(self) -> None:
        self._is_up = True
        if self._task is not None:
            self._task.cancel()
