"""robots.txt in whole crawls: what its answer means, what its lines forbid, and what rows say."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.redirect_types import RedirectKind
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_all, records
from tests.sites import Response, Site, html_page

TEXT = "text/plain"


def crawled(site: Site, tmp_path: Path, **changes: object) -> dict[str, UrlRecord]:
    """The rows of a crawl from "/", by path."""
    path = tmp_path / "robots.gossamer"
    crawl_all(path, site.url(), **changes)
    start = len(site.url(""))
    return {url[start:]: row for url, row in records(path).items()}


def test_a_blocked_row_names_file_and_line(site: Site, tmp_path: Path) -> None:
    site.robots(
        "User-agent: *\nDisallow: /\n\n"
        "User-agent: gossamer\n# a comment\nDisallow: /private\nAllow: /private/open\n"
        "Disallow: /*.pdf$  # no papers\n"
    )
    site.page("/", links=["/private/a", "/private/open", "/x.pdf", "/x.pdf?y", "/fine"])
    for path in ("/private/open", "/x.pdf?y", "/fine"):
        site.page(path)
    rows = crawled(site, tmp_path)
    blocked = {path: row for path, row in rows.items() if row.status is None}
    assert {row.outcome for row in blocked.values()} == {Outcome.BLOCKED_BY_ROBOTS}
    robots = site.url("/robots.txt")
    assert {path: str(row.detail) for path, row in blocked.items()} == {
        "/private/a": f"{robots}, line 6: Disallow: /private",
        "/x.pdf": f"{robots}, line 8: Disallow: /*.pdf$  # no papers",
    }
    assert not {"/private/a", "/x.pdf"} & set(site.paths)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
def test_without_robots_txt_all_is_crawled(site: Site, tmp_path: Path, status: int) -> None:
    site.status("/robots.txt", status, body=b"User-agent: *\nDisallow: /\n")
    site.page("/", links=["/a"])
    site.page("/a")
    rows = crawled(site, tmp_path)
    assert {path: row.outcome for path, row in rows.items()} == dict.fromkeys(
        ("/", "/a"), Outcome.PAGE
    )


def test_a_robots_txt_that_fails_once_is_fetched_again(site: Site, tmp_path: Path) -> None:
    rules = Response(200, b"User-agent: *\nDisallow: /no\n", TEXT)
    site.respond("/robots.txt", Response(503), rules)
    site.page("/", links=["/no"])
    rows = crawled(site, tmp_path)
    assert rows["/"].outcome is Outcome.PAGE
    assert rows["/no"].outcome is Outcome.BLOCKED_BY_ROBOTS


def test_an_unreadable_robots_txt_disallows_everything(site: Site, tmp_path: Path) -> None:
    site.respond("/robots.txt", Response(200, b"no gzip", TEXT, (("Content-Encoding", "gzip"),)))
    site.page("/")
    row = crawled(site, tmp_path)["/"]
    assert (row.outcome, row.status) == (Outcome.ROBOTS_UNAVAILABLE, None)
    assert "/robots.txt could not be read: gzip" in str(row.detail)


def test_nothing_is_fetched_while_robots_txt_fails(tmp_path: Path) -> None:
    """Of several sites at once: each waits some seconds for its robots.txt."""
    path = tmp_path / "robots.gossamer"
    with ExitStack() as running:
        sites = {status: running.enter_context(Site()) for status in (429, 500, 503)}
        for status, site in sites.items():
            site.status("/robots.txt", status)
            site.page("/")
        crawl_all(path, "", roots=tuple(site.url() for site in sites.values()))
    rows = records(path)
    for status, site in sites.items():
        row = rows[site.url("/")]
        assert row.outcome is Outcome.ROBOTS_UNAVAILABLE, status
        assert site.url("/robots.txt") in str(row.detail)
        assert str(status) in str(row.detail)
        assert set(site.paths) == {"/robots.txt"}


def test_robots_txt_can_be_ignored_by_setting(site: Site, tmp_path: Path) -> None:
    site.robots("User-agent: *\nDisallow: /\n")
    site.page("/")
    assert crawled(site, tmp_path, obey_robots=False)["/"].outcome is Outcome.PAGE
    assert site.paths == ["/"]


def test_redirects_of_robots_txt_are_followed(site: Site, tmp_path: Path) -> None:
    site.redirect("/robots.txt", "/1", status=301)
    site.redirect("/1", "/2")
    site.file("/2", b"User-agent: *\nDisallow: /no\n", TEXT)
    site.page("/", links=["/no"])
    rows = crawled(site, tmp_path)
    assert rows["/no"].outcome is Outcome.BLOCKED_BY_ROBOTS
    assert "line 2: Disallow: /no" in str(rows["/no"].detail)


def test_a_robots_txt_that_redirects_endlessly_counts_as_missing(
    site: Site, tmp_path: Path
) -> None:
    site.redirect("/robots.txt", "/robots.txt")
    site.page("/")
    assert crawled(site, tmp_path)["/"].outcome is Outcome.PAGE
    assert site.paths.count("/robots.txt") <= 7


def test_rules_beyond_500_kib_are_ignored(site: Site, tmp_path: Path) -> None:
    start = b"User-agent: *\nDisallow: /early\n"
    filler = b"# nothing\n" * ((500 * 1024 - len(start)) // 10)
    site.file("/robots.txt", start + filler + b"# nothing\nDisallow: /late\n" * 2, TEXT)
    site.page("/", links=["/early", "/late"])
    site.page("/late")
    rows = crawled(site, tmp_path)
    assert rows["/early"].outcome is Outcome.BLOCKED_BY_ROBOTS
    assert rows["/late"].outcome is Outcome.PAGE


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /no\n",
        b"User-agent: *\rDisallow: /no\r",
        b"User-agent: *\r\nDisallow: /no\r\n",
        b"\xff\xfe nonsense\nUser-agent: *\nDisallow: /no\n",
        b"user-AGENT:*\ndisallow:/no",
        b"<!doctype html>\nUser-agent: *\nDisallow: /no\n",
        b"Disallow: /before-any-group\nUser-agent: *\nDisallow: /no",
    ],
)
def test_rules_are_parsed_in_every_notation(site: Site, tmp_path: Path, body: bytes) -> None:
    site.file("/robots.txt", body, "text/html")
    site.page("/", links=["/no", "/before-any-group"])
    site.page("/before-any-group")
    rows = crawled(site, tmp_path)
    assert rows["/no"].outcome is Outcome.BLOCKED_BY_ROBOTS
    assert rows["/before-any-group"].outcome is Outcome.PAGE


@pytest.mark.parametrize(
    "robots",
    [
        Response(200, b"\0" * 100_000, TEXT),
        Response(200, b"Crawl-delay: 1e9\nUser-agent: *\nCrawl-delay: nan\n", TEXT),
        Response(200, b"User-agent: *\n" + b"Disallow: /x*y*z*\n" * 10_000, TEXT),
        Response(200, b"User-agent: *\nDisallow: /" + b"*a" * 900 + b"*b$\n", TEXT),
        Response(200, b"User-agent: " + b"x" * 400_000 + b"\nDisallow: /\n", TEXT),
        Response(302, b"", None, (("Location", "javascript:alert(1)"),)),
        Response(204, b"", None),
    ],
    ids=["nul", "delays", "rules", "stars", "name", "redirect", "nothing"],
)
def test_a_malformed_robots_txt_blocks_and_hangs_nothing(
    site: Site, tmp_path: Path, robots: Response
) -> None:
    site.respond("/robots.txt", robots)
    long = f"/{'a' * 2_000}"
    site.page("/", links=[long])
    site.page(long)
    assert crawled(site, tmp_path)[long].outcome is Outcome.PAGE


@pytest.mark.parametrize("kind", ["endless", "bomb"])
def test_the_beginning_of_an_endless_robots_txt_counts(
    site: Site, tmp_path: Path, kind: str
) -> None:
    if kind == "endless":
        site.endless("/robots.txt")
    else:
        site.bomb("/robots.txt", size=1 << 30)
    site.page("/", links=["/a"])
    site.page("/a")
    assert crawled(site, tmp_path)["/a"].outcome is Outcome.PAGE


def test_crawl_delay_is_respected(site: Site, tmp_path: Path) -> None:
    site.robots("User-agent: *\nCrawl-delay: 0.2\n")
    site.page("/", links=[f"/{n}" for n in range(5)])
    for n in range(5):
        site.page(f"/{n}")
    crawled(site, tmp_path, workers=10)
    first, *_, last = [each for each in site.requests if each.path != "/robots.txt"]
    assert len(site.requests) == 7
    # The server may see a request late and the next one soon after. But the second is sent when the
    # first was seen, and the last four delays after it.
    assert (last.at_ns - first.at_ns) / 1e9 > 4 * 0.19


# ---------------------------------------------------------------- refreshes


def test_refreshes_are_redirects_with_kind_and_chain(site: Site, tmp_path: Path) -> None:
    metas = {
        "zero": "0;url=/end",
        "delay": "1; URL = '/end'",
        "comma": "1,/end",
        "fraction": "0.9;url=end",
        "quoted": '0;url="/end"rest',
        "spaces": " 0 ; url = /end",
    }
    none = {"word": "now;url=/end", "minus": "-1;url=/end", "colon": "0:url=/end", "bare": "7"}
    links = [*(f"/{name}" for name in metas | none), "/header", "/hop"]
    site.page("/", links=links)
    for name, content in (metas | none).items():
        escaped = content.replace('"', "&quot;")
        site.page(f"/{name}", body=f'<meta http-equiv="Refresh" content="{escaped}">')
    site.respond("/header", Response(200, html_page("h"), headers=(("Refresh", "1; /end"),)))
    site.redirect("/hop", "/header", status=301)
    site.page("/end", title="end")
    rows = crawled(site, tmp_path)
    for name in metas:
        row = rows[f"/{name}"]
        assert (row.outcome, row.redirect_kind) == (Outcome.REDIRECT, RedirectKind.META_REFRESH)
        assert row.redirect == site.url("/end"), name
    assert {rows[f"/{name}"].outcome for name in none} == {Outcome.PAGE}
    assert rows["/header"].redirect_kind is RedirectKind.REFRESH_HEADER
    assert str(rows["/header"].detail) == "after 1 s"
    with Reader(tmp_path / "robots.gossamer") as reader:
        chain = reader.chain(rows["/hop"].id)
    assert [hop.url for hop in chain] == [site.url(path) for path in ("/hop", "/header", "/end")]
