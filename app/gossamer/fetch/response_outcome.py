"""Decides the outcome of a response and its redirect target, and makes the visit."""

from typing import NamedTuple

from gossamer.fetch.bot_challenges import challenge_in_page
from gossamer.fetch.fetch_failures import FetchFailure
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.http_statuses import (
    NOT_MODIFIED,
    PARTIAL_CONTENT,
    REDIRECTS,
    SUCCESS,
    TRANSIENT,
)
from gossamer.fetch.proxy_challenges import wanted_by_proxy
from gossamer.fetch.response_body import BodyTruncation
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.model.outcome import INCOMPLETE, Outcome
from gossamer.model.outcome_details import Detail, DetailCode, joined
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.response_warnings import ResponseWarning, Warnings, in_order
from gossamer.model.text_cleaning import one_line
from gossamer.model.visit import NO_LINKS, Extract, Visit
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, parse_refresh
from gossamer.urls.url_parsing import is_http, join, without_fragment

_CUTS = {
    BodyTruncation.CAP: ResponseWarning.SIZE_LIMIT,
    BodyTruncation.LOSS: ResponseWarning.INCOMPLETE,
    BodyTruncation.FAILURE: ResponseWarning.INCOMPLETE,
}


def _warnings(response: HttpResponse) -> Warnings:
    """The warnings about a response that was used nevertheless."""
    found = {*response.malformed, *response.limits, *response.notes}
    if response.flaw:
        found.add(ResponseWarning.INVALID_CERTIFICATE)
    if response.head is None:
        return in_order(found)
    if response.body.cut_by is not None:
        found.add(_CUTS[response.body.cut_by])
    if response.failure is not None:
        found.add(ResponseWarning.INCOMPLETE)
    if response.head.status == PARTIAL_CONTENT and response.is_page:
        found.add(ResponseWarning.PARTIAL_CONTENT)
    return in_order(found)


class _Result(NamedTuple):
    """The outcome of a response. `location` and `kind` belong to a redirect."""

    outcome: Outcome
    detail: Detail | None = None
    location: str | None = None
    kind: RedirectKind | None = None


def visit_of(response: HttpResponse, extract: Extract | None = None) -> Visit:
    """The visit that a finished hop makes; `extract` is what its body yielded, if read.

    Only the facts of error pages and bot challenges are kept: no visitor would follow their links.
    """
    head = response.head
    failure = response.failure
    if head is None:
        failure = failure or FetchFailure(Outcome.UNEXPECTED_ERROR, DetailCode.NO_RESPONSE())
        return Visit(
            outcome=failure.outcome,
            detail=joined(response.flaw, failure.detail),
            transient=failure.transient,
            warnings=_warnings(response),
            elapsed_ms=response.elapsed_ms,
            fetched_at=response.fetched_at,
            again=response.repeat_mode,
        )
    outcome, detail, location, kind = _result(response, head, extract)
    has_links = head.status // 100 == SUCCESS and outcome is not Outcome.CHALLENGE
    return Visit(
        outcome=outcome,
        status=head.status,
        reason=head.reason,
        headers=head.headers,
        location=location,
        content_type=head.content_type,
        charset=extract.charset if extract else (head.charset or ""),
        content_type_header=head.content_type_header,
        http_version=head.http_version,
        cookies=head.cookies,
        size_bytes=_size_bytes(response, head, outcome),
        raw_bytes=response.body.raw_bytes,
        ttfb_ms=response.ttfb_ms,
        elapsed_ms=response.elapsed_ms,
        fetched_at=response.fetched_at,
        detail=joined(response.flaw, detail),
        transient=_is_transient(response, head, outcome) if failure is None else failure.transient,
        warnings=_warnings(response),
        facts=extract.facts if extract else None,
        text=extract.text if extract else None,
        targets=extract.targets if extract and has_links else [],
        links=extract.links if extract and has_links else NO_LINKS,
        acts=extract.acts if extract and has_links else {},
        acts_by_method=extract.acts_by_method if extract and has_links else {},
        redirect_kind=kind,
        robots_header=head.robots,
        retry_after_s=head.retry_after_s,
        again=response.repeat_mode,
        not_modified=(
            bool(response.conditions) and head.status == NOT_MODIFIED and failure is None
        ),
    )


def _result(response: HttpResponse, head: ResponseHead, extract: Extract | None) -> _Result:
    if response.failure is not None:
        return _Result(response.failure.outcome, response.failure.detail)
    challenge = head.challenge
    if not challenge and head.is_html and response.body.data:
        challenge = challenge_in_page(head.status, response.body.data)
    if challenge:
        return _Result(
            Outcome.CHALLENGE, joined(DetailCode.CHALLENGE(service=challenge), response.body.cut)
        )
    if head.status // 100 == SUCCESS:
        return _result_of_success(response, head, extract)
    redirect = redirect_of(response.url, head)
    if redirect is not None:
        outcome, location, detail = redirect
        return _Result(outcome, detail, location, RedirectKind.HTTP if location else None)
    wanted = wanted_by_proxy(head.status, response.header_values(b"proxy-authenticate"))
    return _Result(outcome_of(head), joined(wanted, response.body.cut))


def _result_of_success(
    response: HttpResponse, head: ResponseHead, extract: Extract | None
) -> _Result:
    reading = response.reading
    if reading in {BodyHandling.WHOLE, BodyHandling.STYLE_SHEET}:
        return _Result(
            Outcome.FILE_INCOMPLETE if response.is_lost else Outcome.FILE, response.body.cut
        )
    if head.refresh or (extract is not None and extract.refresh is not None):
        refreshed = _refreshed(response, head, extract)
        if refreshed is not None:
            return refreshed
    if reading is BodyHandling.PAGE:
        whole = Outcome.PAGE if extract is None else extract.outcome
        return _Result(Outcome.PAGE_INCOMPLETE if response.is_lost else whole, response.body.cut)
    if reading is BodyHandling.UNREAD_PAGE:
        return _Result(Outcome.CHECKED, response.body.cut)
    return _Result(Outcome.FILE, response.body.cut)


def _refreshed(
    response: HttpResponse, head: ResponseHead, extract: Extract | None
) -> _Result | None:
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
    return _Result(Outcome.REDIRECT, detail, refresh.url, kind)


def _size_bytes(response: HttpResponse, head: ResponseHead, outcome: Outcome) -> int:
    """The size of the body as far as it was read, or as declared if it was not to be read."""
    if response.reading in {BodyHandling.ARCHIVED, BodyHandling.STYLE_SHEET}:
        return max(head.length or 0, response.body.raw_bytes)
    is_unread = outcome is Outcome.CHECKED or (
        outcome is Outcome.FILE and response.reading is not BodyHandling.WHOLE
    )
    body = response.body
    if is_unread and head.length is not None and body.raw_bytes < head.length:
        return head.length
    is_counted = is_unread and head.is_of_unknown_size
    return body.raw_bytes if is_counted else len(body.data)


def _is_transient(response: HttpResponse, head: ResponseHead, outcome: Outcome) -> bool:
    if outcome in INCOMPLETE:
        return response.is_lost
    return head.status in TRANSIENT and outcome is not Outcome.CHALLENGE


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
