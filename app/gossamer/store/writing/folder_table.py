"""Maintains the `folder` table: folders of URL paths with their counts of URLs and errors."""

import sqlite3
from collections import Counter

from gossamer.model.bounded_dict import drop_oldest
from gossamer.store.database import MalformedContentError
from gossamer.urls.url_folders import folders

MAX_FOLDERS = 50_000
MAX_DIRECTORIES = 10_000
MAX_LEVELS = 64
"""Paths deeper than this are traps: their URLs are in the folder at this level."""


class FolderTable:
    """Assigns URLs to folders, and maintains the counts of folders and their ancestors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._ids: dict[tuple[int, str], int] = {}
        self._directories: dict[str, int] = {}
        self._parents: dict[int, int] = {}
        self._urls: Counter[int] = Counter()
        self._errors: Counter[int] = Counter()

    def forget(self) -> None:
        """Forget everything that may not be in the file: after a rollback."""
        self._ids.clear()
        self._directories.clear()
        self._parents.clear()
        self._urls.clear()
        self._errors.clear()

    def of(self, url: str) -> int | None:
        """The id of the folder that `url` is in, made if need be; None if it is in none."""
        # All that counts of a web address; most new ones are where others have been before.
        directory = url.partition("?")[0].rpartition("/")[0]
        known = self._directories.get(directory)
        if known is not None:
            return known
        folder = 0
        for name in folders(url)[:MAX_LEVELS]:
            known = self._ids.get((folder, name))
            folder = self._find(folder, name) if known is None else known
        if folder:
            if len(self._directories) >= MAX_DIRECTORIES:
                drop_oldest(self._directories)
            self._directories[directory] = folder
        return folder or None

    def add(self, folder: int | None, *, urls: int = 0, errors: int = 0) -> None:
        """Count URLs and errors in `folder`; `flush` counts them in the folders above too."""
        if folder is not None:
            self._urls[folder] += urls
            self._errors[folder] += errors

    def remove(self, url_id: int) -> None:
        """Take a URL, which is no error, out of its folder."""
        (folder,) = self._connection.execute(
            "SELECT folder FROM url WHERE id = ?", (url_id,)
        ).fetchone()
        self.add(folder, urls=-1)
        self._connection.execute("UPDATE url SET folder = NULL WHERE id = ?", (url_id,))
        self._connection.execute(
            "DELETE FROM folder_url WHERE folder = ? AND id = ?", (folder, url_id)
        )

    def flush(self) -> None:
        """Write the counts, in the transaction that is open."""
        changes: dict[int, list[int]] = {}
        for folder in self._urls:
            urls, errors = self._urls[folder], self._errors[folder]
            above = folder if urls or errors else 0
            levels = 0
            while above:
                levels += 1
                if levels > MAX_LEVELS + 1:
                    raise MalformedContentError("folders that lie in each other")
                change = changes.setdefault(above, [0, 0])
                change[0] += urls
                change[1] += errors
                above = self._parent(above)
        self._connection.executemany(
            "UPDATE folder SET urls = urls + ?, errors = errors + ?, direct = direct + ?"
            " WHERE id = ?",
            [
                (urls, errors, self._urls[folder], folder)
                for folder, (urls, errors) in changes.items()
            ],
        )
        self._urls.clear()
        self._errors.clear()

    def _find(self, parent: int, name: str) -> int:
        """The id of a folder; 0 as parent stands for none (an origin)."""
        # IS, because NULL = NULL is not true. For the same reason UNIQUE (parent, name) lets an
        # origin in twice; that there is one writer, who looks first, prevents it.
        row = self._connection.execute(
            "SELECT id FROM folder WHERE parent IS ? AND name = ?", (parent or None, name)
        ).fetchone()
        if row is None:
            row = self._connection.execute(
                "INSERT INTO folder (parent, name) VALUES (?, ?) RETURNING id",
                (parent or None, name),
            ).fetchone()
        folder: int = row[0]
        self._remember(parent, name, folder)
        return folder

    def _remember(self, parent: int, name: str, folder: int) -> None:
        if len(self._ids) >= MAX_FOLDERS:
            drop_oldest(self._ids)
        if len(self._parents) >= MAX_FOLDERS:
            drop_oldest(self._parents)
        self._ids[parent, name] = folder
        self._parents[folder] = parent

    def _parent(self, folder: int) -> int:
        """The id of the folder above; 0 for none."""
        known = self._parents.get(folder)
        if known is not None:
            return known
        (parent,) = self._connection.execute(
            "SELECT parent FROM folder WHERE id = ?", (folder,)
        ).fetchone()
        if len(self._parents) >= MAX_FOLDERS:
            drop_oldest(self._parents)
        self._parents[folder] = parent or 0
        return parent or 0
