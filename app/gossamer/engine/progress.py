"""Computes the progress report: counts, speed, URLs in flight, busy hosts."""

import asyncio
from collections import deque
from heapq import nlargest
from itertools import islice
from math import ceil

from msgspec import Struct

from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.url_tracker import FrontierEntry, UrlStage
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.crawl_progress import progress_by
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import HostState, InFlight, Progress, Retry
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_counts import DONE, count
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.model.visit import CountedResponse, Visit

_WINDOW_S = 5.0
_FEWEST = 2


class Counters:
    """The counters of the progress line, starting from those stored in the project."""

    def __init__(self, summary: ProjectSummary) -> None:
        """Start from the counts of the project."""
        self.outcomes: dict[Outcome, int] = dict(summary.outcomes)
        self.statuses: dict[int, int] = dict(summary.statuses)
        self.received_bytes = summary.received_bytes
        self.unchanged = summary.unchanged
        self._speed = SlidingRate()

    def add(self, outcome: Outcome) -> None:
        """Count a URL seen for the first time."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1

    def move(self, old: Outcome, new: Outcome) -> None:
        """Count a URL whose outcome changed."""
        outcomes = self.outcomes
        outcomes[old] = outcomes.get(old, 0) - 1
        outcomes[new] = outcomes.get(new, 0) + 1

    def count_response(self, response: CountedResponse) -> None:
        """Count a response."""
        if response.status is not None:
            self.statuses[response.status] = self.statuses.get(response.status, 0) + 1
        self.received_bytes += response.received_bytes
        self.unchanged += response.is_unchanged

    def take_back(self, response: CountedResponse) -> None:
        """Uncount a response: another one for the same URL replaces it."""
        if response.status is not None:
            self.statuses[response.status] -= 1
        self.received_bytes -= response.received_bytes
        self.unchanged -= response.is_unchanged

    def progress(self, state: CrawlState, seconds: float) -> Progress:
        """The counts and the speed after so many seconds; everything else has its default."""
        return progress_by(
            self.outcomes,
            self.statuses,
            state=state,
            seconds=seconds,
            pages_per_second=self._speed.sample(seconds, self.pages),
            received_bytes=self.received_bytes,
            unchanged=self.unchanged,
        )

    @property
    def pages(self) -> int:
        """HTML pages fetched."""
        return count(self.outcomes, PAGES)

    @property
    def fetched(self) -> int:
        """URLs that are done: with a response, or failed for good."""
        return count(self.outcomes, DONE)


class SlidingRate:
    """A rate over a sliding window of some seconds."""

    def __init__(self) -> None:
        """Start with no samples."""
        self._samples: deque[tuple[float, int]] = deque(maxlen=200)

    def sample(self, now: float, count: int) -> float:
        """Note that `count` things are done at `now`; returns the rate per second."""
        samples = self._samples
        samples.append((now, count))
        while len(samples) > _FEWEST and now - samples[1][0] >= _WINDOW_S:
            samples.popleft()
        first_time, first_count = samples[0]
        elapsed = now - first_time
        return (count - first_count) / elapsed if elapsed > 0 else 0.0


class Stopwatch:
    """Measures the loop's time while it runs."""

    def __init__(self, seconds: float) -> None:
        """Start at `seconds`, stopped."""
        self._seconds = seconds
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds counted so far."""
        if self._since is None:
            return self._seconds
        return self._seconds + asyncio.get_running_loop().time() - self._since

    def run(self, *, running: bool) -> None:
        """Run or stop."""
        self._seconds = self.seconds
        self._since = asyncio.get_running_loop().time() if running else None


SHOWN_IN_FLIGHT = 200
SHOWN_HOSTS = 12
_EVERY_S = 0.5
"""To look at ten thousand hosts takes some milliseconds."""

_WITHOUT_RESPONSE: dict[Outcome, Sentence] = {
    Outcome.CONNECTION_REFUSED: "{host} refuses connections",
    Outcome.CONNECTION_FAILED: "{host} cannot be reached",
    Outcome.PROXY_FAILURE: "The proxy for {host} does not work",
    Outcome.CONNECTION_LOST: "{host} closes the connection",
    Outcome.DNS_FAILURE: "The host name {host} cannot be found",
    Outcome.TIMEOUT: "{host} does not respond",
}


class _Failure(Struct, frozen=True):
    """A try without a response, after which another is made."""

    entry: FrontierEntry
    why: Translatable
    again_at: float
    most: int


class ProgressView:
    """Lists the URLs in flight, and the hosts being requested or waited for."""

    def __init__(self, frontier: Frontier) -> None:
        """`frontier` knows the hosts; nothing is in flight yet."""
        self._frontier = frontier
        self._since: dict[FrontierEntry, float] = {}
        """When the request of each began, in Unix seconds."""
        self._hosts: list[HostState] = []
        self._failure: _Failure | None = None
        self._looked_at = float("-inf")

    def started(self, entry: FrontierEntry) -> None:
        """Note that an entry is in flight."""
        self._since[entry] = CLOCK.now()

    def ended(self, entry: FrontierEntry) -> None:
        """Note that an entry is no longer in flight."""
        del self._since[entry]

    def urls_of(self, host: str) -> set[str]:
        """The URLs of a host that are in flight."""
        return {entry.url for entry in self._since if entry.host == host}

    def will_retry(self, entry: FrontierEntry, visit: Visit, again_at: float, most: int) -> None:
        """Note that an entry is retried at that time of the loop, `most` times in all."""
        if visit.outcome in _WITHOUT_RESPONSE:
            why = said(_WITHOUT_RESPONSE[visit.outcome], host=entry.host)
            self._failure = _Failure(entry, why, again_at, most)

    def retry(self) -> Retry | None:
        """The latest try without a response, until the next one has ended."""
        failed = self._failure
        if failed is None:
            return None
        entry, wait_s = failed.entry, 0
        if entry.is_queued:
            wait_s = max(ceil(failed.again_at - asyncio.get_running_loop().time()), 1)
        elif entry.stage is not UrlStage.IN_FLIGHT:
            return None
        return Retry(failed.why, wait_s, entry.tries + 1, failed.most)

    def in_flight(self) -> list[InFlight]:
        """The first SHOWN_IN_FLIGHT URLs in flight, oldest first."""
        return [
            InFlight(entry.id, entry.url, since, entry.tries + 1)
            for entry, since in islice(self._since.items(), SHOWN_IN_FLIGHT)
        ]

    def hosts(self, now: float) -> list[HostState]:
        """The SHOWN_HOSTS busiest hosts, those in back-off first. Updated from time to time."""
        if now - self._looked_at >= _EVERY_S:
            self._looked_at = now
            self._hosts = nlargest(
                SHOWN_HOSTS,
                self._frontier.hosts(now),
                key=lambda host: (host.rests_s > 0, host.active, host.queued),
            )
        return self._hosts
