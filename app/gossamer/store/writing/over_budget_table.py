"""What budgets against traps left out, as the project file has it."""

import sqlite3

from msgspec.structs import replace

from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import detail_of
from gossamer.model.store_batch import UrlRow
from gossamer.store.writing.rank_propagation import url_rows

_OVER_BUDGET = int(Outcome.OVER_BUDGET)
_WHERE = "outcome = ? AND id < ? ORDER BY id DESC LIMIT ?"
_DETAILS = """
    SELECT u.id, v.value FROM url u JOIN text v ON v.id = u.detail
    WHERE u.outcome = ? AND u.id < ? ORDER BY u.id DESC LIMIT ?
"""


def left_out(connection: sqlite3.Connection, before: int, limit: int) -> list[UrlRow]:
    """Up to `limit` URLs left out, with an id below `before`, the last first.

    Their details name the budget.
    """
    rows = list(url_rows(connection, _WHERE, (_OVER_BUDGET, before, limit)))
    details = dict(connection.execute(_DETAILS, (_OVER_BUDGET, before, limit)).fetchall())
    return [replace(row, detail=detail_of(details.get(row.id))) for row in rows]
