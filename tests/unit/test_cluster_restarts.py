"""A cluster on this machine that ends is started again, as long as that is of any use."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.cluster import cluster as module
from gossamer.cluster.cluster import MAX_BARREN, Cluster
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.errors import CrawlHostError
from tests.fakes.virtual_loop import run_virtual

if TYPE_CHECKING:
    from distributed import Client

    from gossamer.cluster.cluster import NodeUse
    from gossamer.ipc.process_start import LaunchedProcess

ADDRESS = "tcp://127.0.0.1:1"


BEGUN = cast("LaunchedProcess", object())


class Ending(Cluster):
    """A cluster on this machine whose processes are killed; the first `useful` have a node."""

    def __init__(self, useful: int = 0) -> None:
        choice, use_of = ClusterChoice("local:1"), cast("NodeUse", None)
        super().__init__(choice, use_of, has_secrets=False, begun=BEGUN)
        self.useful = useful
        self.attended = 0

    async def _attend_until_lost(self, client: "Client", address: str) -> None:
        del client, address
        self.attended += 1
        self._had += self.attended <= self.useful


class Starts:
    """Counts the clusters that are started; the first `silent` do not respond."""

    def __init__(self, silent: int = 0) -> None:
        self.count = 0
        self.silent = silent
        self.begun: list[object] = []

    @asynccontextmanager
    async def local_cluster(self, _nodes: int, begun: object) -> AsyncIterator[str]:
        self.count += 1
        self.begun.append(begun)
        yield ADDRESS

    async def connected(self, address: str) -> "Client":
        if self.count <= self.silent:
            raise CrawlHostError("No Dask scheduler responds at {address}.", address=address)
        return cast("Client", None)


def run_to_its_end(
    monkeypatch: pytest.MonkeyPatch, *, useful: int = 0, silent: int = 0
) -> tuple[int, int]:
    """How many clusters were started, and how many of them attended, until it was given up."""
    starts = Starts(silent)
    monkeypatch.setattr(module, "local_cluster", starts.local_cluster)
    monkeypatch.setattr(module, "connected", starts.connected)

    async def main() -> int:
        cluster = Ending(useful)
        with pytest.raises(CrawlHostError, match="before they can be used"):
            await cluster._run()  # noqa: SLF001 - without a use that has to be closed
        return cluster.attended

    attended = run_virtual(main())
    assert starts.begun == [BEGUN, *[None] * (starts.count - 1)], "it is used once"
    return starts.count, attended


def test_clusters_that_never_have_a_node_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_to_its_end(monkeypatch) == (MAX_BARREN, MAX_BARREN)


def test_those_that_had_one_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = 20 + MAX_BARREN
    assert run_to_its_end(monkeypatch, useful=20) == (expected, expected)


def test_one_that_ends_before_it_is_connected_to_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run_to_its_end(monkeypatch, useful=1, silent=2) == (3 + MAX_BARREN, 1 + MAX_BARREN)
