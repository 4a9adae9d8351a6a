"""Takes the snapshot of a crawl that its series keeps: its figures and its issues."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.crawl_progress import progress_of
from gossamer.model.overview_data import percentile
from gossamer.model.series_contents import CrawlSnapshot, is_series_id
from gossamer.model.timestamps import is_time
from gossamer.store.audit_status import read_audit_state
from gossamer.store.count_tables import count_times
from gossamer.store.database import damaged, open_for_reading, translated_reading
from gossamer.store.project_summary import read_summary
from gossamer.store.reading.ignored_rows import count_open_issues

_LAST_RESPONSE: Final = (
    "SELECT max(fetched_at) FROM (SELECT fetched_at FROM visit ORDER BY id DESC LIMIT 1000)"
)
"""Of those found last. Reading all responses of a large project takes a second."""
_TYPICAL: Final = 50
_SLOW: Final = 90


def read_identity(project: Path) -> tuple[str, float]:
    """The id of the series of a project, and when the project was made: that names it in there.

    ProjectError if it cannot be read.
    """
    with translated_reading(project), closing(open_for_reading(project)) as connection:
        series, created_at = connection.execute("SELECT series, created_at FROM project").fetchone()
        if not is_series_id(series) or not is_time(created_at):
            raise damaged(project)
        return series, float(created_at)


def take_snapshot(
    project: Path, priorities: Mapping[int, str | None]
) -> tuple[str, CrawlSnapshot, dict[int, int]]:
    """The series of a project, its figures now, and its issues: rule → URLs, without ignored ones.

    `priorities` are those of the rules: "high", "medium" or "low". Some milliseconds, however large
    the project is. ProjectError if it cannot be read.
    """
    with translated_reading(project), closing(open_for_reading(project)) as connection:
        connection.execute("BEGIN")
        summary = read_summary(connection, project)
        issues = count_open_issues(connection)
        times = count_times(connection)
        (last_at,) = connection.execute(_LAST_RESPONSE).fetchone()
        state = read_audit_state(connection)
    begun = summary.created_at
    # The file of the series is damaged by other values, for all its crawls.
    if not is_series_id(summary.series) or not all(
        map(is_time, (begun, summary.seconds, last_at or 0.0))
    ):
        raise damaged(project)
    progress = progress_of(summary)
    counts = dict.fromkeys(("high", "medium", "low"), 0)
    for rule, urls in issues.items():
        priority = priorities.get(rule)
        if priority is not None:
            counts[priority] += urls
    snapshot = CrawlSnapshot(
        created_at=begun,
        project=str(project.absolute()),
        root=next(iter(summary.settings.roots), ""),
        state=progress.state,
        ended_at=max(begun, float(last_at or begun)),
        seconds=summary.seconds,
        urls=progress.known,
        pages=progress.pages,
        redirects=progress.redirects,
        errors=progress.errors,
        median_ms=percentile(times, _TYPICAL),
        p90_ms=percentile(times, _SLOW),
        audited=state.is_current,
        **counts,
    )
    return summary.series, snapshot, issues
