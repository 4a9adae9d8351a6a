"""Sitemaps: what they name, and what they leave out."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.stages.canonical_stage import is_not_indexable
from gossamer.model.discovery_rank import UNLINKED, SitemapRole
from gossamer.model.outcome_details import DetailCode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags

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
    too_long = (entries > MOST_ENTRIES) | _cut(crawl, DetailCode.FIRST_ENTRIES)
    yield found("Sitemaps: XML Sitemap With Over 50k URLs", too_long, entries)
    is_full = (entries > 0) & (urls.size_bytes >= MOST_BYTES) & _cut(crawl, DetailCode.CUT)
    too_large = is_full | (urls.size_bytes > MOST_BYTES) & (entries > 0)
    too_large |= _cut(crawl, DetailCode.FIRST_BYTES)
    yield found("Sitemaps: XML Sitemap Over 50MB", too_large, urls.size_bytes)


def _cut(crawl: AuditedCrawl, code: DetailCode) -> Flags:
    """The sitemaps that were read only in part, for this reason."""
    with crawl.file.reading() as connection:
        rows = connection.execute(
            "SELECT v.id FROM url u JOIN visit v ON v.id = u.id"
            " WHERE u.listed >= ? AND u.id < ? AND instr(v.detail, ?)",
            (int(SitemapRole.SITEMAP), len(crawl.urls), f'"{code.value}"'),
        )
        return crawl.flags([url_id for (url_id,) in rows])
