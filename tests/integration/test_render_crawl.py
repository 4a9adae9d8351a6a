"""Crawls in which a real browser renders the pages: what is stored, shown and exported of them."""

import asyncio
import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.site_audit import run_site_audit
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import export
from gossamer.export.view_catalogue import VIEWS
from gossamer.model.custom_definitions import CustomExtraction, CustomSearch, SearchLocation
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.link_record import LinkOriginName
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.project_queries import View
from gossamer.model.rendering import BlockedBy, RenderingDetails, ResourceType
from gossamer.model.secrets import OriginSecrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.session.page_inspection import try_definitions
from gossamer.store.reading.reader import Reader
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER

HOME = b"""<!doctype html><html lang=en><title>Loading</title>
<link rel=canonical href=/old><meta name=description content="Said by both">
<body><p>Wait</p><a href=/static>In the HTML</a><a href=/removed>Removed by a script</a>
<script src=/app.js></script><script src=/private/ads.js></script>"""
APP = b"""document.title = 'Ready';
document.querySelector('link[rel=canonical]').href = '/new';
document.querySelector('a[href="/removed"]').remove();
document.body.insertAdjacentHTML('beforeend',
  '<h1>Shop</h1><p>many more words than before</p><a href=/dynamic>Made by a script</a>');
console.error('This went wrong'); console.warn('Careful');
fetch('/data.json').then(answer => answer.json())
  .then(found => document.body.insertAdjacentHTML('beforeend', `<a href=${found}>Fetched</a>`));
history.replaceState(null, '', '#/shop');"""
PLAIN = (
    b"<!doctype html><title>Plain</title><h1>Plain</h1><p>nothing but HTML</p><a href=/>home</a>"
)


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    """A page that scripts finish, and others that say all in their HTML."""
    with Site() as site:
        site.robots("User-agent: *\nDisallow: /private/\n")
        site.respond("/", Response(body=HOME))
        site.file("/app.js", APP, "text/javascript")
        site.file("/private/ads.js", b"document.title = 'Ads'", "text/javascript")
        site.file("/data.json", b'"/fetched"', "application/json")
        for path in ("/static", "/removed", "/dynamic", "/fetched"):
            site.respond(path, Response(body=PLAIN))
        yield site


