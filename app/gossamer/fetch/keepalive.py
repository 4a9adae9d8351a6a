"""Open connections that wait for the next request to the same place."""

import asyncio

from gossamer.fetch.connector import Endpoint
from gossamer.fetch.http_connection import HttpConnection

KEEP_ALIVE_S = 15.0
"""How long a connection may wait at least; many servers close it after as much."""
_SWEEP_S = 5.0


class IdleConnections:
    """The idle connections of one process. Must be made and used on one running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._kept: dict[Endpoint, dict[HttpConnection, float]] = {}
        """Since when they wait. Some may have been closed by the server."""
        self._sweeping: asyncio.TimerHandle | None = None

    def keep(self, endpoint: Endpoint, wire: HttpConnection) -> None:
        """Keep this connection to `endpoint`, whose last answer was read to its end."""
        wire.rest()
        self._kept.setdefault(endpoint, {})[wire] = self._loop.time()
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep)

    def take(self, endpoint: Endpoint) -> HttpConnection | None:
        """The connection to `endpoint` that was used last, if there is one: it is kept no more."""
        wires = self._kept.get(endpoint)
        while wires:
            wire, _ = wires.popitem()
            if wire.is_free:
                return wire
            wire.close()
        return None

    def close(self) -> None:
        """Close them all."""
        for wires in self._kept.values():
            for wire in wires:
                wire.close()
        self._kept.clear()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None

    def _sweep(self) -> None:
        """Close those that have waited for too long, and forget what is closed."""
        oldest_s = self._loop.time() - KEEP_ALIVE_S
        for wires in self._kept.values():
            for wire in [each for each, since_s in wires.items() if since_s <= oldest_s]:
                wire.close()
            for wire in [each for each in wires if not each.is_connected]:
                del wires[wire]
        self._kept = {endpoint: wires for endpoint, wires in self._kept.items() if wires}
        self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep) if self._kept else None
