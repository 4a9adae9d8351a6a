"""Reads and writes `audit_state`: of what the results of the audit in a project are."""

import sqlite3

import msgspec

from gossamer.model.audit_state import AuditState
from gossamer.model.settings.crawl_settings import CrawlSettings, thresholds_of
from gossamer.store.stored_settings import settings_in


def init_audit(connection: sqlite3.Connection, settings: CrawlSettings | None) -> None:
    """Write the row of a new project. Without settings, its visits come without their issues."""
    thresholds = None if settings is None else thresholds_of(settings)
    connection.execute("INSERT INTO audit_state (id, page_thresholds) VALUES (1, ?)", (thresholds,))


def note_settings(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    """Take note of other settings: page rules were decided with those before.

    A threshold that differs is null from now on, because later pages are decided with another one
    than those that are there. As long as no page was read, all will be decided with the new ones.
    """
    wanted = thresholds_of(settings)
    row = connection.execute("SELECT page_thresholds FROM audit_state").fetchone()
    if row is None or row[0] == wanted:
        return
    if connection.execute("SELECT 1 FROM visit").fetchone() is None:
        noted = wanted
    elif row[0] is None:
        return
    else:
        before, now = msgspec.json.decode(row[0]), msgspec.json.decode(wanted)
        kept = {name: now[name] if now[name] == before.get(name) else None for name in now}
        noted = msgspec.json.encode(kept).decode()
    connection.execute("UPDATE audit_state SET page_thresholds = ?", (noted,))


def note_page_rules(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    """Note that the page rules of all pages are decided anew, with these thresholds."""
    connection.execute("UPDATE audit_state SET page_thresholds = ?", (thresholds_of(settings),))


def note_stages(
    connection: sqlite3.Connection, settings: CrawlSettings, content_stamp: int, *, complete: bool
) -> None:
    """Note of what content, and with which thresholds, the stages' results are.

    Not `complete` while they run: some rows are older then.
    """
    connection.execute(
        "UPDATE audit_state SET stage_thresholds = ?, content_stamp = ?, complete = ?",
        (thresholds_of(settings), content_stamp, int(complete)),
    )


def read_content_stamp(connection: sqlite3.Connection) -> int:
    """A number that rises with each commit that changes URLs, visits or links."""
    (stamp,) = connection.execute("SELECT content_stamp FROM project").fetchone()
    return int(stamp)


def read_audit_state(
    connection: sqlite3.Connection, settings: CrawlSettings | None = None
) -> AuditState:
    """Whether the results are up to date, by the thresholds of `settings` or the project's own.

    ValueError for what is none of ours.
    """
    wanted = thresholds_of(settings or settings_in(connection))
    row = connection.execute(
        "SELECT page_thresholds, stage_thresholds, content_stamp, complete FROM audit_state"
    ).fetchone()
    if row is None:
        return AuditState(page_rules=False, stages=False)
    of_pages, of_stages, stamp, complete = row
    stages = bool(complete) and of_stages == wanted and stamp == read_content_stamp(connection)
    return AuditState(page_rules=of_pages == wanted, stages=stages)
