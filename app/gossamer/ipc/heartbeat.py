"""Noticing that somebody who is to be heard has fallen silent, and being heard."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from gossamer.ipc.channel import Channel

BEAT_S: Final = 1.0
LATE_S: Final = 5.0
"""A timer that fires so late says that we were not running: stopped, starved, or asleep on a
system whose clock goes on meanwhile. What the other has said waits to be read then."""


async def beat(
    channel: Channel[Any], sign: Callable[[], object], wanted: Callable[[], bool] = lambda: True
) -> None:
    """Send what `sign` gives every second, while that is `wanted` and the other end reads."""
    while True:
        if wanted() and not channel.congested:
            channel.send(sign())
        await asyncio.sleep(BEAT_S)


class SilenceAlarm:
    """Rings once when nothing is heard for too long while something is expected.

    It has one timer at most, however often it is told something: when that fires, it looks how
    long the silence has lasted and sets itself anew. For use on the running loop.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        """`ring` is called on the loop; nothing is expected yet."""
        self._ring = ring
        self._limit_s = 0.0
        self._since_s = 0.0
        self._expects = False
        self._timer: asyncio.TimerHandle | None = None

    def expect(self, limit_s: float) -> None:
        """From now on something is to be heard at least every `limit_s`, until `rest`."""
        loop = asyncio.get_running_loop()
        self._limit_s = limit_s
        self._since_s = loop.time()
        self._expects = True
        if self._timer is None:
            self._timer = loop.call_later(limit_s, self._look)

    def heard(self) -> None:
        """Something was heard."""
        self._since_s = asyncio.get_running_loop().time()

    def rest(self) -> None:
        """Nothing is expected any more. The timer stays: the next to `expect` finds it there."""
        self._expects = False

    def end(self) -> None:
        """Rest, and leave no timer behind."""
        self.rest()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        timer, self._timer = self._timer, None
        if not self._expects or timer is None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() - timer.when() > LATE_S:
            self._since_s = loop.time()
        left_s = self._since_s + self._limit_s - loop.time()
        if left_s > 0:
            self._timer = loop.call_later(left_s, self._look)
            return
        self.rest()
        self._ring()
