"""SQL queries to be offered again, newest first: those that were executed, and drafts."""

from collections.abc import Sequence
from typing import Final

MAX_QUERIES: Final = 50
_LONGEST: Final = 20_000
"""The longest query that is kept, in characters."""


def with_query(queries: Sequence[str], sql: str) -> list[str]:
    """Queries with this one first, at most MAX_QUERIES; as they are if it is empty or very long.

    >>> with_query(["SELECT 1", "SELECT 2"], "SELECT 2")
    ['SELECT 2', 'SELECT 1']
    """
    if not sql.strip() or len(sql) > _LONGEST:
        return list(queries)
    return [sql, *(known for known in queries if known != sql)][:MAX_QUERIES]
