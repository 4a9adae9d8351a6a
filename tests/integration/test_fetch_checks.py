"""Addresses that are only checked, and what answers say besides their content."""

import gzip
import time
from dataclasses import dataclass
from typing import Any

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.body_readers import ExtractPage, HeaderPairs
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import Extract, FetchMode, Link, PageLinks, Refresh, Visit
from tests.integration.fetching import (
    LOOPS,
    OK,
    PAGE,
    PARTLY_S,
    Loop,
    ScriptedServer,
    assert_failed,
    extract,
    run,
    visit,
)
from tests.sites import Response, Site

PNG = b"\x89PNG\r\n\x1a\n" + bytes(300)


def check(url: str, **options: Any) -> Visit:
    return run(lambda fetcher: fetcher.check(url), **options)


def asked(site: Site) -> list[str]:
    return [request.method for request in site.requests]


def raw_answer(status_line: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status_line}", *headers, "", ""]).encode() + body


HTML_HEAD = raw_answer("200 OK", "Content-Type: text/html", "Content-Length: 70000")

# ---------------------------------------------------------------- checks


def test_checking_a_page_sends_a_head_request(site: Site) -> None:
    site.raw("/a", HTML_HEAD, close=False)
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.status, seen.content_type) == (Outcome.CHECKED, 200, "text/html")
    assert (seen.size_bytes, seen.raw_bytes, seen.truncated) == (70_000, 0, False)
    assert (seen.facts, list(seen.links), seen.detail) == (None, [], None)
    assert asked(site) == ["HEAD"]


def test_checking_a_file(site: Site) -> None:
    site.raw(
        "/a", raw_answer("200 OK", "Content-Type: image/png", "Content-Length: 9"), close=False
    )
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.content_type, seen.size_bytes) == (Outcome.FILE, "image/png", 9)


@pytest.mark.parametrize("loop_factory", LOOPS)
def test_the_connection_is_kept_after_a_check(loop_factory: Loop) -> None:
    with ScriptedServer([[HTML_HEAD, HTML_HEAD, PAGE]]) as server:
        urls = [server.url(path) for path in ("/1", "/2", "/3")]

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            return [
                await fetcher.check(urls[0]),
                await fetcher.check(urls[1]),
                await fetcher.fetch(urls[2]),
            ]

        seen = run(act, loop_factory=loop_factory)
    assert [each.outcome for each in seen] == [Outcome.CHECKED, Outcome.CHECKED, Outcome.PAGE]


def test_a_check_reports_redirects(site: Site) -> None:
    site.redirect("/a", "/b", status=301)
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.location) == (Outcome.REDIRECT, site.url("/b"))
    assert seen.redirect_kind is RedirectKind.HTTP


def head_and_get(status: int, then: bytes = PAGE) -> list[bytes | None]:
    return [raw_answer(f"{status} No", "Content-Length: 0"), then]


@pytest.mark.parametrize("status", [400, 403, 404, 405, 406, 500, 501, 503])
def test_a_head_request_that_fails_is_repeated_with_get(status: int) -> None:
    with ScriptedServer([head_and_get(status)]) as server:
        seen = check(server.url())
    assert (seen.outcome, seen.status) == (Outcome.CHECKED, 200)
    assert [request.split()[0] for request in server.requests] == [b"HEAD", b"GET"]


@pytest.mark.parametrize("status", [401, 407, 410, 429, 451, 999])
def test_statuses_that_do_not_depend_on_the_method_are_final(site: Site, status: int) -> None:
    site.raw("/a", raw_answer(f"{status} No", "Content-Length: 0"), close=False)
    assert check(site.url("/a")).status == status
    assert asked(site) == ["HEAD"]


@pytest.mark.parametrize("header", ["Retry-After: 60", "cf-mitigated: challenge"])
def test_a_rate_limited_check_is_not_repeated(site: Site, header: str) -> None:
    site.raw("/a", raw_answer("503 Wait", header, "Content-Length: 0"), close=False)
    assert check(site.url("/a")).status == 503
    assert asked(site) == ["HEAD"]


def test_the_get_may_confirm_the_head(site: Site) -> None:
    site.raw("/a", raw_answer("404 Not Found", "Content-Length: 0"), close=False)
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.status) == (Outcome.CLIENT_ERROR, 404)
    assert asked(site) == ["HEAD", "GET"]


