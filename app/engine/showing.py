"""What the shells show of the engine beside its counters, bounded and cheap."""

from heapq import nlargest
from itertools import islice
from time import time

from app.engine.frontier import Entry, Frontier
from app.model.messages import HostState, InFlight

SHOWN_IN_FLIGHT = 200
SHOWN_HOSTS = 12
_EVERY_S = 0.5
"""To look at ten thousand hosts takes some milliseconds."""


class Showing:
    """Looks at what is in flight, and at the hosts that are being asked or waited for."""

    def __init__(self, frontier: Frontier) -> None:
        """Take the frontier; nothing is in flight."""
        self._frontier = frontier
        self._since: dict[Entry, float] = {}
        """When each began to be asked, in Unix seconds."""
        self._hosts: list[HostState] = []
        self._looked_at = float("-inf")

    def began(self, entry: Entry) -> None:
        """An entry is in flight now."""
        self._since[entry] = time()

    def ended(self, entry: Entry) -> None:
        """It is not any more."""
        del self._since[entry]

    def in_flight(self) -> list[InFlight]:
        """The first SHOWN_IN_FLIGHT URLs in flight, oldest first."""
        return [
            InFlight(entry.id, entry.url, since, entry.tries)
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
