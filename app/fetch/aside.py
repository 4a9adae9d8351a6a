"""Long work done aside, in a thread and within a time, so that the loop goes on meanwhile.

The HTML parser lets other threads run while it works. A thread cannot be ended from outside: one
that takes too long is left to itself, and the next work gets a new one.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class TooLongError(Exception):
    """The work was not done in time. The message is one line."""


class Aside:
    """A thread for one piece of work after the other: two trees at once would not fit in memory."""

    def __init__(self, limit_s: float) -> None:
        """Each piece of work may take `limit_s`; waiting for its turn does not count."""
        self._limit_s = limit_s
        self._turn = asyncio.Lock()
        self._thread: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; TooLongError when it takes too long.

        Cancelled, it returns at once, though the thread goes on to the end.
        """
        async with self._turn:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "aside")
            done = asyncio.get_running_loop().run_in_executor(self._thread, work)
            finished, _ = await self._watched(done)
        if not finished:
            raise TooLongError(f"it took more than {self._limit_s:g} s")
        return done.result()

    async def _watched(
        self, done: "asyncio.Future[T]"
    ) -> tuple[set["asyncio.Future[T]"], set["asyncio.Future[T]"]]:
        try:
            return await asyncio.wait({done}, timeout=self._limit_s)
        finally:
            if not done.done():
                done.add_done_callback(_let_be)
                self.close()

    def close(self) -> None:
        """Begin no more work in this thread; what it is doing goes on."""
        if self._thread is not None:
            self._thread.shutdown(wait=False)
            self._thread = None


def _let_be(done: "asyncio.Future[T]") -> None:
    """Nobody waits for it any more: have its exception count as seen."""
    if not done.cancelled():
        done.exception()
