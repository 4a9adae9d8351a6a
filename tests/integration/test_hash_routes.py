"""A site whose views differ behind "#/" alone: one page, or a page for each view if wanted."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.audit.site_audit import run_site_audit
from gossamer.cli.command_parser import parse
from gossamer.cli.export_command import export_project
from gossamer.cli.parsed_table_commands import ExportCommand
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.indexability import Indexability
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.session.page_inspection import measured_load
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


def test_each_view_is_a_page_of_its_own_if_wanted_but_not_in_sitemaps(
    app: Site, tmp_path: Path
) -> None:
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
    sitemap = tmp_path / "sitemap.xml"
    export(path, ExportSelection(VIEWS["sitemap"]), sitemap)
    listed = sitemap.read_text("utf-8")
    assert app.url("/page") in listed
    assert "#" not in listed

    async def shown() -> str | int | None:
        async with closing(sessions().open(path)) as session:
            report = await session.inspection.rendering(app.url("/#/cart/2"))
        return next(fact.rendered for fact in report.facts if fact.name == "title")

    assert run(shown()) == "Second cart"


def test_a_view_may_be_a_start_address(app: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    roots = tuple(map(app.url, ("/#/cart", "/#/cart/2", "/#/", "/#part")))
    settings = {"roots": roots, "render": RenderMode.ON, "hash_routes": True, "list_only": True}
    crawl_all(path, "", **settings)
    views = {"/#/cart": "Cart", "/#/cart/2": "Second cart", "/": "Home"}
    assert routes(app, path) == views
    links = tmp_path / "links.csv"
    asked = parse(["export", str(path), "outlinks", "-o", str(links), "--of", app.url("/#/cart")])
    assert isinstance(asked, ExportCommand)
    assert export_project(asked) == 0
    with links.open(encoding="utf-8-sig", newline="") as file:
        ends = {(row["Source"], row["Destination"]) for row in csv.DictReader(file)}
    assert (app.url("/#/cart"), app.url("/page")) in ends
    one_page = tmp_path / "b.gossamer"
    crawl_all(one_page, "", **settings | {"hash_routes": False})
    assert routes(app, one_page) == {"/": "Home"}


def test_a_view_is_forbidden_with_its_document(app: Site, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    app.robots("User-agent: *\nDisallow: /$")
    crawl_all(path, app.url("/#/cart"), render=RenderMode.ON, hash_routes=True)
    assert records(path)[app.url("/#/cart")].outcome is Outcome.BLOCKED_BY_ROBOTS
    assert "/" not in app.paths


def test_a_view_is_measured(app: Site) -> None:
    settings = CrawlSettings(roots=(app.url("/"),))
    report = run(measured_load(settings, app.url("/#/cart"), 1))
    assert report.url == app.url("/#/cart")
    assert "/api/cart" in app.paths


def test_views_that_cannot_be_rendered_are_no_duplicates_of_their_document(
    app: Site, tmp_path: Path
) -> None:
    path = tmp_path / "a.gossamer"
    app.page("/", title="App", links=["#/cart", "#/cart/2", "/page", "/copy"])
    app.page("/copy", title="A page")
    crawl_all(path, app.url("/"), render=RenderMode.ON, hash_routes=True, browser="/nowhere/chrome")
    run_site_audit(path)
    assert routes(app, path).keys() == {"/", "/#/cart", "/#/cart/2", "/page", "/copy"}
    found = {url: each for url, each in records(path).items() if each.duplicate_id}
    assert found.keys() == {app.url("/page"), app.url("/copy")}
    reasons = {url: each.indexability_status for url, each in records(path).items() if "#" in url}
    assert set(reasons.values()) == {Indexability.HASH_ROUTE}


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
