"""What Dask gives up is lost, and tried again; what we cancel ends."""

import asyncio
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.cluster.cluster import Cluster
from gossamer.cluster.node_link import NodeLink
from gossamer.cluster.scheduler_client import closed
from gossamer.model.cluster_address import ClusterChoice
from tests.fakes.virtual_loop import run_virtual

if TYPE_CHECKING:
    from distributed import Client

    from gossamer.cluster.cluster import NodeUse


class GivenUp(Cluster):
    """A cluster with one node, which Dask gives up at first."""

    uses = 0

    async def _use(self, *_: object) -> None:
        self.uses += 1
        if self.uses <= 2:
            raise asyncio.CancelledError
        await asyncio.Event().wait()

    async def tend(self) -> None:
        nothing_is_asked = cast("Client", None)
        await self._tend(nothing_is_asked, "tcp://127.0.0.1:1", "n")


def test_a_node_that_dask_gives_up_is_used_again_until_we_end() -> None:
    async def main() -> None:
        nothing_is_used = cast("NodeUse", None)
        cluster = GivenUp(ClusterChoice("tcp://127.0.0.1:1"), nothing_is_used, has_secrets=False)
        async with asyncio.TaskGroup() as group:
            tending = group.create_task(cluster.tend())
            await asyncio.sleep(10)
            assert (cluster.uses, tending.done()) == (3, False)
            tending.cancel()
        assert tending.cancelled()

    run_virtual(main())


def test_a_node_whose_call_dask_gives_up_is_lost() -> None:
    async def given_up(_number: int, _commands: bytes) -> bytes:
        raise asyncio.CancelledError

    async def main() -> None:
        link = NodeLink("n", given_up)
        with pytest.raises(OSError, match="given up"):
            await link.converse()
        assert link.is_lost

    run_virtual(main())


class GivenUpClient:
    """A client that Dask gives up while it is being closed."""

    async def close(self) -> None:
        raise asyncio.CancelledError


def test_a_client_that_dask_gives_up_while_it_is_closed_does_not_end_who_closes_it() -> None:
    """Otherwise nobody would look for the cluster any more, and the crawl wait for ever."""
    run_virtual(closed(cast("Client", GivenUpClient())))
