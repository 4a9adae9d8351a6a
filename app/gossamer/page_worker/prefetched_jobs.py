"""The jobs of a worker that have not begun and wait until there is room for them."""

import asyncio
from collections.abc import Callable
from typing import Final

from gossamer.model.messages.worker_messages import Fetch

STORED_S: Final = 1.0
"""Jobs that have not begun after so long are given back: other workers may have time for them. Slow
servers, or a page that takes long to read, delay what was to take only moments."""


class PrefetchedJobs:
    """Jobs in the order in which they came. Those that wait too long are given back."""

    def __init__(self, give_back: Callable[[int], None]) -> None:
        """Begin without any. `give_back` gets the number of each that has waited too long."""
        self._give_back = give_back
        self._jobs: dict[int, tuple[Fetch, float]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """How many wait."""
        return len(self._jobs)

    def add(self, job: Fetch) -> None:
        """Keep a job."""
        loop = asyncio.get_running_loop()
        self._jobs[job.job] = job, loop.time()
        if self._timer is None:
            self._timer = loop.call_later(STORED_S, self._look)

    def take(self) -> Fetch:
        """Take the oldest job, which begins now."""
        return self._jobs.pop(next(iter(self._jobs)))[0]

    def remove(self, job: int) -> bool:
        """Forget a job; False if it is not here."""
        return self._jobs.pop(job, None) is not None

    def clear(self) -> None:
        """Forget all."""
        self._jobs.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for number, (_, came_s) in list(self._jobs.items()):
            if came_s + STORED_S > loop.time():
                self._timer = loop.call_at(came_s + STORED_S, self._look)
                break
            del self._jobs[number]
            self._give_back(number)
