"""Writes the results of rendering: the tables `rendering`, `rendering_detail` and `screenshot`."""

import sqlite3
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from gossamer.model.rendering import Rendering
from gossamer.model.rendering_encoding import encode_details
from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import NULL, BulkInsert, Value
from gossamer.store.field_sql import RENDERING_COLUMNS

RENDERING_TABLES: Final = ("rendering", "rendering_detail", "screenshot")
_NAMES: Final = tuple(each.name for each in RENDERING_COLUMNS)
_values = attrgetter(*_NAMES)
_RENDERING: Final = BulkInsert("rendering", ", ".join(("id", *_NAMES)))
_DETAIL: Final = BulkInsert("rendering_detail", "id, details")
_SCREENSHOT: Final = BulkInsert("screenshot", "id, jpeg")
_REMOVE: Final = [f"DELETE FROM {table} WHERE id = ?" for table in RENDERING_TABLES]  # noqa: S608 - our own names


def add_renderings(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write what a browser made of visits, in the transaction that is open.

    None of the URLs may have any: see `remove_renderings`.
    """
    found = [(row.id, row.visit.rendering) for row in rows if row.visit.rendering is not None]
    if not found:
        return
    found.sort(key=lambda each: each[0])
    values: list[Value] = []
    details: list[Value] = []
    screenshots: list[Value] = []
    for url_id, rendering in found:
        values += (url_id, *_row(rendering))
        encoded = encode_details(rendering.details)
        if encoded is not None:
            details += (url_id, encoded)
        if rendering.screenshot:
            screenshots += (url_id, rendering.screenshot)
    _RENDERING.run(connection, values)
    _DETAIL.run(connection, details)
    _SCREENSHOT.run(connection, screenshots)


def remove_renderings(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove what a browser made of URLs that are visited again."""
    keys = [(url_id,) for url_id in ids]
    for remove in _REMOVE:
        connection.executemany(remove, keys)


def _row(rendering: Rendering) -> Iterable[Any]:
    for column, value in zip(RENDERING_COLUMNS, _values(rendering), strict=True):
        if value is None:
            yield NULL
        else:
            encode = column.storage.encode
            yield value if encode is None else encode(value)