def test_a_server_that_disconnects_on_head_is_sent_a_get() -> None:
    with ScriptedServer([[b"", None], [PAGE]]) as server:
        seen = check(server.url())
    assert seen.outcome is Outcome.CHECKED
    assert [request.split()[0] for request in server.requests] == [b"HEAD", b"GET"]


@pytest.mark.parametrize("first", [head_and_get(405)[0], b""])
def test_a_caller_may_request_the_get_itself(first: bytes) -> None:
    with ScriptedServer([[first, None], [PAGE]]) as server:
        url = server.url()

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            doubtful = await fetcher.check(url, mode=FetchMode.USUAL)
            return [doubtful, await fetcher.check(url, mode=doubtful.again)]

        seen = run(act)
    assert [each.again for each in seen] == [FetchMode.BY_GET, FetchMode.USUAL]
    assert seen[1].outcome is Outcome.CHECKED
    assert [request.split()[0] for request in server.requests] == [b"HEAD", b"GET"]


def test_a_body_sent_in_response_to_head_is_ignored() -> None:
    with ScriptedServer([[PAGE], [PAGE]]) as server:
        urls = [server.url("/1"), server.url("/2")]

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            return [await fetcher.check(url) for url in urls]

        seen = run(act)
    assert [each.outcome for each in seen] == [Outcome.CHECKED, Outcome.CHECKED]
    assert [request.split()[0] for request in server.requests] == [b"HEAD", b"HEAD"]


def test_the_body_of_the_repeated_check_is_not_read(site: Site) -> None:
    answers = [Response(405, b""), Response(200, bytes(10_000_000))]
    site.respond("/a", *answers)
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.size_bytes, seen.raw_bytes) == (Outcome.CHECKED, 10_000_000, 0)
    site.block_until(lambda: site.open_connections == 0)


def chunked(body: bytes, content_type: str, *headers: tuple[str, str]) -> Response:
    """An answer whose head does not tell how long it is."""
    content = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    return Response(200, content, content_type, (("Transfer-Encoding", "chunked"), *headers))


@pytest.mark.parametrize(
    "content_type", ["image/png", "image/svg+xml", "text/css", "text/javascript", "font/woff2"]
)
def test_what_pages_load_is_read_for_its_size_if_its_head_does_not_tell_it(
    site: Site, content_type: str
) -> None:
    site.respond("/a", chunked(bytes(300_000), content_type))
    seen = check(site.url("/a"))
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.FILE, 300_000, False)
    assert asked(site) == ["HEAD", "GET"]


@pytest.mark.parametrize(
    "content_type", ["text/html", "video/mp4", "application/zip", "text/plain"]
)
def test_what_pages_do_not_load_is_not_read_for_its_size(site: Site, content_type: str) -> None:
    site.respond("/a", chunked(bytes(300_000), content_type))
    assert check(site.url("/a")).size_bytes is None
    assert asked(site) == ["HEAD"]


def test_a_size_of_nothing_is_not_believed() -> None:
    with ScriptedServer(
        [
            [
                raw_answer("200 OK", "Content-Type: image/png", "Content-Length: 0"),
                raw_answer("200 OK", "Content-Type: image/png", "Content-Length: 308", body=PNG),
            ]
        ]
    ) as server:
        assert check(server.url()).size_bytes == len(PNG)


def test_the_size_of_a_compressed_file_is_that_of_what_is_sent(site: Site) -> None:
    body = gzip.compress(bytes(300_000))
    site.respond("/a", chunked(body, "text/css", ("Content-Encoding", "gzip")))
    assert check(site.url("/a")).size_bytes == len(body)


def test_a_file_without_end_is_read_up_to_the_limit(site: Site) -> None:
    site.respond("/a", chunked(bytes(300_000), "image/png"))
    seen = check(site.url("/a"), max_body_bytes=200_000)
    assert (seen.outcome, seen.truncated) == (Outcome.FILE, True)
    assert (seen.size_bytes or 0) >= 200_000


def test_a_file_that_is_fetched_is_measured_too(site: Site) -> None:
    site.respond("/a", chunked(bytes(300_000), "image/png"))
    assert visit(site.url("/a")).size_bytes == 300_000


def test_a_check_that_times_out_is_not_repeated(site: Site) -> None:
    site.hang("/a")
    assert_failed(check(site.url("/a"), timeout_s=PARTLY_S), Outcome.TIMEOUT, transient=True)
    assert asked(site) == ["HEAD"]


