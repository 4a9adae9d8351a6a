"""One hop as it unfolds, and the visit that is made of it in the end."""

import time
from dataclasses import dataclass, field

from app.fetch.body import Body
from app.fetch.failures import Failure
from app.fetch.head import Head, Reading, outcome_of, redirect_of
from app.model.outcome import Outcome
from app.model.page import Extract, Visit

_PARTIAL_CONTENT = 206


@dataclass(slots=True)
class Hop:
    """What is known of a hop so far. It stays readable when the hop is broken off.

    `failure` is why there is no usable answer, or why what came could not be read.
    """

    url: str
    fetched_at: float = field(default_factory=time.time)
    head: Head | None = None
    reading: Reading = Reading.NONE
    body: Body = field(default_factory=Body)
    failure: Failure | None = None
    ttfb_ms: int = 0
    elapsed_ms: int = 0
    _began: float = field(default_factory=time.perf_counter)

    def answered(self, head: Head, reading: Reading) -> None:
        """The head of the answer is there."""
        self.head = head
        self.reading = reading
        self.ttfb_ms = self._since_began_ms()

    def ended(self) -> None:
        """The last byte is there, or no more will be read."""
        self.elapsed_ms = self._since_began_ms()

    def again(self) -> None:
        """Forget the answer: the same is asked once more."""
        self.fetched_at = time.time()
        self.head = None
        self.reading = Reading.NONE
        self.body = Body()
        self._began = time.perf_counter()

    def failed(self, failure: Failure) -> None:
        """Something went wrong.

        An answer that says all with its status stands all the same: its body is only cut.
        """
        stands = self.reading in {Reading.NONE, Reading.ERROR_PAGE} and self.head is not None
        if stands and failure.outcome is not Outcome.UNEXPECTED_ERROR:
            self.body.cut = failure.detail
        else:
            self.failure = failure

    @property
    def is_page(self) -> bool:
        """Whether a page came, whole or cut."""
        return self.failure is None and self.reading is Reading.PAGE

    def _since_began_ms(self) -> int:
        return round((time.perf_counter() - self._began) * 1000)


def visit_of(hop: Hop, extract: Extract | None = None) -> Visit:
    """The visit that a finished hop amounts to; `extract` is what its body yielded, if read.

    Of an error page only the facts are kept: its links lead nowhere that a visitor would go.
    """
    head = hop.head
    failure = hop.failure
    if head is None:
        failure = failure or Failure(Outcome.UNEXPECTED_ERROR, "no answer and no failure")
        return Visit(
            outcome=failure.outcome,
            detail=failure.detail,
            transient=failure.transient,
            elapsed_ms=hop.elapsed_ms,
            fetched_at=hop.fetched_at,
        )
    outcome, location, detail = _told(hop, head)
    is_file = outcome is Outcome.FILE and not hop.body.data
    has_links = extract is not None and outcome is Outcome.PAGE
    return Visit(
        outcome=outcome,
        status=head.status,
        reason=head.reason,
        headers=head.headers,
        location=location,
        content_type=head.content_type,
        charset=extract.charset if extract else (head.charset or ""),
        size_bytes=(head.length or 0) if is_file else len(hop.body.data),
        raw_bytes=hop.body.raw_bytes,
        ttfb_ms=hop.ttfb_ms,
        elapsed_ms=hop.elapsed_ms,
        fetched_at=hop.fetched_at,
        detail=detail,
        transient=failure is not None and failure.transient,
        truncated=bool(hop.body.cut)
        or failure is not None
        or (hop.is_page and head.status == _PARTIAL_CONTENT),
        facts=extract.facts if extract else None,
        targets=extract.targets if extract and has_links else [],
        links=extract.links if extract and has_links else [],
    )


def _told(hop: Hop, head: Head) -> tuple[Outcome, str | None, str]:
    """Outcome, redirect's target and detail of a hop that was answered."""
    if hop.failure is not None:
        return hop.failure.outcome, None, hop.failure.detail
    if hop.is_page:
        return Outcome.PAGE, None, hop.body.cut
    redirect = redirect_of(hop.url, head)
    if redirect is not None:
        return redirect
    return outcome_of(head), None, hop.body.cut
