"""A crawl that is cancelled while something is about to start it does not go on."""

from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import DiskError
from gossamer.session.crawl_session import CrawlSession
from gossamer.store.database import FULL
from tests.integration.crawled_sites import endless_tree
from tests.integration.crawling import closing, new_session, run, sessions, summary
from tests.sites import Site


def cancel_before(session: CrawlSession, name: str, patch: pytest.MonkeyPatch) -> None:
    """Have the person cancel just before that step, whose name it is."""
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

    def full(project: Path, _settings: object) -> None:
        raise DiskError(FULL, path=project)

    async def main() -> None:
        async with new_session(path, site.url("/t/1")) as session:
            await session.start()
            cancel_before(session, "let_go", monkeypatch)
            if is_full:
                monkeypatch.setattr("gossamer.store.project.store_settings", full)
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
    endless_tree(site)

    async def main() -> None:
        async with new_session(path, site.url("/t/1")) as session:
            await session.start()
            await session.pause(now=True)
        asked = len(site.requests)
        async with closing(sessions().open(path)) as session:
            cancel_before(session, "complete_secrets", monkeypatch)
            await session.start()
            assert (session.state, session.host_pid) == (CrawlState.CANCELLED, None)
        assert len(site.requests) == asked

    run(main())
