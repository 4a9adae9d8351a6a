"""Jobs that far workers hold in store, so that they need not wait for the next one (ADR 58)."""

from collections.abc import Collection
from typing import Final, Protocol


class NotBegunError(Exception):
    """The worker that had the job gave it back: nobody was asked."""


class JobPrefetch(Protocol):
    """Workers with a store."""

    @property
    def ahead(self) -> int:
        """How many more jobs than requests at once may be given out now."""
        ...

    def set_workers(self, workers: int) -> None:
        """Have this many requests at once, and no more."""
        ...

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """Have jobs that have not begun raise NotBegunError: those for `urls`, or all."""
        ...


class NoJobPrefetch:
    """The next job is there at once, so nobody holds any."""

    ahead = 0

    def set_workers(self, workers: int) -> None:
        """The engine counts."""

    def give_back(self, urls: Collection[str] | None = None) -> None:
        """There is nothing to give back."""


NO_JOB_PREFETCH: Final[JobPrefetch] = NoJobPrefetch()
