"""Bulk actions and settings through a session: while a crawl runs, as it ends, without one."""

from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import DiskError, UsageError
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome
from tests.integration.crawled_sites import ENDLESS, endless_tree, star
from tests.integration.crawling import (
    closing,
    new_session,
    records,
    refuse_as_full,
    run,
    sessions,
    summary,
    until,
    until_rest,
)
from tests.sites import Site


def outcomes(path: Path) -> dict[str, Outcome]:
    return {url: record.outcome for url, record in records(path).items()}


def test_actions_apply_to_a_project_that_is_not_being_crawled(site: Site, tmp_path: Path) -> None:
    star(site, 6)
    for number in range(6):
        site.hang(f"/{number}")
    project = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(project, site.url(), workers=1) as session:
            await session.start()
            await until(session, lambda progress: progress.queued == 6)
        asked = len(site.paths)
        async with closing(sessions().open(project)) as session:
            await session.perform(BulkActionKind.CANCEL, UrlSelection(folder=site.url("/0")))
            await session.perform(BulkActionKind.HOLD, UrlSelection(folder=site.url("/1")))
            await session.change({"exclude": ("/2$",)})
            assert (session.state, session.host_pid) == (CrawlState.PAUSED, None)
            assert session.progress.queued == 3
            found = outcomes(project)
            assert found[site.url("/0")] is Outcome.CANCELLED
            assert found[site.url("/1")] is Outcome.HELD
            assert found[site.url("/2")] is Outcome.EXCLUDED
            assert len(site.paths) == asked, "nothing is asked for that"
            assert summary(project).settings == session.settings
            await session.perform(BulkActionKind.CANCEL, UrlSelection())
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        assert set(outcomes(project).values()) == {
            Outcome.PAGE,
            Outcome.CANCELLED,
            Outcome.EXCLUDED,
        }

    run(main())


@pytest.mark.parametrize("changes", [{"user_agent": "Other/1"}, {"insecure_hosts": ("h:443",)}])
def test_a_change_that_cannot_be_stored_leaves_the_crawl_running_as_it_was(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]
) -> None:
    path = tmp_path / "a.gossamer"
    endless_tree(site)

    async def main() -> None:
        async with new_session(path, site.url("/t/1")) as session:
            await session.start()
            before = session.settings
            with monkeypatch.context() as patch:
                patch.setattr("gossamer.store.project.store_settings", refuse_as_full)
                with pytest.raises(DiskError, match="is full"):
                    await session.change(changes)
            assert (session.state, session.settings) == (CrawlState.RUNNING, before)
            known = session.progress.known
            await until(session, lambda progress: progress.known > known)
            await session.change(changes)
            assert (session.state, session.settings == before) == (CrawlState.RUNNING, False)

    run(main())


def test_a_reincluded_folder_is_crawled_after_the_end(site: Site, tmp_path: Path) -> None:
    star(site, 4)
    folder = UrlSelection(folder=site.url("/1"))

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url()) as session:
            await session.perform(BulkActionKind.EXCLUDE, folder)
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.outcomes[Outcome.EXCLUDED] == 1
            await session.perform(BulkActionKind.INCLUDE, folder)
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.pages == 5
            assert session.settings.exclude == ()

    run(main())


def test_held_urls_are_crawled_when_released(site: Site, tmp_path: Path) -> None:
    star(site, 4)

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url()) as session:
            await session.perform(BulkActionKind.HOLD, UrlSelection(folder=site.url("/1")))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.outcomes[Outcome.HELD] == 1
            await session.perform(BulkActionKind.RELEASE, UrlSelection(folder=site.url("/1")))
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.pages == 5
            assert session.settings.turns == summary(session.path).settings.turns == ()

    run(main())


def test_an_action_given_as_the_crawl_ends_is_executed(site: Site, tmp_path: Path) -> None:
    site.page("/", links=[])

    async def main() -> None:
        async with new_session(tmp_path / "a.gossamer", site.url()) as session:
            await session.start()
            await until_rest(session)
            for times in range(1, 4):
                await session.start()  # over as soon as it has begun
                await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(1,)))
                await until_rest(session)
                assert site.paths.count("/") == times + 1

    run(main())


def test_settings_change_while_the_crawl_runs(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/t/1", "/held"])
    held = site.slow("/held")
    endless_tree(site)

    async def main() -> None:
        async with new_session(
            tmp_path / "a.gossamer", site.url(), rate=4.0, max_depth=3, processes=1, **ENDLESS
        ) as session:
            await session.start()
            await site.wait_for_requests(2)
            await session.change({"workers": 3, "timeout_s": 9.0, "max_depth": 5})
            await until(session, lambda progress: progress.workers == 3)
            assert session.state is CrawlState.RUNNING
            await session.change({"rate": 500.0, "exclude": ("/t/31$",)})
            assert summary(session.path).settings == session.settings
            held.open()
            assert await until_rest(session) is CrawlState.FINISHED
            assert session.progress.pages == 1 + 1 + 1 + 2 + 4 + 8 + 15
            with pytest.raises(UsageError, match="can only be raised"):
                await session.change({"max_depth": 2})
            with pytest.raises(UsageError, match="can only be added"):
                await session.change({"exclude": ()})

    run(main())


def test_settings_given_to_processes_at_start_also_change_immediately(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/t/1"])
    endless_tree(site)

    def agents() -> list[str]:
        return [dict(request.headers).get("User-Agent", "") for request in site.requests]

    async def main() -> None:
        async with new_session(
            tmp_path / "a.gossamer",
            site.url(),
            rate=50.0,
            soft_404_probe=False,
            llms_txt=False,
            **ENDLESS,
        ) as session:
            await session.start()
            await site.wait_for_requests(4)
            await session.change({"rate": 500.0, "user_agent": "Another/1"})
            assert session.state is CrawlState.RUNNING
            assert summary(session.path).settings == session.settings
            await site.wait_until(lambda: set(agents()[-4:]) == {"Another/1"})

    run(main())
