"""Lists which pages have a word with a prefix, for prefixes that very many words have.

For each search with a prefix, SQLite merges the lists of all words that begin so, with the
positions of each: of 100,000 pages, that takes up to 150 ms. A list is good until the index has
more texts (ADR 77).
"""

import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Final

from gossamer.model.search_query import Query, SearchTerm, terms_of
from gossamer.model.search_words import is_of_word, phrase
from gossamer.store.searching.match_expression import any_expression
from gossamer.store.searching.query_shapes import is_any
from gossamer.store.text_blocks import text_location

PREFIX_TABLE: Final = """
CREATE TABLE prefix_list (
    prefix TEXT PRIMARY KEY,
    block INTEGER NOT NULL,
    pages BLOB NOT NULL
);
"""
LEAST_PAGES: Final = 20_000
"""Of fewer pages, SQLite merges the lists of any prefix in less time than is noticed."""
HEAVY: Final = 250_000
"""Positions of words with a prefix that is listed: to merge them takes 15 ms."""
LONGEST: Final = 4
_FIRST: Final = text_location(1, 0)
"""The first place; the byte of a place in a list counts from it."""
_HERE: Final = b"\1"
IN_LIST: Final = f"substr(?, {{place}} - {_FIRST - 1}, 1) = x'{_HERE.hex()}'"
"""That a place is in a list, which is the parameter."""
_ALL_LISTED: Final = ""
"""The prefix whose row says that all heavy ones were listed."""
_IS_LISTED: Final = "SELECT 1 FROM prefix_list JOIN followed USING (block) WHERE prefix = ?"
_LIST: Final = (
    "SELECT l.pages FROM search.prefix_list AS l JOIN search.followed AS f ON f.block = l.block"
    " WHERE l.prefix = ?"
)
_BEGINNINGS: Final = f"SELECT substr(term, 1, {LONGEST}), cnt FROM temp.word WHERE term IS NOT NULL"  # noqa: S608 - our own number
_PREFIXED: Final = "SELECT rowid FROM page WHERE page MATCH ?"
_CHECKED: Final = 10_000
"""Words between two checks of whether to go on: some milliseconds."""


def has_many_texts(project: sqlite3.Connection) -> bool:
    """Whether a project has so many texts that lists are worth while."""
    (pages,) = project.execute("SELECT count(*) FROM page_text").fetchone()
    return int(pages) >= LEAST_PAGES


def heavy_prefixes(index: sqlite3.Connection, go_on: Callable[[], None]) -> list[str]:
    """The prefixes that are worth a list; none where all have theirs.

    `go_on` ends it by raising.
    """
    if index.execute(_IS_LISTED, (_ALL_LISTED,)).fetchone():
        return []
    index.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, page, row)")
    counts: Counter[str] = Counter()
    for number, (beginning, count) in enumerate(index.execute(_BEGINNINGS)):
        if number % _CHECKED == 0:
            go_on()
        for length in range(1, len(beginning) + 1):
            counts[beginning[:length]] += count
    heavy = [each for each, count in counts.items() if count >= HEAVY and not _is_refused(each)]
    return [*heavy, _ALL_LISTED]


def list_prefix(index: sqlite3.Connection, prefix: str, block: int) -> bool:
    """List the pages with words that begin so, in the open transaction.

    False, with nothing done, if other texts were entered since `block` was the last one: the lists
    before would be missing.
    """
    if (block,) != index.execute("SELECT block FROM followed").fetchone():
        return False
    index.execute("DELETE FROM prefix_list WHERE block != ?", (block,))
    pages = bytearray()
    if prefix != _ALL_LISTED:
        pages = bytearray(text_location(block + 1, 0) - _FIRST)
        for (place,) in index.execute(_PREFIXED, (f'"{prefix}" *',)):
            pages[place - _FIRST] = _HERE[0]
    packed = zlib.compress(pages, 1)
    index.execute("INSERT OR REPLACE INTO prefix_list VALUES (?, ?, ?)", (prefix, block, packed))
    return True


def listed_pages(project: sqlite3.Connection, term: SearchTerm) -> bytes | None:
    """The list for a term, by the index that is attached as `search`; None if it has none."""
    prefix = _prefix_of(term)
    row = project.execute(_LIST, (prefix,)).fetchone() if prefix else None
    return None if row is None else zlib.decompress(row[0])


def any_listed_pages(project: sqlite3.Connection, query: Query) -> bytes | bytearray | None:
    """The list for a query of any of some terms; None if it is another one, or no term has a list.

    What the others find is added to the lists.
    """
    terms = terms_of(query) if is_any(query) else []
    lists = {term: listed_pages(project, term) for term in terms}
    found = [pages for pages in lists.values() if pages is not None]
    if not found:
        return None
    others = [term for term in terms if lists[term] is None]
    if not others:
        return found[0] if len(found) == 1 else _union(found)
    union = _union(found)
    sql = "SELECT rowid FROM search.page WHERE page MATCH ?"
    for (place,) in project.execute(sql, (any_expression(others),)):
        if place - _FIRST < len(union):  # what is entered meanwhile is found by the next search
            union[place - _FIRST] = _HERE[0]
    return union


def _union(lists: Sequence[bytes]) -> bytearray:
    """The pages that are in any of these."""
    numbers = (int.from_bytes(each, "little") for each in lists)
    return bytearray(reduce(or_, numbers).to_bytes(len(lists[0]), "little"))


def _prefix_of(term: SearchTerm) -> str:
    """What words are to begin with, where a term asks for nothing else; else ""."""
    if term.field is not None:
        return ""
    words, is_beginning = phrase(term.words)
    word = words.strip()
    is_prefix = (term.is_prefix or is_beginning) and all(map(is_of_word, word))
    return word if is_prefix else ""


def _is_refused(prefix: str) -> bool:
    """Whether nobody can search for it: one letter needs a second one before `*`."""
    return len(prefix) == 1 and prefix.isascii()
