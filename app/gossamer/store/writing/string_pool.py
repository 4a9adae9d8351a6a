"""Maintains the `text` table, in which repeated texts are stored only once."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from itertools import count, islice
from typing import Any, Final

from gossamer.model.bounded_dict import drop_oldest
from gossamer.store.bulk_insert import NULL, BulkInsert, Value

MAX_TEXTS = 50_000
MAX_CHARACTERS = 8_000_000
_INSERT = BulkInsert("text", "id, value")


EMPTY: Final = b""
"""Stands for an empty text where "" stands for none."""


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
        self._last = last or 0
        """The id of the last text that is in the file."""
        # A text that has no id gets the next. None and "" have NULL.
        self._ids: defaultdict[str | bytes | None, Any] = defaultdict(
            count(self._last + 1).__next__, {None: NULL, "": NULL}
        )
        self._known = len(self._ids)
        """How many of these texts are not new: those that follow are, in order of their ids."""
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
        latest = islice(reversed(ids), len(ids) - self._known)  # no step for each that is known
        new = [text or "" for text in latest][::-1]
        values: list[Value] = [""] * (2 * len(new))
        values[0::2] = range(self._last + 1, self._last + 1 + len(new))
        values[1::2] = new
        _INSERT.run(self._connection, values)
        self._last += len(new)
        self._characters += sum(map(len, new))
        while len(ids) > MAX_TEXTS or self._characters > MAX_CHARACTERS:
            self._characters -= sum(len(text) for text in drop_oldest(ids) if text)
            ids[None] = ids[""] = NULL
        self._known = len(ids)
