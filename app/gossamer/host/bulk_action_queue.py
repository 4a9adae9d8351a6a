"""Queues the user's acts and setting changes until they are executed, in order."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.model.messages.crawl_messages import Act, Change

_MAX_ACTS: Final = 1_000


class ActQueue:
    """The pending acts and setting changes of a crawl; survives disk outages.

    The first stays until it is done: it is done again if the disk fails meanwhile.
    """

    def __init__(self, acts: Iterable[Act | Change] = ()) -> None:
        """Start with `acts`."""
        self._acts: deque[Act | Change] = deque(acts)
        self._added = asyncio.Event()
        self.done = 0
        """How many of them have been carried out."""

    def put(self, act: Act | Change) -> None:
        """Have it done after the others; more than anyone can mean are dropped."""
        if len(self._acts) < _MAX_ACTS:
            self._acts.append(act)
            self._added.set()

    @property
    def first(self) -> Act | Change | None:
        """What is to be done next, or again."""
        return self._acts[0] if self._acts else None

    def first_done(self) -> None:
        """Take out the first."""
        self._acts.popleft()
        self.done += 1

    def drained(self) -> Iterator[Act | Change]:
        """Each in turn; it is taken out when the next one is asked for."""
        while (act := self.first) is not None:
            yield act
            self.first_done()

    async def wait(self) -> None:
        """Return when some have been added since the last call."""
        await self._added.wait()
        self._added.clear()
