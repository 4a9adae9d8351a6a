"""Pagination: the series that rel=next and rel=prev make."""

from collections.abc import Iterator

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, distinct_pairs, found, measured
from gossamer.audit.link_tallies import HYPERLINKS
from gossamer.audit.stages.canonical_stage import is_discoverable
from gossamer.audit.stages.onward_paths import on_cycle
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.link_arrays import NEXT, PREV
from gossamer.store.auditing.number_arrays import (
    Flags,
    Ids,
    Numbers,
    contains,
    distinct,
    first_of,
    pair_keys,
    second_of,
)
from gossamer.store.auditing.url_arrays import UrlArrays

_OK = 200


def pagination(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group that need more than one page."""
    del settings
    urls = crawl.urls
    links = crawl.links_of(LinkKind.PAGINATION)
    sources = links["source"]
    links = links[urls.is_html[sources]]
    sources, targets = links["source"], links["target"]
    pairs = distinct_pairs(links)
    may_lack = pairs[urls.is_whole[first_of(pairs)]]
    alone = may_lack[~contains(_anchored(crawl, may_lack), may_lack)]
    yield measured("Pagination: Pagination URL Not In Anchor Tag", of_pairs(alone))
    wrong = is_not_ok(urls)[targets]
    yield measured(
        "Pagination: Non-200 Pagination URLs",
        dict(zip(sources[wrong].tolist(), targets[wrong].tolist(), strict=True)),
    )
    unlinked = crawl.flags(targets[sources != targets]) & urls.is_internal & ~is_discoverable(crawl)
    yield found("Pagination: Unlinked Pagination URLs", unlinked)
    rels = links["rel"]
    nexts, prevs = (links[rels & bit != 0] for bit in (NEXT, PREV))
    loops = on_cycle(_onward(nexts, len(urls))) | on_cycle(_onward(prevs, len(urls)))
    yield found("Pagination: Pagination Loop", loops)
    sources, targets = nexts["source"], nexts["target"]
    may_return = urls.is_html & urls.is_whole
    forward = distinct_pairs(nexts[may_return[targets] & (sources != targets)])
    backward = np.sort(pair_keys(prevs["target"], prevs["source"]))
    yield measured("Pagination: Sequence Error", of_pairs(forward[~contains(backward, forward)]))


def of_pairs(pairs: Ids) -> dict[int, int | float | str | bytes | None]:
    """The second of each pair by the first one; of several, the first."""
    pairs = pairs[::-1]
    return dict(zip(first_of(pairs).tolist(), second_of(pairs).tolist(), strict=True))


def is_not_ok(urls: UrlArrays) -> Flags:
    """URLs that were requested, or may not be, and whose status is not 200."""
    flags: Flags = urls.is_asked & (urls.status != _OK)
    return flags


def _anchored(crawl: AuditedCrawl, pairs: Ids) -> Ids:
    """Those pairs of URLs that are also joined by a hyperlink."""
    found: list[Ids] = []
    for block in crawl.links.blocks():
        kinds = block["kind"]
        links = block[np.isin(kinds, HYPERLINKS)]
        keys = pair_keys(links["source"], links["target"])
        found.append(distinct(keys[contains(pairs, keys)]))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _onward(links: Numbers, count: int) -> Ids:
    """The target of the first of these links on each page; 0 for none."""
    onward = np.zeros(count, np.int64)
    onward[links["source"][::-1]] = links["target"][::-1]
    return onward
