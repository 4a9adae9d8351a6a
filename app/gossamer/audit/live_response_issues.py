"""Decides the rules that the response of one URL decides, so that their counts grow live.

Stages of the site audit decide them again, by what the whole crawl knows: they also list URLs that
were never requested, and files whose type does not fit how pages use them.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from gossamer.audit.live_image_issues import image_issues
from gossamer.audit.live_outlink_issues import outlink_issues
from gossamer.audit.live_page_issues import page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rules.images import BACKGROUND, TOO_LARGE
from gossamer.audit.rules.security import BAD_CONTENT_TYPE, HTTP_URLS
from gossamer.audit.rules.validation import LARGE_RESOURCE
from gossamer.audit.site_rule import StageRule
from gossamer.model.content_types import names_type
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.outcome import Outcome, UrlState, Verdict, verdict
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.limit_settings import KIB, MIB
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import is_http

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
_OK = 200
_SUCCESS, _SERVER_ERROR = 2, 5
_BAD_TYPE: Final = int(ContentFlag.BAD_CONTENT_TYPE)
_PLAIN: Final = frozenset({Outcome.PAGE, Outcome.FILE, Outcome.CHECKED})
"""With a status of success, nothing is to be said of them."""
_NUMBERS: Final = {
    f"{rule.group}: {rule.name}": number
    for number, rule in RULES.items()
    if isinstance(rule.decision, StageRule) and rule.decision.is_live
}


def with_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> Visit:
    """A visit with all rules that it decides, by its page, its links and its response."""
    found = (
        page_issues(url, visit, settings)
        + outlink_issues(url, visit, settings, is_internal)
        + response_issues(url, visit, settings, is_internal)
    )
    of_links = image_issues(url, visit, settings, is_internal)
    of_resource = _resource_issues(url, visit, settings, is_internal)
    of_background = [BACKGROUND.number] if _is_image(visit) and is_http(url) else []
    if not (found or of_links or of_resource or of_background):
        return visit
    return replace(
        visit,
        issues=found,
        link_issues=of_links,
        resource_issues=of_resource,
        background_issues=of_background,
    )


def response_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> list[int]:
    """The numbers of the rules that hold for a URL by its response alone."""
    is_good = (visit.status or 0) // 100 == _SUCCESS
    is_plain = is_good and visit.outcome in _PLAIN
    is_encrypted = not url.startswith("http:")
    is_large = (visit.size_bytes or 0) > settings.image_max_kib * KIB and is_good
    found = [TOO_LARGE.number] if is_large and _is_image(visit) else []
    has_bad_type = is_good and _has_bad_type(visit)
    if is_plain and is_encrypted and not has_bad_type:
        return found
    is_own = is_internal(url)
    if is_own and has_bad_type:
        found.append(BAD_CONTENT_TYPE.number)
    if is_own and not is_encrypted:
        found.append(HTTP_URLS.number)
    if not is_plain:
        scope = "Internal" if is_own else "External"
        found += [_NUMBERS[f"Response Codes: {scope} {name}"] for name in _names(visit)]
    return found


def _resource_issues(
    url: str, visit: Visit, settings: CrawlSettings, is_internal: Callable[[str], bool]
) -> list[int]:
    """The numbers of the rules that hold if a page is displayed with this file."""
    is_large = (visit.size_bytes or 0) > settings.document_max_mib * MIB and visit.facts is None
    is_good = (visit.status or 0) // 100 == _SUCCESS
    return [LARGE_RESOURCE.number] if is_large and is_good and is_internal(url) else []


def _is_image(visit: Visit) -> bool:
    return visit.content_type.startswith("image/")


def _has_bad_type(visit: Visit) -> bool:
    """Whether the Content-Type header is not one of HTML for a page, or names none for a file."""
    if visit.facts is not None:
        return bool((visit.facts.content or 0) & _BAD_TYPE)
    return visit.status == _OK and not names_type(visit.content_type_header)


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
