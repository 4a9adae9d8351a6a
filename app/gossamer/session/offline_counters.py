"""The counters of a crawl that has no process to tell them."""

import msgspec

from gossamer.model.messages import Progress, progress_by
from gossamer.model.state import CrawlState, at_rest
from gossamer.model.store_batch import ProjectSummary


def progress_of(summary: ProjectSummary) -> Progress:
    """The progress of a project that is not being crawled."""
    return progress_by(
        summary.outcomes,
        summary.statuses,
        state=at_rest(summary.state),
        seconds=summary.seconds,
        raw_bytes=summary.raw_bytes,
        workers=summary.settings.workers,
    )


def failed(progress: Progress) -> Progress:
    """The same when the process has ended by itself."""
    return msgspec.structs.replace(
        progress, state=CrawlState.FAILED, active=0, in_flight=[], pages_per_second=0.0
    )
