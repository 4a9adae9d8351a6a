"""Queues the user's bulk actions and setting changes until they are executed, in order."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from gossamer.model.messages.crawl_messages import BulkAction, ChangeSettings

_MAX_ACTIONS: Final = 1_000


class BulkActionQueue:
    """The pending bulk actions and setting changes of a crawl; survives disk outages.

    The first stays in the queue until it is done: it is repeated if the disk fails meanwhile.
    """

    def __init__(self, actions: Iterable[BulkAction | ChangeSettings] = ()) -> None:
        """Start with `actions`."""
        self._actions: deque[BulkAction | ChangeSettings] = deque(actions)
        self._added = asyncio.Event()
        self.done = 0
        """How many have been carried out."""

    def put(self, action: BulkAction | ChangeSettings) -> None:
        """Add an action at the end; an unreasonable number of actions is dropped."""
        if len(self._actions) < _MAX_ACTIONS:
            self._actions.append(action)
            self._added.set()

    @property
    def first(self) -> BulkAction | ChangeSettings | None:
        """The action to do next, or to repeat."""
        return self._actions[0] if self._actions else None

    def first_done(self) -> None:
        """Remove the first."""
        self._actions.popleft()
        self.done += 1

    def drained(self) -> Iterator[BulkAction | ChangeSettings]:
        """Each in turn; it is removed when the next one is requested."""
        while (action := self.first) is not None:
            yield action
            self.first_done()

    async def wait(self) -> None:
        """Return when some have been added since the last call."""
        await self._added.wait()
        self._added.clear()
