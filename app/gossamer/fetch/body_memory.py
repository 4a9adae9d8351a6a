"""Room for large bodies: how many bytes of them a process may hold while they wait to be read."""

import asyncio
from typing import Final

LARGE_BODY_BYTES: Final = 1 << 20
"""Decoded size from which on a body needs room. Few pages are so large, so few ever wait."""
ROOM_BYTES: Final = 12 << 20


class BodyMemory:
    """The room of one process. It is given out in the order of asking.

    Who has waited longest may have as much as it needs, so that one is always done next: there may
    be one body more than fits.
    """

    def __init__(self, size_bytes: int = ROOM_BYTES) -> None:
        """Nobody has any of it."""
        self._size_bytes = size_bytes
        self._reserved: dict[ReservedBytes, int] = {}
        self._waiting: list[asyncio.Future[None]] = []

    def reserve(self) -> "ReservedBytes":
        """Room for one body, of no size yet."""
        return ReservedBytes(self)

    def _fits(self, reserved: "ReservedBytes", size_bytes: int) -> bool:
        had = self._reserved.setdefault(reserved, 0)
        if next(iter(self._reserved)) is not reserved:
            held = sum(self._reserved.values()) - had
            if held + size_bytes > self._size_bytes:
                return False
        self._reserved[reserved] = size_bytes
        return True

    async def _changed(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        await waiter

    def _end(self, reserved: "ReservedBytes") -> None:
        if self._reserved.pop(reserved, None) is None:
            return
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(None)


class ReservedBytes:
    """The room that one body has."""

    def __init__(self, room: BodyMemory) -> None:
        """Take the room that it is of."""
        self._room = room

    async def grow(self, size_bytes: int) -> None:
        """Wait until there is room for so many bytes in all; it is kept until `end`."""
        while not self._room._fits(self, size_bytes):  # noqa: SLF001 - of this module
            await self._room._changed()  # noqa: SLF001 - likewise

    def end(self) -> None:
        """Give the room back."""
        self._room._end(self)  # noqa: SLF001 - likewise
