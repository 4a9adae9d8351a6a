"""Sends a heartbeat every second and raises an alarm when the peer's heartbeats stop."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from gossamer.ipc.channel import Channel

INTERVAL_S: Final = 1.0
LATE_S: Final = 5.0
"""A timer that fires so late shows that we were not running: stopped, starved, or asleep on a
system whose clock continues meanwhile. The peer's messages then wait to be read."""


async def send_heartbeats(
    channel: Channel[Any], message: Callable[[], object], wanted: Callable[[], bool] = lambda: True
) -> None:
    """Send a `message` every second, while that is `wanted` and the other end reads."""
    while True:
        if wanted() and not channel.congested:
            channel.send(message())
        await asyncio.sleep(INTERVAL_S)


class SilenceAlarm:
    """Calls back once when an expected peer is silent for too long.

    It has at most one timer, however often a message arrives: when that fires, it checks how long
    the silence has lasted and restarts. For use on the running loop.
    """

    def __init__(self, on_silence: Callable[[], None]) -> None:
        """`on_silence` is called on the loop; nothing is expected yet."""
        self._on_silence = on_silence
        self._limit_s = 0.0
        self._since_s = 0.0
        self._expects = False
        self._timer: asyncio.TimerHandle | None = None

    def expect(self, limit_s: float) -> None:
        """From now on, expect a message at least every `limit_s`, until `rest`."""
        loop = asyncio.get_running_loop()
        self._limit_s = limit_s
        self._since_s = loop.time()
        self._expects = True
        if self._timer is None:
            self._timer = loop.call_later(limit_s, self._check)

    def heard(self) -> None:
        """Note that a message has arrived."""
        self._since_s = asyncio.get_running_loop().time()

    def rest(self) -> None:
        """Stop expecting messages. The timer stays: the next `expect` reuses it."""
        self._expects = False

    def end(self) -> None:
        """Rest, and leave no timer behind."""
        self.rest()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        timer, self._timer = self._timer, None
        if not self._expects or timer is None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() - timer.when() > LATE_S:
            self._since_s = loop.time()
        left_s = self._since_s + self._limit_s - loop.time()
        if left_s > 0:
            self._timer = loop.call_later(left_s, self._check)
            return
        self.rest()
        self._on_silence()
