"""Sitemaps that are bombs, circles, or none: each has its row, and what is named is found."""

import gzip
from pathlib import Path

from app.model.outcome import Outcome
from tests.integration.crawling import crawl_all, records
from tests.integration.test_hostile_site import MEMORY_BYTES, MemoryWatch
from tests.sites import Site

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
        "/bomb.xml.gz": (gzip.compress(URLSET + b" " * 200_000_000), FILE),
        "/laughs.xml": (entities(12), DAMAGED),
        "/self.xml": (f"<sitemapindex><sitemap><loc>{own}</loc></sitemap>".encode(), FILE),
        "/html.xml": (b"<!doctype html><p>no", DAMAGED),
        "/many.xml": (URLSET + many + b"</urlset>", FILE),
        "/cut.xml": (URLSET + f"<url><loc>{site.url('/1')}</loc></url><url>".encode(), FILE),
        "/empty.xml": (b"", DAMAGED),
        "/deep.xml": (b"<a>" * 500_000, DAMAGED),
        "/text.txt": (site.url("/2").encode(), FILE),
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
    rows = records(project)
    assert {path: rows[site.url(path)].outcome for path in files} == {
        path: outcome for path, (_, outcome) in files.items()
    }
    assert rows[site.url("/hang.xml")].outcome is Outcome.TIMEOUT
    assert {rows[site.url(path)].outcome for path in ("/1", "/2")} == {Outcome.PAGE}
    assert memory.peak_bytes < MEMORY_BYTES