# ---------------------------------------------------------------- refreshes


def refreshing(to: str, delay_s: int = 1) -> ExtractPage:
    """An `extract` that finds a meta refresh."""

    def find(body: bytes, url: str, charset: str | None, headers: HeaderPairs) -> Extract:
        del headers
        found = extract(body, url, charset)
        return Extract(found.facts, "utf-8", found.targets, found.links, Refresh(delay_s, to))

    return find


def test_a_meta_refresh_is_a_redirect_with_an_extract(site: Site) -> None:
    site.page("/a", title="Moving")
    seen = visit(site.url("/a"), extract=refreshing(site.url("/b")))
    assert (seen.outcome, seen.status) == (Outcome.REDIRECT, 200)
    assert (seen.location, str(seen.detail)) == (site.url("/b"), "after 1 s")
    assert seen.redirect_kind is RedirectKind.META_REFRESH
    assert seen.facts is not None
    assert len(seen.links) == len(seen.targets) == 1


def test_a_refresh_header_takes_precedence_over_a_meta_refresh(site: Site) -> None:
    site.page("/a", headers=[("Refresh", "0; url=/c#top")])
    seen = visit(site.url("/a"), extract=refreshing(site.url("/b")))
    assert (seen.location, str(seen.detail)) == (site.url("/c"), "after 0 s")
    assert seen.redirect_kind is RedirectKind.REFRESH_HEADER


def test_a_refresh_that_waits_longer_than_a_second_is_no_redirect(site: Site) -> None:
    site.page("/a", headers=[("Refresh", "2; url=/c")])
    site.page("/b")
    for seen in (
        visit(site.url("/a"), extract=refreshing(site.url("/b"), delay_s=0)),
        visit(site.url("/b"), extract=refreshing(site.url("/c"), delay_s=2)),
    ):
        assert (seen.outcome, seen.location, seen.redirect_kind) == (Outcome.PAGE, None, None)


@pytest.mark.parametrize(
    "value", ["5", "5; url=/a", "0;url=#here", "javascript:x", "0;url=javascript:x", "nonsense", ""]
)
def test_refreshes_to_the_same_page(site: Site, value: str) -> None:
    site.page("/a", headers=[("Refresh", value)])
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.location, seen.redirect_kind) == (Outcome.PAGE, None, None)


def test_a_page_whose_meta_refresh_names_itself(site: Site) -> None:
    site.page("/a")
    seen = visit(site.url("/a"), extract=refreshing(site.url("/a")))
    assert (seen.outcome, seen.location) == (Outcome.PAGE, None)


def test_an_error_page_that_refreshes_is_an_error(site: Site) -> None:
    site.page("/a", status=404, headers=[("Refresh", "0; url=/")])
    seen = visit(site.url("/a"), extract=refreshing(site.url("/b")))
    assert (seen.outcome, seen.location) == (Outcome.CLIENT_ERROR, None)


def test_a_file_with_a_refresh_header_and_a_check_of_it(site: Site) -> None:
    head = raw_answer("200 OK", "Content-Type: image/png", "Content-Length: 0", "Refresh: 1;/b")
    site.raw("/a", head, close=False)
    for seen in (visit(site.url("/a")), check(site.url("/a"))):
        assert (seen.outcome, seen.location) == (Outcome.REDIRECT, site.url("/b"))


def test_a_refresh_on_a_truncated_page_reports_both(site: Site) -> None:
    site.raw("/a", OK + b"Refresh: 1; url=/b\r\nContent-Length: 900\r\n\r\n<p>")
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.truncated) == (Outcome.REDIRECT, True)
    assert str(seen.detail).startswith("after 1 s; ")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_by_status_says_so(site: Site, status: int) -> None:
    site.redirect("/a", "/b", status=status, headers=[("Refresh", "0; url=/c")])
    seen = visit(site.url("/a"))
    assert (seen.location, seen.redirect_kind) == (site.url("/b"), RedirectKind.HTTP)


# ---------------------------------------------------------------- what headers ask for


def test_x_robots_tag_directives_for_this_crawler(site: Site) -> None:
    tags = ["NoArchive", "otherbot: noindex", "gossamer: NoFollow, noindex"]
    site.page("/a", headers=[("X-Robots-Tag", tag) for tag in tags])
    assert visit(site.url("/a")).robots_header == "noarchive, nofollow, noindex"
    assert visit(site.url("/a"), robot="").robots_header == "noarchive"


