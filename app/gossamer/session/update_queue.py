"""A bounded queue of crawl updates for slow readers."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gossamer.model.messages.crawl_messages import Progress, Trouble


class UpdateQueue:
    """The updates one reader has not seen: the latest progress, and every trouble."""

    def __init__(self, progress: Progress) -> None:
        self._progress: Progress | None = progress
        self._troubles: list[Trouble] = []
        self._changed = asyncio.Event()
        self._changed.set()

    def put(self, report: Progress | Trouble, progress: Progress) -> None:
        """Keep what is new; older progress is forgotten."""
        self._progress = progress
        if isinstance(report, Trouble):
            self._troubles.append(report)
        self.wake()

    def wake(self) -> None:
        """Wake the reader, even if there is nothing."""
        self._changed.set()

    async def get(self) -> list[Progress | Trouble]:
        """Wait for something new, and take out all of it."""
        await self._changed.wait()
        self._changed.clear()
        reports: list[Progress | Trouble] = [*self._troubles]
        self._troubles.clear()
        if self._progress is not None:
            reports.insert(0, self._progress)
            self._progress = None
        return reports


class UpdateStream:
    """Publishes updates to all readers of `updates`, and to those who wait for a condition."""

    def __init__(self) -> None:
        self._queues: list[UpdateQueue] = []
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    @property
    def has_readers(self) -> bool:
        """Whether anyone gets what is published now."""
        return bool(self._queues)

    @contextmanager
    def subscribed(self, progress: Progress) -> Iterator[UpdateQueue]:
        """A queue that gets everything published, beginning with the current progress."""
        queue = UpdateQueue(progress)
        self._queues.append(queue)
        try:
            yield queue
        finally:
            self._queues.remove(queue)

    def publish(self, report: Progress | Trouble, progress: Progress) -> None:
        """Send `report` to all readers; `progress` is the current one."""
        for queue in self._queues:
            queue.put(report, progress)
        self.check()

    def check(self) -> None:
        """Wake those whose condition holds now."""
        for condition, waiter in self._waiting:
            if not waiter.done() and condition():
                waiter.set_result(None)

    def wake_readers(self) -> None:
        """Wake all readers, even if there is nothing."""
        for queue in self._queues:
            queue.wake()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` has held now or at any check, if only until the next one."""
        if condition():
            return
        waiting = (condition, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting[1]
        finally:
            self._waiting.remove(waiting)
