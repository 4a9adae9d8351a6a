"""Connections without a server: tests hand them what would have come."""

import asyncio

from gossamer.fetch.http_connection import HttpConnection


class Line(asyncio.Transport):
    """A transport that only knows whether it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closed = False

    def is_closing(self) -> bool:
        return self.is_closed

    def abort(self) -> None:
        self.is_closed = True

    close = abort

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Sent to nobody."""


class Nobody:
    """Keeps no count of connections."""

    def add(self, connection: HttpConnection) -> None:
        """Not noted."""

    def remove(self, connection: HttpConnection) -> None:
        """Not noted."""

    def make_room(self) -> None:
        """There is always room."""


def connected() -> tuple[HttpConnection, Line]:
    connection, line = HttpConnection(Nobody(), asyncio.get_running_loop()), Line()
    connection.connection_made(line)
    return connection, line
