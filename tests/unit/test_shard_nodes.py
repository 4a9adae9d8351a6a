"""Places for shards on nodes: without Dask, without processes, without time."""

import asyncio
import errno
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from gossamer.cluster import cluster
from gossamer.cluster.node import CrawlNode
from gossamer.cluster.node_link import NodeLink
from gossamer.cluster.node_refusal import NodeRefusedError
from gossamer.ipc.channel import encoded
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError
from gossamer.model.messages.crawl_messages import HostHeartbeat, Progress, Report, ShellHeartbeat
from gossamer.model.messages.node_messages import ForWorker, NodeGreeting, NodeRole, OpenWorker
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_nodes import (
    HEARTBEAT_S,
    SETTLED_S,
    SILENCE_S,
    ShardLocation,
    ShardNodes,
)
from gossamer.shards.shard_session import ShardSession
from gossamer.shards.sharded_crawl import ShardedCrawl
from tests.fakes.called_node import FakeNode
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import ROOT, FakeWeb
from tests.integration.hosting import Hosting

FILES = [Path("/shared/shard-1-of-3.gossamer")] * 3
GREETING = NodeGreeting("", 0, cores=4)


def with_nodes(test: Callable[[ShardNodes, dict[str, FakeNode]], Awaitable[None]]) -> None:
    """Three shards, and two nodes of four cores that are used for them."""

    async def main() -> None:
        nodes = ShardNodes(
            ClusterChoice("tcp://127.0.0.1:1"), CrawlSettings(roots=("http://a.test/",)), FILES
        )
        fakes = {name: FakeNode(HostHeartbeat()) for name in ("one", "two")}

        async def use(name: str) -> None:
            link = NodeLink(name, fakes[name].exchange)
            async with asyncio.TaskGroup() as group:
                employing = group.create_task(nodes.employ(link, GREETING), name=name)
                with suppress(TimeoutError):
                    await link.converse()
                employing.cancel()

        async with asyncio.TaskGroup() as group:
            using = [group.create_task(use(name), name=name) for name in fakes]
            await asyncio.sleep(0.01)
            await test(nodes, fakes)
            for each in using:
                each.cancel()

    run_virtual(main())


async def started(nodes: ShardNodes, gone: Callable[[], None] = lambda: None) -> int:
    """Start the crawl host of a shard in the place that it is given; its page workers."""

    def receive(_: list[Report]) -> None:
        """Nothing is expected."""

    place = await nodes.place(lambda _: None)
    await place.take(1).connect(Path("/nowhere"), receive, gone)
    return place.page_workers


def hosts_of(node: FakeNode) -> list[OpenWorker]:
    opened = [each for each in node.seen if isinstance(each, OpenWorker)]
    assert all(each.role is NodeRole.CRAWL_HOST for each in opened)
    return opened


def test_shards_are_divided_among_nodes_and_leave_one_that_is_lost() -> None:
    async def test(nodes: ShardNodes, fakes: dict[str, FakeNode]) -> None:
        gone: list[str] = []
        page_workers = [await started(nodes, lambda: gone.append("")) for _ in range(3)]
        assert page_workers == [2, 2, 2]
        assert [len(hosts_of(fakes[name])) for name in ("one", "two")] == [2, 1]
        await asyncio.sleep(3 * HEARTBEAT_S)
        heartbeat = encoded([ShellHeartbeat()])
        told = [each for each in fakes["two"].seen if isinstance(each, ForWorker)]
        assert [each.messages for each in told].count(heartbeat) in {2, 3}
        fakes["one"].hangs = True
        await asyncio.sleep(5)
        assert len(gone) == 2
        assert [await started(nodes) for _ in range(2)] == [1, 1]
        assert len(hosts_of(fakes["two"])) == 3

    with_nodes(test)


def test_a_host_that_does_not_start_is_told_once_by_its_error() -> None:
    async def test(nodes: ShardNodes, fakes: dict[str, FakeNode]) -> None:
        for node in fakes.values():
            node.refuses = True
        gone: list[str] = []
        with pytest.raises(CrawlHostError, match="no memory"):
            await started(nodes, lambda: gone.append(""))
        assert not gone

    with_nodes(test)


