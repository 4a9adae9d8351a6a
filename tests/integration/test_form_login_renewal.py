"""A login with a form that expires in mid-crawl, and is renewed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.login_form import FormStep, LoginForm
from gossamer.model.outcome import PAGES
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_session import CrawlSession
from tests.integration.crawling import closing, records, run, sessions, until, until_rest
from tests.sites import Response, Site
from tests.sites.cookie_sites import told
from tests.sites.ledger import Request
from tests.sites.login_site import FORM, PASSWORD, USER, answering, by_post


class ExpiringSite:
    """Members' pages, whose session is another one after `/m/5`; without a second factor."""

    def __init__(self, site: Site, *, is_renewable: bool = True) -> None:
        self.session = "first"
        self.logins = 0
        self._is_renewable = is_renewable
        pages = [f"/m/{number}" for number in range(12)]
        site.page("/", links=pages)
        by_post(site, "/login", FORM.format("/login"), self._log_in)
        for path in pages:
            site.answer(path, self._member)

    def _log_in(self, request: Request) -> Response:
        self.logins += 1
        is_right = parse_qs(request.body.decode()).get("password") == [PASSWORD]
        if not is_right or (self.logins > 1 and not self._is_renewable):
            return answering(body=FORM.format("/login"))
        return answering(("Set-Cookie", f"session={self.session}; Path=/"))

    def _member(self, request: Request) -> Response:
        if told(request).get("session") != self.session:
            return Response(302, b"", None, (("Location", "/login"),))
        if request.path == "/m/5":
            self.session = "second"
        return answering()


async def renewed(session: CrawlSession) -> str:
    """What a crawl is paused for after it has tried to log in again; "" if it has finished."""
    if not await session.renew_login():
        return str(session.progress.notice)
    assert await until_rest(session) is CrawlState.FINISHED
    return ""


def expiring_crawl(
    site: Site, path: Path, then: Callable[[CrawlSession], Awaitable[str]] = renewed
) -> str:
    """What `then` returns of a crawl whose login has expired."""
    step = FormStep(submit_url=site.url("/login"), typed=("user",), secret=("password",))
    form = LoginForm(page=site.url("/login"), steps=(step,))
    settings = CrawlSettings(roots=(site.url("/"),), workers=1, login_form=form)
    values = OriginSecrets(form=(("user", USER), ("password", PASSWORD)))

    async def main() -> str:
        async with closing(sessions().create(settings, path)) as session:
            session.add_secrets(Secrets({site.url("/").rstrip("/"): values}))
            await session.start()
            await until(session, lambda progress: bool(progress.login_url))
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            return await then(session)

    return run(main())


def test_a_login_that_expires_is_renewed_with_the_form(site: Site, tmp_path: Path) -> None:
    members = ExpiringSite(site)
    path = tmp_path / "a.gossamer"
    assert expiring_crawl(site, path) == ""
    assert members.logins == 2
    found = records(path)
    assert all(found[site.url(f"/m/{number}")].outcome in PAGES for number in range(12))


def test_a_cancel_ends_the_renewal_of_a_login(site: Site, tmp_path: Path) -> None:
    members = ExpiringSite(site)

    async def cancelled(session: CrawlSession) -> str:
        site.slow("/login")
        async with asyncio.TaskGroup() as tasks:
            renewal = tasks.create_task(session.renew_login(), name="renew login")
            await site.wait_for_in_flight(1)
            await session.cancel()
        assert not renewal.result()
        await site.wait_for_disconnect()
        return session.state

    assert expiring_crawl(site, tmp_path / "a.gossamer", cancelled) == CrawlState.CANCELLED
    assert members.logins == 1


def test_a_login_that_cannot_be_renewed_is_left_to_the_person(site: Site, tmp_path: Path) -> None:
    members = ExpiringSite(site, is_renewable=False)
    with pytest.raises(UsageError, match="shows the form again"):
        expiring_crawl(site, tmp_path / "a.gossamer")
    assert members.logins == 2
