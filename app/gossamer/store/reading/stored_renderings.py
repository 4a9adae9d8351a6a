"""Reads what a browser made of a page, as a page worker reported it."""

import sqlite3
from typing import Final

from gossamer.model.rendering import NO_DETAILS, Rendering
from gossamer.model.rendering_encoding import decode_details
from gossamer.store.field_sql import RENDERING_COLUMNS
from gossamer.store.reading.stored_visits import stored_values

_RENDERING: Final = (
    f"SELECT {', '.join(f'{each.sql} AS {each.name}' for each in RENDERING_COLUMNS)}, d.details,"  # noqa: S608 - our own names
    " s.jpeg FROM rendering r LEFT JOIN rendering_detail d ON d.id = r.id"
    " LEFT JOIN screenshot s ON s.id = r.id WHERE r.id = ?"
)


def read_rendering(connection: sqlite3.Connection, url_id: int) -> Rendering | None:
    """What a browser made of the page with this id; None if it was not to be rendered.

    ValueError for a value that we do not write.
    """
    cursor = connection.execute(_RENDERING, (url_id,))
    found = cursor.fetchone()
    if found is None:
        return None
    row = dict(zip((name for name, *_ in cursor.description), found, strict=True))
    details = NO_DETAILS if row["details"] is None else decode_details(row["details"])
    values = stored_values(row, list(RENDERING_COLUMNS), is_strict=True)
    return Rendering(**values, details=details, screenshot=row["jpeg"] or b"")
