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

    def keep(self, endpoint: Endpoint, connection: HttpConnection) -> None:
        """Keep this connection to `endpoint`, whose last answer was read to its end."""
        connection.rest()
        self._kept.setdefault(endpoint, {})[connection] = self._loop.time()
        if self._sweeping is None:
            self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep)

    def take(self, endpoint: Endpoint) -> HttpConnection | None:
        """The connection to `endpoint` that was used last, if there is one: it is kept no more."""
        connections = self._kept.get(endpoint)
        while connections:
            connection, _ = connections.popitem()
            if connection.is_free:
                return connection
            connection.close()
        return None

    def close(self) -> None:
        """Close them all."""
        for connections in self._kept.values():
            for connection in connections:
                connection.close()
        self._kept.clear()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None

    def _sweep(self) -> None:
        """Close those that have waited for too long, and forget what is closed."""
        oldest_s = self._loop.time() - KEEP_ALIVE_S
        for connections in self._kept.values():
            for connection in [
                each for each, since_s in connections.items() if since_s <= oldest_s
            ]:
                connection.close()
            for connection in [each for each in connections if not each.is_connected]:
                del connections[connection]
        self._kept = {
            endpoint: connections for endpoint, connections in self._kept.items() if connections
        }
        self._sweeping = self._loop.call_later(_SWEEP_S, self._sweep) if self._kept else None
