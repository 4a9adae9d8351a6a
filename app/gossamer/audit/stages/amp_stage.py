"""AMP: whether pages and their AMP versions name each other."""

from collections.abc import Iterator

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, distinct_pairs, found, measured
from gossamer.audit.stages.canonical_stage import is_not_indexable
from gossamer.audit.stages.pagination_stage import is_not_ok, of_pairs
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import contains, first_of, pair_keys, second_of


def amp_pages(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group."""
    del settings
    urls = crawl.urls
    links = crawl.links_of(LinkKind.AMP)
    pairs = distinct_pairs(links[urls.is_html[links["source"]]])
    wrong = pairs[is_not_ok(urls)[second_of(pairs)]]
    yield measured("AMP: Non-200 Response", of_pairs(wrong))
    is_amp = urls.is_html & (urls.markup & MarkupFlag.AMP != 0)
    onward = crawl.onward(LinkKind.CANONICAL)
    pages = np.flatnonzero(is_amp & (onward != 0) & urls.is_html[onward])
    unreturned = pages[~contains(pairs, pair_keys(onward[pages], pages))]
    yield measured(
        "AMP: Missing Non-AMP Return Link",
        dict(zip(unreturned.tolist(), onward[unreturned].tolist(), strict=True)),
    )
    versions = second_of(pairs)
    named = pairs[is_amp[versions] & (first_of(pairs) != versions)]
    foreign = named[onward[second_of(named)] != first_of(named)]
    yield measured(
        "AMP: Missing Canonical to Non-AMP",
        dict(zip(second_of(foreign).tolist(), first_of(foreign).tolist(), strict=True)),
    )
    yield found("AMP: Non-Indexable Canonical", is_amp & is_not_indexable(crawl)[onward], onward)
    yield found("AMP: Indexable", is_amp & urls.is_indexable)
    yield found("AMP: Non-Indexable", is_amp & ~urls.is_indexable)
