"""Nodes whose clocks are wrong: the crawl has the time of its coordinator."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.cluster.node_actor import clock_ahead_s
from gossamer.cluster.node_link import NodeLink, RemoteWorker
from gossamer.crawl_host.worker_kinds import page_workers
from gossamer.crawl_host.worker_pool import WorkerPool
from gossamer.model.cluster_address import ClusterChoice
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.messages.crawl_messages import Start
from gossamer.model.messages.worker_messages import ConfigureWorker, Job, Result
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.timestamps import LATEST_S
from gossamer.page_worker.worker_job_loop import JobLoop, JobRunner
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_nodes import ShardLocation, ShardNodes
from gossamer.shards.shard_session import ShardSession
from gossamer.shards.sharded_crawl import ShardedCrawl
from tests.cases import each_case
from tests.fakes.called_node import FakeNode
from tests.fakes.web import FakeWeb
from tests.integration.hosting import Hosting

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

HOUR_S = 3600.0
NOW_S = 1_800_000_000.0


@pytest.fixture(autouse=True)
def _clock_of_this_machine() -> Iterator[None]:
    yield
    CLOCK.set_right(0.0)


@each_case(
    ("theirs_s", "ahead_s"),
    [
        (100.1, 0.0),
        (101.0, 0.0),
        (100.1 + HOUR_S, HOUR_S),
        (100.1 - HOUR_S, -HOUR_S),
        (102.0, 1.9),
    ],
)
def test_a_clock_is_off_by_more_than_the_call_took_and_networks_leave(
    theirs_s: float, ahead_s: float
) -> None:
    assert clock_ahead_s(theirs_s, 100.0, 100.2) == pytest.approx(ahead_s)


@each_case(("clock_s", "now_s"), [(-5.0, 0.0), (9e9, 9e9), (2.5e11, LATEST_S)])
def test_no_clock_shows_a_time_that_projects_cannot_hold(clock_s: float, now_s: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: clock_s)
        assert CLOCK.now() == now_s


def test_workers_of_a_node_are_told_how_far_its_clock_is_ahead() -> None:
    async def main() -> list[object]:
        link = NodeLink("n", FakeNode().exchange, clock_ahead_s=HOUR_S)
        worker: RemoteWorker[Result] = RemoteWorker(1, link, Result, _ignore, _ignore)
        worker.send(ConfigureWorker(DEFAULTS))
        return worker.outgoing

    assert asyncio.run(main()) == [ConfigureWorker(DEFAULTS, clock_ahead_s=HOUR_S)]


def _ignore(*_: object) -> None:
    pass


class _Silent:
    """A channel that says nothing."""

    send = _ignore


class _OpenedError(Exception):
    """The worker would begin now."""


@pytest.mark.parametrize("ahead_s", [HOUR_S, 0.0])
def test_a_worker_has_the_time_of_the_coordinator(
    monkeypatch: pytest.MonkeyPatch, ahead_s: float
) -> None:
    monkeypatch.setattr(time, "time", lambda: 2 * HOUR_S)
    seen: list[float] = []

    def open_runner(_: ConfigureWorker) -> AbstractAsyncContextManager[JobRunner]:
        seen.append(CLOCK.now())
        raise _OpenedError

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            jobs = JobLoop(group)
            jobs.receive([ConfigureWorker(DEFAULTS, clock_ahead_s=ahead_s)])
            with pytest.raises(_OpenedError):
                await jobs.work(cast("Channel[Job]", _Silent()), open_runner)

    asyncio.run(main())
    assert seen == [2 * HOUR_S - ahead_s]


def test_the_host_of_a_shard_on_a_node_learns_how_far_the_clock_there_is_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = CrawlSettings(roots=("http://a.test/",))
    (path,) = create_shards(tmp_path / "a.shards", settings, 1, "")
    sent: list[Start] = []

    class OneNode(ShardNodes):
        async def place(self, wait: object) -> ShardLocation:
            del wait
            return ShardLocation(NodeLink("n", FakeNode().exchange, clock_ahead_s=HOUR_S), 1)

    async def start_host(_: ShardSession, start: Start, *__: object) -> None:
        sent.append(start)

    monkeypatch.setattr(ShardSession, "_start_host", start_host)

    async def main() -> None:
        (shard,) = ShardedCrawl([path], CrawlHostPool()).shards
        shard.use_nodes(OneNode(ClusterChoice(), settings, [path]), lambda: None)
        await shard.start()

    asyncio.run(main())
    assert [each.clock_ahead_s for each in sent] == [HOUR_S]


@pytest.mark.parametrize("ahead_s", [HOUR_S, 0.0])
def test_a_host_has_the_time_of_the_coordinator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead_s: float
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW_S + ahead_s)
    web = FakeWeb(robots="User-agent: *")
    web.page("/")
    hosting = Hosting(web)
    path = hosting.create(tmp_path / "a.gossamer", obey_robots=True)
    told = hosting.run(path, clock_ahead_s=ahead_s)
    assert {each.since for report in told.progress for each in report.in_flight} == {NOW_S}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT fetched_at FROM robots").fetchall() == [(NOW_S,)]


def test_the_workers_of_a_host_have_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    configured: list[ConfigureWorker] = []

    class Recorder:
        def __init__(self, *arguments: object) -> None:
            configured.extend(each for each in arguments if isinstance(each, ConfigureWorker))

        def set_slots(self, workers: int) -> None:
            """None are started."""

    monkeypatch.setattr("gossamer.crawl_host.worker_pool.WorkerSupervisor", Recorder)
    CLOCK.set_right(HOUR_S)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            WorkerPool([page_workers([])]).start(group, DEFAULTS)

    asyncio.run(main())
    assert [each.clock_ahead_s for each in configured] == [HOUR_S]
