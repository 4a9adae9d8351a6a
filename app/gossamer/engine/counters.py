"""Counts of URLs by outcome and status, and the speed of the last few seconds."""

import asyncio
from collections import deque

from gossamer.model.crawl_progress import progress_by
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_counts import DONE, count
from gossamer.model.store_batch import ProjectSummary

_WINDOW_S = 5.0
_FEWEST = 2


class Counters:
    """What the progress line shows. Starts from what the project already holds."""

    def __init__(self, summary: ProjectSummary) -> None:
        """Go on counting where the project stands."""
        self.outcomes: dict[Outcome, int] = dict(summary.outcomes)
        self.statuses: dict[int, int] = dict(summary.statuses)
        self.raw_bytes = summary.raw_bytes
        self._speed = Speed()

    def add(self, outcome: Outcome) -> None:
        """Count a URL seen for the first time."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1

    def move(self, old: Outcome, new: Outcome) -> None:
        """Count a URL whose outcome changed."""
        outcomes = self.outcomes
        outcomes[old] = outcomes.get(old, 0) - 1
        outcomes[new] = outcomes.get(new, 0) + 1

    def answered(self, status: int | None, raw_bytes: int) -> None:
        """Count an answer."""
        if status is not None:
            self.statuses[status] = self.statuses.get(status, 0) + 1
        self.raw_bytes += raw_bytes

    def take_back(self, status: int | None, raw_bytes: int) -> None:
        """Forget an answer: another one of the same URL takes its place."""
        if status is not None:
            self.statuses[status] -= 1
        self.raw_bytes -= raw_bytes

    def progress(self, state: CrawlState, seconds: float) -> Progress:
        """The counts and the speed after so many seconds; everything else has its default."""
        return progress_by(
            self.outcomes,
            self.statuses,
            state=state,
            seconds=seconds,
            pages_per_second=self._speed.sample(seconds, self.pages),
            raw_bytes=self.raw_bytes,
        )

    @property
    def pages(self) -> int:
        """HTML pages fetched."""
        return count(self.outcomes, PAGES)

    @property
    def fetched(self) -> int:
        """URLs that are done: answered, or failed for good."""
        return count(self.outcomes, DONE)


class Speed:
    """A rate over a sliding window of some seconds."""

    def __init__(self) -> None:
        """Start with no samples."""
        self._samples: deque[tuple[float, int]] = deque(maxlen=200)

    def sample(self, now: float, count: int) -> float:
        """Note that `count` things are done at `now`; the rate per second over the window."""
        samples = self._samples
        samples.append((now, count))
        while len(samples) > _FEWEST and now - samples[1][0] >= _WINDOW_S:
            samples.popleft()
        first_time, first_count = samples[0]
        elapsed = now - first_time
        return (count - first_count) / elapsed if elapsed > 0 else 0.0


class Stopwatch:
    """Counts seconds on the loop's clock while it runs."""

    def __init__(self, seconds: float) -> None:
        """Go on from `seconds`; it stands still at first."""
        self._seconds = seconds
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds counted so far."""
        if self._since is None:
            return self._seconds
        return self._seconds + asyncio.get_running_loop().time() - self._since

    def run(self, *, running: bool) -> None:
        """Go on, or stand still."""
        self._seconds = self.seconds
        self._since = asyncio.get_running_loop().time() if running else None
