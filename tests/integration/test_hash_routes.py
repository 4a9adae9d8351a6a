"""A site whose views differ behind "#/" alone: one page, or a page for each view if wanted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.fields.rendering_columns import RenderStatus
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import closing, crawl_all, records, run, sessions, until_rest
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER
APP = """<!doctype html><title>App</title><main></main><script>
const views = {'/': 'Home', '/cart': 'Cart', '/cart/2': 'Second cart', '/logout': 'Signed out'};
function show() {
  const view = location.hash.slice(1) || '/';
  document.title = views[view];
  fetch('/api' + view);
  document.querySelector('main').innerHTML = '<h1>' + views[view] + '</h1><a href=page>A page</a>'
    + Object.keys(views).map(each => `<a href="#${each}">${views[each]}</a>`).join(' ');
}
addEventListener('hashchange', show); show();
</script>"""


@pytest.fixture
def app(site: Site) -> Iterator[Site]:
    site.robots(
        "User-agent: *\nDisallow: /*cart\nAllow: /api/cart\n"
    )  # routes are no paths to robots
    site.respond("/", Response(body=APP.encode()))
    site.page("/page", title="A page")
    site.generate(lambda path: Response(body=b"{}") if path.startswith("/api") else None)
    yield site
    assert not [path for path in site.paths if "#" in path]


def routes(site: Site, path: Path) -> dict[str, str | None]:
    """The titles of what was read, by what the address has behind the site."""
    start = site.url("")
    return {
        url.removeprefix(start): record.title
        for url, record in records(path).items()
        if record.outcome is Outcome.PAGE
    }


def test_each_view_is_a_page_of_its_own_if_wanted(app: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    crawl_all(path, app.url("/"), render=RenderMode.AUTO, hash_routes=True, follow_sign_out=True)
    assert routes(app, path) == {
        "/": "Home",
        "/#/cart": "Cart",
        "/#/cart/2": "Second cart",
        "/#/logout": "Signed out",
        "/page": "A page",
    }
    views = [each for url, each in records(path).items() if "#" in url]
    assert {(each.render_status, each.rendered_url) for each in views} == {
        (RenderStatus.RENDERED, None)
    }
    assert "/api/cart/2" in app.paths

    async def shown() -> str | int | None:
        async with closing(sessions().open(path)) as session:
            report = await session.inspection.rendering(app.url("/#/cart/2"))
        return next(fact.rendered for fact in report.facts if fact.name == "title")

    assert run(shown()) == "Second cart"


def test_sitemaps_leave_views_out(app: Site, tmp_path: Path) -> None:
    path, file = tmp_path / "a.gossamer", tmp_path / "sitemap.xml"
    crawl_all(path, app.url("/"), render=RenderMode.ON, hash_routes=True)
    export(path, ExportSelection(VIEWS["sitemap"]), file)
    listed = file.read_text("utf-8")
    assert app.url("/page") in listed
    assert "#" not in listed


def test_they_are_one_page_otherwise(app: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    crawl_all(path, app.url("/"), render=RenderMode.ON)
    assert routes(app, path) == {"/": "Home", "/page": "A page"}


def test_without_rendering_they_are_one_page_too(app: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    app.page("/", links=["#/cart", "/page"])
    crawl_all(path, app.url("/"), hash_routes=True)
    assert set(routes(app, path)) == {"/", "/page"}


def test_a_view_that_signs_out_is_not_shown_with_a_login(app: Site, tmp_path: Path) -> None:
    path, origin = tmp_path / "a.gossamer", app.url("/").rstrip("/")
    login = OriginSecrets(login=Login(cookies=(LoginCookie("session", "s3cret"),)))
    settings = CrawlSettings(roots=(app.url("/"),), render=RenderMode.ON, hash_routes=True)

    async def main() -> None:
        made = sessions().create(settings, path, bound=Secrets({origin: login}))
        async with closing(made) as session:
            await session.start()
            await until_rest(session)

    run(main())
    assert records(path)[app.url("/#/logout")].outcome is Outcome.ENDS_SESSION
    assert "/api/logout" not in app.paths
