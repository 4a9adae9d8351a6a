"""A Dask cluster: makes a node of each of its workers, as they come and go."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final, Protocol

from distributed import Client

from gossamer.cluster.dask_cancellation import given_up_is_lost, raise_if_cancelled
from gossamer.cluster.dask_logging import log_as_ours
from gossamer.cluster.local_cluster import local_cluster
from gossamer.cluster.node import CrawlNode
from gossamer.cluster.node_actor import opened_node, served
from gossamer.cluster.node_archive import NodeArchive
from gossamer.cluster.node_link import LOST_AFTER_S, NodeLink
from gossamer.cluster.node_refusal import NodeRefusedError
from gossamer.cluster.scheduler_client import (
    cause_text,
    closed,
    connected,
    connected_again,
    name_of,
    workers_of,
)
from gossamer.ipc.process_start import LaunchedProcess
from gossamer.model.cluster_address import ClusterChoice, is_private, parse_cluster
from gossamer.model.errors import CrawlHostError, cause_of
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.messages.node_messages import NodeGreeting
from gossamer.model.translatable import Sentence, Translatable, said

LOOK_EVERY_S: Final = 1.0
"""Between two checks which workers the scheduler has."""
GRACE_S: Final = 3.0
"""Without a node for so long the crawl is paused: a nanny has a new worker ready within that."""
TOLD_S: Final = 30.0
"""How long the list of nodes shows a node that has gone."""
MAX_BARREN: Final = 5
"""Clusters on this machine that end one after the other before they have had a node."""
_RETRY_S: Final = 1.0
_DISK_RETRY_S: Final = 5.0
"""After that, a full disk is tried again."""
_log = logging.getLogger(__name__)
_NOT_ENCRYPTED: Final[Sentence] = (
    "The connection to the node {name} is not encrypted, and this crawl has passwords or cookies; "
    "use TLS, or --insecure-cluster."
)

_ENDED_HERE: Final[Sentence] = (
    "The nodes on this computer have ended; others are being started in their place."
)
_KEEP_ENDING: Final[Sentence] = (
    "The nodes on this computer end before they can be used; see the log, or crawl without a "
    "cluster."
)
_GONE: Final[Sentence] = "The node {name} is gone; its pages are queued again."


class NodeUse(Protocol):
    """A use of nodes."""

    async def prepare(
        self, node: CrawlNode, name: str, greeting: NodeGreeting
    ) -> NodeArchive | None:
        """Ensure that a node can be used; returns where its workers archive, if they do so there.

        NodeRefusedError if it cannot.
        """

    async def employ(self, link: NodeLink, greeting: NodeGreeting) -> None:
        """Use it until cancelled, when it is lost or not wanted any more."""

    async def close(self) -> None:
        """Stop using nodes."""


class Cluster:
    """The nodes of one crawl."""

    def __init__(
        self,
        choice: ClusterChoice,
        use_of: NodeUse,
        *,
        has_secrets: bool,
        begun: LaunchedProcess | None = None,
    ) -> None:
        """`choice` says where the nodes are; `has_secrets`, whether they get secrets.

        `begun` is the cluster on this machine, if its start has begun.
        """
        self._begun = begun
        self._address = parse_cluster(choice.address)
        self._use_of = use_of
        self._is_secret = has_secrets and not choice.is_insecure
        self.connected = asyncio.Event()
        """Set when the scheduler has replied for the first time."""
        self._links: dict[str, NodeLink] = {}
        self._refused: dict[str, NodeState] = {}
        self._gone: dict[str, float] = {}
        """When nodes went, by name."""
        self._workers: set[str] = set()
        """The addresses of all workers that the scheduler had at the last check."""
        self._had_nodes_s = asyncio.get_running_loop().time()
        self.trouble: Translatable | None = None
        """Why there is no node now."""
        self._had = 0
        """How many nodes have been used."""

    @property
    def has_tried_all(self) -> bool:
        """Whether all workers that there are have become nodes, or were refused."""
        return bool(self._workers) and self._workers <= {*self._links, *self._refused}

    @property
    def starting(self) -> Translatable | None:
        """What it waits for, until its first node is there."""
        if self._had or self.trouble is not None:
            return None
        if self._address.local_nodes:
            return said("Starting the nodes on this computer…")
        address = self._address.scheduler
        if self.connected.is_set():
            return said("Waiting for the first node of the cluster at {address}…", address=address)
        return said("Connecting to the Dask scheduler at {address}…", address=address)

    def nodes(self) -> list[NodeState]:
        """What each node does, those too that cannot be used or have just gone; by name."""
        states = [*(link.state() for link in self._links.values()), *self._refused.values()]
        present = {each.name for each in states}
        states += [
            NodeState(name, trouble=said(_GONE, name=name))
            for name in self._gone
            if name not in present
        ]
        return sorted(states, key=lambda each: each.name)

    async def run(self) -> None:
        """Use all nodes that come, until cancelled.

        CrawlHostError if there is no cluster at the address, or one on this machine keeps ending.
        """
        log_as_ours()
        try:
            await self._run()
        finally:
            await self._use_of.close()

    async def _run(self) -> None:
        if self._address.local_nodes:
            await self._run_here(self._address.local_nodes)
            return
        address = self._address.scheduler
        client = await connected(address)
        while True:
            self.connected.set()
            await self._attend_until_lost(client, address)
            self.trouble = said(
                "The Dask scheduler at {address} cannot be reached.", address=address
            )
            client = await connected_again(address)

    async def _run_here(self, number: int) -> None:
        """Have a cluster on this machine, which nobody else starts again."""
        barren = 0
        while barren < MAX_BARREN:
            had = self._had
            begun, self._begun = self._begun, None
            async with local_cluster(number, begun) as address:
                await self._attend_started(address)
            barren = barren + 1 if self._had == had else 0
            self._refused.clear()
            self.trouble = said(_ENDED_HERE)
            await asyncio.sleep(_RETRY_S)
        raise CrawlHostError(_KEEP_ENDING)

    async def _attend_started(self, address: str) -> None:
        try:
            client = await connected(address)
        except CrawlHostError as e:
            _log.warning("the cluster on this machine is lost", extra={"reason": str(e)})
            return
        self.connected.set()
        await self._attend_until_lost(client, address)

    async def _attend_until_lost(self, client: Client, address: str) -> None:
        try:
            with given_up_is_lost():
                await self._attend(client, address)
        except* (OSError, TimeoutError) as lost:
            _log.warning("the scheduler is lost", extra={"error": repr(lost)})
        finally:
            await closed(client)
        raise_if_cancelled()

    async def _attend(self, client: Client, address: str) -> None:
        """Make nodes of the scheduler's workers; OSError or TimeoutError when it is lost."""
        loop = asyncio.get_running_loop()
        self._had_nodes_s = loop.time()
        async with asyncio.TaskGroup() as group:
            tending: dict[str, asyncio.Task[None]] = {}
            while True:
                workers = await workers_of(client)
                self._workers = set(workers)
                for gone in tending.keys() - workers.keys():
                    tending.pop(gone).cancel()
                    self._refused.pop(gone, None)
                for at in workers.keys() - tending.keys():
                    name = name_of(workers[at], at)
                    work = self._tend(client, at, name)
                    tending[at] = group.create_task(work, name=f"node {name}")
                self._judge(address, workers)
                await asyncio.sleep(LOOK_EVERY_S)

    def _judge(self, address: str, workers: Mapping[str, object]) -> None:
        """Report why there is no node, if there has been none for a while."""
        now = asyncio.get_running_loop().time()
        self._gone = {name: at for name, at in self._gone.items() if now < at + TOLD_S}
        if self._links:
            self._had_nodes_s, self.trouble = now, None
        elif now < self._had_nodes_s + GRACE_S:
            return
        elif not workers:
            self.trouble = said(
                "The cluster at {address} has no worker; start one with 'dask worker {address}'.",
                address=address,
            )
        elif set(self._refused) >= set(workers):
            self.trouble = next(iter(self._refused.values())).trouble
        else:
            self.trouble = said("No node of the cluster at {address} responds.", address=address)

    async def _tend(self, client: Client, at: str, name: str) -> None:
        """Use the Dask worker at an address as a node, again and again, until it is refused."""
        while True:
            pause_s = _RETRY_S
            try:
                with given_up_is_lost():
                    await self._use(client, at, name)
            except NodeRefusedError as e:
                _log.warning("node refused: %s", e, extra={"node": name})
                raise_if_cancelled()
                self._refused[at] = NodeState(name, trouble=e.said)
                if not e.may_pass:
                    return
                pause_s = _DISK_RETRY_S
            except Exception as e:  # noqa: BLE001 - whatever Dask raises of a lost worker
                failure = {"node": name, "error": cause_text(e)}
                _log.warning("node is tried again", extra=failure)
                raise_if_cancelled()
                self._refused.pop(at, None)
            await asyncio.sleep(pause_s)

    async def _use(self, client: Client, at: str, name: str) -> None:
        """Have a node at work until it is lost; the exception says why.

        NodeRefusedError if it cannot be used, or not any more.
        """
        if self._is_secret and not is_private(at):
            raise NodeRefusedError(said(_NOT_ENCRYPTED, name=name))
        async with opened_node(client, at, name) as (node, greeting, ahead_s):
            archive = await self._use_of.prepare(node, name, greeting)
            link = NodeLink(name, node.exchange, archive, ahead_s)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(served(node), name=f"serve {name}")
                    async with asyncio.timeout(LOST_AFTER_S):
                        await node.ready()
                    self._refused.pop(at, None)
                    self._links[at] = link
                    self._had += 1
                    talking = group.create_task(link.converse(), name=f"converse with {name}")
                    employing = self._use_of.employ(link, greeting)
                    group.create_task(employing, name=f"use {name}")
                    # Not at the end of the block: with Python 3.11, this task would count as
                    # cancelled after a failure there, and `_tend` not try the node again.
                    await talking
            except BaseExceptionGroup as failures:
                cause = cause_of(failures.subgroup(NodeRefusedError) or failures)
                # Others have its jobs by now; closing one that hangs takes two seconds more.
                _log.warning("node lost", extra={"node": name, "error": cause_text(cause)})
                if isinstance(cause, NodeRefusedError):  # reported before the node has been closed
                    self._refused[at] = NodeState(name, trouble=cause.said)
                raise cause from failures
            finally:
                if self._links.pop(at, None) is not None:
                    self._gone[name] = asyncio.get_running_loop().time()
