"""Reads from salvaged tables what a new project takes over as it is."""

import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from gossamer.model.custom_definitions import CustomFailure, CustomResult
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


_BUDGETS: Final = """
    SELECT key, spent FROM budget WHERE key > ? AND spent BETWEEN 1 AND (SELECT max(id) FROM url)
    ORDER BY key LIMIT ?
"""
"""No more is spent of a budget than there are URLs."""
_MANY: Final = 500


def salvaged_budgets(scratch: sqlite3.Connection) -> Iterator[dict[str, int]]:
    """What is spent of each budget, some hundred at a time."""
    key = ""
    while budgets := dict(scratch.execute(_BUDGETS, (key, _MANY)).fetchall()):
        key = max(budgets)
        yield budgets


_CUSTOM: Final = """
    SELECT id, definition, value, failure FROM custom_value WHERE id BETWEEN ? AND ?
    ORDER BY id, definition, position
"""


def salvaged_custom(
    scratch: sqlite3.Connection, first: int, last: int
) -> dict[int, list[CustomResult]]:
    """The custom results of pages with these ids and all between, by id."""
    scratch.execute("CREATE INDEX IF NOT EXISTS custom_of_page ON custom_value (id)")
    rows = scratch.execute(_CUSTOM, (first, last))
    found: dict[int, list[CustomResult]] = {}
    for (url_id, definition), group in groupby(rows, key=itemgetter(0, 1)):
        values, failures = zip(*((value, failure) for _, _, value, failure in group), strict=True)
        failure = None if failures[0] is None else CustomFailure(failures[0])
        known = [value for value in values if value is not None]
        found.setdefault(url_id, []).append(CustomResult(definition, known, failure))
    return found
