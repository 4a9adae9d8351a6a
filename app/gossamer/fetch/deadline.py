"""How long a hop may take: one deadline for all of it, and a least pace for its body."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

GRACE_S = 10.0
"""A body may come as slowly as it likes for so long."""
LEAST_BYTES_PER_S = 100.0
"""After that, its average has to be at least this: a drip would last until the deadline."""


class TooSlowError(Exception):
    """The body came below the least pace."""


def too_slow_at(received_bytes: int, grace_s: float = GRACE_S) -> float:
    """Seconds after its beginning at which a body of so many bytes so far becomes too slow."""
    return max(grace_s, received_bytes / LEAST_BYTES_PER_S)


class Deadline:
    """A `with` block of a task that ends in TimeoutError, or in TooSlowError, when time is up.

    It ends just as that of `asyncio.timeout` does, which takes twice as long.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, total_s: float, grace_s: float = GRACE_S
    ) -> None:
        """The time starts now. `loop` is the running one, which it takes a system call to find."""
        self._loop = loop
        self._total_s = total_s
        self._grace_s = grace_s
        self._when = self._end = self._loop.time() + total_s
        self._body_began: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._is_up = False

    def __enter__(self) -> Self:
        self._task = asyncio.current_task(self._loop)
        assert self._task is not None  # noqa: S101 - who has no task cannot wait
        self._cancelling = self._task.cancelling()
        self._timer = self._loop.call_at(self._when, self._interrupt)
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
        if self._when < self._end:
            raise TooSlowError(f"less than {LEAST_BYTES_PER_S:g} bytes a second") from problem
        raise TimeoutError(f"no whole answer within {self._total_s:g} s") from problem

    def pace(self, received_bytes: int) -> None:
        """Wait for more of a body of which so much has come; the first call marks its beginning."""
        if self._body_began is None:
            self._body_began = self._loop.time()
        self._move(self._body_began + too_slow_at(received_bytes, self._grace_s))

    def hurry(self, seconds: float) -> None:
        """Give up in so many seconds, if not before: what comes is not worth waiting for."""
        self._move(self._loop.time() + seconds)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """A block during which no time passes: what is waited for in it is not the server's."""
        began = self._loop.time()
        self._stop()
        try:
            yield
        finally:
            waited_s = self._loop.time() - began
            self._end += waited_s
            if self._body_began is not None:
                self._body_began += waited_s
            self._move(self._end)

    def _move(self, when: float) -> None:
        when = min(when, self._end)
        if self._timer is None or when != self._when:
            self._stop()
            self._when = when
            self._timer = self._loop.call_at(when, self._interrupt)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _interrupt(self) -> None:
        self._is_up = True
        if self._task is not None:
            self._task.cancel()
