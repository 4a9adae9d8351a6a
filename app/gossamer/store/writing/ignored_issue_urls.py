"""Binds ignored issues of a recrawl, known by address before, to its own URLs."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from gossamer.model.store_batch import UrlRow


def bind_ignored(
    connection: sqlite3.Connection, lookup: Callable[[Sequence[str]], Mapping[str, UrlRow]]
) -> None:
    """Give patterns that are the address of a known URL its id, in the transaction that is open."""
    rows = connection.execute(
        "SELECT DISTINCT pattern FROM ignored_issue WHERE id IS NULL AND instr(pattern, '*') = 0"
    )
    known = lookup([pattern for (pattern,) in rows.fetchall()])
    connection.executemany(
        "UPDATE ignored_issue SET id = ? WHERE id IS NULL AND pattern = ?",
        [(row.id, url) for url, row in known.items()],
    )
