"""Makes the node on a Dask worker: starts its actor, and asks for its version."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from pkgutil import resolve_name
from typing import Final
from uuid import uuid4

import msgspec
from distributed import Client

from gossamer import __version__
from gossamer.cluster.dask_cancellation import given_up_is_lost
from gossamer.cluster.node import CrawlNode
from gossamer.cluster.node_archive import NodeArchive
from gossamer.cluster.node_link import LOST_AFTER_S
from gossamer.cluster.node_refusal import NodeRefusedError, refused_by_disk
from gossamer.ipc import PROTOCOL_VERSION
from gossamer.model.messages.node_messages import NodeGreeting
from gossamer.model.translatable import said

_log = logging.getLogger(__name__)
_CLOSE_S: Final = 2.0
_CLOCKS_DIFFER_S: Final = 1.0
_TRIAL_S: Final = 20.0
"""For a megabyte, on a disk that others use as well."""


@asynccontextmanager
async def opened_node(
    client: Client, at: str, name: str
) -> AsyncIterator[tuple[CrawlNode, NodeGreeting, float]]:
    """The node on the Dask worker at an address, which ends with the block.

    Also how far its clock is ahead of ours.

    It is a proxy: Dask runs its methods on the worker. NodeRefusedError if it cannot be used.
    """
    await _ensure_same_version(client, at, name)
    key = f"gossamer-node-{uuid4().hex}"
    future = client.submit(CrawlNode, key=key, workers=[at], actor=True, allow_other_workers=False)
    try:
        node: CrawlNode = await future  # wait for a worker that is busy with others
        asked_s = time.time()
        greeting = await _introduced(node, name)
        ahead_s = clock_ahead_s(greeting.time_s, asked_s, time.time())
        if ahead_s:
            _log.warning("clock of a node differs", extra={"node": name, "ahead_s": ahead_s})
        try:
            yield node, greeting, ahead_s
        finally:
            with suppress(Exception):
                async with asyncio.timeout(_CLOSE_S):
                    await node.close()
    finally:
        future.release()  # type: ignore[no-untyped-call]  # Dask's


def clock_ahead_s(theirs_s: float, asked_s: float, answered_s: float) -> float:
    """How far a clock that showed `theirs_s` between two times of ours is ahead.

    0 if that is less than clocks differ that are set over a network, or than can be told.
    """
    ahead_s = theirs_s - (asked_s + answered_s) / 2
    return ahead_s if abs(ahead_s) > _CLOCKS_DIFFER_S + (answered_s - asked_s) / 2 else 0.0


async def _ensure_same_version(client: Client, at: str, name: str) -> None:
    """Raise NodeRefusedError if there is no Gossamer, or another version.

    Asked in words of the standard library alone: a Dask worker that cannot import what it gets ends
    with its nanny, and it may work for others. One that hangs is waited for.
    """
    try:
        found = await client.run(resolve_name, "gossamer:__version__", workers=[at])
    except ImportError as e:
        raise NodeRefusedError(
            said(
                "The node {name} has no Gossamer; install gossamer[cluster] {ours} there.",
                name=name,
                ours=__version__,
            )
        ) from e
    if found[at] != __version__:
        raise _other_version(name, str(found[at]))


async def _introduced(node: CrawlNode, name: str) -> NodeGreeting:
    async with asyncio.timeout(LOST_AFTER_S):
        encoded = await node.introduce()
    try:
        greeting = msgspec.msgpack.decode(encoded, type=NodeGreeting)
    except msgspec.DecodeError:
        greeting = NodeGreeting("?", 0)
    if (greeting.version, greeting.protocol) == (__version__, PROTOCOL_VERSION):
        return greeting
    raise _other_version(name, greeting.version)


def _other_version(name: str, theirs: str) -> NodeRefusedError:
    return NodeRefusedError(
        said(
            "The node {name} has Gossamer {theirs}, not {ours}; install the same version there.",
            name=name,
            theirs=theirs,
            ours=__version__,
        )
    )


async def ensure_browser(node: CrawlNode, name: str, chosen: str) -> None:
    """Raise NodeRefusedError if a node cannot render: its pages would lack rendering."""
    async with asyncio.timeout(LOST_AFTER_S):
        has_browser = await node.has_browser(chosen)
    if not has_browser:
        raise NodeRefusedError(
            said(
                "The node {name} has no browser that renders pages; install Chromium there, or "
                "crawl without rendering.",
                name=name,
            )
        )


async def ensure_shared(node: CrawlNode, name: str, file: Path) -> None:
    """Raise NodeRefusedError if a node does not see the folder of the shards, or cannot write.

    `file` is one that must be in it. A shard that started there could not go on.
    """
    async with asyncio.timeout(_TRIAL_S):
        is_there = await node.has_file(str(file))
        problem = await node.write_errno(str(file.parent)) if is_there else 0
    if not is_there:
        raise NodeRefusedError(
            said(
                "The node {name} does not see {folder}; mount the folder of the shards there, at "
                "the same path.",
                name=name,
                folder=file.parent,
            )
        )
    if problem:
        unwritable = said(
            "The node {name} cannot write to {folder}; check the disk and the permissions of the "
            "mount there.",
            name=name,
            folder=file.parent,
        )
        raise NodeRefusedError(unwritable, may_pass=True)


async def ensure_room(node: CrawlNode, name: str, archive: NodeArchive) -> None:
    """Raise NodeRefusedError if the disk of a node does not accept archives there."""
    async with asyncio.timeout(_TRIAL_S):
        problem = await node.write_errno(archive.folder.rpartition("/")[0])
    if problem:
        raise refused_by_disk(name, archive.disk, problem)


async def served(node: CrawlNode) -> None:
    """Have the node own its workers; OSError when it has ended."""
    with given_up_is_lost():
        await node.serve()
    raise OSError("the node has ended")
