"""Canonicals: where they lead, and what leads to their targets."""

from collections.abc import Iterator

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found, measured
from gossamer.audit.stages.onward_paths import on_cycle, starts_chain
from gossamer.model.fields.indexability import Indexability
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags


def canonicals(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group that need more than one page."""
    del settings
    urls = crawl.urls
    links = crawl.links_of(LinkKind.CANONICAL)
    sources, targets = links["source"], links["target"]
    is_theirs = urls.is_html[sources] & (sources != targets)
    sources, targets = sources[is_theirs], targets[is_theirs]
    wrong = is_not_indexable(crawl)[targets]
    yield measured(
        "Canonicals: Non-Indexable Canonical",
        dict(zip(sources[wrong].tolist(), targets[wrong].tolist(), strict=True)),
    )
    yield found(
        "Canonicals: Unlinked", crawl.flags(targets) & urls.is_internal & ~is_discoverable(crawl)
    )
    onward = crawl.onward(LinkKind.CANONICAL)
    # Chains begin with a page, but may lead on by the Link header of a file.
    onward[~urls.is_html & ~crawl.flags(targets)] = 0
    loops = on_cycle(onward)
    chained = loops | starts_chain(onward, loops)
    yield found("Canonicals: Canonical Chain and Loop", chained & urls.is_html)


def is_not_indexable(crawl: AuditedCrawl) -> Flags:
    """URLs that were requested, or may not be, and are not indexable."""
    return ~crawl.urls.has_indexability(Indexability.INDEXABLE, Indexability.UNKNOWN)


def is_discoverable(crawl: AuditedCrawl) -> Flags:
    """URLs that visitors can reach: roots, and targets of other pages' links or of redirects."""
    return crawl.urls.is_root | crawl.tallies.is_linked | crawl.tallies.is_redirected_to
