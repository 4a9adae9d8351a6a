"""Writes the rows of `custom_value`: the results of custom searches and extractions per page."""

import sqlite3
from collections.abc import Iterable
from typing import Final

from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import NULL, BulkInsert, Value
from gossamer.store.count_tables import CountTables, CustomCount

_VALUES: Final = BulkInsert("custom_value", "definition, id, position, value, failure")
_OUTCOMES: Final = (
    "SELECT definition, failure, value FROM custom_value WHERE id = ? AND position = 0"
    " AND definition IN (SELECT definition FROM custom_count)"
)
_REMOVE: Final = (
    "DELETE FROM custom_value WHERE id = ? AND definition IN (SELECT definition FROM custom_count)"
)


def add_custom_values(
    connection: sqlite3.Connection, rows: Iterable[VisitRow], tallies: CountTables
) -> None:
    """Write the results of visits, in the transaction that is open: see `remove_custom_values`.

    One without a value has a row all the same, which says that there is none.
    """
    found = {(each.number, row.id): each for row in rows for each in row.visit.custom}
    values: list[Value] = []
    for (number, url_id), result in sorted(found.items()):
        failure = NULL if result.failure is None else int(result.failure)
        first = result.values[0] if result.values else None
        tallies.custom(number, _column(result.failure, first))
        for position, value in enumerate(result.values or [NULL]):
            values += (number, url_id, position, value, failure)
    _VALUES.run(connection, values)


def remove_custom_values(
    connection: sqlite3.Connection, ids: Iterable[int], tallies: CountTables
) -> None:
    """Remove the results of URLs that are visited again."""
    if connection.execute("SELECT 1 FROM custom_count LIMIT 1").fetchone() is None:
        return
    for url_id in ids:
        for number, failure, value in connection.execute(_OUTCOMES, (url_id,)).fetchall():
            tallies.custom(number, _column(failure, value), -1)
        connection.execute(_REMOVE, (url_id,))


def _column(failure: int | None, first: str | int | None) -> CustomCount:
    if failure is not None:
        return "failed"
    return "missing" if first is None or first == 0 else "found"
