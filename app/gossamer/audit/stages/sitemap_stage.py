"""Sitemaps: what they name, and what they leave out."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.stages.canonical_stage import is_not_indexable
from gossamer.model.rank import UNLINKED
from gossamer.model.settings.crawl_settings import CrawlSettings

MOST_ENTRIES: Final = 50_000
MOST_BYTES: Final = 50 * 1024 * 1024
"""https://www.sitemaps.org/protocol.html"""


def sitemaps(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group."""
    del settings
    urls, links = crawl.urls, crawl.tallies
    listed = links.sitemaps > 0
    yield found("Sitemaps: URLs in Sitemap", listed & urls.is_internal)
    left_out = urls.is_indexable & ~listed & bool(np.any(listed))
    yield found("Sitemaps: URLs not in Sitemap", left_out)
    is_reached = links.is_linked | (urls.depth < UNLINKED)
    yield found("Sitemaps: Orphan URLs", urls.is_internal & urls.is_asked & listed & ~is_reached)
    yield found(
        "Sitemaps: Non-Indexable URLs in Sitemap",
        urls.is_internal & listed & is_not_indexable(crawl),
    )
    several = urls.is_internal & (links.sitemaps > 1)
    yield found("Sitemaps: URLs in Multiple Sitemaps", several, links.sitemaps)
    entries = links.sitemap_entries
    yield found("Sitemaps: XML Sitemap With Over 50k URLs", entries > MOST_ENTRIES, entries)
    too_large = (entries > 0) & (urls.size_bytes > MOST_BYTES)
    yield found("Sitemaps: XML Sitemap Over 50MB", too_large, urls.size_bytes)
