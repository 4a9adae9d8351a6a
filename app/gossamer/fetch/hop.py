"""One hop as it unfolds, and the visit that is made of it in the end."""

from collections.abc import Collection
from time import time as now
from types import TracebackType
from typing import NamedTuple, Self

from msgspec import Struct, field

from gossamer.fetch.bot_challenges import challenge_in_page
from gossamer.fetch.fetch_failures import Failure
from gossamer.fetch.response_body import BodyEnd, ResponseBody
from gossamer.fetch.response_head import BodyHandling, ResponseHead, outcome_of, redirect_of
from gossamer.fetch.response_timing import ServerTime
from gossamer.fetch.retry_after import TRANSIENT_STATUSES
from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.outcome import INCOMPLETE, Outcome
from gossamer.model.outcome_details import Detail, DetailCode, joined
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.response_warnings import ResponseWarning, Warnings, in_order
from gossamer.model.visit import NO_LINKS, Extract, FetchMode, Visit
from gossamer.urls.refresh_directive import parse_refresh
from gossamer.urls.url_parsing import without_fragment

_SUCCESS = 2
_PARTIAL_CONTENT = 206
_STANDING = (BodyHandling.NONE, BodyHandling.ERROR_PAGE, BodyHandling.UNREAD_PAGE)


class Hop(Struct):
    """What is known of a hop so far. It stays readable when the hop is broken off.

    As the block of a `with` it holds on to the room for a large body, which it then gives back.
    `failure` is why there is no usable answer, or why what came could not be read. `flaw` is what
    is wrong with the server's certificate, `malformed` what about the answer is not as the standard
    has it, `limits` by what the reading of it was cut, `notes` what else a person should know.
    `cookies` is None where cookies are not wanted.
    """

    url: str
    fetched_at: float = field(default_factory=now)
    head: ResponseHead | None = None
    reading: BodyHandling = BodyHandling.NONE
    body: ResponseBody = field(default_factory=ResponseBody)
    failure: Failure | None = None
    flaw: Detail | None = None
    malformed: Collection[ResponseWarning] = ()
    limits: Collection[ResponseWarning] = ()
    notes: Collection[ResponseWarning] = ()
    cookies: CookieHeaders | None = None
    repeat_mode: FetchMode = FetchMode.USUAL
    """How it is to be asked once more, if it is."""
    ttfb_ms: int = 0
    elapsed_ms: int = 0
    time: ServerTime = field(default_factory=ServerTime)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()

    def release(self) -> None:
        """Have no large body any more."""
        if self.body.reserved is not None:
            self.body.reserved.end()

    def answered(self, head: ResponseHead, reading: BodyHandling) -> None:
        """The head of the answer is there."""
        self.head = head
        self.reading = reading
        self.ttfb_ms = self.time.head_ms

    def finish(self) -> None:
        """The last byte is there, or no more will be read."""
        is_answered = self.head is not None and self.failure is None
        self.elapsed_ms = self.time.heard_ms if is_answered else self.time.waiting_ms

    def reset(self) -> None:
        """Forget the answer: the same is asked once more."""
        self.fetched_at = now()
        self.head = None
        self.reading = BodyHandling.NONE
        self.body = ResponseBody(reserved=self.body.reserved)
        self.malformed = self.limits = self.notes = ()
        self.time.begin_anew()

    def failed(self, failure: Failure) -> None:
        """Something went wrong.

        An answer that says all with its status stands all the same: its body is only cut.
        """
        stands = self.reading in _STANDING and self.head is not None
        if stands and failure.outcome is not Outcome.UNEXPECTED_ERROR:
            self.body.end(failure.detail, self.body.cut_by or BodyEnd.FAILURE)
        else:
            self.failure = failure

    def limit(self, cut: Detail, limits: Collection[ResponseWarning]) -> None:
        """What came was not read to its end: `cut` says so."""
        self.body.cut = joined(self.body.cut, cut)
        self.limits = limits

    @property
    def is_page(self) -> bool:
        """Whether a page came, whole or cut."""
        return self.failure is None and self.reading is BodyHandling.PAGE

    @property
    def is_whole(self) -> bool:
        """Whether a body came that was to be read whatever it is."""
        return self.failure is None and self.reading is BodyHandling.WHOLE

    @property
    def is_lost(self) -> bool:
        """Whether the body broke off, and may come whole another time."""
        return self.body.cut_by is BodyEnd.LOSS


_CUTS = {
    BodyEnd.CAP: ResponseWarning.SIZE_LIMIT,
    BodyEnd.LOSS: ResponseWarning.INCOMPLETE,
    BodyEnd.FAILURE: ResponseWarning.INCOMPLETE,
}


def _warnings(hop: Hop) -> Warnings:
    """What is to be known of an answer that was used all the same."""
    found = {*hop.malformed, *hop.limits, *hop.notes}
    if hop.flaw:
        found.add(ResponseWarning.INVALID_CERTIFICATE)
    if hop.head is None:
        return in_order(found)
    if hop.body.cut_by is not None:
        found.add(_CUTS[hop.body.cut_by])
    if hop.failure is not None:
        found.add(ResponseWarning.INCOMPLETE)
    if hop.head.status == _PARTIAL_CONTENT and hop.is_page:
        found.add(ResponseWarning.PARTIAL_CONTENT)
    return in_order(found)