def test_x_robots_tag_of_files_counts(site: Site) -> None:
    site.respond("/a", Response(200, b"%PDF", "application/pdf", (("x-robots-tag", "noindex"),)))
    assert visit(site.url("/a")).robots_header == "noindex"


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds(site: Site, status: int) -> None:
    site.status("/a", status, headers=[("Retry-After", "315360000")])
    seen = visit(site.url("/a"))
    assert (seen.retry_after_s, seen.transient) == (315_360_000, True)


def test_retry_after_as_a_date(site: Site) -> None:
    then = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 100_000))
    site.status("/a", 503, headers=[("Retry-After", then)])
    seen = visit(site.url("/a"))
    assert seen.retry_after_s is not None
    assert 99_000 < seen.retry_after_s <= 100_000


@pytest.mark.parametrize("status", [200, 301, 404, 500])
def test_retry_after_is_ignored_with_other_statuses(site: Site, status: int) -> None:
    site.status("/a", status, headers=[("Retry-After", "5")])
    assert visit(site.url("/a")).retry_after_s is None


@pytest.mark.parametrize("status", [408, 425, 429, 502, 503, 504])
def test_transient_statuses(site: Site, status: int) -> None:
    site.status("/a", status)
    seen = visit(site.url("/a"))
    expected = Outcome.CLIENT_ERROR if status < 500 else Outcome.SERVER_ERROR
    assert (seen.outcome, seen.transient) == (expected, True)


@pytest.mark.parametrize("status", [200, 301, 400, 403, 404, 410, 500, 501, 505, 999])
def test_permanent_statuses(site: Site, status: int) -> None:
    site.status("/a", status)
    assert visit(site.url("/a")).transient is False


# ---------------------------------------------------------------- sitemaps


@dataclass
class Listed:
    targets: list[str]
    links: PageLinks
    damage: Detail | None = None


SITEMAP = Listed(["http://h/1", "http://h/2"], PageLinks.of([Link(1, LinkKind.SITEMAP)]))


def test_a_sitemap_is_read_whatever_its_type(site: Site) -> None:
    given: list[tuple[bytes, str]] = []

    def read(body: bytes, url: str) -> Listed:
        given.append((body, url))
        return SITEMAP

    for content_type in ("application/xml", "text/html", "application/gzip"):
        site.file("/s", b"<urlset/>" * 9_000, content_type)
        seen = run(lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), read))
        assert (seen.outcome, seen.targets, list(seen.links)) == (
            Outcome.FILE,
            SITEMAP.targets,
            list(SITEMAP.links),
        )
        assert not seen.truncated
        assert (seen.size_bytes, seen.facts, seen.content_type) == (81_000, None, content_type)
    assert given == [(b"<urlset/>" * 9_000, site.url("/s"))] * 3


def test_an_unreadable_sitemap(site: Site) -> None:
    def read(body: bytes, url: str) -> Listed:
        raise ValueError(f"{url} is no sitemap: {body!r}")

    site.file("/s", b"hello", "text/plain")
    seen = run(lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), read))
    assert_failed(seen, Outcome.PAGE_NOT_PARSED, transient=False)
    assert (seen.status, seen.targets) == (200, [])


@pytest.mark.parametrize(("cap_bytes", "cut"), [(1_000, True), (1_000_000, False)])
def test_a_page_at_a_sitemap_url_is_parsed_as_a_page(site: Site, cap_bytes: int, cut: bool) -> None:
    def read(_body: bytes, _url: str) -> Listed:
        raise ValueError("It is an HTML page.")

    site.page("/s", body="word " * 500)
    seen = run(
        lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), read), max_body_bytes=cap_bytes
    )
    assert (seen.outcome, seen.truncated) == (Outcome.PAGE, cut)
    assert seen.facts is not None
    assert (seen.size_bytes == cap_bytes) is cut


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, Outcome.CLIENT_ERROR), (503, Outcome.SERVER_ERROR), (302, Outcome.REDIRECT)],
)
def test_a_missing_sitemap(site: Site, status: int, outcome: Outcome) -> None:
    site.page("/s", status=status, headers=[("Location", "/r.xml")])
    seen = run(lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), lambda _body, _url: SITEMAP))
    assert (seen.outcome, seen.status, seen.targets) == (outcome, status, [])


