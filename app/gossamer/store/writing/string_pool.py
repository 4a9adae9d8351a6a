"""Maintains the `text` table, in which repeated texts are stored only once."""

import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from gossamer.model.bounded_dict import drop_oldest
from gossamer.store.bulk_insert import NULL, BulkInsert, Value

MAX_TEXTS = 50_000
MAX_CHARACTERS = 8_000_000
_INSERT = BulkInsert("text", "id, value")


EMPTY: Final = b""
"""Stands for an empty text where "" stands for none."""


class _Ids(dict[str | bytes | None, Any]):
    """The ids of texts; a text that has none gets the next. None and "" have NULL."""

    def __init__(self, first: int) -> None:
        super().__init__({None: NULL, "": NULL})
        self.next = first
        self.new: list[str | bytes | None] = []
        """Those that are not in the file yet, in order of their ids, which end before `next`."""

    def __missing__(self, text: str | bytes | None) -> int:
        given = self[text] = self.next
        self.next = given + 1
        self.new.append(text)
        return given


class StringPool:
    """Assigns ids to texts.

    Remembers the latest 50,000 texts, at most 8 million characters of them, and those not yet
    written. A text that was forgotten is stored a second time under another id: on real sites that
    is rare, and it is much cheaper than a unique index over all texts, which every new anchor text
    would have to pass.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self.forget()

    def forget(self) -> None:
        """Forget everything that may not be in the file: after a rollback."""
        (last,) = self._connection.execute("SELECT max(id) FROM text").fetchone()
        self._ids = _Ids((last or 0) + 1)
        self._characters = 0

    def id_of(self, text: str) -> int:
        """The id of `text`; a new text is written by the next `flush`."""
        given: int = self._ids[text or EMPTY]
        return given

    def ids_of(self, texts: Iterable[str | bytes | None]) -> list[int | float]:
        """The id of each text, NULL for None and "", that of an empty text for EMPTY."""
        return list(map(self._ids.__getitem__, texts))

    def flush(self) -> None:
        """Write the new texts, in the transaction that is open."""
        ids = self._ids
        new, ids.new = [text or "" for text in ids.new], []
        values: list[Value] = [""] * (2 * len(new))
        values[0::2] = range(ids.next - len(new), ids.next)
        values[1::2] = new
        _INSERT.run(self._connection, values)
        self._characters += sum(map(len, new))
        while len(ids) > MAX_TEXTS or self._characters > MAX_CHARACTERS:
            self._characters -= sum(len(text or "") for text in drop_oldest(ids))
            ids[None] = ids[""] = NULL
