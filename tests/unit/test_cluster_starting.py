"""What a crawl waits for until the first node of its cluster is there."""

import asyncio
from typing import cast

from gossamer.cluster.cluster import Cluster, NodeUse
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.translatable import Translatable


def told(address: str, *, connected: bool = False, trouble: Translatable | None = None) -> str:
    async def main() -> str:
        choice = ClusterChoice(address)
        cluster = Cluster(choice, cast("NodeUse", None), has_secrets=False)
        if connected:
            cluster.connected.set()
        cluster.trouble = trouble
        return str(cluster.starting or "")

    return asyncio.run(main())


def test_the_nodes_of_this_computer_are_started() -> None:
    assert told("local:2") == "Starting the nodes on this computer…"
    assert told("local:2", connected=True) == "Starting the nodes on this computer…"


def test_first_the_scheduler_is_waited_for_then_a_node() -> None:
    address = "tcp://10.0.0.5:8786"
    assert told(address) == f"Connecting to the Dask scheduler at {address}…"
    assert told(address, connected=True) == (
        f"Waiting for the first node of the cluster at {address}…"
    )


def test_trouble_is_told_by_itself() -> None:
    assert told("tcp://10.0.0.5:8786", trouble=Translatable("No node answers.")) == ""
