"""Reads and writes `audit_state`: what the audit results in a project are based on."""

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from gossamer.model.audit_state import AuditState
from gossamer.model.rule_comparability import RuleComparability
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
        noted = _in_common(row[0], wanted)
    connection.execute("UPDATE audit_state SET page_thresholds = ?", (noted,))


def _in_common(before: str, now: str) -> str:
    """Thresholds of which those that differ are null, because some rows are of either."""
    was, is_ = msgspec.json.decode(before), msgspec.json.decode(now)
    kept = {name: is_[name] if is_[name] == was.get(name) else None for name in is_}
    return msgspec.json.encode(kept).decode()


def note_page_rules(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    """Note that the page rules of all pages are decided again, with these thresholds."""
    connection.execute("UPDATE audit_state SET page_thresholds = ?", (thresholds_of(settings),))


def note_stages_begun(connection: sqlite3.Connection, settings: CrawlSettings) -> None:
    """Note that stages run, with these thresholds: some rows are theirs, and others older.

    All are at least of the content that the last audit had seen that came to its end.
    """
    (before,) = connection.execute("SELECT stage_thresholds FROM audit_state").fetchone()
    noted = None if before is None else _in_common(before, thresholds_of(settings))
    connection.execute("UPDATE audit_state SET stage_thresholds = ?, complete = 0", (noted,))


def note_stages(
    connection: sqlite3.Connection, settings: CrawlSettings, content_stamp: int
) -> None:
    """Note of what content, and with which thresholds, the results of all stages are."""
    connection.execute(
        "UPDATE audit_state SET stage_thresholds = ?, content_stamp = ?, complete = 1",
        (thresholds_of(settings), content_stamp),
    )


class AuditThresholds(NamedTuple):
    """The thresholds that rules were decided with; empty if they never were, or if unknown.

    None for one that differs between rows.
    """

    of_pages: Mapping[str, object]
    of_stages: Mapping[str, object]

    def of(self, basis: RuleComparability) -> Mapping[str, object]:
        """Those of a rule."""
        return self.of_stages if basis.has_stage else self.of_pages


def read_thresholds(connection: sqlite3.Connection) -> AuditThresholds:
    """ValueError for what is none of ours."""
    row = connection.execute("SELECT page_thresholds, stage_thresholds FROM audit_state").fetchone()
    found = [{} if text is None else msgspec.json.decode(text) for text in row or (None, None)]
    return AuditThresholds(*(msgspec.convert(each, dict[str, object]) for each in found))


def seen_content(connection: sqlite3.Connection) -> int:
    """What `read_content_stamp` gave to the last site audit that came to its end.

    Of visits with a higher stamp its rules know nothing. -1 before the first one.
    """
    row = connection.execute(
        "SELECT content_stamp FROM audit_state WHERE stage_thresholds IS NOT NULL"
    ).fetchone()
    return -1 if row is None else int(row[0])


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
