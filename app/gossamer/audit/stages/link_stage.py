"""Links: where pages lead, and what leads to them."""

from collections.abc import Iterator

import numpy as np

from gossamer.audit.audited_crawl import UNMEASURED, AuditedCrawl, Finding, found
from gossamer.model.settings.crawl_settings import CrawlSettings


def site_links(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group that need more than one page, and count links."""
    del settings
    urls, links = crawl.urls, crawl.tallies
    pages = urls.is_indexable
    yield found(
        "Links: Pages Without Internal Outlinks", pages & ~links.leads_on & ~urls.is_truncated
    )
    yield found(
        "Links: Non-Indexable Page Inlinks Only",
        pages & links.is_linked & ~links.is_linked_by_indexable,
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
