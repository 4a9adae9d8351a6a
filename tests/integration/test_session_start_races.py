"""Commands that come while something is about to start a crawl: none of them gets lost."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import DiskError
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.session.crawl_host_pool import CrawlHostPool, HostLink
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.session_factory import SessionFactory
from tests.fakes.preloaded import preloaded_host
from tests.integration.crawled_sites import endless_tree
from tests.integration.crawling import (
    PATIENT,
    closing,
    new_session,
    refuse_as_full,
    run,
    sessions,
    summary,
)
from tests.sites import Site


async def paused(path: Path, site: Site) -> None:
    """Leave a crawl of an endless site paused."""
    endless_tree(site)
    async with new_session(path, site.url("/t/1")) as session:
        await session.start()
        await session.pause(now=True)


def cancel_before(session: CrawlSession, name: str, patch: pytest.MonkeyPatch) -> None:
    """Have the user cancel just before that step, whose name it is."""
    step = getattr(session, name)

    async def cancelled_before() -> None:
        await session.cancel()
        await step()

    patch.setattr(session, name, cancelled_before)


@pytest.mark.parametrize("is_full", [False, True])
def test_a_change_does_not_start_a_crawl_that_was_cancelled_while_it_ended_the_process(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_full: bool
) -> None:
    path = tmp_path / "a.gossamer"
    endless_tree(site)

    async def main() -> None:
        async with new_session(path, site.url("/t/1")) as session:
            await session.start()
            cancel_before(session, "let_go", monkeypatch)
            if is_full:
                monkeypatch.setattr("gossamer.store.project.store_settings", refuse_as_full)
                with pytest.raises(DiskError, match="is full"):
                    await session.change({"user_agent": "Other/1"})
            else:
                await session.change({"user_agent": "Other/1"})
            assert (session.state, session.host_pid) == (CrawlState.CANCELLED, None)
            assert session.settings == summary(path).settings

    run(main())


def test_a_start_that_is_cancelled_while_it_reads_the_keyring_begins_nothing(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        await paused(path, site)
        asked = len(site.requests)
        async with closing(sessions().open(path)) as session:
            reading = asyncio.Event()

            async def never_read() -> None:
                reading.set()
                await asyncio.Event().wait()

            monkeypatch.setattr(session, "recall_secrets", never_read)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(session.start(), name="start")
                await reading.wait()
                await session.cancel()
            assert (session.state, session.host_pid) == (CrawlState.CANCELLED, None)
        assert len(site.requests) == asked

    run(main())


@pytest.mark.parametrize("changes", [{}, {"exclude": ("/none",)}])
def test_a_crawl_that_is_resumed_just_before_its_settings_are_stored_goes_on_with_them(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]
) -> None:
    path = tmp_path / "a.gossamer"
    endless_tree(site)

    async def main() -> None:
        async with new_session(path, site.url("/t/1")) as session:
            await session.start()
            await session.pause(now=True)
            let_go = session.let_go

            async def resumed_after() -> None:
                monkeypatch.setattr(session, "let_go", let_go)
                await let_go()
                await session.start()

            monkeypatch.setattr(session, "let_go", resumed_after)
            await session.change({"user_agent": "Other/1", **changes})
            assert session.state is CrawlState.RUNNING
            assert session.settings == summary(path).settings
            assert session.settings.user_agent == "Other/1"

    run(main())


def test_an_action_that_comes_while_the_crawl_starts_is_done_by_it(
    site: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        await paused(path, site)
        async with closing(sessions().open(path)) as session:
            async with asyncio.TaskGroup() as group:
                group.create_task(session.start(), name="resume")
                everything = UrlSelection(folder=site.url("/"))
                group.create_task(session.perform(BulkActionKind.HOLD, everything), name="hold")
            assert session.progress.actions_done == 1

    run(main())


class CancelledHosts:
    """Processes that come up when the user has just cancelled."""

    def __init__(self) -> None:
        self._hosts = CrawlHostPool(begin=preloaded_host)
        self.session: CrawlSession | None = None

    def take(self, page_workers: int) -> "CancelledHosts":
        self._starting = self._hosts.take(page_workers)
        return self

    async def connect(self, *told: Any) -> HostLink:
        link = await self._starting.connect(*told)
        if self.session is not None:
            await self.session.cancel()
        return link


def test_a_start_that_is_cancelled_while_its_process_comes_up_begins_nothing(
    site: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        await paused(path, site)
        asked = len(site.requests)
        hosts = CancelledHosts()
        factory = SessionFactory(cast("CrawlHostPool", hosts), PATIENT)
        async with closing(factory.open(path)) as session:
            hosts.session = session
            await session.start()
            assert (session.state, session.host_pid) == (CrawlState.CANCELLED, None)
            assert len(site.requests) == asked
            hosts.session = None
            await session.start()
            assert session.state is CrawlState.RUNNING

    run(main())
