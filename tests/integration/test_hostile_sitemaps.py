"""Sitemaps that are bombs, circles, or none: each has its row, and what is named is found."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import is_truncated
from gossamer.model.response_warnings import ResponseWarning
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_all, records
from tests.integration.memory_watch import MEMORY_BYTES, MemoryWatch
from tests.sites import Site
from tests.sites.responses import Response, html_page

URLSET = b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
FILE, DAMAGED = Outcome.FILE, Outcome.PAGE_NOT_PARSED


def entities(depth: int) -> bytes:
    """A billion laughs."""
    nested = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, depth))
    return f'<!DOCTYPE x [<!ENTITY a0 "ha">{nested}]><urlset><loc>&a{depth - 1};</loc>'.encode()


def test_sitemaps_of_all_kinds(site: Site, tmp_path: Path) -> None:
    own = site.url("/self.xml")
    many = b"".join(b"<url><loc>http://other.invalid/%d</loc></url>" % n for n in range(60_000))
    files = {
        "/bomb.xml.gz": (gzip.compress(URLSET + b" " * 200_000_000, 1), FILE),
        "/laughs.xml": (entities(12), DAMAGED),
        "/self.xml": (f"<sitemapindex><sitemap><loc>{own}</loc></sitemap>".encode(), FILE),
        "/html.xml": (b"<!doctype html><p>no", DAMAGED),
        "/many.xml": (URLSET + many + b"</urlset>", FILE),
        "/cut.xml": (URLSET + f"<url><loc>{site.url('/1')}</loc></url><url>".encode(), FILE),
        "/empty.xml": (b"", DAMAGED),
        "/deep.xml": (b"<a>" * 500_000, DAMAGED),
        "/text.txt": (site.url("/2").encode(), FILE),
        "/none.xml": (URLSET + b"</urlset>", FILE),
        "/none-index.xml": (b"<sitemapindex></sitemapindex>", FILE),
    }
    for path, (body, _) in files.items():
        site.file(path, body, "application/xml")
    site.hang("/hang.xml")
    for path in ("/", "/1", "/2"):
        site.page(path)
    project = tmp_path / "sitemaps.gossamer"
    sitemaps = tuple(site.url(path) for path in [*files, "/hang.xml"])
    with MemoryWatch() as memory:
        crawl_all(
            project,
            site.url(),
            workers=30,
            timeout_s=3.0,
            max_tries=1,
            processes=2,
            sitemaps=sitemaps,
        )
    named = [site.url(path) for path in (*files, "/hang.xml", "/1", "/2")]
    with Reader(project) as reader:  # of some: tens of thousands are in a sitemap
        ids = [*filter(None, map(reader.lookup, named))]
        rows = {row.url: row for row in reader.records(ids)}
    assert {path: rows[site.url(path)].outcome for path in files} == {
        path: outcome for path, (_, outcome) in files.items()
    }
    warned = {
        path for path in files if ResponseWarning.SITEMAP_EMPTY in rows[site.url(path)].warnings
    }
    assert warned == {"/none.xml", "/none-index.xml"}
    assert not any(
        is_truncated(rows[site.url(f"/none{end}.xml")].warnings) for end in ("", "-index")
    )
    assert rows[site.url("/hang.xml")].outcome is Outcome.TIMEOUT
    assert {rows[site.url(path)].outcome for path in ("/1", "/2")} == {Outcome.PAGE}
    assert memory.peak_bytes < MEMORY_BYTES


@pytest.mark.parametrize("late", ["/index.xml", "/", "/to"])
def test_a_sitemap_that_is_also_linked_is_parsed_in_either_order(
    site: Site, tmp_path: Path, late: str
) -> None:
    """It is told only by an index, and a page and a redirect lead there as to any other file."""
    index = f"<sitemapindex><sitemap><loc>{site.url('/map')}</loc></sitemap></sitemapindex>"
    link = '<a href="/map">Sitemap</a><a href="/to">the same</a>'
    answers = {
        "/": Response(body=html_page("Home", body=link)),
        "/to": Response(302, headers=(("Location", "/map"),)),
        "/index.xml": Response(body=index.encode(), content_type="application/xml"),
        "/map": Response(body=site.url("/orphan").encode(), content_type="text/plain"),
        "/orphan": Response(body=html_page("Orphan")),
    }
    for path, response in answers.items():
        site.respond(path, replace(response, delay_s=0.3 if path == late else 0.0))
    site.robots("Sitemap: /index.xml")
    project = tmp_path / "linked.gossamer"
    crawl_all(project, site.url(), use_sitemaps=True, obey_robots=True)
    rows = records(project)
    assert rows[site.url("/orphan")].outcome is Outcome.PAGE
    assert rows[site.url("/map")].outcome is FILE
    assert set(rows) == {site.url(path) for path in answers}


def written(site: Site) -> dict[str, tuple[bytes, Outcome]]:
    """Sitemaps as people write them: "/<name>.xml" names "/<name>", if it can be read."""

    def listed(name: str) -> str:
        return f"<url><loc>{site.url(name)}</loc></url>"

    def sitemap(name: str) -> str:
        return f"{URLSET.decode()}{listed(name)}</urlset>"

    entity = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><loc>&e;</loc></urlset>'
    included = '<x:include xmlns:x="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'
    told = '<?xml version="1.0" encoding="iso-8859-1"?><!-- f\xfcr -->'
    read = {
        "utf16": sitemap("/utf16").encode("utf-16"),
        "utf16-without-mark": sitemap("/utf16-without-mark").encode("utf-16-le"),
        "latin1": (told + sitemap("/latin1").partition("?>")[2]).encode("latin-1"),
        "plain-called-gz": sitemap("/plain-called-gz").encode(),
        "gz-twice": gzip.compress(gzip.compress(sitemap("/gz-twice").encode())),
        "cdata": sitemap("/x")
        .replace(listed("/x"), "<url><loc><![CDATA[/cdata]]></loc></url>")
        .encode(),
        "spaces": sitemap("/x").replace(site.url("/x"), f"\n {site.url('/spaces')}\t").encode(),
        "included": sitemap("/included").replace("</urlset>", f"{included}</urlset>").encode(),
        "junk-behind": sitemap("/junk-behind").encode() + b"<b>junk",
        "old-mac": f"{site.url('/x')}\r{site.url('/old-mac')}\r".encode(),
    }
    return {name: (body, FILE) for name, body in read.items()} | {
        "entity": (entity.encode(), DAMAGED),
        "picture": (b"\x89PNG\r\n\x1a\n" + bytes(99), DAMAGED),
        "json": (b'{"urls": ["/json"]}', DAMAGED),
    }


def test_sitemaps_in_every_state(site: Site, tmp_path: Path) -> None:
    files = written(site)
    for name, (body, _) in files.items():
        site.file(f"/{name}.xml", body, "application/xml")
    site.page("/")
    project = tmp_path / "hands.gossamer"
    crawl_all(project, site.url(), sitemaps=tuple(site.url(f"/{name}.xml") for name in files))
    rows = records(project)
    assert {name: rows[site.url(f"/{name}.xml")].outcome for name in files} == {
        name: outcome for name, (_, outcome) in files.items()
    }
    named = {name for name in files if site.url(f"/{name}") in rows}
    assert named == {name for name, (_, outcome) in files.items() if outcome is FILE}
    assert "entities" in str(rows[site.url("/entity.xml")].detail)
    assert not [url for url in rows if "passwd" in url]
