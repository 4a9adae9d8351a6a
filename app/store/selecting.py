"""Selections of URLs as SQL."""

import sqlite3

from app.model.messages import Selection
from app.model.outcome import ERROR_OUTCOMES
from app.model.rows import UrlRow
from app.store.ranks import url_rows

_ERRORS = ", ".join(str(int(outcome)) for outcome in sorted(ERROR_OUTCOMES))
_BELOW = """
    id IN (
        WITH RECURSIVE below (id) AS (
            SELECT ? UNION SELECT url.id FROM url JOIN below ON url.parent = below.id
        )
        SELECT id FROM below
    )
"""


def selected(
    connection: sqlite3.Connection, selection: Selection, after: int, limit: int
) -> list[UrlRow]:
    """Up to `limit` URLs of `selection` with an id above `after`, by id."""
    conditions = ["id > ?"]
    values: list[int | str] = [after]
    if selection.ids:
        conditions.append("id IN (SELECT value FROM json_each(?))")
        values.append(str(list(selection.ids)))
    if selection.folder:
        conditions.append("substr(url, 1, ?) = ?")
        values += [len(selection.folder), selection.folder]
    if selection.below is not None:
        conditions.append(_BELOW)
        values.append(selection.below)
    if selection.failed:
        conditions.append(f"outcome IN ({_ERRORS})")
    condition = f"{' AND '.join(conditions)} ORDER BY id LIMIT ?"
    return list(url_rows(connection, condition, (*values, limit)))
