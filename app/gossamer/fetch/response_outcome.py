"""Decides the outcome of a response, and where it redirects to."""

from typing import NamedTuple

from gossamer.fetch.bot_challenges import challenge_in_page
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.http_statuses import (
    REDIRECTS,
    SUCCESS,
)
from gossamer.fetch.proxy_challenges import wanted_by_proxy
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import Detail, DetailCode, joined
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.text_cleaning import one_line
from gossamer.model.visit import Extract
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, parse_refresh
from gossamer.urls.url_parsing import is_http, join, without_fragment


class ResponseOutcome(NamedTuple):
    """The outcome of a response. `location` and `kind` belong to a redirect."""

    outcome: Outcome
    detail: Detail | None = None
    location: str | None = None
    kind: RedirectKind | None = None


def outcome_of_response(
    response: HttpResponse, head: ResponseHead, extract: Extract | None
) -> ResponseOutcome:
    """The outcome of a response with a head; `extract` is what its body yielded, if read."""
    if response.failure is not None:
        return ResponseOutcome(response.failure.outcome, response.failure.detail)
    challenge = head.challenge
    if not challenge and head.is_html and response.body.data:
        challenge = challenge_in_page(head.status, response.body.data)
    if challenge:
        return ResponseOutcome(
            Outcome.CHALLENGE, joined(DetailCode.CHALLENGE(service=challenge), response.body.cut)
        )
    if head.status // 100 == SUCCESS:
        return _result_of_success(response, head, extract)
    redirect = redirect_of(response.url, head)
    if redirect is not None:
        outcome, location, detail = redirect
        return ResponseOutcome(outcome, detail, location, RedirectKind.HTTP if location else None)
    wanted = wanted_by_proxy(head.status, response.header_values(b"proxy-authenticate"))
    return ResponseOutcome(outcome_of(head), joined(wanted, response.body.cut))


def _result_of_success(
    response: HttpResponse, head: ResponseHead, extract: Extract | None
) -> ResponseOutcome:
    reading = response.reading
    if reading in {BodyHandling.WHOLE, BodyHandling.STYLE_SHEET}:
        return ResponseOutcome(
            Outcome.FILE_INCOMPLETE if response.is_lost else Outcome.FILE, response.body.cut
        )
    if head.refresh or (extract is not None and extract.refresh is not None):
        refreshed = _refreshed(response, head, extract)
        if refreshed is not None:
            return refreshed
    if reading is BodyHandling.PAGE:
        whole = Outcome.PAGE if extract is None else extract.outcome
        return ResponseOutcome(
            Outcome.PAGE_INCOMPLETE if response.is_lost else whole, response.body.cut
        )
    if reading is BodyHandling.UNREAD_PAGE:
        return ResponseOutcome(Outcome.CHECKED, response.body.cut)
    return ResponseOutcome(Outcome.FILE, response.body.cut)


def _refreshed(
    response: HttpResponse, head: ResponseHead, extract: Extract | None
) -> ResponseOutcome | None:
    """The redirect that a page makes by sending its visitors on; None if it does not.

    A refresh that waits makes none: visitors read the page before.
    """
    refresh = parse_refresh(head.refresh, response.url) if head.refresh else None
    kind = RedirectKind.REFRESH_HEADER
    if refresh is None and extract is not None:
        refresh = extract.refresh
        kind = RedirectKind.META_REFRESH
    if refresh is None or refresh.delay_s > MAX_REDIRECT_DELAY_S:
        return None
    if refresh.url == without_fragment(response.url):
        return None
    detail = joined(DetailCode.REFRESH(seconds=refresh.delay_s), response.body.cut)
    return ResponseOutcome(Outcome.REDIRECT, detail, refresh.url, kind)


def outcome_of(head: ResponseHead) -> Outcome:
    """The outcome by the status alone, for a response that is neither page nor redirect.

    304 to a request without conditions, 305, 306, 1xx and 600 upwards make no sense here.
    """
    match head.status // 100:
        case 2:
            return Outcome.FILE
        case 4:
            return Outcome.CLIENT_ERROR
        case 5:
            return Outcome.SERVER_ERROR
    return Outcome.UNEXPECTED_STATUS


def redirect_of(url: str, head: ResponseHead) -> tuple[Outcome, str | None, Detail | None] | None:
    """Outcome, target and detail of a redirect from `url`; None if it is no redirect."""
    if head.status not in REDIRECTS:
        return None
    if not head.location:
        return Outcome.REDIRECT_WITHOUT_LOCATION, None, None
    target = join(url, head.location)
    if target is None or not is_http(target):
        detail = DetailCode.LOCATION(location=one_line(head.location, 500))
        return Outcome.REDIRECT_BAD_LOCATION, None, detail
    return Outcome.REDIRECT, target, None
