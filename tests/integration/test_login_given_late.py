"""A login that comes late: what was found before it is not to end it, nor to delete anything."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.secrets import NO_SECRETS, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.rescue.project_rescue import rescue
from tests.integration.crawling import (
    closing,
    crawl_all,
    records,
    run,
    sessions,
    until_rest,
)
from tests.patience import PATIENCE_S
from tests.sites import Response, Site
from tests.sites.login_site import SESSION, LoginSite
from tests.sites.responses import html_page

LOGIN = Login(cookies=(LoginCookie("session", SESSION),))
FOUND_BEFORE = """
<a href=/first>First</a> <a href=/members>Members</a> <a href=/logout?from=home>Jo</a>
<a href=/items/7>Delete</a> <a href=/items/8>How to delete your account</a>
<a href=/bye title="Sign out"><i class=x></i></a> <a href=/end aria-label="Log out"></a>
<a href=/leave><img src=/x.png alt="Log off"></a>
<a href=/away>Sign out</a> <a href=/blog/trash>Delete</a> <a href=/list#all>Delete</a>
"""
"""What a page said before anybody had logged in."""
RISKY = {"/logout?from=home", "/items/7", "/away", "/bye", "/end", "/leave"}


def test_a_login_given_in_mid_crawl_keeps_the_crawl_from_signing_out(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    site.page("/", links=["/later"])
    site.page("/later", links=["/logout", "/account"])
    site.page("/logout")
    origin = site.url("/").rstrip("/")
    path = tmp_path / "a.gossamer"

    async def main() -> None:
        settings = CrawlSettings(roots=(site.url("/"),))
        async with closing(sessions().create(settings, path)) as session:
            await session.change({}, Secrets({origin: OriginSecrets(login=LOGIN)}))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert "/logout" not in site.paths
    (needed,) = sessions().open(path).missing_secrets
    assert needed.login


SAID_OTHERWISE = """
<img src=/x.png alt="Log off">
<a href=/first>First</a> <a href=/bye title="Sign out">Jo</a> <a href=/off><i class=fa-sign-out>
</i></a> <a href=/items/9 data-method=delete>x</a> <a href=/list>All</a>
"""


def kill_crawl(path: Path, site: Site, body: str, bound: Secrets = NO_SECRETS) -> None:
    """Crawl into a new project until it has what the start page links to; kill the crawl host."""
    LoginSite(site)
    site.generate(lambda path: None if path == "/first" else Response(body=html_page(path, ())))
    site.page("/", body=body)
    site.slow("/first")

    async def main() -> None:
        settings = CrawlSettings(roots=(site.url("/"),), workers=1)
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            await site.wait_until(lambda: "/first" in site.paths)
            await until_in_file(path, site.url("/"))
            assert session.host_pid is not None
            os.kill(session.host_pid, signal.SIGKILL)

    run(main())


@pytest.fixture
def unlogged(site: Site, tmp_path: Path) -> Iterator[Path]:
    """A project without a login, whose crawl host was killed."""
    path = tmp_path / "a.gossamer"
    kill_crawl(path, site, FOUND_BEFORE)
    yield path
    assert not RISKY & set(site.paths)
    assert {"/items/8", "/list", "/blog/trash", "/x.png"} <= set(site.paths)


async def until_in_file(path: Path, url: str) -> None:
    """Wait until a page and its links are committed."""
    async with asyncio.timeout(PATIENCE_S):
        while records(path)[url].outcome not in PAGES:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


def finished_with_login(path: Path, site: Site, *, bound: bool) -> dict[str, Outcome]:
    """The outcomes when the project goes on with a login, by path; `bound`: saved with it."""
    origin = site.url("/").rstrip("/")
    login = Secrets({origin: OriginSecrets(login=LOGIN)})
    site.slow("/first").open()

    async def main() -> None:
        async with closing(sessions().open(path)) as session:
            if bound:
                await session.change({}, login)
            else:
                session.add_secrets(login)
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    return {url.removeprefix(origin): row.outcome for url, row in records(path).items()}


@pytest.mark.parametrize("bound", [True, False])
def test_what_was_found_without_a_login_is_not_followed_with_one(
    unlogged: Path, site: Site, *, bound: bool
) -> None:
    outcomes = finished_with_login(unlogged, site, bound=bound)
    assert {url for url, each in outcomes.items() if each is Outcome.ENDS_SESSION} == RISKY
    assert str(records(unlogged)[site.url("/items/7")].detail) == "Delete"


@pytest.mark.parametrize("bound", [True, False])
def test_a_project_that_was_rescued_does_not_sign_out_either(
    unlogged: Path, site: Site, tmp_path: Path, *, bound: bool
) -> None:
    rescued = tmp_path / "b.gossamer"
    rescue(unlogged, rescued)
    outcomes = finished_with_login(rescued, site, bound=bound)
    assert {url for url, each in outcomes.items() if each is Outcome.ENDS_SESSION} == RISKY


def test_a_rescued_project_knows_what_its_links_said_with_a_login(
    site: Site, tmp_path: Path
) -> None:
    path, rescued = tmp_path / "a.gossamer", tmp_path / "b.gossamer"
    login = Secrets({site.url("/").rstrip("/"): OriginSecrets(login=LOGIN)})
    kill_crawl(path, site, SAID_OTHERWISE, login)
    rescue(path, rescued)
    outcomes = finished_with_login(rescued, site, bound=False)
    ending = {url for url, each in outcomes.items() if each is Outcome.ENDS_SESSION}
    assert ending == {"/bye", "/off", "/items/9"}
    assert not ending & set(site.paths)
    assert {"/list", "/x.png"} <= set(site.paths)


def test_pages_that_sign_out_are_not_requested_again_with_a_login(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    site.page("/", links=["/logout", "/list"])
    site.page("/logout")
    site.page("/list")
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"))
    assert site.paths.count("/logout") == 1

    async def main() -> None:
        origin = site.url("/").rstrip("/")
        async with closing(sessions().open(path)) as session:
            session.add_secrets(Secrets({origin: OriginSecrets(login=LOGIN)}))
            await session.perform(BulkActionKind.RECRAWL, UrlSelection(folder=origin))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    assert site.paths.count("/list") == 2
    assert site.paths.count("/logout") == 1
