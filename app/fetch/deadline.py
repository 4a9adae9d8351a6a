"""How long a hop may take: one deadline for all of it, and a least pace for its body."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

GRACE_S = 10.0
"""A body may come as slowly as it likes for so long."""
LEAST_BYTES_PER_S = 100.0
"""After that, its average has to be at least this: a drip would last until the deadline."""


class TooSlowError(Exception):
    """The body came below the least pace."""


def too_slow_at(received_bytes: int, grace_s: float = GRACE_S) -> float:
    """Seconds after its beginning at which a body of so many bytes so far becomes too slow."""
    return max(grace_s, received_bytes / LEAST_BYTES_PER_S)


class Deadline:
    """An `async with` block that ends in TimeoutError, or in TooSlowError, when time is up."""

    def __init__(self, total_s: float, grace_s: float = GRACE_S) -> None:
        """The time starts now."""
        self._loop = asyncio.get_running_loop()
        self._total_s = total_s
        self._grace_s = grace_s
        self._end = self._loop.time() + total_s
        self._body_began = 0.0
        self._timeout = asyncio.timeout_at(self._end)

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._timeout.__aexit__(kind, problem, traceback)
        except TimeoutError as e:
            when = self._timeout.when()
            if when is not None and when < self._end:
                raise TooSlowError(f"less than {LEAST_BYTES_PER_S:g} bytes a second") from e
            raise TimeoutError(f"no whole answer within {self._total_s:g} s") from e

    def pace(self, received_bytes: int) -> None:
        """Wait for more of a body of which so much has come; the first call marks its beginning."""
        if not self._body_began:
            self._body_began = self._loop.time()
        self._move(self._body_began + too_slow_at(received_bytes, self._grace_s))

    def hurry(self, seconds: float) -> None:
        """Give up in so many seconds, if not before: what comes is not worth waiting for."""
        self._move(self._loop.time() + seconds)

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        """A block during which no time passes: what is waited for in it is not the server's."""
        began = self._loop.time()
        self._timeout.reschedule(None)
        try:
            yield
        finally:
            waited_s = self._loop.time() - began
            self._end += waited_s
            self._body_began += waited_s if self._body_began else 0.0
            self._move(self._end)

    def _move(self, when: float) -> None:
        when = min(when, self._end)
        if when != self._timeout.when():
            self._timeout.reschedule(when)