class _Result(NamedTuple):
    """What an answer amounts to. `location`, `kind` and `delay_s` belong to a redirect."""

    outcome: Outcome
    detail: Detail | None = None
    location: str | None = None
    kind: RedirectKind | None = None
    delay_s: int = 0


def visit_of(hop: Hop, extract: Extract | None = None) -> Visit:
    """The visit that a finished hop amounts to; `extract` is what its body yielded, if read.

    Of an error page and of a test for robots only the facts are kept: their links lead nowhere
    that a visitor would go.
    """
    head = hop.head
    failure = hop.failure
    if head is None:
        failure = failure or Failure(Outcome.UNEXPECTED_ERROR, DetailCode.NO_ANSWER())
        return Visit(
            outcome=failure.outcome,
            detail=joined(hop.flaw, failure.detail),
            transient=failure.transient,
            warnings=_warnings(hop),
            elapsed_ms=hop.elapsed_ms,
            fetched_at=hop.fetched_at,
            again=hop.repeat_mode,
        )
    outcome, detail, location, kind, delay_s = _result(hop, head, extract)
    has_links = head.status // 100 == _SUCCESS and outcome is not Outcome.CHALLENGE
    return Visit(
        outcome=outcome,
        status=head.status,
        reason=head.reason,
        headers=head.headers,
        location=location,
        content_type=head.content_type,
        charset=extract.charset if extract else (head.charset or ""),
        size_bytes=_size_bytes(hop, head, outcome),
        raw_bytes=hop.body.raw_bytes,
        ttfb_ms=hop.ttfb_ms,
        elapsed_ms=hop.elapsed_ms,
        fetched_at=hop.fetched_at,
        detail=joined(hop.flaw, detail),
        transient=_is_transient(hop, head, outcome) if failure is None else failure.transient,
        warnings=_warnings(hop),
        facts=extract.facts if extract else None,
        targets=extract.targets if extract and has_links else [],
        links=extract.links if extract and has_links else NO_LINKS,
        redirect_kind=kind,
        redirect_delay_s=delay_s,
        robots_header=head.robots,
        retry_after_s=head.retry_after_s,
        again=hop.repeat_mode,
    )


def _result(hop: Hop, head: ResponseHead, extract: Extract | None) -> _Result:
    if hop.failure is not None:
        return _Result(hop.failure.outcome, hop.failure.detail)
    challenge = head.challenge
    if not challenge and head.is_html and hop.body.data:
        challenge = challenge_in_page(head.status, hop.body.data)
    if challenge:
        return _Result(
            Outcome.CHALLENGE, joined(DetailCode.CHALLENGE(service=challenge), hop.body.cut)
        )
    if head.status // 100 == _SUCCESS:
        return _result_of_success(hop, head, extract)
    redirect = redirect_of(hop.url, head)
    if redirect is not None:
        outcome, location, detail = redirect
        return _Result(outcome, detail, location, RedirectKind.HTTP if location else None)
    return _Result(outcome_of(head), hop.body.cut)


def _result_of_success(hop: Hop, head: ResponseHead, extract: Extract | None) -> _Result:
    reading = hop.reading
    if reading is BodyHandling.WHOLE:
        return _Result(Outcome.FILE_INCOMPLETE if hop.is_lost else Outcome.FILE, hop.body.cut)
    if head.refresh or (extract is not None and extract.refresh is not None):
        refreshed = _refreshed(hop, head, extract)
        if refreshed is not None:
            return refreshed
    if reading is BodyHandling.PAGE:
        whole = Outcome.PAGE if extract is None else extract.outcome
        return _Result(Outcome.PAGE_INCOMPLETE if hop.is_lost else whole, hop.body.cut)
    if reading is BodyHandling.UNREAD_PAGE:
        return _Result(Outcome.CHECKED, hop.body.cut)
    return _Result(Outcome.FILE, hop.body.cut)


def _refreshed(hop: Hop, head: ResponseHead, extract: Extract | None) -> _Result | None:
    """The redirect that a page amounts to that sends its visitors on; None if it does not."""
    refresh = parse_refresh(head.refresh, hop.url) if head.refresh else None
    kind = RedirectKind.REFRESH_HEADER
    if refresh is None and extract is not None:
        refresh = extract.refresh
        kind = RedirectKind.META_REFRESH
    if refresh is None or refresh.url == without_fragment(hop.url):
        return None
    detail = joined(DetailCode.REFRESH(seconds=refresh.delay_s), hop.body.cut)
    return _Result(Outcome.REDIRECT, detail, refresh.url, kind, refresh.delay_s)


def _size_bytes(hop: Hop, head: ResponseHead, outcome: Outcome) -> int:
    """The size of the body as far as it was read, or as told where that is not the point."""
    is_unread = outcome is Outcome.CHECKED or (
        outcome is Outcome.FILE and hop.reading is not BodyHandling.WHOLE
    )
    if is_unread and head.length is not None and hop.body.raw_bytes < head.length:
        return head.length
    return len(hop.body.data)


def _is_transient(hop: Hop, head: ResponseHead, outcome: Outcome) -> bool:
    if outcome in INCOMPLETE:
        return hop.is_lost
    return head.status in TRANSIENT_STATUSES and outcome is not Outcome.CHALLENGE