def test_who_waits_for_a_node_does_not_keep_the_crawl_from_ending() -> None:
    async def test(nodes: ShardNodes, fakes: dict[str, FakeNode]) -> None:
        for node in fakes.values():
            node.hangs = True
        await asyncio.sleep(5)
        asyncio.get_running_loop().call_later(60, nodes.end_waits)
        with pytest.raises(CrawlHostError):
            await started(nodes)

    with_nodes(test)


@pytest.mark.parametrize("is_wanted", [False, True])
def test_a_host_that_hears_nothing_of_its_coordinator_pauses_and_ends(
    tmp_path: Path, *, is_wanted: bool
) -> None:
    web = FakeWeb(delay_s=lambda _: 4 * SILENCE_S)
    web.page(f"{ROOT}/")
    hosting = Hosting(web)
    path = hosting.create(tmp_path / "a.gossamer")

    def heard(host: object, _: Progress) -> None:
        if is_wanted:
            host.receive([ShellHeartbeat()])  # type: ignore[attr-defined]  # a CrawlHost

    told = hosting.run(path, heard, silence_s=SILENCE_S)
    assert not told.trouble
    ended = CrawlState.FINISHED if is_wanted else CrawlState.PAUSED
    assert told.progress[-1].state is ended


def test_without_a_scheduler_the_crawl_does_not_begin_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That there are no nodes any more, which the cluster tells too, is not the reason."""

    async def nobody(address: str) -> None:
        raise CrawlHostError("No Dask scheduler responds at {address}.", address=address)

    monkeypatch.setattr(cluster, "connected", nobody)

    async def main() -> None:
        settings = CrawlSettings(roots=("http://a.test/",))
        files = [tmp_path / "shard-1-of-1.gossamer"]
        nodes = ShardNodes(ClusterChoice("tcp://127.0.0.1:1"), settings, files)
        with pytest.raises(CrawlHostError, match="No Dask scheduler responds"):
            await nodes.begin(has_secrets=False)
        await nodes.end()

    run_virtual(main())


def test_who_waits_for_a_node_hears_why() -> None:
    class NoWorkers(ShardNodes):
        async def place(self, wait: Callable[[Translatable], None]) -> ShardLocation:
            wait(Translatable("The cluster has no worker."))
            raise CrawlHostError("ended")

    async def main(crawl: ShardedCrawl) -> list[Progress]:
        heard: list[Progress] = []
        shard = crawl.shards[0]
        settings = crawl.settings
        shard.use_nodes(
            NoWorkers(ClusterChoice(), settings, [shard.path]),
            lambda: heard.append(crawl.progress),
        )
        with pytest.raises(CrawlHostError):
            await shard.start()
        return heard

    with TemporaryDirectory() as folder:
        settings = CrawlSettings(roots=("http://a.test/",))
        paths = create_shards(Path(folder) / "a.shards", settings, 1, "")
        (told,) = asyncio.run(main(ShardedCrawl(paths, CrawlHostPool())))
    assert (str(told.notice), told.waits) == ("The cluster has no worker.", True)


def test_a_shard_moves_to_a_node_that_has_two_fewer_once_nodes_have_settled() -> None:
    async def test(nodes: ShardNodes, _: dict[str, FakeNode]) -> None:
        now_s = asyncio.get_running_loop().time
        for _number in range(4):
            await started(nodes)
        await asyncio.sleep(SETTLED_S)
        assert not nodes.crowded(now_s())
        joined = NodeLink("three", FakeNode(HostHeartbeat()).exchange)
        async with asyncio.TaskGroup() as group:
            using = [
                group.create_task(joined.converse(), name="three"),
                group.create_task(nodes.employ(joined, GREETING), name="three"),
            ]
            await asyncio.sleep(SETTLED_S / 2)
            assert not nodes.crowded(now_s())
            await asyncio.sleep(SETTLED_S)
            assert sorted(each.name for each in nodes.crowded(now_s())) == ["one", "two"]
            nodes.note_moved()
            assert not nodes.crowded(now_s())
            assert (await nodes.place(lambda _: None)).link is joined
            await started(nodes)
            await asyncio.sleep(SETTLED_S)
            assert not nodes.crowded(now_s()), "one more or less is no reason"
            nodes.end_waits()
            assert not nodes.crowded(now_s())
            for each in using:
                each.cancel()

    with_nodes(test)


@dataclass(frozen=True)
class Place:
    """Where a shard is; two nodes are enough to tell."""

    link: str
    page_workers: int = 1


class Crowd(ShardNodes):
    """Nodes of which one has too many shards, until one has moved."""

    crowd: tuple[str, ...] = ("old",)

    def crowded(self, now_s: float) -> tuple[str, ...]:  # type: ignore[override]  # stand-ins
        del now_s
        return self.crowd

    def note_moved(self) -> None:
        self.crowd = ()


@pytest.mark.parametrize("dies", [False, True])
def test_a_shard_at_work_lets_go_and_is_started_elsewhere_unless_it_died_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, dies: bool
) -> None:
    settings = CrawlSettings(roots=("http://a.test/",))
    paths = create_shards(tmp_path / "a.shards", settings, 4, "")
    done: list[str] = []

    async def let_go(shard: ShardSession) -> None:
        state = CrawlState.FAILED if dies else CrawlState.PAUSED
        shard.progress = replace(shard.progress, state=state)
        done.append(f"{shard.identity.number} lets go")

    async def start(shard: ShardSession) -> None:
        done.append(f"{shard.identity.number} starts")

    monkeypatch.setattr(ShardSession, "let_go", let_go)
    monkeypatch.setattr(ShardSession, "start", start)

    async def main() -> None:
        crawl = ShardedCrawl(paths, CrawlHostPool())
        for shard, place in zip(crawl.shards, ("new", "old", "old", "old"), strict=True):
            shard.place = Place(place)  # type: ignore[assignment]  # a stand-in
            shard.progress = replace(shard.progress, state=CrawlState.RUNNING)
        finished = crawl.shards[1]
        finished.progress = replace(finished.progress, state=CrawlState.FINISHED)
        crawl._idle.add(2)  # noqa: SLF001 - as if it had reported so
        nodes = Crowd(ClusterChoice(), settings, paths)
        balancing = asyncio.get_running_loop().create_task(crawl._balance(nodes), name="balance")  # noqa: SLF001 - its one caller needs Dask
        await asyncio.sleep(10)
        balancing.cancel()

    run_virtual(main())
    assert done == (["3 lets go"] if dies else ["3 lets go", "3 starts"])


@pytest.mark.parametrize(
    ("has_file", "problem", "why"),
    [(True, 0, ""), (False, 0, "does not see"), (True, errno.EROFS, "cannot write to")],
)
def test_a_node_gets_shards_only_where_it_sees_their_folder_and_can_write_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_file: bool, problem: int, why: str
) -> None:
    """Otherwise the crawl would stop when a shard moves to it."""
    folder = tmp_path / "a.shards"
    folder.mkdir()
    file = folder / "shard-1-of-1.gossamer"
    if has_file:
        file.touch()

    def write_trial(tried: Path) -> None:
        assert tried == folder
        if problem:
            raise OSError(problem, "as the mount has it")

    monkeypatch.setattr("gossamer.cluster.node.write_trial", write_trial)
    there = object.__new__(CrawlNode)  # the whole of it lives in a Dask worker

    async def main() -> None:
        settings = CrawlSettings(roots=("http://a.test/",))
        await ShardNodes(ClusterChoice(), settings, [file]).prepare(there, "n1", GREETING)

    if not why:
        asyncio.run(main())
        return
    with pytest.raises(NodeRefusedError, match=f"n1 {why} .*a.shards") as refused:
        asyncio.run(main())
    assert refused.value.may_pass is bool(problem)
