"""Enforces the deadline and minimum speed of a hop, and measures server time.

A process that reads pages serves its connections late, and what has arrived by then has waited in
the system's buffers. If the system says for how long, that time does not count. A process
that checks a deadline late waits once more, for as long as it was late, up to the deadline.
"""

import asyncio
import socket
import sys
import time
from asyncio import BaseTransport
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from gossamer.model.outcome_details import DetailCode, DetailedError

WORTH_ASKING_S: Final = 0.01
"""What took less time cannot have waited for long: a system call would cost more."""
_LAST_DATA_RECEIVED: Final = slice(52, 56)
"""Where Linux's `struct tcp_info` has the milliseconds since the last data came."""


class ServerTime:
    """The part of a hop's time that the server took, in seconds.

    It runs while the server is waited for: from the beginning until bytes come, and from when they
    were read until more come. It stops while nothing is expected, or nothing is read.
    """

    __slots__ = ("_began_s", "_clock", "_head_s", "_since", "_spent_s")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """The server's time begins now."""
        self._clock = clock
        self._since: float | None = clock()
        """Since when the server is waited for."""
        self._spent_s = 0.0
        """The time before that."""
        self._began_s = 0.0
        """The time when the current request began."""
        self._head_s = 0.0

    def start_over(self) -> None:
        """Measure the next request by itself."""
        self._began_s = self._spent_s = self.elapsed_s
        self._since = self._clock()

    def restart(self) -> None:
        """Start the server's time now: the time since the last bytes was ours."""
        self._since = self._clock()

    def record_bytes(self, waited_s: Callable[[], float]) -> None:
        """Note that bytes are read, or may be sent; `waited_s` gives how long that was possible."""
        if self._since is None:
            return
        now = self._clock()
        took_s = now - self._since
        if took_s >= WORTH_ASKING_S:
            took_s -= min(took_s, waited_s())
        self._spent_s += took_s
        self._since = now

    def record_head(self) -> None:
        """Note that the last bytes were the end of the head."""
        self._head_s = self._spent_s

    def pause(self) -> None:
        """Stop the server's time, for now or for good."""
        if self._since is not None:
            self._spent_s += self._clock() - self._since
            self._since = None

    def resume(self) -> None:
        """Resume the server's time."""
        if self._since is None:
            self._since = self._clock()

    @property
    def elapsed_s(self) -> float:
        """The server's time up to now, from the first request on."""
        since = self._since
        return self._spent_s if since is None else self._spent_s + self._clock() - since

    @property
    def waiting_ms(self) -> int:
        """From the beginning of the current request until now."""
        return round((self.elapsed_s - self._began_s) * 1000)

    @property
    def first_byte_ms(self) -> int:
        """From the beginning of the current request to the head of its response."""
        return max(round((self._head_s - self._began_s) * 1000), 0)

    @property
    def last_byte_ms(self) -> int:
        """From the beginning of the current request to the last bytes received."""
        return round((self._spent_s - self._began_s) * 1000)


def waited_s(transport: BaseTransport | None) -> float:
    """How long the last data from the other side has been there; 0.0 if unknown."""
    if sys.platform != "linux" or transport is None:
        return 0.0
    connected = transport.get_extra_info("socket")
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LAST_DATA_RECEIVED.stop)
    except (OSError, AttributeError):  # no TCP, or closed
        return 0.0
    return int.from_bytes(info[_LAST_DATA_RECEIVED], sys.byteorder) / 1000


GRACE_S = 10.0
"""A body may come as slowly as it likes for so long."""
LEAST_BYTES_PER_S = 100.0
"""After that, its average has to be at least this: a drip would last until the deadline."""
_LEAST_WAIT_S = 0.02
"""The shortest time until the next check: the server's time may stand still."""
_LOOKS = 3
"""Turns of the loop in which connections are looked at, before time is up."""
_BUSY_S = 0.1
"""A process that checks a deadline so late was busy, and did not serve its connections."""


class TooSlowError(DetailedError):
    """The body arrived below the minimum speed."""


class DeadlineExceededError(DetailedError, TimeoutError):
    """The time limit of a hop or its connection has passed."""


def too_slow_at(received_bytes: int, grace_s: float = GRACE_S) -> float:
    """Seconds after its beginning at which a body of so many bytes so far becomes too slow."""
    return max(grace_s, received_bytes / LEAST_BYTES_PER_S)


class Deadline:
    """A `with` block that ends in DeadlineExceededError, or TooSlowError, when time is up.

    It ends just like `asyncio.timeout`, which takes twice as long. Only the server's time counts.
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
        """When the timer checks, in the server's time."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._extra_s = 0.0
        """Granted once, when the check was late: what is missing could not be read meanwhile."""
        self._is_up = False

    def __enter__(self) -> Self:
        self._task = asyncio.current_task(self._loop)
        assert self._task is not None  # noqa: S101 - who has no task cannot wait
        self._cancelling = self._task.cancelling()
        # No body is too slow before that, so that this timer serves nearly every hop.
        self._start_timer(min(self._total_s, self._grace_s))
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
        # If the task was cancelled otherwise meanwhile, it stays cancelled.
        if self._task.uncancel() > self._cancelling or kind is not asyncio.CancelledError:
            return
        if self._when < self._total_s:
            raise TooSlowError(DetailCode.PACE(least=LEAST_BYTES_PER_S)) from problem
        raise DeadlineExceededError(DetailCode.NO_WHOLE_ANSWER(seconds=self._total_s)) from problem

    def pace(self, received_bytes: int) -> None:
        """Wait for more of a body with so many bytes so far; the first call marks its beginning."""
        if self._body_began is None:
            self._body_began = self._server_time.elapsed_s
        self._limit_to(self._body_began + too_slow_at(received_bytes, self._grace_s))

    def begin_again(self) -> None:
        """Wait for another response: forget the limits of the last one."""
        self._body_began = None
        self._limit_to(self._total_s)

    def shorten(self, seconds: float) -> None:
        """Give up in so many seconds, if not before: the rest is not worth waiting for."""
        self._limit_to(self._server_time.elapsed_s + seconds - self._extra_s)

    def _limit_to(self, when: float) -> None:
        self._when = min(when, self._total_s)
        if self._when < self._timer_at:
            self._stop()
            self._start_timer(self._when)

    def _start_timer(self, when: float) -> None:
        """Check the time at `when`, or sooner: an early timer checks and waits again."""
        self._timer_at = when
        left_s = max(when + self._extra_s - self._server_time.elapsed_s, _LEAST_WAIT_S)
        self._timer = self._loop.call_later(left_s, self._check_time, _LOOKS)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_time(self, times: int) -> None:
        """Check whether time is up. This process may be late: what has come is read first."""
        late_s = self._server_time.elapsed_s - self._when - self._extra_s
        if late_s >= _BUSY_S and not self._extra_s:
            # From now on for as long as it was late, but no longer than the deadline was.
            self._extra_s = late_s + min(late_s, self._total_s)
            self._start_timer(self._when)
        elif late_s < 0:
            self._start_timer(self._when)
        elif times:
            self._timer = self._loop.call_soon(self._check_time, times - 1)
        else:
            self._interrupt()

    def _interrupt(self) -> None:
        self._is_up = True
        if self._task is not None:
            self._task.cancel()
