"""Writes what stands beside visits: issues, custom results, renderings, places in the archive."""

import sqlite3
from collections.abc import Sequence

from gossamer.model.store_batch import VisitRow
from gossamer.store.count_tables import CountTables
from gossamer.store.writing.archive_rows import add_archive_records, remove_archive_records
from gossamer.store.writing.custom_rows import add_custom_values, remove_custom_values
from gossamer.store.writing.issue_rows import (
    add_background_issues,
    add_issues,
    add_link_issues,
    add_resource_issues,
    remove_issues,
)
from gossamer.store.writing.rendering_rows import add_renderings, remove_renderings
from gossamer.store.writing.text_rows import add_texts, remove_texts


def add_dependent_rows(
    connection: sqlite3.Connection, rows: list[VisitRow], tallies: CountTables
) -> None:
    """Write it for visits, none of whose URLs has any, in the transaction that is open."""
    add_issues(connection, rows, tallies)
    add_link_issues(connection, rows)
    add_resource_issues(connection, rows)
    add_background_issues(connection, rows)
    add_custom_values(connection, rows, tallies)
    add_renderings(connection, rows)
    add_texts(connection, rows)
    add_archive_records(connection, rows)


def remove_dependent_rows(
    connection: sqlite3.Connection, ids: Sequence[int], tallies: CountTables
) -> None:
    """Remove that of URLs that are visited again."""
    remove_issues(connection, ids, tallies)
    remove_custom_values(connection, ids, tallies)
    remove_renderings(connection, ids)
    remove_texts(connection, ids)
    remove_archive_records(connection, ids)