def test_a_sitemap_bomb_is_truncated(site: Site) -> None:
    sizes: list[int] = []

    def read(body: bytes, _url: str) -> Listed:
        sizes.append(len(body))
        return SITEMAP

    site.bomb("/s", size=60 << 20)
    seen = run(lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), read))
    assert (seen.outcome, seen.truncated, seen.targets) == (Outcome.FILE, True, SITEMAP.targets)
    assert sizes == [50 << 20]
    assert str(seen.detail) == "cut at 52428800 bytes"
    assert seen.warnings == (ResponseWarning.SIZE_LIMIT,)


def test_a_damaged_sitemap_has_a_detail(site: Site) -> None:
    site.file("/s", b"<urlset>", "application/xml")
    damaged = Listed(SITEMAP.targets, SITEMAP.links, DetailCode.GZIP_CUT())
    seen = run(lambda fetcher: fetcher.fetch_sitemap(site.url("/s"), lambda _body, _url: damaged))
    assert (seen.outcome, seen.truncated) == (Outcome.FILE, True)
    assert seen.warnings == (ResponseWarning.SITEMAP_INCOMPLETE,)
    assert (seen.targets, seen.detail) == (SITEMAP.targets, DetailCode.GZIP_CUT())


# ---------------------------------------------------------------- bodies of the wrong length

BODIES = {
    "more than announced": PAGE + b"</p>and more",
    "204 with a body": raw_answer("204 No Content", body=b"<p>hello"),
    "after the last chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\nmore",
    "after a close": PAGE.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n") + b"more",
}


@pytest.mark.parametrize("answer", BODIES.values(), ids=BODIES)
def test_bytes_after_a_complete_response_are_ignored(site: Site, answer: bytes) -> None:
    site.raw("/a", answer, close=False)
    site.page("/b")

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        return [await fetcher.fetch(site.url(path)) for path in ("/a", "/b")]

    first, second = run(act)
    assert first.outcome is (Outcome.FILE if first.status == 204 else Outcome.PAGE)
    assert (first.truncated, first.size_bytes) == (False, 0 if first.status == 204 else 3)
    assert second.outcome is Outcome.PAGE
    assert len(site.connections) == 2


# ---------------------------------------------------------------- types that say nothing


@pytest.mark.parametrize(
    ("header", "body", "outcome", "content_type"),
    [
        ("X-No-Type: 1", b"<!DOCTYPE html><title>x", Outcome.PAGE, "text/html"),
        ("X-No-Type: 1", PNG, Outcome.FILE, "image/png"),
        ("X-No-Type: 1", b"words", Outcome.FILE, "text/plain"),
        (
            "Content-Type: application/unknown",
            b"\x00\x01",
            Outcome.FILE,
            "application/octet-stream",
        ),
        ("Content-Type: text/plain", b"<html>", Outcome.FILE, "text/plain"),
        ("Content-Type: text/plain", PNG, Outcome.FILE, "application/octet-stream"),
        ("Content-Type: text/plain;charset=utf-8", PNG, Outcome.FILE, "text/plain"),
        ("X-Content-Type-Options: nosniff", b"<html>", Outcome.FILE, "text/plain"),
        ("Content-Type: application/xhtml+xml", b"<html>", Outcome.PAGE, "application/xhtml+xml"),
        ("Content-Type: text/html", PNG, Outcome.PAGE, "text/html"),
    ],
)
def test_the_content_type_is_sniffed_from_the_bytes(
    site: Site, header: str, body: bytes, outcome: Outcome, content_type: str
) -> None:
    site.raw("/a", raw_answer("200 OK", header, f"Content-Length: {len(body)}", body=body))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.content_type) == (outcome, content_type)
    assert (seen.size_bytes, seen.truncated) == (len(body), False)


def test_small_files_of_doubtful_type_keep_their_connection() -> None:
    text = raw_answer("200 OK", "Content-Type: text/plain", "Content-Length: 60000")
    with ScriptedServer([[text + b"x" * 60_000, PAGE]]) as server:
        urls = [server.url("/1"), server.url("/2")]

        async def act(fetcher: HttpFetcher) -> list[Visit]:
            return [await fetcher.fetch(url) for url in urls]

        first, second = run(act)
    assert (first.outcome, first.size_bytes) == (Outcome.FILE, 60_000)
    assert second.outcome is Outcome.PAGE
