"""Which cookies the scripts of a rendered page see: those that their site lets them see."""

import re
from pathlib import Path

from msgspec import structs

from gossamer.model.crawl_state import CrawlState
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.render.rendered_page import PageCookie, RenderJob
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import closing, crawl_all, records, run, sessions, until_rest
from tests.integration.shared_renderer import SharedRenderer
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER
RENDERED = {"render": RenderMode.ON, "processes": 1, "use_sitemaps": False}
SHOWS = "<script>document.title='['+document.cookie+']'</script>"
HTML = [("Content-Type", "text/html; charset=utf-8")]
SHOWN = f"<!doctype html><title>t</title><p>x{SHOWS}".encode()


def crawl_with(path: Path, site: Site, *cookies: LoginCookie) -> None:
    """Crawl a site with a login that has these cookies."""
    settings = structs.replace(CrawlSettings(roots=(site.url("/"),)), **RENDERED)
    login = OriginSecrets(login=Login(cookies=cookies))
    bound = Secrets({site.url("/").rstrip("/"): login})

    async def main() -> None:
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def title(path: Path, url: str) -> str | None:
    return records(path)[url].title


def test_scripts_see_what_the_server_set_for_them(site: Site, tmp_path: Path) -> None:
    """A framework's token is set on the first page alone and sent by the scripts of all."""
    sets = (("Set-Cookie", "token=t1; Path=/"), ("Set-Cookie", "session=s; Path=/; HttpOnly"))
    home = SHOWN + b"<a href=/later>later</a>"
    site.respond("/", Response(body=home, headers=sets))
    site.respond("/later", Response(body=SHOWN))
    crawl_all(tmp_path / "a.gossamer", site.url("/"), **RENDERED)
    for page in ("/", "/later"):
        assert title(tmp_path / "a.gossamer", site.url(page)) == "[token=t1]", page
    told = [each.header("Cookie") for each in site.requests if each.path == "/later"]
    assert told == ["token=t1; session=s"]


def test_scripts_see_the_cookies_of_a_login_that_the_site_shows_them(
    site: Site, tmp_path: Path
) -> None:
    site.respond("/", Response(body=SHOWN + b"<script>fetch('/api')</script>"))
    site.file("/api", b"x", "text/plain")
    path = tmp_path / "a.gossamer"
    crawl_with(
        path,
        site,
        LoginCookie("session", "hidden"),
        LoginCookie("csrf", "shown", is_http_only=False),
        LoginCookie("other", "shown", "/elsewhere", is_http_only=False),
    )
    assert title(path, site.url("/")) == "[csrf=shown]"
    asked = [each.header("Cookie") or "" for each in site.requests if each.path == "/api"]
    assert [sorted(each.split("; ")) for each in asked] == [["csrf=shown", "session=hidden"]]


def test_scripts_see_cookies_that_are_public_and_no_others_that_were_typed(
    site: Site, tmp_path: Path
) -> None:
    site.respond("/", Response(body=SHOWN))
    path = tmp_path / "a.gossamer"
    typed = {
        "public_headers": (("Cookie", "consent=yes; seen=1"),),
        "headers": (("Cookie", "session=hidden"),),
    }
    crawl_all(path, site.url("/"), **RENDERED, **typed)
    assert title(path, site.url("/")) == "[consent=yes; seen=1]"


def test_a_cookie_of_another_folder_hides_none_of_the_login(site: Site, tmp_path: Path) -> None:
    """As in requests, where the login's cookie is sent as well."""
    sets = (("Set-Cookie", "csrf=of-the-shop; Path=/shop"),)
    site.respond("/", Response(body=SHOWN + b"<a href=/later>later</a>", headers=sets))
    site.respond("/later", Response(body=SHOWN))
    path = tmp_path / "a.gossamer"
    crawl_with(path, site, LoginCookie("csrf", "of-the-login", is_http_only=False))
    assert title(path, site.url("/later")) == "[csrf=of-the-login]"
    asked = [each.header("Cookie") for each in site.requests if each.path == "/later"]
    assert asked == ["csrf=of-the-login"]


def test_another_port_of_the_host_sees_none_of_them(site: Site, tmp_path: Path) -> None:
    spy = "<script>fetch('/seen?'+encodeURIComponent(document.cookie))</script>"
    with Site() as other:
        other.page("/frame", body=spy)
        other.file("/image.png", b"x", "image/png")
        other.generate(lambda path: Response() if path.startswith("/seen") else None)
        loads = f"<iframe src={other.url('/frame')}></iframe><img src={other.url('/image.png')}>"
        sets = (("Set-Cookie", "token=t1; Path=/"),)
        site.respond("/", Response(body=SHOWN + b"<a href=/later>x</a>", headers=sets))
        site.respond("/later", Response(body=SHOWN + loads.encode()))
        csrf = LoginCookie("csrf", "c", is_http_only=False)
        crawl_with(tmp_path / "a.gossamer", site, csrf)
        assert title(tmp_path / "a.gossamer", site.url("/later")) == "[token=t1; csrf=c]"
        assert "/seen?" in other.paths
        assert "/image.png" in other.paths
        assert {each.header("Cookie") for each in other.requests} == {None}


def seen_by_scripts(renderer: SharedRenderer, url: str, *cookies: PageCookie) -> str:
    """The cookies that scripts of a page at this URL see, if its browser is given these."""
    page = renderer.render(RenderJob(url, PageResponse(200, HTML, SHOWN), cookies=cookies))
    (found,) = re.findall("<title>\\[(.*?)\\]</title>", page.html)
    return str(found)


def test_scripts_of_a_host_see_the_cookies_of_its_domain(renderer: SharedRenderer) -> None:
    own, domain = PageCookie("own", "1"), PageCookie("all", "2", "/", "example.com")
    assert seen_by_scripts(renderer, "https://www.example.com/", own, domain) == "own=1; all=2"
    assert seen_by_scripts(renderer, "https://example.com/", domain) == "all=2"


def test_a_cookie_that_the_browser_refuses_takes_no_other_with_it(renderer: SharedRenderer) -> None:
    refused, good = PageCookie("__Secure-x", "1"), PageCookie("good", "2")
    assert seen_by_scripts(renderer, "http://www.example.com/", refused, good) == "good=2"


def test_files_at_https_get_no_cookies_of_a_page_at_http_as_in_any_browser(
    renderer: SharedRenderer,
) -> None:
    """To browsers, the two schemes are different sites, unless a user follows a link."""
    sent: dict[str, object] = {}

    async def note(request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
        sent[request.url] = request.headers.get("Cookie")
        return ResourceResult(PageResponse(200, [("Content-Type", "text/javascript")], b"1"))

    scripts = "<script src=https://example.com/a.js></script><script src=/b.js></script>"
    response = PageResponse(200, HTML, SHOWN + scripts.encode())
    cookies = (PageCookie("own", "1"),)
    renderer.render(RenderJob("http://example.com/", response, cookies=cookies), note)
    assert sent == {"https://example.com/a.js": None, "http://example.com/b.js": "own=1"}
