"""Makes the visit that a page worker reports of a response: fills in each field of it."""

from gossamer.fetch.fetch_failures import FetchFailure
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.http_statuses import (
    NO_CONTENT,
    NOT_MODIFIED,
    PARTIAL_CONTENT,
    SUCCESS,
    TRANSIENT,
)
from gossamer.fetch.response_body import BodyTruncation
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.fetch.response_outcome import outcome_of_response
from gossamer.model.outcome import INCOMPLETE, Outcome
from gossamer.model.outcome_details import DetailCode, joined
from gossamer.model.response_warnings import ResponseWarning, Warnings, in_order
from gossamer.model.visit import NO_LINKS, Extract, Visit

_READ = frozenset({BodyHandling.PAGE, BodyHandling.ERROR_PAGE, BodyHandling.WHOLE})
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
    outcome, detail, location, kind = outcome_of_response(response, head, extract)
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


def _size_bytes(response: HttpResponse, head: ResponseHead, outcome: Outcome) -> int | None:
    """The size of the body as far as it was read, or as declared if it was not to be read.

    None if it was not read, and nothing is declared.
    """
    if response.reading in {BodyHandling.ARCHIVED, BodyHandling.STYLE_SHEET}:
        return max(head.length or 0, response.body.raw_bytes)
    is_unread = outcome is Outcome.CHECKED or (
        outcome is Outcome.FILE and response.reading is not BodyHandling.WHOLE
    )
    body = response.body
    if is_unread and head.length is not None and body.raw_bytes < head.length:
        return head.length
    size_bytes = body.raw_bytes if is_unread and head.is_of_unknown_size else len(body.data)
    if size_bytes or response.reading in _READ or head.status in NO_CONTENT:
        return size_bytes
    return head.length


def _is_transient(response: HttpResponse, head: ResponseHead, outcome: Outcome) -> bool:
    if outcome in INCOMPLETE:
        return response.is_lost
    return head.status in TRANSIENT and outcome is not Outcome.CHALLENGE