@pytest.fixture(scope="module")
def project(shop: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The crawl of it, audited; no test changes it."""
    path = tmp_path_factory.mktemp("rendered") / "a.gossamer"
    crawl_all(path, shop.url("/"), render=RenderMode.ON, screenshots=True)
    run_site_audit(path)
    return path


def home_of(path: Path, shop: Site) -> UrlRecord:
    return records(path)[shop.url("/")]


def test_a_rendered_page_is_stored_beside_what_its_html_says(project: Path, shop: Site) -> None:
    home = home_of(project, shop)
    assert home.render_status is RenderStatus.RENDERED
    assert home.rendered_url == shop.url("/") + "#/shop"
    assert (home.title_in_html, home.title_as_rendered) == ("Loading", "Ready")
    assert (home.h1_in_html, home.h1_as_rendered) == ("", "Shop")
    assert (home.description_in_html, home.description_as_rendered) == ("Said by both",) * 2
    assert home.html_description is None
    assert home.canonical_in_html == shop.url("/old")
    assert home.canonical_as_rendered == shop.url("/new")
    assert home.words_in_html is not None
    assert home.word_count is not None
    assert home.word_count_change == home.word_count - home.words_in_html > 0
    assert (home.rendered_links, home.blocked_requests, home.failed_requests) == (2, 1, 0)
    assert (home.console_errors, home.console_warnings) == (1, 1)
    wanted = RenderFlag.LINKS | RenderFlag.BLOCKED_RESOURCES | RenderFlag.ERRORS
    assert wanted & (home.javascript or 0) == wanted


EMPTY = b"<!doctype html><body><div id=app></div><script src=/write.js></script>"
WRITE = b"""document.getElementById('app').innerHTML =
  '<p class=v>caf\\u00e9 DOM</p><a href=/html>Next</a>';"""
LATIN = b"<!doctype html><meta charset=windows-1252><p class=v>caf\xe9 HTML</p>"


@pytest.mark.parametrize(
    ("render", "tried"), [(RenderMode.ON, ["/html"]), (RenderMode.AUTO, ["/", "/html"])]
)
def test_custom_patterns_are_applied_to_what_scripts_have_made(
    site: Site, tmp_path: Path, render: RenderMode, tried: list[str]
) -> None:
    """Pages that are not rendered have what their HTML says. A trial says the same as a crawl."""
    site.respond("/", Response(body=EMPTY))
    site.file("/write.js", WRITE, "text/javascript")
    site.respond("/html", Response(body=LATIN, content_type="text/html"))
    words = CustomSearch("words", "café", place=SearchLocation.HTML)
    values = CustomExtraction("values", ".v", all_matches=True)
    path = tmp_path / "a.gossamer"
    definitions: dict[str, Any] = {"custom_searches": (words,), "custom_extractions": (values,)}
    crawl_all(path, site.url("/"), render=render, **definitions)
    with Reader(path) as reader:
        found = {each.url: each.custom for each in reader.iterate(View.PAGES)}
    for url, said in ((site.url("/"), "café DOM"), (site.url("/html"), "café HTML")):
        cells = found[url]
        assert cells is not None
        assert cells.results[words.number].values == [1]
        assert cells.results[values.number].values == [said]
    settings = CrawlSettings(roots=(), render=render, **definitions)
    for url in map(site.url, tried):
        trial = asyncio.run(try_definitions(settings, OriginSecrets(), url))
        cells = found[url]
        assert cells is not None
        assert {each.number: each for each in trial.results} == cells.results


def test_a_page_that_scripts_leave_alone_has_the_same_values_twice(
    project: Path, shop: Site
) -> None:
    plain = records(project)[shop.url("/static")]
    assert (plain.title_in_html, plain.title_as_rendered) == ("Plain", "Plain")
    assert (plain.word_count_change, plain.word_percent, plain.rendered_links) == (0, 0.0, 0)
    assert plain.rendered_url is None


def test_what_a_page_asked_for_and_wrote_to_the_console_can_be_read(
    project: Path, shop: Site
) -> None:
    home = home_of(project, shop)
    with Reader(project) as reader:
        details: RenderingDetails = reader.rendering_details(home.id)
        screenshot = reader.screenshot(home.id)
    asked = {each.url: each for each in details.resources}
    assert asked[shop.url("/app.js")].type is ResourceType.SCRIPT
    assert asked[shop.url("/app.js")].status == 200
    assert asked[shop.url("/data.json")].type in {ResourceType.XHR, ResourceType.FETCH}
    assert asked[shop.url("/private/ads.js")].blocked_by is BlockedBy.ROBOTS
    assert [(each.text, each.is_error) for each in details.console] == [
        ("This went wrong", True),
        ("Careful", False),
    ]
    assert details.console[0].source == shop.url("/app.js")
    assert screenshot is not None
    assert screenshot.startswith(b"\xff\xd8")
    assert "/private/ads.js" not in shop.paths


def test_links_say_where_they_were_found(project: Path, shop: Site) -> None:
    home = home_of(project, shop)
    with Reader(project) as reader:
        found = {each.target_url: each.origin for each in reader.outlinks(home.id)}
    assert found[shop.url("/static")] is LinkOriginName.BOTH
    assert found[shop.url("/dynamic")] is LinkOriginName.RENDERED
    assert found[shop.url("/fetched")] is LinkOriginName.RENDERED
    assert found[shop.url("/removed")] is LinkOriginName.HTML


def test_the_audit_counts_links_that_only_rendering_shows(project: Path, shop: Site) -> None:
    found = records(project)
    home, dynamic = found[shop.url("/")], found[shop.url("/dynamic")]
    assert (home.unique_outlinks, home.unique_js_outlinks) == (4, 2)
    assert (home.unique_js_inlinks, home.unique_external_js_outlinks) == (0, 0)
    assert (dynamic.unique_js_inlinks, dynamic.unique_js_outlinks) == (1, 0)
    assert found[shop.url("/static")].unique_js_inlinks == 0


@pytest.fixture
def exported(project: Path, tmp_path: Path) -> Callable[[str], list[dict[str, str]]]:
    """Exports a view; its rows by their headings."""

    def rows_of(view: str) -> list[dict[str, str]]:
        out = tmp_path / f"{view}.csv"
        export(project, ExportSelection(VIEWS[view]), out)
        with out.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    return rows_of


def test_the_javascript_tab_is_exported_as_other_crawlers_have_it(
    exported: Callable[[str], list[dict[str, str]]], shop: Site
) -> None:
    home, *_ = [row for row in exported("javascript_all") if row["Address"] == shop.url("/")]
    assert (home["HTML Title"], home["Rendered HTML Title"]) == ("Loading", "Ready")
    assert (home["HTML H1"], home["Rendered HTML H1"]) == ("", "Shop")
    assert home["HTML Canonical"] == shop.url("/old")
    assert home["Rendered HTML Canonical"] == shop.url("/new")
    words = int(home["Rendered HTML Word Count"])
    assert words - int(home["HTML Word Count"]) == int(home["Word Count Change"])
    assert float(home["JS Word Count %"]) == pytest.approx(
        100 * int(home["Word Count Change"]) / words, abs=0.001
    )
    assert (home["Unique Outlinks"], home["Unique JS Outlinks"]) == ("4", "2")
    assert (home["Unique JS Inlinks"], home["Unique External JS Outlinks"]) == ("0", "0")


def test_blocked_resources_and_console_are_exported(
    exported: Callable[[str], list[dict[str, str]]], shop: Site
) -> None:
    (blocked,) = exported("blocked_resources")
    assert blocked == {
        "Address": shop.url("/"),
        "Blocked Resource": shop.url("/private/ads.js"),
        "Type": "Script",
        "Blocked By": "robots.txt",
    }
    error, warning = exported("javascript_console")
    assert (error["Level"], error["Message"]) == ("Error", "This went wrong")
    assert (error["Source"], error["Line"]) == (shop.url("/app.js"), "6")
    assert (warning["Level"], warning["Message"]) == ("Warning", "Careful")


@pytest.mark.parametrize("view", ["all_outlinks", "all_inlinks", "links"])
def test_links_are_exported_with_their_origin(
    exported: Callable[[str], list[dict[str, str]]], shop: Site, view: str
) -> None:
    home = [row for row in exported(view) if row["Source"] == shop.url("/")]
    found = {row["Destination"]: row["Link Origin"] for row in home}
    assert found[shop.url("/static")] == "HTML & Rendered HTML"
    assert found[shop.url("/dynamic")] == "Rendered HTML"
    assert found[shop.url("/removed")] == "HTML"
