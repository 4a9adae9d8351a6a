"""What keeps a URL out of a sitemap: rules, each of which can be lifted."""

from collections.abc import Iterator
from enum import StrEnum

from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.project_queries import View
from gossamer.model.url_record import UrlRecord
from gossamer.urls.parse import is_http, origin

_NOINDEX = frozenset({"noindex", "none"})
_OK = 200
MAX_LOC = 2_048
"""Characters of an address in a sitemap: https://www.sitemaps.org/protocol.html says fewer."""


class Rule(StrEnum):
    """What a sitemap leaves out, unless told otherwise."""

    NOINDEX = "noindex"
    """Pages that say noindex, in a robots meta element or X-Robots-Tag."""
    CANONICALISED = "canonicalised"
    """Pages that name another address as their canonical."""
    REDIRECTS = "redirects"
    ERRORS = "errors"
    """What was asked and not answered with 200."""
    BLOCKED = "blocked"
    """What robots.txt keeps crawlers from."""
    FILES = "files"
    """What works and is no page: documents, images."""
    OTHER_HOSTS = "other-hosts"
    """All that has not the scheme and host of the first listed: a sitemap speaks for one."""


_OUTCOMES: dict[Rule, frozenset[Outcome]] = {
    Rule.REDIRECTS: View.REDIRECTS.outcomes,
    Rule.ERRORS: View.ERRORS.outcomes - View.REDIRECTS.outcomes - PAGES,
    Rule.BLOCKED: frozenset({Outcome.BLOCKED_BY_ROBOTS, Outcome.ROBOTS_UNAVAILABLE}),
    Rule.FILES: View.RESOURCES.outcomes,
}
_RULE_OF = {outcome: rule for rule, outcomes in _OUTCOMES.items() for outcome in outcomes}


def candidates(lifted: frozenset[Rule]) -> View:
    """The view to look through when these rules are lifted; see `obstacles`."""
    return View.PAGES if lifted.isdisjoint(_OUTCOMES) else View.ALL


def can_be_listed(record: UrlRecord) -> bool:
    """Whether any rule could keep this URL, or let it in; others are in no sitemap."""
    known = record.outcome in PAGES or record.outcome in _RULE_OF
    return known and is_http(record.url) and len(record.url) < MAX_LOC


def obstacles(record: UrlRecord) -> Iterator[Rule]:
    """The rules that keep a URL out, as far as it says so itself; none for an indexable page."""
    if record.outcome in _RULE_OF:
        yield _RULE_OF[record.outcome]
    elif record.status != _OK:
        yield Rule.ERRORS
    if _says_noindex(record.robots) or _says_noindex(record.robots_header):
        yield Rule.NOINDEX
    if _names_another(record.canonical, record.url):
        yield Rule.CANONICALISED


class Host:
    """Which URLs are on the host of the first one that was asked for."""

    def __init__(self) -> None:
        self._origin = ""

    def has(self, url: str) -> bool:
        """Whether `url` is on it."""
        here = origin(url)
        self._origin = self._origin or here
        return here == self._origin


def _says_noindex(rules: str | None) -> bool:
    return rules is not None and not _NOINDEX.isdisjoint(
        rule.strip().lower() for rule in rules.split(",")
    )


def _names_another(canonical: str | None, url: str) -> bool:
    if canonical is None or not is_http(canonical):
        return False
    return canonical.partition("#")[0] != url
