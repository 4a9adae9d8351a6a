"""Reads what page workers have sent in batches, instead of at each arrival.

A node passes results on 20 times a second. To be woken for each of them would cost it more than
everything else that it does for a page.
"""

import asyncio
from collections.abc import Iterable
from typing import Final, Protocol

_QUIET_TURNS: Final = 2
"""An event loop reads in the turn after the one that begins to look, or in the next but one."""
_MOST_TURNS: Final = 100
"""Each reads up to 256 KiB from each worker. One that never pauses must not hold a call."""


class Readable(Protocol):
    """A connection to a worker, of which reading can be paused."""

    @property
    def reads(self) -> int:
        """How many times something was read."""

    @property
    def has_part(self) -> bool:
        """Whether a frame has begun to come whose rest is missing."""

    def pause_reading(self) -> None:
        """Leave what comes to the system."""

    def resume_reading(self) -> None:
        """Read whatever comes."""


async def read_arrived(workers: Iterable[Readable]) -> None:
    """Read what the system has for these workers, and leave to it what comes later.

    The rest of a frame is read as soon as it comes: it may be larger than what the system holds.
    """
    reading = list(workers)
    for each in reading:
        each.resume_reading()
    try:
        quiet = 0
        for _ in range(_MOST_TURNS if reading else 0):
            before = sum(each.reads for each in reading)
            await asyncio.sleep(0)
            quiet = 0 if sum(each.reads for each in reading) > before else quiet + 1
            if quiet == _QUIET_TURNS:
                break
    finally:
        for each in reading:
            if not each.has_part:
                each.pause_reading()
