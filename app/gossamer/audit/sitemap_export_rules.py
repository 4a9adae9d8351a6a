"""Rules that exclude URLs from a sitemap, and checks of a site's own sitemaps."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from gossamer.audit.audit_rule import AuditRule, RuleDeclaration, RuleKind, RulePriority
from gossamer.model.fields.indexability import is_canonicalised, says_noindex
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import KEPT_BY_ROBOTS, PAGES, Outcome
from gossamer.model.project_queries import View
from gossamer.urls.url_parsing import is_http, origin

_OK = 200
MAX_LOC = 2_048
"""What the address of a sitemap entry must be shorter than, in characters:
https://www.sitemaps.org/protocol.html."""

_REDIRECTS = View.REDIRECTS.outcomes
_ERRORS = View.ERRORS.outcomes - _REDIRECTS - PAGES
_FILES = View.RESOURCES.outcomes


class SitemapHost:
    """Decides which URLs are on the same host as the first URL tested."""

    def __init__(self) -> None:
        self._origin = ""

    def has(self, url: str) -> bool:
        """Whether `url` is on it."""
        here = origin(url)
        self._origin = self._origin or here
        return here == self._origin


def _never(url: UrlRecord) -> bool:
    del url
    return False


class SitemapDeclaration(RuleDeclaration[UrlRecord], frozen=True, kw_only=True):
    """A rule that always holds for some outcomes, and is evaluated for the others."""

    outcomes: frozenset[Outcome] = frozenset()
    holds: Callable[[UrlRecord], bool] = _never


class SitemapRule(AuditRule):
    """What a sitemap leaves out unless the rule is lifted; texts are about URLs that are in one."""

    declaration: SitemapDeclaration

    NOINDEX = (
        "noindex",
        SitemapDeclaration(
            name="Pages with noindex",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but noindex",
            holds=lambda url: says_noindex(url.directives, url.robots, url.robots_header),
        ),
    )
    """In a robots meta element or X-Robots-Tag."""
    CANONICALISED = (
        "canonicalised",
        SitemapDeclaration(
            name="Canonicalised pages",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but canonicalised to another URL",
            holds=lambda url: is_canonicalised(url.url, url),
        ),
    )
    REDIRECTS = (
        "redirects",
        SitemapDeclaration(
            name="Redirects",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but redirects",
            outcomes=_REDIRECTS,
        ),
    )
    ERRORS = (
        "errors",
        SitemapDeclaration(
            name="Errors",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but broken",
            outcomes=_ERRORS,
            holds=lambda url: url.status != _OK and url.outcome not in _BY_OUTCOME,
        ),
    )
    """What was requested, with a status other than 200."""
    BLOCKED = (
        "blocked",
        SitemapDeclaration(
            name="Blocked by robots.txt",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but blocked by robots.txt",
            outcomes=KEPT_BY_ROBOTS,
        ),
    )
    FILES = (
        "files",
        SitemapDeclaration(
            name="Files other than pages",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but not a page",
            outcomes=_FILES,
        ),
    )
    """What works and is not a page: documents, images."""
    OTHER_HOSTS = (
        "other-hosts",
        SitemapDeclaration(
            name="Other hosts",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but on another host",
        ),
    )
    """Everything with another scheme or host than the first listed: a sitemap covers one.

    `SitemapHost` decides it."""


_BY_OUTCOME: Final[dict[Outcome, SitemapRule]] = {
    outcome: rule for rule in SitemapRule for outcome in rule.declaration.outcomes
}
_ASKED: Final = tuple(
    (rule, rule.declaration.holds)
    # A dead page is reported as that, whatever it says.
    for rule in (SitemapRule.ERRORS, SitemapRule.NOINDEX, SitemapRule.CANONICALISED)
)


class Mention(NamedTuple):
    """A URL, whether a sitemap lists it, and whether it may be listed."""

    url: UrlRecord
    is_named: bool
    is_allowed: bool


class SitemapCheck(AuditRule):
    """A mismatch between a URL and its site's sitemaps that no `SitemapRule` covers."""

    NOT_LISTED = (
        "not-in-sitemap",
        RuleDeclaration[Mention](
            name="URLs not in a sitemap",
            kind=RuleKind.OPPORTUNITY,
            priority=RulePriority.MEDIUM,
            text="Linked, but not in a sitemap",
            holds=lambda at: not at.is_named and at.is_allowed and at.url.outcome in PAGES,
        ),
    )
    NO_PAGE = (
        "no-page-in-sitemap",
        RuleDeclaration[Mention](
            name="Non-indexable URLs in sitemap",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but not a page",
            holds=lambda at: at.is_named and at.url.outcome not in PAGES,
        ),
    )
    NOT_LINKED = (
        "not-linked",
        RuleDeclaration[Mention](
            name="Orphan URLs in sitemap",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but not linked",
            holds=lambda at: at.is_named and at.url.depth is None,
        ),
    )


def candidates(lifted: frozenset[SitemapRule]) -> View:
    """The view to look through when these rules are lifted; see `obstacles`."""
    return View.PAGES if lifted.isdisjoint(_BY_OUTCOME.values()) else View.ALL


def can_be_listed(record: UrlRecord) -> bool:
    """Whether any rule could exclude this URL, or let it in; others are in no sitemap."""
    known = record.outcome in PAGES or record.outcome in _BY_OUTCOME
    is_address = is_http(record.url) and "#" not in record.url  # sitemaps know no hash routes
    return known and is_address and len(record.url) < MAX_LOC


def obstacles(record: UrlRecord, host: SitemapHost | None = None) -> Iterator[SitemapRule]:
    """The rules that exclude a URL from a sitemap for `host`, or any; none if it is indexable."""
    sure = _BY_OUTCOME.get(record.outcome)
    if sure is not None:
        yield sure
    for rule, holds in _ASKED:
        if holds(record):
            yield rule
    if host is not None and not host.has(record.url):
        yield SitemapRule.OTHER_HOSTS


def sitemap_finding(record: UrlRecord, *, is_named: bool) -> AuditRule | None:
    """What is wrong between a URL and the sitemaps, whether these name it or not."""
    obstacle = next(obstacles(record), None)
    if is_named and obstacle is not None:
        return obstacle
    mention = Mention(record, is_named, obstacle is None)
    return next((check for check in SitemapCheck if check.declaration.holds(mention)), None)
