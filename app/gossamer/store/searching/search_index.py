"""The index of a project's texts: a separate file that can be rebuilt at any time.

It follows the project block by block (see `gossamer.store.text_blocks`). A page that is fetched
again has its text at another place: what the index has of the former one is passed over, because
no place of the project leads to it.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from gossamer.model.errors import ProjectError
from gossamer.model.search_query import SearchField
from gossamer.model.search_words import EVERY_WORD, TOKENIZER, indexable
from gossamer.store.bulk_insert import marks
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import opened, primary_code, translated, translated_reading
from gossamer.store.searching.anchor_index import ANCHOR_TABLES, clear_anchors, enter_anchors
from gossamer.store.searching.index_columns import COLUMN_WEIGHTS, EVERY
from gossamer.store.searching.index_files import index_path, made_in, remove_index
from gossamer.store.searching.prefix_lists import (
    PREFIX_TABLES,
    add_to_lists,
    clear_lists,
    forget_damaged,
    heavy_prefixes,
    list_prefix,
)
from gossamer.store.shared_database import DatabaseKind, make_database
from gossamer.store.text_blocks import PageText, text_location, unpack

_COLUMNS: Final = ", ".join(COLUMN_WEIGHTS)
_APPLICATION_ID: Final = 0x476F536F
_VERSION: Final = 7
_TABLES: Final = f"""
CREATE TABLE followed (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    block INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    merged INTEGER NOT NULL,
    is_merging INTEGER NOT NULL,
    pages INTEGER NOT NULL
);
INSERT INTO followed VALUES (1, 0, 0, 0, 0, 0);
CREATE TABLE place (
    id INTEGER PRIMARY KEY,
    url INTEGER NOT NULL
);
CREATE VIRTUAL TABLE page USING fts5 (
    {_COLUMNS}, content='', tokenize="{TOKENIZER}"
);
INSERT INTO page (page, rank) VALUES ('usermerge', 2);
{ANCHOR_TABLES}{PREFIX_TABLES}"""  # noqa: S608 - our own names
_KIND: Final = DatabaseKind(_APPLICATION_ID, _VERSION, _TABLES, can_shrink=True)
_INSERT: Final = f"INSERT INTO page (rowid, {_COLUMNS}) VALUES ({marks(len(COLUMN_WEIGHTS) + 1)})"  # noqa: S608 - our own names
_FACTS: Final = (
    "SELECT u.id, u.url, v.title, v.h1, v.h1_2, v.h2, v.h2_2, v.description"
    " FROM url u JOIN visit v USING (id) WHERE u.id IN ({ids})"
)
_ADVANCE: Final = "UPDATE followed SET block = ?, stamp = ?, pages = pages + ? RETURNING pages"
BLOCKS: Final = 16
"""Blocks that are entered in one transaction: some 2 MiB of text."""
_MERGED: Final = 256
"""Pages of the file that a step of merging writes: 10 ms."""
_GROWN: Final = 4
"""An index is merged when a fourth as much has been added as it had."""
_DAMAGE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_MERGES_MORE: Final = 2
"""Fewer changes than these are said to be of a step that found nothing to merge."""


class _EnteredPage(NamedTuple):
    """A page with its place, and all that is entered of it."""

    id: int
    place: int
    words: str


class IndexDamagedError(ProjectError):
    """The file of an index is not as SQLite has written it, and must be rebuilt."""


@contextmanager
def reading_index(path: Path) -> Iterator[None]:
    """As `translated_reading`; IndexDamagedError where the file is damaged."""
    with translated_reading(path):
        try:
            yield
        except sqlite3.DatabaseError as e:
            if primary_code(e) not in _DAMAGE:
                raise
            raise IndexDamagedError(
                "The search index {path} is damaged; search again to rebuild it.", path=path
            ) from e


def ensure_index(project: sqlite3.Connection) -> Path:
    """The file of the index of a project, made if there is none; one that is damaged is made again.

    DiskError if it cannot be made.
    """
    path = index_path(project)
    with made_in(path):
        make_database(path, _KIND)
        if not _is_whole(path):
            remove_index(path)
            make_database(path, _KIND)
        os.utime(path)
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

    @property
    def block(self) -> int:
        """The number of the last block of texts that it has."""
        with reading_index(self._path):
            return int(self._connection.execute("SELECT block FROM followed").fetchone()[0])

    def follows(self, project: sqlite3.Connection) -> bool:
        """Whether its last texts are a block of the project, which is not another copy."""
        with reading_index(self._path):
            values = self._connection.execute("SELECT block, stamp FROM followed").fetchone()
        query = "SELECT 1 FROM text_block WHERE id = ? AND stamp = ?"
        return bool(_rows(project, query, values))

    def follow(self, project: sqlite3.Connection, blocks: int = BLOCKS) -> bool:
        """Enter the next `blocks` of texts, in one transaction; whether there may be more.

        Whoever else follows the project at the same time enters others.
        """
        with self._writing():
            return self._enter(project, blocks)

    def merge(self) -> bool:
        """Make one of the parts of the index, where enough was added: smaller, faster to search.

        That takes a step of a bounded size, in one transaction; whether there may be more.
        """
        with self._writing():
            query = "SELECT block, merged, is_merging FROM followed"
            block, merged, is_merging = self._connection.execute(query).fetchone()
            if not is_merging and (block - merged) * _GROWN <= merged:
                return False
            # https://www.sqlite.org/fts5.html#the_merge_command: a negative one begins.
            is_more = self._merge_by(_MERGED if is_merging else -_MERGED)
            merged = merged if is_merging else block
            values = (merged, is_more)
            self._connection.execute("UPDATE followed SET merged = ?, is_merging = ?", values)
        # As a script, for it has a row without columns for each page, at which execute stops.
        self._connection.executescript("PRAGMA incremental_vacuum")
        return is_more

    def unlisted_prefixes(self) -> list[str]:
        """The prefixes that would take searches long and are not listed, the heaviest first.

        Damaged lists are removed.
        """
        with self._writing():
            forget_damaged(self._connection)
            return heavy_prefixes(self._connection)

    def list_heaviest(self) -> bool:
        """List the pages with the first of those, in one transaction; whether there was one."""
        with self._writing():
            heavy = heavy_prefixes(self._connection)
            for prefix in heavy[:1]:
                list_prefix(self._connection, prefix)
        return bool(heavy)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Inside, one transaction is open, which an error undoes."""
        with reading_index(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _merge_by(self, pages: int) -> bool:
        before = self._connection.total_changes
        self._connection.execute("INSERT INTO page (page, rank) VALUES ('merge', ?)", (pages,))
        return self._connection.total_changes - before >= _MERGES_MORE

    def _enter(self, project: sqlite3.Connection, most: int) -> bool:
        last, stamp = self._connection.execute("SELECT block, stamp FROM followed").fetchone()
        query = "SELECT id, stamp, texts FROM text_block WHERE id >= ? ORDER BY id LIMIT ?"
        rows = _rows(project, query, (last, most + 1))
        if last:
            if not rows or rows[0][:2] != (last, stamp):  # of another copy, or saved again
                self._clear()
                return True
            del rows[0]
        entered: list[_EnteredPage] = []
        for number, _, packed in rows[:most]:
            with suppress(ValueError):  # a damaged block has no texts
                entered += self._enter_block(project, number, unpack(packed))
            last = number
        enter_anchors(self._connection, partial(_rows, project), {p.id: p.place for p in entered})
        if rows:
            stamp = rows[min(most, len(rows)) - 1][1]
            values = (last, stamp, len(entered))
            (pages,) = self._connection.execute(_ADVANCE, values).fetchone()
            add_to_lists(self._connection, {p.place: p.words for p in entered}, pages)
        return len(rows) >= most

    def _clear(self) -> None:
        self._connection.execute("INSERT INTO page (page) VALUES ('delete-all')")
        self._connection.execute("DELETE FROM place")
        clear_lists(self._connection)
        clear_anchors(self._connection)
        self._connection.execute(
            "UPDATE followed SET block = 0, stamp = 0, merged = 0, is_merging = 0, pages = 0"
        )

    def _enter_block(
        self, project: sqlite3.Connection, number: int, texts: list[PageText]
    ) -> list[_EnteredPage]:
        """Enter the texts of a block."""
        ids = [text.id for text in texts]
        query = _FACTS.format(ids=marks(len(ids)))
        facts = {row[0]: row[1:] for row in _rows(project, query, ids)}
        rows = []
        entered = []
        for position, (url_id, text) in enumerate(texts):
            if url_id not in facts:
                continue
            url, title, *headings, description = facts[url_id]
            place = text_location(number, position)
            said = {
                SearchField.TEXT: text.decode("utf-8", "replace"),
                SearchField.ADDRESS: unquote(url),
                SearchField.TITLE: title or "",
                SearchField.HEADINGS: "\n".join(filter(None, headings)),
                SearchField.DESCRIPTION: description or "",
            }
            words = {column: indexable(said[column]) for column in said}
            entered.append(_EnteredPage(url_id, place, " ".join(words.values())))
            columns = words | {EVERY: EVERY_WORD}
            rows.append((place, *(columns[column] for column in COLUMN_WEIGHTS)))
        places = [(page.place, page.id) for page in entered]
        self._connection.executemany("INSERT INTO place VALUES (?, ?)", places)
        self._connection.executemany(_INSERT, rows)
        return entered


def file_of_project(project: sqlite3.Connection) -> Path:
    """The file that a connection to a project reads."""
    return Path(project.execute("PRAGMA database_list").fetchone()[2])


def _rows(project: sqlite3.Connection, query: str, values: Sequence[int]) -> list[Any]:
    """Rows of the project, whose damage is not that of the index."""
    with translated(file_of_project(project)):
        return project.execute(query, values).fetchall()
