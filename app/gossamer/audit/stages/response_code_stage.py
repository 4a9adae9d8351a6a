"""Response codes: what responded, what did not, and where redirects lead."""

from collections.abc import Iterable, Iterator

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.live_response_issues import (
    NO_RESPONSE,
    REFRESHES,
    REFUSABLE,
    REFUSING,
    STATUS_CLASSES,
    UNVERIFIED,
)
from gossamer.audit.stages.blocked_resources import kept_from_pages
from gossamer.audit.stages.onward_paths import on_cycle, starts_chain
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import KEPT_BY_ROBOTS, Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags
from gossamer.store.auditing.url_arrays import UrlArrays


def response_codes(crawl: AuditedCrawl, settings: CrawlSettings) -> Iterator[Finding]:
    """Decide the rules of the group, for internal and for external URLs."""
    del settings
    urls = crawl.urls
    onward = crawl.onward(LinkKind.REDIRECT, to_itself=True)
    onward[~urls.is_redirect] = 0
    loops = on_cycle(onward)
    holding = [
        *_outcomes(crawl),
        ("Redirect Chain", starts_chain(onward, loops) & urls.is_redirect),
        ("Redirect Loop", loops),
    ]
    for name, flags in holding:
        yield found(f"Response Codes: Internal {name}", flags & urls.is_internal)
        yield found(f"Response Codes: External {name}", flags & urls.is_external)


def _outcomes(crawl: AuditedCrawl) -> Iterable[tuple[str, Flags]]:
    urls = crawl.urls
    blocked = urls.has_outcome(KEPT_BY_ROBOTS)
    yield "Blocked by Robots.txt", blocked
    yield "Blocked Resource", blocked & crawl.tallies.is_resource | kept_from_pages(crawl)
    silent = urls.has_outcome(NO_RESPONSE) & (urls.status == 0)
    yield "No Response", silent
    for number, name in STATUS_CLASSES.items():
        yield name, _in_class(urls, number)
    refreshes = urls.is_redirect & ~_in_class(urls, 3)
    for kind, name in REFRESHES.items():
        yield name, refreshes & (urls.redirect_kind == kind)
    fails = _in_class(urls, 5)
    refuses = np.isin(urls.status, REFUSING) & urls.has_outcome(REFUSABLE)
    refuses |= urls.has_outcome({Outcome.CHALLENGE})
    yield "Refused to Robots", refuses
    yield "Unverified", urls.has_outcome(UNVERIFIED) & ~(refuses | silent | fails)


def _in_class(urls: UrlArrays, number: int) -> Flags:
    flags: Flags = urls.status // 100 == number
    return flags
