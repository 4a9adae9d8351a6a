"""The indexes over `url` that are brought up to date now and then: `url_key` and `folder_url`.

Each new URL belongs somewhere else in them. Entered with every commit, they would have a commit
write as many pages as it has new URLs, once into the -wal file and once more into the project's;
with a million known URLs that is most of a crawl's time. Entered by the ten thousand, in order,
they cost a twentieth of it. Until then the new keys are in a table in memory, and the URLs
themselves say in which folder they are.
"""

import sqlite3
from collections.abc import Sequence
from itertools import chain

from gossamer.store.bulk import Insert, Value, chunks, marks
from gossamer.urls.identity import url_key

FEWEST = 4_000
MOST = 50_000
"""URLs that are entered at once: an eighth of those that are there, within these bounds."""
_SHARE = 8

_RECENT = Insert("temp.recent", "key, id")


class UrlIndexes:
    """Finds URLs by key, whether they are in `url_key` yet or not."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection. Reads what a crash has left out of the indexes."""
        self._connection = connection
        connection.execute(
            "CREATE TABLE temp.recent"
            " (key INTEGER, id INTEGER, PRIMARY KEY (key, id)) WITHOUT ROWID"
        )
        self._values: list[Value] = []
        self.forget()
        left_out = connection.execute("SELECT id, url FROM url WHERE id > ?", (self._indexed,))
        for url_id, url in left_out:
            self.add([url_id], [url])
        self._remember()

    def forget(self) -> None:
        """Forget what may not be in the file: after a rollback."""
        self._values = []
        (self._indexed,) = self._connection.execute("SELECT indexed FROM project").fetchone()
        (self._recent,) = self._connection.execute("SELECT count(*) FROM temp.recent").fetchone()

    def add(self, ids: Sequence[int], urls: Sequence[str]) -> None:
        """Take URLs that are written in this transaction; found after `flush`."""
        self._values += chain.from_iterable(zip(map(url_key, urls), ids, strict=True))

    def moved(self, url_id: int, folder: int) -> None:
        """A URL of an earlier transaction was in no folder and is now in `folder`."""
        if url_id <= self._indexed:
            self._connection.execute(
                "INSERT INTO folder_url (folder, id) VALUES (?, ?)", (folder, url_id)
            )

    def find(self, keys: Sequence[int]) -> list[int]:
        """The ids of the URLs with these keys."""
        found: list[int] = []
        for chunk in chunks(keys):
            for table in ("url_key", "temp.recent"):
                rows = self._connection.execute(
                    f"SELECT id FROM {table} WHERE key IN ({marks(len(chunk))})",  # noqa: S608 - our own words
                    chunk,
                )
                found += [url_id for (url_id,) in rows]
        return found

    def flush(self) -> None:
        """Take in the new URLs, in the transaction that is open; bring the indexes up to date."""
        self._remember()
        if self._recent >= min(max(self._indexed // _SHARE, FEWEST), MOST):
            self.complete()

    def complete(self) -> None:
        """Bring the indexes up to date, in the transaction that is open."""
        execute = self._connection.execute
        # In order of the keys, neighbours in the tree one after the other.
        execute("INSERT INTO url_key (key, id) SELECT key, id FROM temp.recent ORDER BY key, id")
        execute(
            "INSERT INTO folder_url (folder, id) SELECT folder, id FROM url"
            " WHERE id > ? AND folder IS NOT NULL ORDER BY folder, id",
            (self._indexed,),
        )
        execute("DELETE FROM temp.recent")
        execute("UPDATE project SET indexed = (SELECT coalesce(max(id), 0) FROM url)")
        self.forget()

    def _remember(self) -> None:
        _RECENT.run(self._connection, self._values)
        self._recent += len(self._values) // 2
        self._values = []
