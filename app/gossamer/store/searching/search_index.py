"""The index of the texts of a project: a file of its own, made anew from the project at any time.

It follows the project block by block (see `gossamer.store.text_blocks`). A page that is fetched
again has its text at another place: what the index has of the former one is passed over, because
no place of the project leads to it.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from gossamer.model.errors import DiskError, ProjectError
from gossamer.model.search_query import SearchField
from gossamer.model.search_words import TOKENIZER, indexable
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import make_private
from gossamer.store.bulk_insert import marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.data_folder import data_folder
from gossamer.store.database import opened, translated
from gossamer.store.new_database import DatabaseKind, make_database, remove_beside
from gossamer.store.searching.match_expression import EVERY
from gossamer.store.text_blocks import PageText, place_of, unpack

_COLUMNS: Final = ", ".join((*SearchField, EVERY))
_APPLICATION_ID: Final = 0x476F536F
_VERSION: Final = 1
_TABLES: Final = f"""
CREATE TABLE followed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    block INTEGER NOT NULL,
    stamp INTEGER NOT NULL
);
INSERT INTO followed VALUES (1, 0, 0);
CREATE TABLE place (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL
);
CREATE VIRTUAL TABLE page USING fts5 (
    {_COLUMNS}, content='', tokenize="{TOKENIZER}"
);
"""  # noqa: S608 - our own names
_KIND: Final = DatabaseKind(_APPLICATION_ID, _VERSION, _TABLES)
_INSERT: Final = f"INSERT INTO page (rowid, {_COLUMNS}) VALUES ({marks(len(SearchField) + 2)})"  # noqa: S608 - our own names
_FACTS: Final = (
    "SELECT u.id, u.url, v.title, v.h1, v.h1_2, v.h2, v.h2_2, v.description"
    " FROM url u JOIN visit v USING (id) WHERE u.id IN ({ids})"
)
BLOCKS: Final = 16
"""Blocks that are entered in one transaction: some 2 MiB of text."""


def index_folder() -> Path:
    """Where the indexes of all projects are."""
    return data_folder() / "search"


def index_path(project: sqlite3.Connection) -> Path:
    """The file of the index of a project, which may not be there."""
    series, created_at = project.execute("SELECT series, created_at FROM project").fetchone()
    return index_folder() / f"{series}-{int(created_at * 1000)}.search"


def ensure_index(project: sqlite3.Connection) -> Path:
    """The file of the index of a project, made if there is none; one that is damaged is made anew.

    DiskError if it cannot be made.
    """
    path = index_path(project)
    try:
        make_private(path.parent)
        make_database(path, _KIND)
        if not _is_whole(path):
            remove_beside(path)
            path.unlink(missing_ok=True)
            make_database(path, _KIND)
    except OSError as e:
        raise DiskError(
            "The search index {path} cannot be made ({reason}); check its disk and permissions.",
            path=path,
            reason=system_reason(e),
        ) from e
    return path


def _is_whole(path: Path) -> bool:
    with suppress(ProjectError, sqlite3.Error), SearchIndex(path) as index:
        return index.is_ours
    return False


class SearchIndex(ClosedOnExit):
    """Enters the texts of a project into its index. One thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file; ProjectError if that fails."""
        self._path = path
        with translated(path):
            self._connection = opened(path, "mode=rw")
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
                self._connection.execute("PRAGMA synchronous=NORMAL")
                self._connection.execute("PRAGMA cache_size=-16384")
            except BaseException:
                self._connection.close()
                raise

    @property
    def is_ours(self) -> bool:
        """Whether it is an index of this version."""
        kinds = [
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        ]
        return kinds == [_APPLICATION_ID, _VERSION]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def follow(self, project: sqlite3.Connection, blocks: int = BLOCKS) -> bool:
        """Enter the next `blocks` of texts, in one transaction; whether there may be more.

        Whoever else follows the project at the same time enters others.
        """
        with translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                is_more = self._enter(project, blocks)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return is_more

    def merge(self) -> None:
        """Make one of all parts of the index: a third smaller, and faster to search."""
        with translated(self._path):
            self._connection.execute("INSERT INTO page (page) VALUES ('optimize')")

    def _enter(self, project: sqlite3.Connection, most: int) -> bool:
        last, stamp = self._connection.execute("SELECT block, stamp FROM followed").fetchone()
        query = "SELECT id, stamp, texts FROM text_block WHERE id >= ? ORDER BY id LIMIT ?"
        rows = project.execute(query, (last, most + 1)).fetchall()
        if last:
            if not rows or rows[0][:2] != (last, stamp):  # of another copy, or saved anew
                self._clear()
                return True
            del rows[0]
        for number, _, packed in rows[:most]:
            with suppress(ValueError):  # a damaged block has no texts
                self._enter_block(project, number, unpack(packed))
            last = number
        if rows:
            stamp = rows[min(most, len(rows)) - 1][1]
            self._connection.execute("UPDATE followed SET block = ?, stamp = ?", (last, stamp))
        return len(rows) >= most

    def _clear(self) -> None:
        self._connection.execute("INSERT INTO page (page) VALUES ('delete-all')")
        self._connection.execute("DELETE FROM place")
        self._connection.execute("UPDATE followed SET block = 0, stamp = 0")

    def _enter_block(self, project: sqlite3.Connection, number: int, texts: list[PageText]) -> None:
        ids = [text.id for text in texts]
        facts = {
            row[0]: row[1:] for row in project.execute(_FACTS.format(ids=marks(len(ids))), ids)
        }
        rows = []
        places = []
        for position, (url_id, text) in enumerate(texts):
            if url_id not in facts:
                continue
            url, title, *headings, description = facts[url_id]
            place = place_of(number, position)
            places.append((place, url_id))
            said = (unquote(url), title or "", "\n".join(filter(None, headings)), description or "")
            content = text.decode("utf-8", "replace")
            rows.append((place, *map(indexable, (*said, content)), EVERY))
        self._connection.executemany("INSERT INTO place VALUES (?, ?)", places)
        self._connection.executemany(_INSERT, rows)
