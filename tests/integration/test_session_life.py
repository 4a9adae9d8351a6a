"""Sessions come and go: each does what it says and leaves nothing behind."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import CrawlHostError, ProjectError, UsageError
from gossamer.model.messages.crawl_messages import BulkActionKind, Progress, Trouble, UrlSelection
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_session import CrawlSession
from gossamer.store.project import create
from tests.fakes.processes import child_processes
from tests.integration.crawling import (
    closing,
    new_session,
    open_files,
    run,
    sessions,
    summary,
    trouble_of,
    until,
    until_open_files,
    until_rest,
)
from tests.sites import Site

Deed = Callable[[CrawlSession, Site], Awaitable[None]]


async def nothing(session: CrawlSession, site: Site) -> None:
    """Close it while it runs."""


async def finish(session: CrawlSession, site: Site) -> None:
    for n in range(9):
        site.page(f"/{n}")
    assert await until_rest(session) is CrawlState.FINISHED


async def cancel(session: CrawlSession, site: Site) -> None:
    await site.wait_for_in_flight(5)
    await session.cancel()
    assert child_processes() == []


async def pause(session: CrawlSession, site: Site) -> None:
    await site.wait_for_in_flight(5)
    await session.pause()
    await session.pause(now=True)


async def kill(session: CrawlSession, site: Site) -> None:
    await site.wait_for_in_flight(5)
    session.force()
    await trouble_of(session)


@pytest.fixture
def stuck(site: Site) -> Site:
    """A root that links to pages that never come."""
    site.page("/", links=[f"/{n}" for n in range(9)])
    for n in range(9):
        site.hang(f"/{n}")
    return site


@pytest.mark.parametrize("deed", [nothing, finish, cancel, pause, kill])
def test_nothing_is_left_after_close(stuck: Site, tmp_path: Path, deed: Deed) -> None:
    async def cycle(number: int) -> None:
        async with new_session(
            tmp_path / f"{number}.gossamer", stuck.url(), workers=5, processes=2
        ) as session:
            await session.start()
            await deed(session, stuck)
        assert child_processes() == []
        assert asyncio.all_tasks() == {asyncio.current_task(), *before}
        await stuck.wait_for_disconnect()

    before: set[asyncio.Task[object] | None] = set()

    async def main() -> None:
        before.update(asyncio.all_tasks())
        await cycle(0)
        gc.collect()
        files = open_files()
        for number in range(1, 3):
            await cycle(number)
        gc.collect()
        await until_open_files(files)

    run(main())


def test_a_start_that_is_cancelled_leaves_nothing(stuck: Site, tmp_path: Path) -> None:
    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", stuck.url()) as session:
            async with asyncio.TaskGroup() as group:
                starting = group.create_task(session.start(), name="start")
                await asyncio.sleep(0)
                await until_a_child_runs()
                starting.cancel()
            assert child_processes() == []
            assert session.state is CrawlState.NEW
            await session.start()
            await stuck.wait_for_in_flight(9)

    run(main())


async def until_a_child_runs() -> None:
    while not child_processes():  # noqa: ASYNC110 - a process that starts tells nobody
        await asyncio.sleep(0.001)


async def start_in_vain(session: CrawlSession) -> None:
    with pytest.raises(CrawlHostError):
        await session.start()


def test_closing_while_starting_leaves_nothing(stuck: Site, tmp_path: Path) -> None:
    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", stuck.url()) as session:
            async with asyncio.TaskGroup() as group:
                group.create_task(start_in_vain(session), name="start")
                await until_a_child_runs()
                await session.close()
            assert child_processes() == []

    run(main())
    assert stuck.paths == []


def test_starting_twice_starts_once(stuck: Site, tmp_path: Path) -> None:
    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", stuck.url()) as session:
            async with asyncio.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(session.start(), name="start")
            await stuck.wait_for_in_flight(9)
            assert len(child_processes()) == 2, "a host and its page worker"

    run(main())


def test_a_finished_crawl_can_be_started_again_immediately(stuck: Site, tmp_path: Path) -> None:
    async def main() -> None:
        for n in range(9):
            stuck.page(f"/{n}")
        async with new_session(tmp_path / "a.gossamer", stuck.url()) as session:
            await session.start()
            first = session.host_pid
            assert await until_rest(session) is CrawlState.FINISHED
            await session.start()
            assert session.host_pid != first
            assert session.state in {CrawlState.RUNNING, CrawlState.FINISHED}
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert len(stuck.paths) == 11


def _state(session: CrawlSession) -> CrawlState:
    """The state as it is now; the type checker thinks that it stays as it was."""
    return session.state


def test_commands_that_the_state_does_not_allow_do_nothing(stuck: Site, tmp_path: Path) -> None:
    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", stuck.url(), workers=2) as session:
            for command in (session.pause, session.resume, session.cancel):
                await command()
            await session.set_workers(3)
            await session.perform(BulkActionKind.CANCEL, UrlSelection(ids=(1,)))
            assert _state(session) is CrawlState.NEW
            await session.start()
            await session.resume()
            await session.start()
            await stuck.wait_for_in_flight(2)
            await session.perform(BulkActionKind.CANCEL, UrlSelection(ids=(12345,)))
            await session.pause(now=True)
            await session.pause()
            await session.pause(now=True)
            assert _state(session) is CrawlState.PAUSED
            await session.start()
            await until(session, lambda progress: progress.state is CrawlState.RUNNING)
            await session.cancel()
            await session.cancel()
            await session.resume()
            assert _state(session) is CrawlState.CANCELLED

    run(main())


def test_updates_reach_every_subscriber_and_end_with_close(stuck: Site, tmp_path: Path) -> None:
    async def watch(session: CrawlSession) -> list[Progress | Trouble]:
        return [report async for report in session.updates()]

    async def main() -> None:
        async with (
            asyncio.TaskGroup() as group,
            new_session(tmp_path / "a.gossamer", stuck.url()) as session,
        ):
            watching = [group.create_task(watch(session), name="watch") for _ in range(2)]
            await session.start()
            await stuck.wait_for_in_flight(9)
            await until(session, lambda progress: progress.active == 9)
        for watcher in watching:
            seen = [report for report in watcher.result() if isinstance(report, Progress)]
            assert seen[0].state is CrawlState.NEW
            assert any(report.active == 9 for report in seen)
            assert seen[-1].state is CrawlState.PAUSED
            assert seen[-1].in_flight == []
            times = [report.seconds for report in seen]
            assert times == sorted(times)

    run(main())


def test_unusable_settings_and_project_paths_are_refused(tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    settings = CrawlSettings(roots=("http://127.0.0.1/",))
    with pytest.raises(UsageError):
        sessions().create(CrawlSettings(roots=()), project)
    with pytest.raises(UsageError):
        sessions().create(CrawlSettings(roots=("ftp://x/",)), project)
    assert not project.exists()
    with pytest.raises(ProjectError):
        sessions().create(settings, tmp_path / "nowhere" / "a.gossamer")
    sessions().create(settings, project)
    with pytest.raises(ProjectError):
        sessions().create(settings, project)
    with pytest.raises(ProjectError):
        sessions().open(tmp_path / "b.gossamer")
    assert sessions().open(project).state is CrawlState.NEW


def test_a_project_gets_a_default_path() -> None:
    settings = CrawlSettings(roots=("http://127.0.0.1:1/",))
    first, second = sessions().create(settings), sessions().create(settings)
    assert first.path != second.path
    assert first.path.is_file()
    assert second.path.is_file()


def test_a_project_with_an_undecodable_name_can_be_read_but_not_crawled(tmp_path: Path) -> None:
    """No message can name it. Such names are left over from times before UTF-8."""
    named, odd = tmp_path / "a.gossamer", tmp_path / "\udcff.gossamer"
    create(named, CrawlSettings(roots=("https://a.example/",)))
    named.rename(odd)

    async def main() -> None:
        async with closing(sessions().open(odd)) as session:
            with pytest.raises(ProjectError, match="rename the file or folder"):
                await session.start()
        assert child_processes() == []

    run(main())
    assert summary(odd).state is CrawlState.NEW
