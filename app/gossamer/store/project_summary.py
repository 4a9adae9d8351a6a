"""Reads the summary of a project: settings, state and counts."""

import sqlite3
from pathlib import Path
from typing import Any

from gossamer.model.crawl_state import CrawlState
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.store_batch import ProjectSummary
from gossamer.store.count_tables import count_outcomes, count_statuses
from gossamer.store.database import damaged
from gossamer.store.risky_url_table import read_risky_urls
from gossamer.store.shard_tables import read_peers, read_shard
from gossamer.store.site_check_table import read_known_checks
from gossamer.store.stored_settings import checked_settings


def read_summary(connection: sqlite3.Connection, path: Path) -> ProjectSummary:
    """Read it; ProjectError if the settings are not ours."""
    state, seconds, created_at, stamp, series, *previous, base_position = connection.execute(
        "SELECT state, seconds, created_at, content_stamp, series, base_path, base_created_at,"
        " base_position FROM project"
    ).fetchone()
    (last_id,) = connection.execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
    received_bytes, unchanged = connection.execute(
        "SELECT total(received_bytes), total(unchanged) FROM status_count"
    ).fetchone()
    try:
        return ProjectSummary(
            settings=checked_settings(connection, path),
            state=CrawlState(state),
            seconds=float(seconds),
            last_id=last_id,
            received_bytes=int(received_bytes),
            unchanged=int(unchanged),
            statuses=count_statuses(connection),
            outcomes=count_outcomes(connection),
            created_at=float(created_at),
            content_stamp=int(stamp),
            series=series,
            previous=_reference(*previous),
            base_position=int(base_position),
            site_checks=read_known_checks(connection),
            risky=read_risky_urls(connection),
            shard=read_shard(connection),
            peers=read_peers(connection),
        )
    except (ValueError, TypeError, OverflowError) as e:
        raise damaged(path) from e


def _reference(path: object, created_at: Any) -> PreviousCrawlReference | None:  # noqa: ANN401 - as SQLite has it
    return None if path is None else PreviousCrawlReference(str(path), float(created_at))
