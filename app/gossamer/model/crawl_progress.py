"""Computes the progress of a crawl from its counts of URLs by outcome."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from gossamer.model.crawl_state import CrawlState, at_rest
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_counts import DONE, ERRORS, KNOWN, LEFT_OUT, QUEUED, REDIRECTS, count
from gossamer.model.store_batch import ProjectSummary


def progress_by(
    outcomes: Mapping[Outcome, int],
    statuses: Mapping[int, int],
    **others: Any,
) -> Progress:
    """The counters of a crawl with these numbers of URLs of each outcome and HTTP status."""
    return Progress(
        known=count(outcomes, KNOWN),
        queued=count(outcomes, QUEUED),
        fetched=count(outcomes, DONE),
        pages=count(outcomes, PAGES),
        redirects=count(outcomes, REDIRECTS),
        errors=count(outcomes, ERRORS),
        skipped=count(outcomes, LEFT_OUT),
        statuses={status: n for status, n in statuses.items() if n},
        outcomes={int(outcome): n for outcome, n in outcomes.items() if n},
        **others,
    )


def progress_of(summary: ProjectSummary) -> Progress:
    """The progress of a project that is not being crawled."""
    return progress_by(
        summary.outcomes,
        summary.statuses,
        state=at_rest(summary.state),
        seconds=summary.seconds,
        received_bytes=summary.received_bytes,
        unchanged=summary.unchanged,
        workers=summary.settings.workers,
    )


def at_standstill(progress: Progress, state: CrawlState, **changes: Any) -> Progress:
    """The progress of a crawl that makes no more requests, with other `changes`."""
    return structs.replace(
        progress, state=state, active=0, in_flight=[], nodes=[], pages_per_second=0.0, **changes
    )
