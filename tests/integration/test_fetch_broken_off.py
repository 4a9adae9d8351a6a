"""Whole crawls of sites whose answers break off: pages, sitemaps and robots.txt."""

import gzip
from pathlib import Path

import pytest

from gossamer.model.outcome import Outcome, Verdict
from tests.integration.crawling import crawl_all, records
from tests.sites import Site
from tests.sites.responses import html_page

PAGE = html_page("Title", ["/first", *(f"/between-{n}" for n in range(9)), "/last"])
SITEMAP = b"".join(
    (
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        *(b"<url><loc>http://127.0.0.1:%d/listed-" + b"%d</loc></url>" % n for n in range(30)),
        b"</urlset>",
    )
)


def ok(content_type: str, framing: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n"
    return head.encode() + framing + b"\r\n\r\n"


def with_length(body: bytes, cut: int, content_type: str = "text/html") -> bytes:
    return ok(content_type, b"Content-Length: %d" % len(body)) + body[: len(body) - cut]


def in_chunks(body: bytes, cut: int, content_type: str = "text/html") -> bytes:
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return ok(content_type, b"Transfer-Encoding: chunked") + chunks[: len(chunks) - cut - 7]


def packed(body: bytes, cut: int, content_type: str = "text/html") -> bytes:
    """The compressed stream ends too early, though as many bytes come as were announced."""
    data = gzip.compress(body, mtime=0)[: -8 - cut // 9]
    framing = b"Content-Encoding: gzip\r\nContent-Length: %d" % len(data)
    return ok(content_type, framing) + data


WAYS = (with_length, in_chunks, packed)


@pytest.mark.parametrize("way", WAYS)
def test_a_page_interrupted_once_is_fetched_completely(
    site: Site, tmp_path: Path, way: object
) -> None:
    assert callable(way)
    site.raw("/", way(PAGE, 200), with_length(PAGE, 0))
    crawl_all(tmp_path / "x.gossamer", site.url(), obey_robots=False)
    found = records(tmp_path / "x.gossamer")
    root = found[site.url()]
    assert (root.outcome, root.verdict, root.tries) == (Outcome.PAGE, Verdict.OK, 2)
    assert (root.truncated, root.detail) == (False, None)
    assert site.url("/last") in found


@pytest.mark.parametrize("way", WAYS)
def test_a_page_that_is_always_interrupted_keeps_what_was_received(
    site: Site, tmp_path: Path, way: object
) -> None:
    assert callable(way)
    site.raw("/", way(PAGE, 300), way(PAGE, 100), way(PAGE, 300))
    site.page("/first")
    crawl_all(tmp_path / "x.gossamer", site.url(), obey_robots=False, max_tries=3)
    found = records(tmp_path / "x.gossamer")
    root = found[site.url()]
    assert (root.outcome, root.verdict) == (Outcome.PAGE_INCOMPLETE, Verdict.UNVERIFIED)
    assert (root.tries, root.truncated, root.title) == (3, True, "Title")
    assert root.detail
    assert site.paths.count("/") == 3
    assert found[site.url("/first")].outcome is Outcome.PAGE
    assert site.url("/between-6") in found
    assert site.url("/last") not in found


def test_a_page_truncated_by_a_limit_is_not_fetched_again(site: Site, tmp_path: Path) -> None:
    site.page("/", body="x" * 5000)
    crawl_all(tmp_path / "x.gossamer", site.url(), obey_robots=False, max_body_bytes=2000)
    root = records(tmp_path / "x.gossamer")[site.url()]
    assert (root.outcome, root.verdict, root.truncated) == (Outcome.PAGE, Verdict.OK, True)
    assert site.paths == ["/"]


@pytest.mark.parametrize("way", WAYS)
def test_an_interrupted_sitemap_is_fetched_again(site: Site, tmp_path: Path, way: object) -> None:
    assert callable(way)
    listed = SITEMAP.replace(b"%d", str(site.port).encode())
    kind = "application/xml"
    site.page("/")
    site.raw("/s.xml", way(listed, 300, kind), with_length(listed, 0, kind))
    site.raw("/never.xml", way(listed.replace(b"listed", b"never"), 400, kind))
    sitemaps = (site.url("/s.xml"), site.url("/never.xml"))
    project = tmp_path / "x.gossamer"
    crawl_all(project, site.url(), obey_robots=False, sitemaps=sitemaps, max_tries=2)
    found = records(project)
    assert found[site.url("/s.xml")].outcome is Outcome.FILE
    assert site.url("/listed-29") in found
    never = found[site.url("/never.xml")]
    assert (never.outcome, never.verdict) == (Outcome.FILE_INCOMPLETE, Verdict.UNVERIFIED)
    assert (never.tries, never.truncated) == (2, True)
    assert site.url("/never-1") in found
    assert site.url("/never-29") not in found


@pytest.mark.parametrize("way", WAYS)
def test_an_interrupted_robots_txt_is_fetched_again(
    site: Site, tmp_path: Path, way: object
) -> None:
    assert callable(way)
    lines = [f"Disallow: /private-{n}/\n" for n in range(40)]
    text = ("User-agent: *\n" + "".join(lines) + "Disallow: /secret/\n").encode()
    site.raw("/robots.txt", way(text, 300, "text/plain"), with_length(text, 0, "text/plain"))
    site.page("/", links=["/secret/a", "/private-1/a"])
    crawl_all(tmp_path / "x.gossamer", site.url())
    assert site.paths == ["/robots.txt", "/robots.txt", "/"]
