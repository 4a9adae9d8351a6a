"""Nodes whose clocks are wrong: the crawl has the time of its coordinator."""

import asyncio
import time
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, cast

import pytest

from gossamer.cluster.node_actor import clock_ahead_s
from gossamer.cluster.node_link import NodeLink, RemoteWorker
from gossamer.fetch.crawl_clock import CLOCK
from gossamer.host.worker_job_loop import JobLoop, JobRunner
from gossamer.model.messages.worker_messages import ConfigureWorker, Job, Result
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.timestamps import LATEST_S
from tests.cases import each_case
from tests.fakes.called_node import FakeNode

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

HOUR_S = 3600.0


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
    CLOCK.set_right(0.0)
    assert seen == [2 * HOUR_S - ahead_s]
