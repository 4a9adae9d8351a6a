"""Texts that repeat a lot, stored once, nearly: the `text` table."""

import sqlite3
from collections.abc import Callable
from typing import Any

from app.model.forgetting import drop_oldest
from app.store.bulk import NULL, Insert, Value

MAX_TEXTS = 50_000
MAX_CHARACTERS = 8_000_000
_INSERT = Insert("text", "id, value")


class _Ids(dict[str | None, Any]):
    """The ids of texts; asks for one where there is none.

    "" stands for a column without a text: NULL. The id of an empty text stands under None.
    """

    def __init__(self, new: Callable[[str | None], int]) -> None:
        super().__init__()
        self._new = new

    def __missing__(self, text: str | None) -> int:
        return self._new(text)


class Texts:
    """Gives texts their ids.

    Remembers the latest 50,000 texts, at most 8 million characters of them. A text that was
    forgotten is stored a second time under another id: on real sites that is rare, and it is much
    cheaper than a unique index over all texts, which every new anchor text would have to pass.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._ids = _Ids(self._new)
        self._characters = 0
        self._next = 1
        self._waiting: list[Value] = []
        self.forget()

    def forget(self) -> None:
        """Forget everything that may not be in the file: after a rollback."""
        self._ids.clear()
        self._ids[""] = NULL
        self._characters = 0
        self._waiting = []
        (last,) = self._connection.execute("SELECT max(id) FROM text").fetchone()
        self._next = (last or 0) + 1

    def id_of(self, text: str) -> int:
        """The id of `text`; a new text is written by the next `flush`."""
        given: int = self._ids[text or None]
        return given

    def ids_of(self, texts: list[str]) -> list[int | float]:
        """The id of each text, NULL for the empty text."""
        return list(map(self._ids.__getitem__, texts))

    def _new(self, text: str | None) -> int:
        given = self._next
        self._next = given + 1
        self._ids[text] = given
        self._characters += len(text or "")
        self._waiting += (given, text or "")
        while len(self._ids) > MAX_TEXTS or self._characters > MAX_CHARACTERS:
            self._characters -= sum(len(text or "") for text in drop_oldest(self._ids))
            self._ids[""] = NULL
        return given

    def flush(self) -> None:
        """Write the new texts, in the transaction that is open."""
        _INSERT.run(self._connection, self._waiting)
        self._waiting = []
