"""Copies from salvaged tables what a new project keeps unchanged."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.custom_definitions import CustomResult
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.store.bulk_insert import marks
from gossamer.store.database import translated
from gossamer.store.issue_ignoring import restore_ignored
from gossamer.store.reading.stored_visits import custom_by_page
from gossamer.store.rescue.row_salvage import columns_of
from gossamer.store.writer_lock import open_beside_writer
from gossamer.store.writing.rendering_rows import RENDERING_TABLES


def salvaged_owed(scratch: sqlite3.Connection) -> list[int]:
    """The URLs whose better rank was not passed on yet."""
    query = "SELECT DISTINCT id FROM owed JOIN url USING (id)"
    return [url_id for (url_id,) in scratch.execute(query)]


def copy_dependent_rows(scratch: sqlite3.Connection, target: Path) -> None:
    """Copy what takes no part in the crawl: ignored issues, rendered pages, the archive's rows."""
    _copy_ignored(scratch, target)
    _copy_renderings(scratch, target)
    _copy_archive_rows(scratch, target)


def _copy_ignored(scratch: sqlite3.Connection, target: Path) -> None:
    """The address of a URL that was lost is left as a pattern."""
    rows = scratch.execute(
        "SELECT rule, pattern, u.id, reason, author, ignored_at"
        " FROM ignored_issue g LEFT JOIN url u ON u.id = g.id"
    )
    restore_ignored(target, [IgnoredIssue(*row) for row in rows])


def _copy_renderings(scratch: sqlite3.Connection, target: Path) -> None:
    """Copy those of pages whose visits were saved, some hundred at a time."""
    with translated(target), closing(open_beside_writer(target)) as connection:
        for table in RENDERING_TABLES:
            names = columns_of(table)
            columns = ", ".join(names)
            found = scratch.execute(
                f"SELECT {columns} FROM {table}"  # noqa: S608 - our own names
                " WHERE id IN (SELECT v.id FROM visit v JOIN url u ON u.id = v.id)"
            )
            insert = f"INSERT INTO {table} ({columns}) VALUES ({marks(len(names))})"  # noqa: S608 - our own names
            while rows := found.fetchmany(_MANY):
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(insert, rows)
                connection.execute("COMMIT")


_ARCHIVE: Final = (
    "SELECT f.name, offset, length, kind, r.id, r.url, digest, payload_offset,"
    " f.node, f.folder FROM archive_record r"
    " JOIN archive_file f ON f.id = r.file WHERE offset >= 0 AND length > 0"
    " AND kind BETWEEN 1 AND 4 AND (r.id IN (SELECT v.id FROM visit v JOIN url u ON u.id = v.id)"
    " OR r.id IS NULL AND r.url IS NOT NULL)"
)


def _copy_archive_rows(scratch: sqlite3.Connection, target: Path) -> None:
    """Copy the locations of the pages' responses in the archive, of which nothing is lost.

    And those that belong to no page, such as robots.txt.
    """
    found = scratch.execute(_ARCHIVE)
    with translated(target), closing(open_beside_writer(target)) as connection:
        while rows := found.fetchmany(_MANY):
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR IGNORE INTO archive_file (name, node, folder) VALUES (?, ?, ?)",
                [(row[0], *row[-2:]) for row in rows],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO archive_record"
                " (file, offset, length, kind, id, url, digest, payload_offset) VALUES"
                " ((SELECT id FROM archive_file WHERE name = ?), ?, ?, ?, ?, ?, ?, ?)",
                [row[:-2] for row in rows],
            )
            connection.execute("COMMIT")


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
    return custom_by_page(scratch.execute(_CUSTOM, (first, last)))
