"""The deferred indexes over `url`: `url_key` and `folder_url`.

Until a URL is in them, its key is held in a table in memory; its folder stands in its `url` row.
"""

import sqlite3
from collections.abc import Sequence
from itertools import chain

from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.writing.deferred_indexes import DeferredIndex
from gossamer.urls.url_parsing import url_key

FEWEST = 4_000
MOST = 200_000
"""URLs that may wait: an eighth of those that are there, within these bounds."""
_SHARE = 8
_LOAD = 10_000

_KEYS = "INSERT OR IGNORE INTO url_key (key, id) SELECT key, id FROM temp.new_key WHERE {stretch}"
_FOLDERS = (
    "INSERT OR IGNORE INTO folder_url (folder, id)"
    " SELECT folder, id FROM temp.new_folder_url WHERE {stretch}"
)


class UrlIndexes:
    """Finds URLs by key, whether or not `url_key` has them yet."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection. Reads what a crash has left out of the indexes."""
        self._connection = connection
        self._keys = DeferredIndex(connection, "new_key", "key, id", [_KEYS])
        self._folders = DeferredIndex(connection, "new_folder_url", "folder, id", [_FOLDERS])
        self.forget()
        left_out = connection.execute(
            "SELECT id, url, folder FROM url WHERE id > ?", (self._indexed,)
        )
        while rows := left_out.fetchmany(_LOAD):
            ids, urls, folders = zip(*rows, strict=True)
            self.add(ids, urls, folders)
        self.forget()

    def forget(self) -> None:
        """Forget what may not be in the file: after a rollback."""
        execute = self._connection.execute
        (self._indexed,) = execute("SELECT indexed FROM project").fetchone()
        (self._last,) = execute("SELECT coalesce(max(id), 0) FROM url").fetchone()
        self._keys.forget(self._indexed, self._last)
        self._folders.forget(self._indexed, self._last)

    def add(self, ids: Sequence[int], urls: Sequence[str], folders: Sequence[int | None]) -> None:
        """Take URLs that are written in this transaction, and the folder of each."""
        if ids:
            self._last = max(self._last, *ids)
        self._keys.add(list(chain.from_iterable(zip(map(url_key, urls), ids, strict=True))))
        placed = [pair for pair in zip(folders, ids, strict=True) if pair[0] is not None]
        self._folders.add(list(chain.from_iterable(placed)))

    def moved(self, url_id: int, folder: int) -> None:
        """A URL of an earlier transaction was in no folder and is now in `folder`."""
        self._connection.execute(
            "INSERT OR IGNORE INTO folder_url (folder, id) VALUES (?, ?)", (folder, url_id)
        )

    def find(self, keys: Sequence[int]) -> list[int]:
        """The ids of the URLs with these keys."""
        found: list[int] = []
        for chunk in chunks(keys):
            for table in ("url_key", "temp.new_key"):
                rows = self._connection.execute(
                    f"SELECT id FROM {table} WHERE key IN ({marks(len(chunk))})",  # noqa: S608 - our own words
                    chunk,
                )
                found += [url_id for (url_id,) in rows]
        return found

    def flush(self) -> None:
        """Bring the indexes up to date as far as is worth it, in the transaction that is open."""
        allowed = min(max(self._indexed // _SHARE, FEWEST), MOST)
        for index in (self._keys, self._folders):
            index.enter(allowed, self._last)
        self._note()

    def complete(self) -> bool:
        """Bring them up to date by one part, in the transaction that is open; whether all is."""
        done = [index.complete(self._last) for index in (self._keys, self._folders)]
        self._note()
        return all(done)

    def _note(self) -> None:
        """Write down which URLs are in both."""
        indexed = min(self._keys.entered, self._folders.entered)
        if indexed != self._indexed:
            self._connection.execute("UPDATE project SET indexed = ?", (indexed,))
            self._indexed = indexed
