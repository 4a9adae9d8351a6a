"""The texts of links in a search index: each once, with the pages it leads to.

The links of a page are entered with its text. A page that thousands link to with the same words has
them once, and so many different ones at most.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from gossamer.model.link_kinds import LinkKind
from gossamer.model.search_words import TOKENIZER, indexable
from gossamer.store.bulk_insert import chunks, marks

Rows = Callable[[str, Sequence[int]], list[Any]]
"""Rows of the project for a query with its values."""
MOST_ANCHORS: Final = 50
"""Different texts of links to one page."""
ANCHOR_TABLES: Final = f"""
CREATE TABLE anchor_of (
    text INTEGER NOT NULL,
    target INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (text, target)
) WITHOUT ROWID;
CREATE TABLE anchor_count (
    target INTEGER PRIMARY KEY,
    texts INTEGER NOT NULL
);
CREATE VIRTUAL TABLE link_text USING fts5 (
    anchor, content='', tokenize="{TOKENIZER}"
);
"""
_LINKS: Final = (
    "SELECT l.text, l.target, min(l.source) FROM link l"  # noqa: S608 - our own words
    f" WHERE l.source IN ({{ids}}) AND l.kind = {int(LinkKind.ANCHOR)} AND l.text IS NOT NULL"
    " GROUP BY l.text, l.target"
)
_ADD: Final = f"""
    INSERT OR IGNORE INTO anchor_of SELECT ?1, ?2, ?3
    WHERE coalesce((SELECT texts FROM anchor_count WHERE target = ?2), 0) < {MOST_ANCHORS}
"""  # noqa: S608 - our own number
_COUNT: Final = (
    "INSERT INTO anchor_count VALUES (?, 1) ON CONFLICT (target) DO UPDATE SET texts = texts + 1"
)
_KNOWN: Final = "SELECT 1 FROM link_text_docsize WHERE id = ?"
"""Whether a text was entered: FTS5 keeps the size of each there,
https://www.sqlite.org/fts5.html#fts5_data_structures."""
_VALUES: Final = "SELECT id, value FROM text WHERE id IN ({ids}) ORDER BY id"


def enter_anchors(index: sqlite3.Connection, rows_of_project: Rows, places: dict[int, int]) -> None:
    """Enter the links on pages, whose places are given by their ids, in the open transaction."""
    new = []
    for chunk in chunks(list(places)):
        for text, target, source in rows_of_project(_LINKS.format(ids=marks(len(chunk))), chunk):
            if index.execute(_ADD, (text, target, places[source])).rowcount == 1:
                index.execute(_COUNT, (target,))
                new.append(text)
    _enter_texts(index, rows_of_project, new)


def clear_anchors(index: sqlite3.Connection) -> None:
    """Leave no text of a link."""
    index.execute("INSERT INTO link_text (link_text) VALUES ('delete-all')")
    for table in ("anchor_of", "anchor_count"):
        index.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names


def _enter_texts(index: sqlite3.Connection, rows_of_project: Rows, texts: Iterable[int]) -> None:
    new = [text for text in sorted(set(texts)) if index.execute(_KNOWN, (text,)).fetchone() is None]
    for chunk in chunks(new):
        values = rows_of_project(_VALUES.format(ids=marks(len(chunk))), chunk)
        index.executemany(
            "INSERT INTO link_text (rowid, anchor) VALUES (?, ?)",
            [(text, indexable(value)) for text, value in values],
        )
