"""Limits on numbers that other stages have measured, or that pages and files have.

Only the relevant links are read, so that a new limit quickly shows new counts.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.link_tallies import RESOURCES
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.limit_settings import KIB, MIB
from gossamer.store.auditing.number_arrays import Flags, Ids
from gossamer.store.auditing.url_arrays import UrlArrays
from gossamer.store.bulk_insert import listed

DEPTH_LIMITS: Final = ("crawl_depth_max", "internal_outlinks_max", "external_outlinks_max")
SIZE_LIMITS: Final = ("image_max_kib", "document_max_mib")
ALT_LIMITS: Final = ("alt_max_length",)
_LONG_TEXTS: Final = "SELECT id FROM text WHERE length(value) > ?"
_LONG_ALTS: Final = f"""
    SELECT target, source FROM link WHERE kind = {int(LinkKind.IMAGE)} AND text IN ({_LONG_TEXTS})
    AND element IN (SELECT id FROM text WHERE instr(' ' || value || ' ', ' img '))
    ORDER BY source DESC
"""  # noqa: S608 - our own words
_RESOURCES: Final = f"""
    SELECT DISTINCT target, 1 FROM link WHERE kind IN ({listed(RESOURCES)})
    AND target IN (SELECT id FROM visit WHERE size_bytes > ? AND word_count IS NULL)
"""  # noqa: S608 - our own words


def depth_and_outlinks(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide on pages that take many clicks to reach, and on those with many links."""
    urls = crawl.urls
    pages = urls.is_indexable
    is_deep = (urls.depth > settings.crawl_depth_max) & (urls.depth < UNLINKED)
    yield found("Links: Pages With High Crawl Depth", pages & is_deep, urls.depth)
    for kind, name, most in (
        ("Internal", "unique_outlinks", settings.internal_outlinks_max),
        ("External", "unique_external_outlinks", settings.external_outlinks_max),
    ):
        links = crawl.measured_of(name)
        yield found(f"Links: Pages With High {kind} Outlinks", pages & (links > most), links)


def sizes(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide on large images and other files."""
    urls = crawl.urls
    is_large = _is_over(urls, settings.image_max_kib * KIB)
    yield found("Images: Over {limit} kB", is_large & urls.is_image_type, urls.size_bytes)
    most = settings.document_max_mib * MIB
    is_large = _is_over(urls, most) & urls.is_internal & ~urls.has_facts
    if is_large.any():
        is_large &= crawl.flags(_known(crawl, crawl.pairs(_RESOURCES, most))[:, 0])
    yield found("Validation: Resource Over {limit}MB", is_large, urls.size_bytes)


def alt_texts(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide on images with long alt texts; the value is the first page with one."""
    urls = crawl.urls
    pages = np.zeros(len(urls), np.int64)
    images, sources = _known(crawl, crawl.pairs(_LONG_ALTS, settings.alt_max_length)).T
    if len(images):
        counts = urls.is_indexable[sources]
        pages[images[counts]] = sources[counts]  # of several, the last one written: the first page
        pages[~urls.is_web] = 0
    yield found("Images: Alt Text Over {limit} Characters", pages > 0, pages)


def _is_over(urls: UrlArrays, most_bytes: int) -> Flags:
    """Whether a file that was fetched successfully has more bytes."""
    is_over: Flags = (urls.size_bytes > most_bytes) & (urls.status // 100 == 2)  # noqa: PLR2004 - a class of statuses
    return is_over


def _known(crawl: AuditedCrawl, pairs: Ids) -> Ids:
    """Those between URLs that existed when the audit began."""
    known: Ids = pairs[(pairs < len(crawl.urls)).all(axis=1)]
    return known
