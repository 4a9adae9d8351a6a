"""What a session does about a crawl process that is to end: a child that is written down here."""

import asyncio
import json
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import (
    Cancel,
    Close,
    HostHeartbeat,
    Progress,
    Report,
    Trouble,
)
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_connection import END_TIMEOUT_S, OPENING, HostConnection
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.update_queue import UpdateStream
from tests.fakes.virtual_loop import run_virtual

if TYPE_CHECKING:
    from gossamer.ipc.child_connection import ChildProcess


class FakeChild:
    """A process that ends when it is killed, or by `end`."""

    pid = 4711
    is_lost = False

    def __init__(self, link: "Link") -> None:
        self.link = link
        self.ended = asyncio.get_running_loop().create_future()

    def send(self, _: object) -> None:
        """What it is told is not heard."""

    def kill(self) -> None:
        self.link.kills += 1
        self.end(-9)

    def end(self, code: int = 0) -> None:
        self.ended.set_result(code)
        self.link.gone()

    def reap(self) -> asyncio.Future[int | None]:
        return cast("asyncio.Future[int | None]", self.ended)


class Link(HostConnection):
    """The link to such a process."""

    def __init__(self, log: Path = Path(os.devnull), state: CrawlState = CrawlState.PAUSED) -> None:
        super().__init__(Path("no.gossamer"), Progress(state), CrawlHostPool())
        self._log = log
        self.kills = 0
        self.child = FakeChild(self)
        self._host = cast("ChildProcess[Report]", self.child)

    def news(self) -> UpdateStream:
        return self._updates

    async def opens(self) -> float:
        """Wait for it; how long that took."""
        loop, before = asyncio.get_running_loop(), self.progress
        begun = loop.time()
        await self._until_opened(lambda: self.progress is not before)
        return loop.time() - begun

    def hear(self, sign: Report) -> None:
        self._receive([sign])

    def gone(self) -> None:
        self._host_gone()

    async def cancels(self) -> None:
        self._has_reported = True
        await self._command(Cancel(), lambda: False)

    async def ends(self) -> float:
        """End it; how long that took."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self._send(Close())
        await self._end_host(END_TIMEOUT_S)
        return loop.time() - begun

    async def beats(self, sign: HostHeartbeat, seconds: int) -> None:
        """Say every second that it lives, then end."""
        for _ in range(seconds):
            await asyncio.sleep(1.0)
            if self._host is None:
                return
            self.hear(sign)
        self.child.end()


def run(scenario: Coroutine[Any, Any, None]) -> None:
    run_virtual(scenario)


def test_a_process_that_saves_for_long_is_waited_for() -> None:
    async def scenario() -> None:
        link = Link()
        async with asyncio.TaskGroup() as group:
            group.create_task(link.beats(HostHeartbeat(), 20))
            ending = group.create_task(link.ends())
            await asyncio.sleep(19.0)
            assert link.is_saving
        assert ending.result() >= 20.0
        assert (link.kills, link.was_forced, link.is_saving) == (0, False, False)

    run(scenario())


def test_it_is_ended_at_once_when_the_person_wants() -> None:
    async def scenario() -> None:
        link = Link()
        async with asyncio.TaskGroup() as group:
            group.create_task(link.beats(HostHeartbeat(), 20))
            ending = group.create_task(link.ends())
            await asyncio.sleep(7.5)
            link.force()
        assert ending.result() == 7.5
        assert (link.kills, link.was_forced) == (1, True)

    run(scenario())


def test_a_process_that_says_nothing_is_ended() -> None:
    async def scenario() -> None:
        link = Link()
        assert await link.ends() == END_TIMEOUT_S
        assert (link.kills, link.was_forced) == (1, True)

    run(scenario())


def test_a_process_that_falls_silent_while_it_saves_is_ended() -> None:
    async def scenario() -> None:
        link = Link()
        async with asyncio.TaskGroup() as group:
            ending = group.create_task(link.ends())
            for _ in range(12):
                await asyncio.sleep(1.0)
                link.hear(HostHeartbeat())
        assert ending.result() <= 12.0 + 2 * END_TIMEOUT_S
        assert link.kills == 1

    run(scenario())


def test_a_process_whose_disk_does_not_answer_is_not_waited_for() -> None:
    async def scenario() -> None:
        link = Link()
        async with asyncio.TaskGroup() as group:
            group.create_task(link.beats(HostHeartbeat(stuck=True), 20))
            ending = group.create_task(link.ends())
        assert ending.result() == END_TIMEOUT_S
        assert link.kills == 1

    run(scenario())


def test_opening_that_takes_long_is_told_and_ends_with_the_first_progress() -> None:
    async def scenario() -> None:
        link = Link()
        told: list[Progress | Trouble] = []
        with link.news().subscribed(link.progress) as queue:
            async with asyncio.TaskGroup() as group:
                opening = group.create_task(link.opens())
                await asyncio.sleep(20.0)
                told += await queue.get()
                link.hear(Progress(CrawlState.RUNNING))
        assert opening.result() == 20.0
        (news,) = told
        assert isinstance(news, Progress)
        assert news.notice == Translatable(OPENING)
        assert not link.progress.notice

    run(scenario())


def logged(log: Path) -> list[tuple[object, ...]]:
    """The exit codes and the reasons of kills that a log has."""
    lines = map(json.loads, log.read_text().splitlines()) if log.exists() else ()
    return [(line["exit_code"], line["killed_because"]) for line in lines]


def test_the_log_says_how_a_process_ended_that_could_not_say_so(tmp_path: Path) -> None:
    """Such as one that the system has ended for lack of memory."""
    log = tmp_path / "a.log"

    async def scenario() -> None:
        Link(log, CrawlState.FINISHED).child.end()
        Link(log, CrawlState.RUNNING).child.end(-9)
        Link(log, CrawlState.RUNNING).child.end()
        Link(log, CrawlState.FINISHED).child.end(1)

    run(scenario())
    assert sorted(logged(log)) == [(-9, ""), (0, ""), (1, "")]


def test_a_process_that_does_not_obey_is_told_of_as_one_that_hung(tmp_path: Path) -> None:
    """It has not ended by itself; and it is not started again, as the user wants it to end."""
    log = tmp_path / "a.log"

    async def scenario() -> list[Progress | Trouble]:
        link = Link(log, CrawlState.RUNNING)
        with link.news().subscribed(link.progress) as queue:
            await link.cancels()
            return await queue.get()

    told = run_virtual(scenario())
    (trouble,) = (each for each in told if isinstance(each, Trouble))
    assert "hung and was killed" in str(trouble.sentence)
    assert not trouble.again
    assert logged(log) == [(-9, "it did not obey Cancel")]
