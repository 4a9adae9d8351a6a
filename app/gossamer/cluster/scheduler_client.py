"""The connection to a Dask scheduler, and queries to it."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pkgutil import resolve_name
from typing import Any, Final
from urllib.parse import urlsplit

from distributed import Client
from distributed.security import Security

from gossamer import __version__
from gossamer.cluster.dask_cancellation import given_up_is_lost
from gossamer.model.cluster_address import is_private
from gossamer.model.errors import CrawlHostError

CONNECT_S: Final = 10.0
RETRY_S: Final = 1.0
_CLOSE_S: Final = 2.0


async def connected(address: str) -> Client:
    """A client of the scheduler. CrawlHostError if none replies, or certificates are missing."""
    if address.startswith("tls://"):
        _ensure_certificates()
    try:
        with given_up_is_lost():
            return await _client(address)
    except (OSError, TimeoutError) as e:
        raise CrawlHostError(
            "No Dask scheduler responds at {address} ({reason}); start one with 'dask "
            "scheduler', or crawl on this computer alone.",
            address=address,
            reason=cause_text(e),
        ) from e


def _ensure_certificates() -> None:
    """Raise CrawlHostError if Dask's configuration has none for a client, or unusable ones."""
    try:
        found = Security().get_connection_args("client")  # type: ignore[no-untyped-call]  # Dask's
    except OSError as e:
        raise CrawlHostError(
            "The certificates of clusters that Dask's configuration names cannot be used "
            "({reason}); correct them under distributed.comm.tls.",
            reason=cause_text(e),
        ) from e
    if found.get("ssl_context") is None:
        raise CrawlHostError(
            "A cluster with TLS needs certificates, and Dask's configuration names none; add them "
            "under distributed.comm.tls, or use tcp:// in a private network."
        )


async def connected_again(address: str) -> Client:
    """A client of the scheduler, as soon as it can be reached."""
    while True:
        try:
            with given_up_is_lost():
                return await _client(address)
        except (OSError, TimeoutError):
            await asyncio.sleep(RETRY_S)


async def _client(address: str) -> Client:
    client = Client(  # type: ignore[no-untyped-call]  # Dask's
        address,
        asynchronous=True,
        direct_to_workers=True,
        timeout=CONNECT_S,
        name="gossamer",
    )
    try:
        await client
        await _ensure_gossamer(client, address)
    except BaseException:  # cancelled while it connects, Dask would leave it open
        await closed(client)
        raise
    return client


async def _ensure_gossamer(client: Client, address: str) -> None:
    """Raise CrawlHostError if the scheduler cannot import what it must pass to its workers."""
    try:
        async with asyncio.timeout(CONNECT_S):
            await client.run_on_scheduler(resolve_name, "gossamer:__version__")  # type: ignore[no-untyped-call]  # Dask's
    except ImportError as e:
        raise CrawlHostError(
            "The Dask scheduler at {address} has no Gossamer; install gossamer[cluster] {ours} "
            "there.",
            address=address,
            ours=__version__,
        ) from e


async def closed(client: Client) -> None:
    """Close a client, whatever has become of its scheduler."""
    with suppress(Exception), given_up_is_lost():
        async with asyncio.timeout(_CLOSE_S):
            await client.close()  # type: ignore[no-untyped-call]  # Dask's


async def workers_of(client: Client) -> dict[str, dict[str, Any]]:
    """The workers that the scheduler has, by address. OSError or TimeoutError if it is lost."""
    if client.status != "running" or client.scheduler is None:
        raise OSError(f"client {client.status}")
    async with asyncio.timeout(CONNECT_S):
        identity = await client.scheduler.identity(n_workers=-1)
    workers: dict[str, dict[str, Any]] = identity["workers"]
    return workers


def name_of(worker: Mapping[str, object], at: str) -> str:
    """The display name of a worker: its name, if it has one. Dask numbers the others."""
    name = worker.get("name")
    if not isinstance(name, int):
        return at if name is None else str(name)
    host = urlsplit(at).hostname or ""
    return f"#{name + 1}" if is_private(f"tcp://{host}") else f"{host} #{name + 1}"


def cause_text(error: BaseException) -> str:
    """The root cause, for the log and for administrators of clusters."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
