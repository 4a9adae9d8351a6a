"""How long servers take, without the time that they wait for us.

A process that reads pages turns to its connections late, and what has come by then has waited in
the system's buffers. Where the system tells for how long, that does not count.
"""

import socket
import sys
import time
from asyncio import BaseTransport
from collections.abc import Callable
from typing import Final

WORTH_ASKING_S: Final = 0.01
"""What took less time cannot have waited for long: to ask the system would cost more."""
_LAST_DATA_RECEIVED: Final = slice(52, 56)
"""Where Linux's `struct tcp_info` says how many milliseconds ago the last data came."""


class ServerTime:
    """The time of one hop that belongs to the server, in seconds.

    It passes while the server is waited for: from the beginning until bytes come, and from when
    they were taken until more come. It does not pass while nothing is to come, or nothing is taken.
    """

    __slots__ = ("_began_s", "_clock", "_head_s", "_since", "_spent_s")

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """The server's time begins now."""
        self._clock = clock
        self._since: float | None = clock()
        """Since when the server is waited for."""
        self._spent_s = 0.0
        """What passed before that."""
        self._began_s = 0.0
        """What had passed when the present request began."""
        self._head_s = 0.0

    def begin_anew(self) -> None:
        """What is asked from now on is measured by itself."""
        self._began_s = self._spent_s = self.so_far_s
        self._since = self._clock()

    def begins(self) -> None:
        """The server is asked now: what passed since the last word was ours."""
        self._since = self._clock()

    def heard(self, waited_s: Callable[[], float]) -> None:
        """Bytes are taken, or may be sent; `waited_s` tells for how long that has been possible."""
        if self._since is None:
            return
        now = self._clock()
        took_s = now - self._since
        if took_s >= WORTH_ASKING_S:
            took_s -= min(took_s, waited_s())
        self._spent_s += took_s
        self._since = now

    def head_came(self) -> None:
        """What was heard last was the end of the head."""
        self._head_s = self._spent_s

    def stop(self) -> None:
        """The server is not waited for any more, for now or for good."""
        if self._since is not None:
            self._spent_s += self._clock() - self._since
            self._since = None

    def go_on(self) -> None:
        """The server is waited for again."""
        if self._since is None:
            self._since = self._clock()

    @property
    def so_far_s(self) -> float:
        """What has passed of the server's time up to now, from the first request on."""
        since = self._since
        return self._spent_s if since is None else self._spent_s + self._clock() - since

    @property
    def waiting_ms(self) -> int:
        """From the beginning of the present request until now."""
        return round((self.so_far_s - self._began_s) * 1000)

    @property
    def head_ms(self) -> int:
        """From the beginning of the present request to the head of its answer."""
        return max(round((self._head_s - self._began_s) * 1000), 0)

    @property
    def heard_ms(self) -> int:
        """From the beginning of the present request to the last bytes that were heard."""
        return round((self._spent_s - self._began_s) * 1000)


def waited_s(transport: BaseTransport | None) -> float:
    """For how long the last data from the other side has been there; 0.0 where nobody tells."""
    if sys.platform != "linux" or transport is None:
        return 0.0
    connected = transport.get_extra_info("socket")
    try:
        told = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LAST_DATA_RECEIVED.stop)
    except (OSError, AttributeError):  # no TCP, or closed
        return 0.0
    return int.from_bytes(told[_LAST_DATA_RECEIVED], sys.byteorder) / 1000
