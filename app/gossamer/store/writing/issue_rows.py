"""Writes the rows of the `issue` table: which rules of the audit hold for which URLs."""

import sqlite3
from collections.abc import Iterable
from itertools import chain
from typing import Final

from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import BulkInsert
from gossamer.store.count_tables import CountTables

_FOUND: Final = BulkInsert("issue", "rule, id", "ON CONFLICT DO NOTHING")
_OF_PAGE_RULES: Final = (
    "FROM issue WHERE id = ? AND rule IN (SELECT rule FROM issue_count WHERE live)"
)


def add_issues(
    connection: sqlite3.Connection, rows: Iterable[VisitRow], tallies: CountTables
) -> None:
    """Write the issues of visits, in the transaction that is open: see `remove_issues`."""
    found = sorted((rule, row.id) for row in rows for rule in row.visit.issues)
    tallies.issues(rule for rule, _ in found)
    _FOUND.run(connection, list(chain.from_iterable(found)))


def remove_issues(connection: sqlite3.Connection, ids: Iterable[int], tallies: CountTables) -> None:
    """Remove the rows of page rules of URLs that are visited anew.

    Those of stage rules stay until the stages run again.
    """
    for url_id in ids:
        found = connection.execute(f"SELECT rule {_OF_PAGE_RULES}", (url_id,)).fetchall()
        if found:
            tallies.no_issues(rule for (rule,) in found)
            connection.execute(f"DELETE {_OF_PAGE_RULES}", (url_id,))


def record_count(connection: sqlite3.Connection, rule: int, *, live: bool = False) -> None:
    """Count the rows of a rule anew, after others were put in their place."""
    connection.execute(
        "INSERT OR REPLACE INTO issue_count (rule, urls, live)"
        " VALUES (?1, (SELECT count(*) FROM issue WHERE rule = ?1), ?2)",
        (rule, int(live)),
    )
