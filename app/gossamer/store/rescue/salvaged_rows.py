"""Reads from salvaged tables what a new project takes over as it is."""

import sqlite3

from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.outcome_details import detail_of
from gossamer.model.store_batch import RobotsRow


def salvaged_robots(scratch: sqlite3.Connection) -> list[RobotsRow]:
    """What is known of each origin's robots.txt."""
    rows = scratch.execute("SELECT origin, status, text, detail, fetched_at FROM robots")
    return [
        RobotsRow(site, status, text, detail_of(detail), at)
        for site, status, text, detail, at in rows
    ]


def salvaged_owed(scratch: sqlite3.Connection) -> list[int]:
    """The URLs whose better rank was not passed on yet."""
    query = "SELECT DISTINCT id FROM owed JOIN url USING (id)"
    return [url_id for (url_id,) in scratch.execute(query)]


def salvaged_ignored(scratch: sqlite3.Connection) -> list[IgnoredIssue]:
    """What issues were ignored; the address of a URL that was lost is left as a pattern."""
    rows = scratch.execute(
        "SELECT rule, pattern, u.id, reason, author, ignored_at"
        " FROM ignored_issue g LEFT JOIN url u ON u.id = g.id"
    )
    return [IgnoredIssue(*row) for row in rows]
