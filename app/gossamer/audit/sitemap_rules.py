"""What keeps a URL out of a sitemap, and what is wrong between URLs and a site's sitemaps."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gossamer.audit.rule import AuditRule, RuleDeclaration, RuleKind, RulePriority
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.project_queries import View
from gossamer.model.url_record import UrlRecord
from gossamer.urls.parse import is_http, origin

_NOINDEX = frozenset({"noindex", "none"})
_OK = 200
MAX_LOC = 2_048
"""Characters of an address in a sitemap: https://www.sitemaps.org/protocol.html says fewer."""

_REDIRECTS = View.REDIRECTS.outcomes
_ERRORS = View.ERRORS.outcomes - _REDIRECTS - PAGES
_BLOCKED = frozenset({Outcome.BLOCKED_BY_ROBOTS, Outcome.ROBOTS_UNAVAILABLE})
_FILES = View.RESOURCES.outcomes
_NOT_BY_STATUS = _REDIRECTS | _BLOCKED | _FILES
_LISTABLE = PAGES | _ERRORS | _NOT_BY_STATUS


class SitemapHost:
    """Which URLs are on the host of the first one that was asked for."""

    def __init__(self) -> None:
        self._origin = ""

    def has(self, url: str) -> bool:
        """Whether `url` is on it."""
        here = origin(url)
        self._origin = self._origin or here
        return here == self._origin


class Candidate(NamedTuple):
    """A URL that may stand in a sitemap for `host`."""

    url: UrlRecord
    host: SitemapHost


class SitemapRule(AuditRule):
    """What a sitemap leaves out unless the rule is lifted; texts are about URLs that are in one."""

    NOINDEX = (
        "noindex",
        RuleDeclaration[Candidate](
            name="Pages with noindex",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but noindex",
            holds=lambda at: _says_noindex(at.url.robots) or _says_noindex(at.url.robots_header),
        ),
    )
    """In a robots meta element or X-Robots-Tag."""
    CANONICALISED = (
        "canonicalised",
        RuleDeclaration[Candidate](
            name="Pages with another canonical",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but its canonical is another address",
            holds=lambda at: _names_another(at.url.canonical, at.url.url),
        ),
    )
    REDIRECTS = (
        "redirects",
        RuleDeclaration[Candidate](
            name="Redirects",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but redirects",
            holds=lambda at: at.url.outcome in _REDIRECTS,
        ),
    )
    ERRORS = (
        "errors",
        RuleDeclaration[Candidate](
            name="Errors",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but does not work",
            holds=lambda at: at.url.outcome in _ERRORS or _has_other_status(at.url),
        ),
    )
    """What was asked and not answered with 200."""
    BLOCKED = (
        "blocked",
        RuleDeclaration[Candidate](
            name="Blocked by robots.txt",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but blocked by robots.txt",
            holds=lambda at: at.url.outcome in _BLOCKED,
        ),
    )
    FILES = (
        "files",
        RuleDeclaration[Candidate](
            name="Files that are no pages",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but no page",
            holds=lambda at: at.url.outcome in _FILES,
        ),
    )
    """What works and is no page: documents, images."""
    OTHER_HOSTS = (
        "other-hosts",
        RuleDeclaration[Candidate](
            name="Other hosts",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but on another host",
            holds=lambda at: not at.host.has(at.url.url),
        ),
    )
    """All that has not the scheme and host of the first listed: a sitemap speaks for one."""


_OF_OTHERS = frozenset(
    {SitemapRule.REDIRECTS, SitemapRule.ERRORS, SitemapRule.BLOCKED, SitemapRule.FILES}
)
"""Rules that keep out what is no page."""
_BY_ITSELF: Final = (
    *(rule for rule in SitemapRule if rule in _OF_OTHERS),
    *(SitemapRule.NOINDEX, SitemapRule.CANONICALISED),
)
"""Rules that a URL alone decides, in the order in which they are told."""
_ANY_HOST: Final = SitemapHost()
"""For rules that do not ask for the host."""


class Mention(NamedTuple):
    """A URL, whether a sitemap names it, and whether it may be named."""

    url: UrlRecord
    is_named: bool
    is_allowed: bool


class SitemapCheck(AuditRule):
    """What is wrong between a URL and the sitemaps of its site, other than a `SitemapRule`."""

    NOT_LISTED = (
        "not-in-sitemap",
        RuleDeclaration[Mention](
            name="URLs not in a sitemap",
            kind=RuleKind.OPPORTUNITY,
            priority=RulePriority.MEDIUM,
            text="Linked, but in no sitemap",
            holds=lambda at: not at.is_named and at.is_allowed and at.url.outcome in PAGES,
        ),
    )
    NO_PAGE = (
        "no-page-in-sitemap",
        RuleDeclaration[Mention](
            name="Other than pages in a sitemap",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but no page",
            holds=lambda at: at.is_named and at.url.outcome not in PAGES,
        ),
    )
    NOT_LINKED = (
        "not-linked",
        RuleDeclaration[Mention](
            name="URLs in a sitemap that no page links",
            kind=RuleKind.ISSUE,
            priority=RulePriority.MEDIUM,
            text="In a sitemap, but not linked",
            holds=lambda at: at.is_named and at.url.depth is None,
        ),
    )


def candidates(lifted: frozenset[SitemapRule]) -> View:
    """The view to look through when these rules are lifted; see `obstacles`."""
    return View.PAGES if lifted.isdisjoint(_OF_OTHERS) else View.ALL


def can_be_listed(record: UrlRecord) -> bool:
    """Whether any rule could keep this URL, or let it in; others are in no sitemap."""
    return record.outcome in _LISTABLE and is_http(record.url) and len(record.url) < MAX_LOC


def rules_in_force(lifted: frozenset[SitemapRule]) -> tuple[SitemapRule, ...]:
    """The rules that are not lifted, in the order in which they are tried."""
    in_order = (*_BY_ITSELF, SitemapRule.OTHER_HOSTS)
    return tuple(rule for rule in in_order if rule not in lifted)


def obstacles(
    record: UrlRecord,
    rules: Iterable[SitemapRule] = _BY_ITSELF,
    host: SitemapHost = _ANY_HOST,
) -> Iterator[SitemapRule]:
    """Those of the rules that keep a URL out; none for an indexable page."""
    candidate = Candidate(record, host)
    return (rule for rule in rules if rule.declaration.holds(candidate))


def sitemap_finding(record: UrlRecord, *, is_named: bool) -> AuditRule | None:
    """What is wrong between a URL and the sitemaps, which name it or do not."""
    obstacle = next(obstacles(record), None)
    if is_named and obstacle is not None:
        return obstacle
    mention = Mention(record, is_named, obstacle is None)
    return next((check for check in SitemapCheck if check.declaration.holds(mention)), None)


def _has_other_status(record: UrlRecord) -> bool:
    return record.status != _OK and record.outcome not in _NOT_BY_STATUS


def _says_noindex(rules: str | None) -> bool:
    return rules is not None and not _NOINDEX.isdisjoint(
        rule.strip().lower() for rule in rules.split(",")
    )


def _names_another(canonical: str | None, url: str) -> bool:
    if canonical is None or not is_http(canonical):
        return False
    return canonical.partition("#")[0] != url
