"""Response codes: what responded, what did not, and where redirects lead."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from gossamer.audit.audited_crawl import AuditedCrawl, Finding, found
from gossamer.audit.stages.blocked_resources import kept_from_pages
from gossamer.audit.stages.onward_paths import on_cycle, starts_chain
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, UrlState, Verdict, verdict
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.auditing.number_arrays import Flags
from gossamer.store.auditing.url_arrays import UrlArrays

_NOT_OF_THE_SITE: Final = frozenset(
    {
        Outcome.WORKER_DIED,
        Outcome.UNEXPECTED_ERROR,
        Outcome.PROXY_FAILURE,
        Outcome.LOGIN_REQUIRED,
    }
)
"""Failures on our own side."""
_NO_RESPONSE: Final = frozenset(
    each for each in Outcome if each.state is UrlState.FAILED and each not in _NOT_OF_THE_SITE
)
_UNVERIFIED: Final = frozenset(
    each for each in Outcome if verdict(each, None) is Verdict.UNVERIFIED
) - {Outcome.PAGE_SOFT_ERROR}
"""A page that looks like an error has a rule of its own."""
_REFUSING: Final = (401, 403, 405, 429, 999)
_REFUSABLE: Final = frozenset(
    each
    for each in Outcome
    if verdict(each, 403) is Verdict.REFUSED  # those that were requested
)


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
    blocked = urls.has_outcome({Outcome.BLOCKED_BY_ROBOTS, Outcome.ROBOTS_UNAVAILABLE})
    yield "Blocked by Robots.txt", blocked
    yield "Blocked Resource", blocked & crawl.tallies.is_resource | kept_from_pages(crawl)
    silent = urls.has_outcome(_NO_RESPONSE) & (urls.status == 0)
    yield "No Response", silent
    yield "Redirection (3xx)", _in_class(urls, 3)
    refreshes = urls.is_redirect & ~_in_class(urls, 3)
    for name, kind in (
        ("Redirection (JavaScript)", RedirectKind.JAVASCRIPT),
        ("Redirection (Meta Refresh)", RedirectKind.META_REFRESH),
        ("Redirection (HTTP Refresh)", RedirectKind.REFRESH_HEADER),
    ):
        yield name, refreshes & (urls.redirect_kind == kind)
    yield "Client Error (4xx)", _in_class(urls, 4)
    fails = _in_class(urls, 5)
    yield "Server Error (5xx)", fails
    refuses = np.isin(urls.status, _REFUSING) & urls.has_outcome(_REFUSABLE)
    refuses |= urls.has_outcome({Outcome.CHALLENGE})
    yield "Refused to Robots", refuses
    yield "Unverified", urls.has_outcome(_UNVERIFIED) & ~(refuses | silent | fails)


def _in_class(urls: UrlArrays, number: int) -> Flags:
    flags: Flags = urls.status // 100 == number
    return flags
