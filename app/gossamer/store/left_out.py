"""What budgets against traps left out, as the project file has it."""

import sqlite3

from msgspec.structs import replace

from gossamer.model.outcome import Outcome
from gossamer.model.rows import UrlRow
from gossamer.store.ranks import url_rows

_OVER_BUDGET = int(Outcome.OVER_BUDGET)
_WHERE = "outcome = ? AND id > ? ORDER BY id LIMIT ?"
_DETAILS = """
    SELECT u.id, v.value FROM url u JOIN text v ON v.id = u.detail
    WHERE u.outcome = ? AND u.id > ? ORDER BY u.id LIMIT ?
"""


def left_out(connection: sqlite3.Connection, after: int, limit: int) -> list[UrlRow]:
    """Up to `limit` URLs left out, with an id above `after`; their details name the budget."""
    rows = list(url_rows(connection, _WHERE, (_OVER_BUDGET, after, limit)))
    details = dict(connection.execute(_DETAILS, (_OVER_BUDGET, after, limit)).fetchall())
    return [replace(row, detail=details.get(row.id, "")) for row in rows]
