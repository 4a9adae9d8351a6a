"""The tasks of the URLs in flight: each is started, cancelled and waited for here."""

import asyncio
from collections.abc import Callable

from gossamer.engine.attempt import Attempt, Attempts
from gossamer.engine.ports import Fetcher
from gossamer.engine.url_tracker import FrontierEntry


class FetchTasks:
    """Owns one task for each URL in flight."""

    def __init__(self, fetcher: Fetcher) -> None:
        """Take whose connections are closed when all tasks are cancelled."""
        self._fetcher = fetcher
        self._tasks: dict[int, asyncio.Task[Attempt]] = {}
        self.stopping = 0
        """How many `stop` are under way: nothing is to be started then, and no state is true."""

    def __len__(self) -> int:
        """How many URLs are in flight."""
        return len(self._tasks)

    def start(
        self,
        group: asyncio.TaskGroup,
        attempts: Attempts,
        entry: FrontierEntry,
        ended: Callable[[FrontierEntry, Attempt | None], None],
    ) -> None:
        """Ask for an entry. `ended` gets it when its task is no more; None if it was cancelled."""

        def done(task: asyncio.Task[Attempt]) -> None:
            del self._tasks[entry.id]
            ended(entry, None if task.cancelled() else task.result())

        task = group.create_task(attempts.make(entry), name=entry.url)
        self._tasks[entry.id] = task
        # A callback, because a task that is cancelled before its first step never runs.
        task.add_done_callback(done)

    def cancel(self, url_id: int) -> bool:
        """Cancel the task of this URL; False if it is not in flight."""
        task = self._tasks.get(url_id)
        if task is not None:
            task.cancel()
        return task is not None

    async def stop(self) -> None:
        """Cancel every task; on return no connection is open."""
        self.stopping += 1
        try:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)
            await self._fetcher.drop()
        finally:
            self.stopping -= 1
