"""How long a connection is waited for."""

import asyncio
import socket
from functools import partial

import pytest
from aiohttp import ClientConnectorDNSError
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from gossamer.fetch.connector import Connector, Endpoint
from gossamer.fetch.http_connection import HttpConnection
from gossamer.fetch.timeouts import ServerTime
from tests.fakes.connections import Nobody
from tests.fakes.virtual_loop import VirtualLoop, run_virtual


class _Unknown(AbstractResolver):
    """Takes its time to find that there is no such host."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def resolve(
        self,
        host: str,
        port: int = 0,  # noqa: ARG002 - aiohttp's signature
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 - aiohttp's signature
    ) -> list[ResolveResult]:
        await asyncio.sleep(self._seconds)
        raise OSError(f"no such host: {host}")

    async def close(self) -> None:
        pass


async def opening(look_up_s: float, *, stopped_s: float) -> None:
    """Wait 3 s for a connection, in a process that is stopped for a while after 1 s."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.call_at(1.0, loop.jump, stopped_s)
    limiter = Nobody()
    connector = Connector(
        None, partial(HttpConnection, limiter, loop), limiter, None, _Unknown(look_up_s)
    )
    try:
        await connector.open(Endpoint(URL("http://here.example/")), 3.0, ServerTime(loop.time))
    finally:
        await connector.close()


def test_a_connection_is_waited_for_so_long() -> None:
    with pytest.raises(TimeoutError):
        run_virtual(opening(3.5, stopped_s=0.0))


def test_time_in_which_the_process_was_stopped_does_not_count() -> None:
    with pytest.raises(ClientConnectorDNSError):
        run_virtual(opening(4.5, stopped_s=3.0))
