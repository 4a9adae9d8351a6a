"""The counters of a crawl that has no process to tell them."""

import msgspec

from gossamer.model.messages import Progress
from gossamer.model.outcome import ERROR_OUTCOMES, PAGES, UrlState
from gossamer.model.rows import Summary
from gossamer.model.state import CrawlState, at_rest


def progress_of(summary: Summary) -> Progress:
    """The progress of a project that is not being crawled."""
    outcomes = summary.outcomes

    def count(states: set[UrlState]) -> int:
        return sum(n for outcome, n in outcomes.items() if outcome.state in states)

    return Progress(
        state=at_rest(summary.state),
        seconds=summary.seconds,
        known=sum(outcomes.values()),
        queued=count({UrlState.QUEUED}),
        fetched=count({UrlState.DONE, UrlState.FAILED}),
        pages=sum(outcomes.get(outcome, 0) for outcome in PAGES),
        redirects=sum(n for outcome, n in outcomes.items() if outcome.is_redirect),
        errors=sum(n for outcome, n in outcomes.items() if outcome in ERROR_OUTCOMES),
        skipped=count({UrlState.SKIPPED, UrlState.CANCELLED}),
        raw_bytes=summary.raw_bytes,
        workers=summary.settings.workers,
        statuses=dict(summary.statuses),
        outcomes={int(outcome): n for outcome, n in outcomes.items() if n},
    )


def failed(progress: Progress) -> Progress:
    """The same when the process has ended by itself."""
    return msgspec.structs.replace(
        progress, state=CrawlState.FAILED, active=0, in_flight=[], pages_per_second=0.0
    )
