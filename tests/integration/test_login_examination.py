"""The examination of a large project for a late login: it is shown, and obeys the user."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import DiskError, UsageError
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.session.crawl_session import CrawlSession
from gossamer.store import targets_by_link_text
from gossamer.store.disk_errors import DISK_FULL
from tests.integration.crawling import (
    closing,
    new_session,
    records,
    run,
    sessions,
    summary,
    until,
    until_rest,
)
from tests.sites import Gate, Site

STEP_S = 0.01
"""How long a part of the examination takes."""


class Examination:
    """Stands still half-way, until it is let on."""

    def __init__(self) -> None:
        self._gate = threading.Event()
        self._examine = targets_by_link_text.targets_by_text
        self.begun = self.ended = 0

    def examine(
        self,
        path: Path,
        says_so: targets_by_link_text.SaysSo,
        longest: int,
        on_progress: targets_by_link_text.OnProgress,
    ) -> list[tuple[int, str, str]]:
        """As `targets_by_text` does."""
        self.begun += 1
        try:
            on_progress(1, 2)
            while not self._gate.wait(STEP_S):
                on_progress(1, 2)
            return self._examine(path, says_so, longest, on_progress)
        finally:
            self.ended += 1

    def let_on(self) -> None:
        self._gate.set()


@pytest.fixture
def examination(monkeypatch: pytest.MonkeyPatch) -> Iterator[Examination]:
    examination = Examination()
    monkeypatch.setattr(targets_by_link_text, "targets_by_text", examination.examine)
    yield examination
    examination.let_on()


def login(site: Site) -> Secrets:
    cookie = Login(cookies=(LoginCookie("session", "s3cret"),))
    return Secrets({site.url("/").rstrip("/"): OriginSecrets(login=cookie)})


@pytest.fixture
def gate(site: Site) -> Gate:
    """Holds back a page of a site that has a link to sign out, which comes after it."""
    links = "<a href=/first>First</a> <a href=/bye>Sign out</a> <a href=/last>Last</a>"
    site.page("/", body=links)
    site.page("/bye")
    site.page("/last")
    return site.slow("/first")


Change: TypeAlias = Coroutine[Any, Any, None]


async def refused(change: Change) -> None:
    """Make a change that is refused, as the crawl is cancelled."""
    with pytest.raises(UsageError, match="are as before"):
        await change


async def half_examined(
    session: CrawlSession, site: Site, group: asyncio.TaskGroup, change: Change
) -> asyncio.Task[None]:
    """Begin a crawl, give it a login in the middle, and wait until the examination is half-way."""
    await session.start()
    await site.wait_until(lambda: "/first" in site.paths)
    await until(session, lambda progress: progress.known > 1)
    changing = group.create_task(change, name="log in")
    shown = await until(session, lambda progress: progress.starting is not None)
    assert shown.state is CrawlState.PAUSED
    assert str(shown.starting).endswith(": 50 %.")
    return changing


def test_it_is_shown_and_the_crawl_goes_on(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            async with asyncio.TaskGroup() as group:
                await half_examined(session, site, group, session.change({}, login(site)))
                group.create_task(session.start(), name="press Resume too early")
                await asyncio.sleep(0)  # it waits for the examination now
                examination.let_on()
                gate.open()
            assert session.progress.starting is None
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(path)[site.url("/bye")].outcome is Outcome.ENDS_SESSION
    assert "/bye" not in site.paths


def test_a_crawl_that_is_cancelled_meanwhile_stays_as_it_was(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            before = session.settings
            change = session.change({"user_agent": "Other/1"}, login(site))
            async with asyncio.TaskGroup() as group:
                await half_examined(session, site, group, refused(change))
                await session.cancel()
                assert examination.ended == 1
                asked = len(site.requests)
            assert session.state is CrawlState.CANCELLED
            assert session.progress.starting is None
            assert session.host_pid is None
            assert session.settings == before
            assert not session.secrets_for_recrawl
            assert len(site.requests) == asked
            gate.open()
            examination.let_on()
            await session.change({}, login(site))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(path)[site.url("/bye")].outcome is Outcome.ENDS_SESSION


@pytest.mark.parametrize("is_closed", [False, True])
def test_it_ends_with_who_wanted_it(
    site: Site, tmp_path: Path, examination: Examination, gate: Gate, *, is_closed: bool
) -> None:
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            change = refused(session.change({}, login(site)))
            async with asyncio.TaskGroup() as group:
                changing = await half_examined(session, site, group, change)
                if is_closed:
                    await session.close()
                else:
                    changing.cancel()
                    await asyncio.wait({changing})
                assert (examination.begun, examination.ended) == (1, 1)
            assert session.host_pid is None
        gate.open()

    run(main())


@pytest.fixture
def paused(site: Site, tmp_path: Path, gate: Gate) -> Path:
    """A project that waits for the page that is held back, and whose next pages are known."""
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        async with new_session(path, site.url("/"), workers=1) as session:
            await session.start()
            await site.wait_until(lambda: "/first" in site.paths)
            await session.pause(now=True)

    run(main())
    gate.open()
    return path


async def cancelled(
    session: CrawlSession, command: Coroutine[Any, Any, None], examination: Examination
) -> None:
    """Cancel the crawl while the command waits for an examination."""
    before = examination.ended
    async with asyncio.TaskGroup() as group:
        group.create_task(command, name="command")
        await until(session, lambda progress: progress.starting is not None)
        await session.cancel()
        assert examination.ended == before + 1
    assert session.state is CrawlState.CANCELLED
    assert session.progress.starting is None
    assert session.host_pid is None


def test_a_start_that_is_cancelled_meanwhile_begins_nothing(
    site: Site, paused: Path, examination: Examination
) -> None:
    async def main() -> None:
        asked = len(site.requests)
        async with closing(sessions().open(paused)) as session:
            session.add_secrets(login(site))
            await cancelled(session, session.start(), examination)
        assert len(site.requests) == asked

    run(main())


def test_what_was_to_be_done_first_is_done_by_the_start_after_one_that_was_cancelled(
    site: Site, paused: Path, examination: Examination
) -> None:
    async def main() -> None:
        asked = len(site.paths)
        async with closing(sessions().open(paused)) as session:
            await session.perform(BulkActionKind.FIRST, UrlSelection(folder=site.url("/last")))
            session.add_secrets(login(site))
            await cancelled(session, session.start(), examination)
            examination.let_on()
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED
        wanted = [path for path in site.paths[asked:] if path in {"/first", "/last"}]
        assert wanted == ["/last", "/first"]

    run(main())


def test_an_action_that_is_cancelled_meanwhile_leaves_the_settings_of_the_project(
    site: Site, paused: Path, examination: Examination
) -> None:
    async def main() -> None:
        async with closing(sessions().open(paused)) as session:
            session.add_secrets(login(site))
            last = UrlSelection(folder=site.url("/last"))
            await cancelled(session, session.perform(BulkActionKind.EXCLUDE, last), examination)
            assert session.settings == summary(paused).settings

    run(main())


def test_a_login_with_a_pattern_to_exclude_is_examined_once_and_kept_only_if_both_are(
    site: Site, paused: Path, examination: Examination, monkeypatch: pytest.MonkeyPatch
) -> None:
    examination.let_on()

    def full(project: Path) -> None:
        raise DiskError(DISK_FULL, path=project)

    async def main() -> None:
        async with closing(sessions().open(paused)) as session:
            with monkeypatch.context() as patch:
                patch.setattr("gossamer.session.crawl_session.ensure_text", full)
                with pytest.raises(DiskError, match="is full"):
                    await session.change({"exclude": ("/last",)}, login(site))
            assert not session.secrets_for_recrawl
            assert session.settings == summary(paused).settings
            begun = examination.begun
            await session.change({"exclude": ("/last",)}, login(site))
            assert examination.begun == begun + 1
            assert session.secrets_for_recrawl
            assert session.settings == summary(paused).settings
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert records(paused)[site.url("/last")].outcome is Outcome.EXCLUDED
    assert records(paused)[site.url("/bye")].outcome is Outcome.ENDS_SESSION
