"""Writes the texts of pages, where settings have them kept: `text_block` and `page_text`."""

import sqlite3
from collections.abc import Iterable
from typing import Final
from zlib import crc32

from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import BulkInsert, Value
from gossamer.store.text_blocks import PageText, block_of, pack, split, text_location

_BLOCK: Final = "INSERT INTO text_block (id, stamp, pages, texts) VALUES (?, ?, ?, ?)"
_PLACES: Final = BulkInsert("page_text", "id, place")
_LAST: Final = "SELECT id, stamp FROM text_block ORDER BY id DESC LIMIT 1"


def add_texts(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Write the texts of visits, in the transaction that is open: see `remove_texts`."""
    texts = [PageText(row.id, row.visit.text) for row in rows if row.visit.text is not None]
    if not texts:
        return
    number, stamp = connection.execute(_LAST).fetchone() or (0, 0)
    places: list[Value] = []
    for block in split(texts):
        packed = pack(block)
        number, stamp = number + 1, crc32(packed, stamp)
        connection.execute(_BLOCK, (number, stamp, len(block), packed))
        for position, text in enumerate(block):
            places += (text.id, text_location(number, position))
    _PLACES.run(connection, places)


def remove_texts(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove the texts of URLs that are visited again.

    A block stays, so that its number never comes again; the last text takes its contents with it.
    """
    if connection.execute("SELECT 1 FROM page_text LIMIT 1").fetchone() is None:
        return
    for url_id in ids:
        query = "DELETE FROM page_text WHERE id = ? RETURNING place"
        for (place,) in connection.execute(query, (url_id,)).fetchall():
            connection.execute(
                "UPDATE text_block SET pages = pages - 1,"
                " texts = iif(pages = 1, x'', texts) WHERE id = ?",
                (block_of(place),),
            )
