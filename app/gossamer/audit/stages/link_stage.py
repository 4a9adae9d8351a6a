"""Links: where pages lead, and what leads to them."""

from collections.abc import Iterator

import numpy as np

from gossamer.audit.audited_crawl import UNMEASURED, AuditedCrawl, Finding, found
from gossamer.model.rank import UNLINKED
from gossamer.model.settings.crawl_settings import CrawlSettings

LIMITS = ("crawl_depth_max", "internal_outlinks_max", "external_outlinks_max")


def site_links(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group that need more than one page."""
    urls, links = crawl.urls, crawl.tallies
    pages = urls.is_indexable
    yield found(
        "Links: Pages Without Internal Outlinks", pages & ~links.leads_on & ~urls.is_truncated
    )
    yield found(
        "Links: Non-Indexable Page Inlinks Only",
        pages & links.is_linked & ~links.is_linked_by_indexable,
    )
    is_deep = (urls.depth > settings.crawl_depth_max) & (urls.depth < UNLINKED)
    yield found("Links: Pages With High Crawl Depth", pages & is_deep, urls.depth)
    for kind, unique_links, most in (
        ("Internal", links.unique_outlinks, settings.internal_outlinks_max),
        ("External", links.unique_external_outlinks, settings.external_outlinks_max),
    ):
        yield found(
            f"Links: Pages With High {kind} Outlinks", pages & (unique_links > most), unique_links
        )
    yield found(
        "Links: Internal Nofollow Inlinks Only", pages & links.is_nofollowed & ~links.is_followed
    )
    yield found(
        "Links: Follow & Nofollow Internal Inlinks To Page",
        pages & links.is_nofollowed & links.is_followed,
    )
    for name in (
        *("internal_outlinks", "unique_outlinks"),
        *("external_outlinks", "unique_external_outlinks"),
    ):
        crawl.measured[name] = np.where(urls.is_html, getattr(links, name), np.int32(UNMEASURED))
    is_rendered = bool(links.unique_js_inlinks.any())
    for name in ("unique_js_inlinks", "unique_js_outlinks", "unique_external_js_outlinks"):
        crawl.measured[name] = (
            np.where(urls.is_html, getattr(links, name), np.int32(UNMEASURED))
            if is_rendered
            else np.broadcast_to(np.int32(UNMEASURED), len(urls))
        )
