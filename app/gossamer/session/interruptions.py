"""What ends the start of a crawl: that it is cancelled or closed meanwhile."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
IsWanted = Callable[[], bool]
"""Whether the crawl has not been interrupted since. It may be called in any thread."""


class Interruptions:
    """Counts how often a crawl was interrupted, and ends what waits for that."""

    def __init__(self) -> None:
        self._count = 0
        self._waits: set[asyncio.Timeout] = set()

    def interrupt(self) -> None:
        """End what is about to start the crawl."""
        self._count += 1
        now_s = asyncio.get_running_loop().time()
        waits, self._waits = self._waits, set()  # what ends takes its time: it is not ended twice
        for each in waits:
            each.reschedule(now_s)

    def until_next(self) -> IsWanted:
        """Whether there has been none since this call."""
        before = self._count
        return lambda: self._count == before

    async def unless_next(self, work: Coroutine[Any, Any, _T]) -> _T | None:
        """What `work` returns; None if the crawl is interrupted meanwhile, which cancels it."""
        wait = asyncio.timeout(None)
        try:
            async with wait:
                self._waits.add(wait)
                return await work
        except TimeoutError:
            if not wait.expired():
                raise
            return None
        finally:
            self._waits.discard(wait)
