"""Pages that a browser would not show as they are, because of their headers or their scripts."""

from collections.abc import Iterator

import pytest

from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.settings.rendering_choices import RenderMode
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site

pytestmark = NEEDS_BROWSER

HTML = ("Content-Type", "text/html; charset=utf-8")
SHOWN = b"<title>Raw</title><a href=/seen>x</a><script>document.title='Rendered'</script>"
UNDECLARED = "<title>Übergröße</title><p>日本語".encode()
RELOADS = (
    b"<title>x</title><script>if(!sessionStorage.x){sessionStorage.x=1;location.reload()}</script>"
)
HEADERS = {
    "/attachment": ("Content-Disposition", 'attachment; filename="a.html"'),
    "/sandbox": ("Content-Security-Policy", "sandbox"),
}
SCRIPTS = {
    "/blank": b"location='about:blank'",
    "/blob": b"location=URL.createObjectURL(new Blob(['<title>Blob'],{type:'text/html'}))",
    "/failed": b"fetch('/missing').then(() => fetch('/there'))",
    "/hash": b"location.hash='/shop/a'; document.write('<a href=beside>x</a>')",
    "/cookie": b"document.cookie='name=\xe6\x97\xa5'; fetch('/there')",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, UrlRecord]]:
    """What became of each of them, by path."""
    path = tmp_path_factory.mktemp("odd") / "a.gossamer"
    with Site() as site:
        paths = (*HEADERS, *SCRIPTS, "/undeclared", "/a|b")
        links = b"".join(b"<a href=%s>x</a>" % each.encode() for each in paths)
        site.respond("/", Response(body=links))
        site.file("/there", b"data", "text/plain")
        for each, header in HEADERS.items():
            site.respond(each, Response(headers=(HTML, header), body=SHOWN))
        site.respond(
            "/undeclared", Response(headers=(("Content-Type", "text/html"),), body=UNDECLARED)
        )
        site.respond("/a|b", Response(headers=(HTML,), body=RELOADS))
        for each, script in SCRIPTS.items():
            body = b"<title>Raw</title><script>%s</script>" % script
            site.respond(each, Response(headers=(HTML,), body=body))
        crawl_all(path, site.url("/"), render=RenderMode.ON)
        yield {url.removeprefix(site.url("")): page for url, page in records(path).items()}


def test_a_page_to_be_saved_as_a_file_is_shown_all_the_same(pages: dict[str, UrlRecord]) -> None:
    page = pages["/attachment"]
    assert (page.render_status, page.title) == (RenderStatus.RENDERED, "Rendered")
    assert page.rendered_url is None


def test_a_page_whose_policy_forbids_scripts_is_shown_without_waiting_for_them(
    pages: dict[str, UrlRecord],
) -> None:
    page = pages["/sandbox"]
    assert (page.render_status, page.title) == (RenderStatus.RENDERED, "Raw")


@pytest.mark.parametrize("path", ["/blank", "/blob"])
def test_a_page_that_leaves_for_no_web_address_keeps_the_facts_of_its_html(
    pages: dict[str, UrlRecord], path: str
) -> None:
    page = pages[path]
    assert (page.render_status, page.title) == (RenderStatus.FAILED, "Raw")


def test_a_request_that_is_answered_with_an_error_has_failed(pages: dict[str, UrlRecord]) -> None:
    page = pages["/failed"]
    assert (page.page_requests, page.failed_requests) == (2, 1)


def test_a_page_may_write_a_cookie_in_any_language(pages: dict[str, UrlRecord]) -> None:
    page = pages["/cookie"]
    assert (page.page_requests, page.failed_requests) == (1, 0)


def test_a_page_in_an_encoding_that_it_does_not_declare_is_read_as_its_html_was(
    pages: dict[str, UrlRecord],
) -> None:
    page = pages["/undeclared"]
    assert (page.title_in_html, page.title_as_rendered) == ("Übergröße", "Übergröße")
    assert not page.javascript


def test_a_page_is_itself_however_the_browser_writes_its_address(
    pages: dict[str, UrlRecord],
) -> None:
    page = pages["/a|b"]
    assert page.outcome is Outcome.PAGE
    assert page.rendered_url is None


def test_links_are_relative_to_the_page_whatever_its_script_writes_behind_the_hash(
    pages: dict[str, UrlRecord],
) -> None:
    assert (pages["/hash"].rendered_url or "").endswith("/hash#/shop/a")
    assert "/beside" in pages
    assert not [path for path in pages if "#" in path]
