"""Sitemaps that list pages, orphans, and what is not to be listed."""

from typing import Final

from tests.sites.audit_site.planted_site import HTTP_URL, PlantedSite
from tests.sites.site import Site

_LISTED: Final = "Sitemaps: URLs in Sitemap"
_NOT_LISTED: Final = "Sitemaps: URLs not in Sitemap"
_ORPHAN: Final = "Sitemaps: Orphan URLs"
_NON_INDEXABLE: Final = "Sitemaps: Non-Indexable URLs in Sitemap"
_SEVERAL: Final = "Sitemaps: URLs in Multiple Sitemaps"
_MOST_ENTRIES: Final = 50_000
_MOST_BYTES: Final = 50 * 1_048_576


def _sitemap(site: Site, path: str, urls: list[str], size: int = 0) -> None:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>\n'
    padding = max(0, size - len(text.encode()))
    site.file(path, text.encode() + b"\n" * padding, "application/xml")


def plant_sitemaps(site: PlantedSite) -> None:
    """Two sitemaps of an index, one with too many entries, one too large."""
    url = site.url
    first, second = (
        [url("/"), url("/listed"), *[url("/listed-once")] * 2, url("/in-both")],
        [url("/in-both")],
    )
    site.page("/listed", _LISTED, _SEVERAL)
    site.page("/listed-once", _LISTED)
    site.page("/in-both", _LISTED, _SEVERAL)
    site.page("/not-listed", _NOT_LISTED)
    site.noindex("/not-listed-noindex")
    site.page(
        "/orphan",
        _LISTED,
        _ORPHAN,
        linked=False,
        body='<p><a href="/of-orphan">A bed behind</a></p>',
    )
    site.page("/of-orphan", _NOT_LISTED, linked=False)
    site.page("/listed-of-orphan", _LISTED, linked=False)
    site.page(
        "/orphan-2",
        _LISTED,
        _ORPHAN,
        linked=False,
        body='<p><a href="/listed-of-orphan">A bed on</a></p>',
    )
    itself = '<p><a href="/orphan-itself">This bed here</a></p>'
    site.page("/orphan-itself", _LISTED, _ORPHAN, linked=False, body=itself)
    site.noindex("/listed-noindex", _LISTED, _NON_INDEXABLE)
    site.canonicalised("/listed-canonicalised", "/listed", _LISTED, _NON_INDEXABLE)
    site.status(
        "/listed-404", 404, _LISTED, _NON_INDEXABLE, "Response Codes: Internal Client Error (4xx)"
    )
    site.redirect("/listed-moved", "/listed", _LISTED, _NON_INDEXABLE)
    site.blocked("/robots-no/listed", _LISTED, _NON_INDEXABLE)
    site.link("/robots-no/listed")
    first += map(
        url,
        (
            "/orphan",
            "/orphan-2",
            "/orphan-itself",
            "/listed-of-orphan",
            "/listed-noindex",
            "/listed-404",
            "/listed-canonicalised",
            "/listed-moved",
            "/robots-no/listed",
        ),
    )
    _sitemap(site.site, "/first.xml", first)
    _sitemap(site.site, "/second.xml", second)
    _plant_files(site)


def _plant_files(site: PlantedSite) -> None:
    url = site.url
    full = [url("/listed")] * _MOST_ENTRIES
    many = "Sitemaps: XML Sitemap With Over 50k URLs"
    large = "Sitemaps: XML Sitemap Over 50MB"
    _sitemap(site.site, "/full.xml", full)
    _sitemap(site.site, "/over-full.xml", [*full, url("/listed")])
    _sitemap(site.site, "/large.xml", [url("/in-both")], _MOST_BYTES)
    _sitemap(site.site, "/too-large.xml", [url("/in-both")], _MOST_BYTES + 1)
    names = ("first", "second", "full", "over-full", "large", "too-large")
    entries = "".join(f"<sitemap><loc>{url(f'/{name}.xml')}</loc></sitemap>" for name in names)
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'
    site.site.file("/index.xml", index.encode(), "application/xml")
    for name in (*names, "index"):
        rules = {"over-full": [many], "too-large": [large]}.get(name, [])
        site.expect(f"/{name}.xml", *rules, unclear=(HTTP_URL,))
