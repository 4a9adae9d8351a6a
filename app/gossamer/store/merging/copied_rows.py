"""Copies from shards what no response has: budgets, renderings, archives, ignored issues."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.store.bulk_insert import marks
from gossamer.store.database import translated
from gossamer.store.issue_ignoring import restore_ignored
from gossamer.store.merging.merged_archive import MergedNames, copy_archive_rows
from gossamer.store.merging.shard_files import ShardFile
from gossamer.store.writer_lock import open_beside_writer
from gossamer.store.writing.rendering_rows import RENDERING_TABLES

NewIds = Callable[[ShardFile, Sequence[int]], dict[int, int]]
"""The ids of URLs of a shard in the merged project."""
_MANY: Final = 500
_MOST_BUDGETS: Final = 100_000
_IGNORED: Final = "SELECT rule, pattern, reason, author, ignored_at FROM ignored_issue"


def summed_budgets(shards: Sequence[ShardFile]) -> dict[str, int]:
    """What all shards have spent of each budget; of those of which most is spent."""
    spent: Counter[str] = Counter()
    query = "SELECT key, spent FROM budget ORDER BY spent DESC LIMIT ?"
    for shard in shards:
        for key, of_shard in shard.connection.execute(query, (_MOST_BUDGETS // len(shards),)):
            spent[key] += of_shard
    return dict(spent)


def copy_dependent_rows(
    shards: Sequence[ShardFile], target: Path, new_ids: NewIds, names: MergedNames
) -> None:
    """Copy what takes no part in the crawl: its identity, ignored issues, rendered pages."""
    first = shards[0].summary
    begun = min(shard.summary.created_at for shard in shards)
    with translated(target), closing(open_beside_writer(target)) as connection:
        connection.execute("UPDATE project SET series = ?, created_at = ?", (first.series, begun))
        for shard in shards:
            for table in RENDERING_TABLES:
                _copy(shard, table, connection, new_ids)
            copy_archive_rows(shard, names, connection, new_ids)
    for shard in shards:
        rows = shard.connection.execute(_IGNORED)
        restore_ignored(
            target, [IgnoredIssue(rule, pattern, None, *rest) for rule, pattern, *rest in rows]
        )


def _copy(shard: ShardFile, table: str, connection: sqlite3.Connection, new_ids: NewIds) -> None:
    """Copy a table of pages whose first column is their id, some hundred rows at a time."""
    for rows in _rows_of(shard, table):
        new = new_ids(shard, [row[0] for row in rows])
        insert = f"INSERT INTO {table} VALUES ({marks(len(rows[0]))})"  # noqa: S608 - our own names
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(insert, [(new[row[0]], *row[1:]) for row in rows])
        connection.execute("COMMIT")


def _rows_of(shard: ShardFile, table: str) -> Iterator[list[tuple[int, *tuple[object, ...]]]]:
    after = 0
    query = f"SELECT * FROM {table} WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - our own names
    while rows := shard.connection.execute(query, (after, _MANY)).fetchall():
        after = rows[-1][0]
        yield rows
