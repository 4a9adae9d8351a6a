"""The crawls of the planted sites: one for all that one site can show, and five beside it."""

import random
import ssl
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from gossamer.model.settings.rendering_choices import RenderMode
from tests.sites.audit_site import (
    canonicals_and_directives,
    content_and_images,
    hreflang,
    links,
    markup,
    odd_documents,
    rendering,
    responses,
    sitemaps,
    titles_and_headings,
    urls_and_security,
)
from tests.sites.audit_site.planted_site import (
    HEADERS,
    HTTP_URL,
    JSON_LD,
    SELF_CANONICAL,
    PlantedSite,
)
from tests.sites.site import Site

_ALWAYS: Final = (*SELF_CANONICAL, *JSON_LD)
_STRICT: Final = ("Strict-Transport-Security", "max-age=31536000")
_ROBOTS: Final = "User-agent: *\nDisallow: /robots-no/\n"
_SETTINGS_OF_PAGES: Final = {"follow_nofollow": True}
ABROAD_HOST: Final = "127.0.0.2"
"""Another host of the same machine."""


@dataclass(frozen=True, slots=True)
class PlantedCrawl:
    """A site, and the settings it is crawled with."""

    site: PlantedSite
    settings: Mapping[str, Any]


def _all_pages(site: PlantedSite) -> None:
    for plant in (
        titles_and_headings.plant_titles,
        titles_and_headings.plant_descriptions,
        titles_and_headings.plant_h1,
        titles_and_headings.plant_h2,
        canonicals_and_directives.plant_canonicals,
        canonicals_and_directives.plant_pagination,
        canonicals_and_directives.plant_directives,
        canonicals_and_directives.plant_refreshes,
        urls_and_security.plant_urls,
        urls_and_security.plant_parameters,
        urls_and_security.plant_bookmarks,
        urls_and_security.plant_headers,
        urls_and_security.plant_content_types,
        urls_and_security.plant_http_security,
        urls_and_security.plant_relative_resources,
        content_and_images.plant_word_counts,
        content_and_images.plant_texts,
        content_and_images.plant_duplicates,
        content_and_images.plant_images,
        links.plant_outlinks,
        links.plant_inlinks,
        markup.plant_broken_frames,
        markup.plant_structured_data,
        markup.plant_accessibility,
        responses.plant_internal_codes,
        odd_documents.plant_odd_heads,
        odd_documents.plant_odd_bodies,
        odd_documents.plant_charsets,
        odd_documents.plant_bases,
        odd_documents.plant_same_addresses,
        odd_documents.plant_odd_directives,
        odd_documents.plant_redirected_depth,
        odd_documents.plant_soft_errors,
        odd_documents.plant_odd_data,
    ):
        plant(site)
    site.home()


@contextmanager
def planted_pages(delays: random.Random) -> Iterator[PlantedCrawl]:
    """The site with most faults, answering in any order."""
    with Site() as site:
        site.robots(_ROBOTS)
        pages = PlantedSite(site, (HTTP_URL, *_ALWAYS), delays=delays)
        _all_pages(pages)
        yield PlantedCrawl(pages, _SETTINGS_OF_PAGES)


@contextmanager
def rendered_pages() -> Iterator[PlantedCrawl]:
    """The site whose pages are changed by scripts, to be crawled with a browser."""
    with Site() as site:
        site.robots(_ROBOTS)
        pages = PlantedSite(site, (HTTP_URL, *_ALWAYS))
        rendering.plant_rendering(pages)
        yield PlantedCrawl(pages, {**_SETTINGS_OF_PAGES, "render": RenderMode.ON})


@contextmanager
def planted_crawls(tls: ssl.SSLContext) -> Iterator[dict[str, PlantedCrawl]]:
    """All planted sites by name, listening; `tls` is for the one on HTTPS."""
    with ExitStack() as stack:
        plain = [PlantedSite(stack.enter_context(Site()), (HTTP_URL, *_ALWAYS)) for _ in range(5)]
        pages, languages, listed, linking, keywords = plain
        abroad = stack.enter_context(Site(ABROAD_HOST))
        secure = PlantedSite(
            stack.enter_context(Site(tls=tls)), _ALWAYS, headers=(*HEADERS, _STRICT)
        )
        for site in (*plain, secure):
            site.site.robots(_ROBOTS)
        _all_pages(pages)
        urls_and_security.plant_https_security(secure)
        secure.home()
        hreflang.plant_families(languages)
        hreflang.plant_targets(languages)
        languages.home("Hreflang: Missing")
        sitemaps.plant_sitemaps(listed)
        listed.home("Sitemaps: URLs in Sitemap")
        titles_and_headings.plant_keywords(keywords)
        keywords.home("Meta Keywords: Missing")
        responses.plant_external_codes(linking, abroad)
        linking.home(unclear=("Links: Outlinks To Localhost",))
        host = f"127.0.0.1:{secure.site.port}"
        index = listed.url("/index.xml")
        yield {
            "pages": PlantedCrawl(pages, _SETTINGS_OF_PAGES),
            "https": PlantedCrawl(secure, {"insecure_hosts": (host,)}),
            "languages": PlantedCrawl(languages, {}),
            "sitemaps": PlantedCrawl(listed, {"use_sitemaps": True, "sitemaps": (index,)}),
            "keywords": PlantedCrawl(keywords, {"audit_meta_keywords": True}),
            "abroad": PlantedCrawl(linking, {"check_external": True, "external_rate": 1000.0}),
        }
