"""How long a page may take, not counting the time it waits for politeness."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, Self

MAX_PAUSE_S: Final = 600.0
"""How long a page may wait, in total, for permission to request its servers."""


class PageDeadline:
    """Ends the block of its `async with` by a TimeoutError, as `asyncio.timeout` does.

    Time does not count while any request of the page waits for permission.
    """

    def __init__(self, timeout_s: float, max_pause_s: float = MAX_PAUSE_S) -> None:
        self.timeout_s = timeout_s
        """How long the page may take in all, waits not counted."""
        self._left_s = timeout_s
        self._pause_left_s = max_pause_s
        self._timeout = asyncio.Timeout(None)
        self._since_s = 0.0
        self._waiting = 0

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._run_for(self._left_s)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._timeout.__aexit__(kind, problem, traceback)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock, for a request that waits."""
        if not self._waiting:
            self._left_s -= self._elapsed_s()
            self._run_for(self._left_s + self._pause_left_s)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._pause_left_s = max(0.0, self._pause_left_s - self._elapsed_s())
                self._run_for(self._left_s)

    def _elapsed_s(self) -> float:
        return asyncio.get_running_loop().time() - self._since_s

    def _run_for(self, seconds: float) -> None:
        self._since_s = asyncio.get_running_loop().time()
        with suppress(RuntimeError):  # the block has ended, or the time is over
            self._timeout.reschedule(self._since_s + max(0.0, seconds))
