"""Decides the rules that the response of one URL decides, so that their counts grow live.

The stage "Response codes" of the site audit decides them again, by what the whole crawl knows: it
also lists URLs that were never requested.
"""

from collections.abc import Callable, Iterator
from typing import Final

from gossamer.audit.page_audit import page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import StageRule
from gossamer.model.outcome import Outcome, UrlState, Verdict, verdict
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit

_NOT_OF_THE_SITE: Final = frozenset(
    {
        Outcome.WORKER_DIED,
        Outcome.UNEXPECTED_ERROR,
        Outcome.PROXY_FAILURE,
        Outcome.LOGIN_REQUIRED,
    }
)
"""Failures on our own side."""
NO_RESPONSE: Final = frozenset(
    each for each in Outcome if each.state is UrlState.FAILED and each not in _NOT_OF_THE_SITE
)
UNVERIFIED: Final = frozenset(
    each for each in Outcome if verdict(each, None) is Verdict.UNVERIFIED
) - {Outcome.PAGE_SOFT_ERROR}
"""A page that looks like an error has a rule of its own."""
REFUSING: Final = (401, 403, 405, 429, 999)
REFUSABLE: Final = frozenset(
    each
    for each in Outcome
    if verdict(each, 403) is Verdict.REFUSED  # those that were requested
)
STATUS_CLASSES: Final = {
    3: "Redirection (3xx)",
    4: "Client Error (4xx)",
    5: "Server Error (5xx)",
}
REFRESHES: Final = {
    RedirectKind.JAVASCRIPT: "Redirection (JavaScript)",
    RedirectKind.META_REFRESH: "Redirection (Meta Refresh)",
    RedirectKind.REFRESH_HEADER: "Redirection (HTTP Refresh)",
}
_SUCCESS, _SERVER_ERROR = 2, 5
_PLAIN: Final = frozenset({Outcome.PAGE, Outcome.FILE, Outcome.CHECKED})
"""With a status of success, nothing is to be said of them."""
_NUMBERS: Final = {
    f"{rule.group}: {rule.name}": number
    for number, rule in RULES.items()
    if isinstance(rule.decision, StageRule) and rule.decision.is_live
}
_HTTP_URLS: Final = _NUMBERS["Security: HTTP URLs"]


def visit_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> list[int]:
    """The numbers of all rules that one visit decides, by its page and by its response."""
    return page_issues(url, visit, settings) + response_issues(url, visit, is_internal)


def response_issues(url: str, visit: Visit, is_internal: Callable[[str], bool]) -> list[int]:
    """The numbers of the rules that hold for a URL by its response alone."""
    is_plain = visit.outcome in _PLAIN and (visit.status or 0) // 100 == _SUCCESS
    is_encrypted = not url.startswith("http:")
    if is_plain and is_encrypted:
        return []
    is_own = is_internal(url)
    found = [_HTTP_URLS] if is_own and not is_encrypted else []
    if not is_plain:
        scope = "Internal" if is_own else "External"
        found += [_NUMBERS[f"Response Codes: {scope} {name}"] for name in _names(visit)]
    return found


def _names(visit: Visit) -> Iterator[str]:
    outcome, status = visit.outcome, visit.status or 0
    number = status // 100
    if is_silent := outcome in NO_RESPONSE and not status:
        yield "No Response"
    if number in STATUS_CLASSES:
        yield STATUS_CLASSES[number]
    if outcome in REDIRECTS and number != min(STATUS_CLASSES) and visit.redirect_kind in REFRESHES:
        yield REFRESHES[visit.redirect_kind]
    refuses = (status in REFUSING and outcome in REFUSABLE) or outcome is Outcome.CHALLENGE
    if refuses:
        yield "Refused to Robots"
    elif outcome in UNVERIFIED and not is_silent and number != _SERVER_ERROR:
        yield "Unverified"
