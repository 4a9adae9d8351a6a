"""The examination of a large project for a late login: it is shown, and obeys the person."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.session.crawl_session import CrawlSession
from gossamer.store import stored_link_texts
from tests.integration.crawling import (
    closing,
    new_session,
    records,
    run,
    sessions,
    until,
    until_rest,
)
from tests.patience import PATIENCE_S
from tests.sites import Gate, Site


class Examination:
    """Stands still half-way, until it is let on."""

    def __init__(self) -> None:
        self._gate = threading.Event()
        self._examine = stored_link_texts.targets_by_text

    def examine(
        self,
        path: Path,
        says_so: stored_link_texts.SaysSo,
        longest: int,
        on_progress: stored_link_texts.OnProgress,
    ) -> list[tuple[int, str, str]]:
        """As `targets_by_text` does."""
        on_progress(1, 2)
        assert self._gate.wait(PATIENCE_S)
        return self._examine(path, says_so, longest, on_progress)

    def let_on(self) -> None:
        self._gate.set()


@pytest.fixture
def examination(monkeypatch: pytest.MonkeyPatch) -> Iterator[Examination]:
    examination = Examination()
    monkeypatch.setattr(stored_link_texts, "targets_by_text", examination.examine)
    yield examination
    examination.let_on()


def login(site: Site) -> Secrets:
    cookie = Login(cookies=(LoginCookie("session", "s3cret"),))
    return Secrets({site.url("/").rstrip("/"): OriginSecrets(login=cookie)})


@pytest.fixture
def gate(site: Site) -> Gate:
    """Holds back a page of a site that has a link to sign out, which comes after it."""
    site.page("/", body="<a href=/first>First</a> <a href=/bye>Sign out</a>")
    site.page("/bye")
    return site.slow("/first")


async def half_examined(session: CrawlSession, site: Site, group: asyncio.TaskGroup) -> None:
    """Begin a crawl, give it a login in the middle, and wait until the examination is half-way."""
    await session.start()
    await site.wait_until(lambda: "/first" in site.paths)
    await until(session, lambda progress: progress.known > 1)
    group.create_task(session.change({}, login(site)), name="log in")
    shown = await until(session, lambda progress: progress.starting is not None)
    assert shown.state is CrawlState.PAUSED
    assert str(shown.starting).endswith(": 50 %.")


def test_it_is_shown_and_the_crawl_goes_on(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            async with asyncio.TaskGroup() as group:
                await half_examined(session, site, group)
                group.create_task(session.start(), name="press Resume too early")
                examination.let_on()
                gate.open()
            assert session.progress.starting is None
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(path)[site.url("/bye")].outcome is Outcome.ENDS_SESSION
    assert "/bye" not in site.paths


def test_a_crawl_that_is_cancelled_meanwhile_does_not_go_on(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            async with asyncio.TaskGroup() as group:
                await half_examined(session, site, group)
                await session.cancel()
                asked = len(site.requests)
                examination.let_on()
            assert session.state is CrawlState.CANCELLED
            assert session.progress.starting is None
            assert session.host_pid is None
            assert len(site.requests) == asked
            gate.open()
            await session.start()  # the login was taken all the same
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(path)[site.url("/bye")].outcome is Outcome.ENDS_SESSION


def test_a_start_that_is_cancelled_meanwhile_begins_nothing(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            await session.start()
            await site.wait_until(lambda: "/first" in site.paths)
            await session.pause(now=True)
        asked = len(site.requests)
        async with closing(sessions().open(path)) as session:
            session.add_secrets(login(site))
            async with asyncio.TaskGroup() as group:
                group.create_task(session.start(), name="resume")
                await until(session, lambda progress: progress.starting is not None)
                await session.cancel()
                examination.let_on()
            assert session.state is CrawlState.CANCELLED
            assert session.host_pid is None
        assert len(site.requests) == asked
        gate.open()

    run(main())
