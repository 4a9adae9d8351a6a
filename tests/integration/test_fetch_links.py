"""Links that come with an answer: those of Link headers, and how many are kept of a page."""

from functools import partial

import pytest

from gossamer.extract.html_page import extract, header_links
from gossamer.extract.style_sheets import style_sheet_links
from gossamer.fetch.body_extraction import LARGE_BYTES
from gossamer.fetch.fetcher import HttpFetcher
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Visit
from tests.integration.fetching import run, visit
from tests.sites import Site
from tests.sites.responses import Response

CANONICAL = [("Link", '<report.html#top>; rel="canonical"')]
MAX_LINKS = 3
PDF = b"%PDF-1.7"


def asked(url: str) -> Visit:
    """Fetched with what the page workers read with."""
    return visit(
        url,
        extract=partial(extract, parser=Parser.SELECTOLAX, max_links=MAX_LINKS),
        header_links=partial(header_links, max_links=MAX_LINKS),
    )


def links(seen: Visit) -> list[tuple[str, LinkKind]]:
    return [(seen.targets[link.target], link.kind) for link in seen.links]


@pytest.mark.parametrize("size", [10, LARGE_BYTES])
def test_link_headers_are_among_the_links_of_a_page(site: Site, size: int) -> None:
    site.page("/a/b", links=["/c"], body="x" * size, headers=CANONICAL)
    seen = asked(site.url("/a/b"))
    assert seen.outcome is Outcome.PAGE
    assert links(seen) == [
        (site.url("/a/report.html"), LinkKind.CANONICAL),
        (site.url("/c"), LinkKind.ANCHOR),
    ]
    assert next(iter(seen.links)).fragment == "#top"


def test_a_file_has_the_links_of_its_headers(site: Site) -> None:
    site.respond("/a/b.pdf", Response(200, PDF, "application/pdf", tuple(CANONICAL)))
    seen = asked(site.url("/a/b.pdf"))
    assert seen.outcome is Outcome.FILE
    assert links(seen) == [(site.url("/a/report.html"), LinkKind.CANONICAL)]
    assert seen.canonical_header == site.url("/a/report.html")
    assert not seen.truncated


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["</a.pdf>; rel=canonical"], "/a.pdf"),
        (["</a.pdf#page=2>; rel=canonical, </b>; rel=canonical"], "/b"),
        (["</b>; rel=canonical", "</a.pdf>; rel=canonical"], "/b"),
        (["</b>; rel=next"], None),
    ],
)
def test_of_two_canonicals_of_a_file_one_of_another_url_counts(
    site: Site, values: list[str], expected: str | None
) -> None:
    headers = tuple(("Link", value) for value in values)
    site.respond("/a.pdf", Response(200, PDF, "application/pdf", headers))
    seen = asked(site.url("/a.pdf"))
    assert seen.canonical_header == (None if expected is None else site.url(expected))


def test_a_page_has_its_canonical_among_its_facts(site: Site) -> None:
    site.page("/a/b", headers=CANONICAL)
    assert asked(site.url("/a/b")).canonical_header is None


@pytest.mark.parametrize("status", [404, 500])
@pytest.mark.parametrize("content_type", ["text/html", "application/pdf"])
def test_an_error_has_no_links(site: Site, status: int, content_type: str) -> None:
    site.respond("/a", Response(status, PDF, content_type, tuple(CANONICAL)))
    assert links(asked(site.url("/a"))) == []


def test_a_check_has_a_canonical_but_no_links(site: Site) -> None:
    site.respond("/a", Response(200, PDF, "application/pdf", tuple(CANONICAL)))
    seen = run(lambda fetcher: fetcher.check(site.url("/a")), header_links=header_links)
    assert (seen.outcome, list(seen.links)) == (Outcome.FILE, [])
    assert seen.canonical_header == site.url("/report.html")


def test_a_style_sheet_leads_to_what_it_loads_however_it_is_asked_for(site: Site) -> None:
    sheet = "@import 'ä.css'; a{b:url(/x.png)} c{d:url(data:,x)} e{f:url(3)} g{h:url(4)}"
    site.file("/s/a", sheet.encode("latin-1"), "text/css; charset=latin1")
    read = partial(style_sheet_links, max_links=MAX_LINKS)
    fetched, checked = run(lambda fetcher: both(fetcher, site.url("/s/a")), read_style_sheet=read)
    assert [each.method for each in site.requests] == ["GET", "HEAD", "GET"]
    for seen in (fetched, checked):
        assert links(seen) == [
            (site.url("/s/%C3%A4.css"), LinkKind.CSS),
            (site.url("/x.png"), LinkKind.CSS),
            (site.url("/s/3"), LinkKind.CSS),
        ]
        assert (seen.outcome, seen.warnings) == (Outcome.FILE, (ResponseWarning.LINK_LIMIT,))
        assert seen.size_bytes == len(sheet)


async def both(fetcher: HttpFetcher, url: str) -> tuple[Visit, Visit]:
    """Asked for as a page, and as a file."""
    return await fetcher.fetch(url), await fetcher.check(url)


def test_a_style_sheet_that_breaks_off_is_asked_again(site: Site) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Length: 99\r\n\r\n"
    site.raw("/a", head + b"a{b:url(x)}")
    seen = visit(site.url("/a"), read_style_sheet=style_sheet_links)
    assert (seen.outcome, seen.transient) == (Outcome.FILE_INCOMPLETE, True)
    assert links(seen) == [(site.url("/x"), LinkKind.CSS)]


def test_a_page_with_too_many_links_has_a_detail(site: Site) -> None:
    site.page("/few", links=["/1", "/2", "/3"])
    site.page("/many", links=["/1", "/2", "/3", "/4"])
    few, many = asked(site.url("/few")), asked(site.url("/many"))
    assert (few.outcome, few.truncated, few.detail) == (Outcome.PAGE, False, None)
    assert (many.outcome, many.truncated) == (Outcome.PAGE, True)
    assert (few.warnings, many.warnings) == ((), (ResponseWarning.LINK_LIMIT,))
    assert str(many.detail) == "only the first 3 links were kept"
    assert many.targets == few.targets
    assert len(many.links) == MAX_LINKS


def test_a_truncated_body_and_its_dropped_links_are_reported_together(site: Site) -> None:
    site.page("/", body="<a href=/1>1</a>" * 4 + "x" * 5000)
    seen = visit(
        site.url("/"),
        extract=partial(extract, parser=Parser.SELECTOLAX, max_links=MAX_LINKS),
        max_body_bytes=2000,
    )
    assert seen.truncated
    cap, kept = str(seen.detail).split("; ")
    assert cap
    assert kept == "only the first 3 links were kept"


def test_the_link_limit_does_not_truncate_an_error_page(site: Site) -> None:
    site.page("/a", links=["/1", "/2", "/3", "/4"], status=404)
    seen = asked(site.url("/a"))
    assert (seen.outcome, seen.truncated, seen.detail) == (Outcome.CLIENT_ERROR, False, None)
