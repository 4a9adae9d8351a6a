"""Jobs that distant workers prefetch, so that they need not wait for the next one (ADR 58)."""

from collections.abc import Collection
from typing import Final, Protocol


class NotBegunError(Exception):
    """The worker that had the job gave it back: no request was made."""


class JobPrefetch(Protocol):
    """Workers that prefetch jobs."""

    @property
    def ahead(self) -> int:
        """How many more jobs than requests at once may be given out now."""
        ...

    def set_workers(self, workers: int) -> None:
        """Make at most this many requests at once."""
        ...

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """Make jobs that have not begun raise NotBegunError: those for `urls`, or all."""
        ...


class NoJobPrefetch:
    """Nothing is prefetched: the next job is available at once."""

    ahead = 0

    def set_workers(self, workers: int) -> None:
        """Nothing to do: the engine limits the requests."""

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """There is nothing to give back."""


NO_JOB_PREFETCH: Final[JobPrefetch] = NoJobPrefetch()
