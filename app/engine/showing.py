"""What the shells show of the engine beside its counters, bounded and cheap."""

from collections.abc import Mapping
from heapq import nlargest

from app.engine.frontier import Entry, Frontier
from app.model.messages import HostState, InFlight

SHOWN_IN_FLIGHT = 200
SHOWN_HOSTS = 12
_EVERY_S = 0.5
"""To look at ten thousand hosts takes some milliseconds."""


class Showing:
    """Looks at what is in flight, and at the hosts that are being asked or waited for."""

    def __init__(
        self, frontier: Frontier, active: Mapping[int, Entry], since: Mapping[int, float]
    ) -> None:
        """Take the frontier, the entries being fetched, and since when (Unix seconds), by id."""
        self._frontier = frontier
        self._active = active
        self._since = since
        self._hosts: list[HostState] = []
        self._looked_at = float("-inf")

    def in_flight(self) -> list[InFlight]:
        """The first SHOWN_IN_FLIGHT URLs in flight, oldest first."""
        return [
            InFlight(url_id, self._active[url_id].url, since, self._active[url_id].tries)
            for url_id, since in list(self._since.items())[:SHOWN_IN_FLIGHT]
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
