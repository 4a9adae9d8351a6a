"""Reads the stored texts of a project's pages."""

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.text_blocks import PageText, block_of, position_of, unpack

_KEPT_BLOCKS: Final = 8
"""Those unpacked last: pages that were fetched one after the other stand in one."""


class StoredTexts:
    """The texts of one project."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection to the project."""
        self._connection = connection
        self._blocks: OrderedDict[int, list[PageText]] = OrderedDict()

    def of(self, ids: Sequence[int], *, is_strict: bool = True) -> dict[int, bytes]:
        """The texts of those of these pages that have one, by id.

        ValueError if one is damaged; unless `is_strict`, it is left out.
        """
        found: dict[int, bytes] = {}
        for chunk in chunks(ids):
            query = f"SELECT id, place FROM page_text WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            for url_id, place in self._connection.execute(query, chunk).fetchall():
                text = self._at(url_id, place)
                if text is not None:
                    found[url_id] = text
                elif is_strict:
                    raise ValueError("a text is not where it should be")
        return found

    def _at(self, url_id: int, place: int) -> bytes | None:
        number, position = block_of(place), position_of(place)
        block = self._blocks.get(number)
        if block is None:
            block = self._blocks[number] = self._read(number)
            if len(self._blocks) > _KEPT_BLOCKS:
                self._blocks.popitem(last=False)
        if position >= len(block) or block[position].id != url_id:
            return None
        return block[position].text

    def _read(self, number: int) -> list[PageText]:
        query = "SELECT texts FROM text_block WHERE id = ?"
        row = self._connection.execute(query, (number,)).fetchone()
        try:
            return [] if row is None else unpack(row[0])
        except ValueError:
            return []
