"""News of a crawl, kept for readers that are slow."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gossamer.model.messages import Progress, Trouble


class UpdateQueue:
    """What one reader of `updates` has not seen: the latest progress, and every trouble."""

    def __init__(self, progress: Progress) -> None:
        self._progress: Progress | None = progress
        self._troubles: list[Trouble] = []
        self._rung = asyncio.Event()
        self._rung.set()

    def put(self, report: Progress | Trouble, progress: Progress) -> None:
        """Keep what is new; older progress is forgotten."""
        self._progress = progress
        if isinstance(report, Trouble):
            self._troubles.append(report)
        self.ring()

    def ring(self) -> None:
        """Let the reader look, even if there is nothing."""
        self._rung.set()

    async def take(self) -> list[Progress | Trouble]:
        """Wait for news, and take them all."""
        await self._rung.wait()
        self._rung.clear()
        reports: list[Progress | Trouble] = [*self._troubles]
        self._troubles.clear()
        if self._progress is not None:
            reports.insert(0, self._progress)
            self._progress = None
        return reports


class UpdateStream:
    """Tells everybody who wants to know: readers of `updates`, and who waits for a change."""

    def __init__(self) -> None:
        self._mailboxes: list[UpdateQueue] = []
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    @contextmanager
    def subscribed(self, progress: Progress) -> Iterator[UpdateQueue]:
        """A mailbox that gets all that is told, with the present progress in it."""
        mailbox = UpdateQueue(progress)
        self._mailboxes.append(mailbox)
        try:
            yield mailbox
        finally:
            self._mailboxes.remove(mailbox)

    def tell(self, report: Progress | Trouble, progress: Progress) -> None:
        """Tell `report`; `progress` is the present one."""
        for mailbox in self._mailboxes:
            mailbox.put(report, progress)
        self.look()

    def look(self) -> None:
        """Let go on who waits for what holds now."""
        for condition, waiter in self._waiting:
            if not waiter.done() and condition():
                waiter.set_result(None)

    def ring(self) -> None:
        """Let all readers look, even if there is nothing."""
        for mailbox in self._mailboxes:
            mailbox.ring()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` has held, now or at any look, if only until the next."""
        if condition():
            return
        waiting = (condition, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting[1]
        finally:
            self._waiting.remove(waiting)
