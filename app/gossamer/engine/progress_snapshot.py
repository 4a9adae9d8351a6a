"""What the shells show of the engine beside its counters, bounded and cheap."""

import asyncio
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from math import ceil
from time import time

from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.url_stages import UrlStage
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.messages.crawl_messages import HostState, InFlight, Retry
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.model.visit import Visit

SHOWN_IN_FLIGHT = 200
SHOWN_HOSTS = 12
_EVERY_S = 0.5
"""To look at ten thousand hosts takes some milliseconds."""

_WITHOUT_ANSWER: dict[Outcome, Sentence] = {
    Outcome.CONNECTION_REFUSED: "{host} refuses connections",
    Outcome.CONNECTION_FAILED: "{host} cannot be reached",
    Outcome.PROXY_FAILURE: "The proxy before {host} does not work",
    Outcome.CONNECTION_LOST: "{host} breaks the connection off",
    Outcome.DNS_FAILURE: "The host name {host} cannot be found",
    Outcome.TIMEOUT: "{host} does not answer",
}


@dataclass(frozen=True, slots=True)
class _Failure:
    """A try without an answer, after which another is made."""

    entry: FrontierEntry
    why: Translatable
    again_at: float
    most: int


class ProgressView:
    """Looks at what is in flight, and at the hosts that are being asked or waited for."""

    def __init__(self, frontier: Frontier) -> None:
        """Take the frontier; nothing is in flight."""
        self._frontier = frontier
        self._since: dict[FrontierEntry, float] = {}
        """When each began to be asked, in Unix seconds."""
        self._hosts: list[HostState] = []
        self._failure: _Failure | None = None
        self._looked_at = float("-inf")

    def started(self, entry: FrontierEntry) -> None:
        """An entry is in flight now."""
        self._since[entry] = time()

    def ended(self, entry: FrontierEntry) -> None:
        """It is not any more."""
        del self._since[entry]

    def will_retry(self, entry: FrontierEntry, visit: Visit, again_at: float, most: int) -> None:
        """An entry is to be asked again at that time of the loop, `most` times in all."""
        if visit.outcome in _WITHOUT_ANSWER:
            why = said(_WITHOUT_ANSWER[visit.outcome], host=entry.host)
            self._failure = _Failure(entry, why, again_at, most)

    def retry(self) -> Retry | None:
        """The latest try without an answer, as long as the next one has not ended."""
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
        """The SHOWN_HOSTS busiest hosts; those that are left alone first. Looks anew by and by."""
        if now - self._looked_at >= _EVERY_S:
            self._looked_at = now
            self._hosts = nlargest(
                SHOWN_HOSTS,
                self._frontier.hosts(now),
                key=lambda host: (host.rests_s > 0, host.active, host.queued),
            )
        return self._hosts
