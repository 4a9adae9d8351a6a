"""A project as a whole, counted."""

import sqlite3
from pathlib import Path

from app.model.errors import ProjectError
from app.model.outcome import Outcome
from app.model.rows import Summary
from app.model.settings import decode_settings
from app.model.state import CrawlState


def read_summary(connection: sqlite3.Connection, path: Path) -> Summary:
    """Read and count; ProjectError if the settings are not ours. Takes a look at every URL."""
    settings, state, seconds, created_at = connection.execute(
        "SELECT settings, state, seconds, created_at FROM project"
    ).fetchone()
    (last_id,) = connection.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
    (size_bytes,) = connection.execute("SELECT coalesce(sum(size_bytes), 0) FROM visit").fetchone()
    try:
        return Summary(
            settings=decode_settings(settings),
            state=CrawlState(state),
            seconds=seconds,
            last_id=last_id,
            size_bytes=size_bytes,
            statuses=count_statuses(connection),
            outcomes=count_outcomes(connection),
            created_at=created_at,
        )
    except ValueError as e:
        raise ProjectError(f"The settings in {path} cannot be read; crawl again.") from e


def count_statuses(connection: sqlite3.Connection) -> dict[int, int]:
    """HTTP status → URLs."""
    return dict(
        connection.execute(
            "SELECT status, count(*) FROM visit WHERE status IS NOT NULL GROUP BY status"
        )
    )


def count_outcomes(connection: sqlite3.Connection) -> dict[Outcome, int]:
    """Outcome → URLs."""
    rows = connection.execute("SELECT outcome, count(*) FROM url GROUP BY outcome")
    return {Outcome(outcome): number for outcome, number in rows}
