"""Turns: of the bodies that come in at once, one at a time may take much memory."""

import asyncio

from gossamer.fetch.deadline import Deadline

LARGE_BODY_BYTES = 1 << 20
"""Decoded size beyond which a body needs its turn. Few pages are so large, so few ever wait."""


class Turn:
    """One hop's turn to read a large body, and to have it looked at.

    Waiting does not count as the server's time: `deadline` stands still.
    """

    def __init__(self, turns: asyncio.Lock, deadline: Deadline) -> None:
        """`turns` is shared by all hops of a process."""
        self._turns = turns
        self._deadline = deadline
        self._is_ours = False

    async def wait(self) -> None:
        """Wait for the turn, if it is not ours already; it stays ours until `end`."""
        if not self._is_ours:
            with self._deadline.standing_still():
                await self._turns.acquire()
            self._is_ours = True

    def end(self) -> None:
        """Let the next one have its turn, if this was ours."""
        if self._is_ours:
            self._is_ours = False
            self._turns.release()
