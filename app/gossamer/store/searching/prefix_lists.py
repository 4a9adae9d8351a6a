"""Lists which pages have a word with a prefix, for prefixes that very many words have.

For each search with a prefix, FTS5 merges the lists of all words that begin so, with the
positions of each: of 100,000 pages, that takes up to 150 ms. A list has a byte for each place, in
compressed parts. Whoever enters texts adds their pages to all lists in the same transaction
(ADR 90).
"""

import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gossamer.model.search_query import SearchTerm
from gossamer.model.search_words import is_of_word, phrase
from gossamer.store.searching.page_bitmaps import FIRST, HERE, union
from gossamer.store.searching.word_prefixes import count_prefixes, prefix_reader
from gossamer.store.text_blocks import block_of, position_of, text_location

PREFIX_TABLES: Final = """
CREATE TABLE listed_prefix (prefix TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE prefix_list (
    prefix TEXT NOT NULL,
    part INTEGER NOT NULL,
    pages BLOB NOT NULL,
    PRIMARY KEY (prefix, part)
) WITHOUT ROWID;
CREATE TABLE prefix_sample (
    prefix TEXT PRIMARY KEY,
    positions INTEGER NOT NULL
) WITHOUT ROWID;
"""
LEAST_PAGES: Final = 20_000
"""Of fewer pages, FTS5 merges the lists of any prefix in less time than is noticed."""
HEAVY: Final = 250_000
"""Positions of words with a prefix that is listed: to merge them takes 15 ms."""
LEAST_SAMPLED: Final = 50
"""Pages of the sample before it says which prefixes are heavy: one long page would say that all
of its own are."""
MOST_LISTS: Final = 256
"""Pages are added to each list; cppreference has 133."""
RARE_IN: Final = 50
"""Pages of the sample, of which less than one has a word with a prefix that is not counted."""
_PART: Final = text_location(16, 0)
"""Places in a part of a list: as many blocks as are mostly entered together."""
SAMPLED_IN: Final = 4
"""Blocks, of which the first page of one is in the sample."""
_BIT: Final = [bytes(byte >> number & 1 for byte in range(256)) for number in range(8)]
"""For each bit of a byte, the table that translates the byte to it."""
_PAGES: Final = ""
"""The row of `prefix_sample` that counts the pages of the sample."""
_COUNT: Final = (
    "INSERT INTO prefix_sample VALUES (?, ?)"
    " ON CONFLICT (prefix) DO UPDATE SET positions = positions + excluded.positions"
)
_HEAVY: Final = f"""
    SELECT s.prefix FROM prefix_sample AS s
    JOIN prefix_sample AS n ON n.prefix = '{_PAGES}' JOIN followed AS f
    WHERE s.prefix <> n.prefix AND f.pages >= ? AND n.positions >= ?
    AND s.positions * f.pages >= ? * n.positions
    AND s.prefix NOT IN (SELECT prefix FROM listed_prefix)
    ORDER BY s.positions DESC, s.prefix
    LIMIT max(0, ? - (SELECT count(*) FROM listed_prefix))
"""  # noqa: S608 - our own words
_DROP_RARE: Final = f"""
    DELETE FROM prefix_sample
    WHERE positions * ? < (SELECT positions FROM prefix_sample WHERE prefix = '{_PAGES}')
"""  # noqa: S608 - our own words
_PART_OF: Final = "SELECT pages FROM prefix_list WHERE prefix = ? AND part = ?"
_PREFIXED: Final = "SELECT rowid FROM page WHERE page MATCH ?"
_LIST: Final = """
    SELECT part, pages FROM search.prefix_list
    WHERE prefix = ? AND prefix IN (SELECT prefix FROM search.listed_prefix) ORDER BY part
"""


def add_to_lists(index: sqlite3.Connection, texts: Mapping[int, str], pages: int) -> None:
    """Add pages to the lists, and to the sample, in the transaction that enters their texts.

    `texts` are all that is entered of each page, by its place; `pages` is how many the index has.
    """
    listed = [prefix for (prefix,) in index.execute("SELECT prefix FROM listed_prefix")]
    if listed:
        found = prefix_reader(tuple(listed)).prefixes_of(list(texts.values()))
        by_part: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for place, prefixes in zip(texts, found, strict=True):
            part, byte = divmod(place - FIRST, _PART)
            by_part[part][byte] = prefixes
        damaged: set[str] = set()
        for part, of_places in by_part.items():
            for prefix, pages_with in zip(listed, _columns(of_places, len(listed)), strict=True):
                if prefix not in damaged and not _add(index, prefix, part, pages_with):
                    damaged.add(prefix)
        for prefix in damaged:
            _forget(index, prefix)
    if pages >= LEAST_PAGES // 2:  # so that the sample is large enough by then
        _sample(index, [text for place, text in texts.items() if is_sampled(place)])


def heavy_prefixes(index: sqlite3.Connection) -> list[str]:
    """The prefixes that are worth a list and have none, the heaviest first."""
    values = (LEAST_PAGES, LEAST_SAMPLED, HEAVY, MOST_LISTS)
    return [prefix for (prefix,) in index.execute(_HEAVY, values)]


def list_prefix(index: sqlite3.Connection, prefix: str) -> None:
    """List the pages with words that begin so, in the open transaction."""
    index.execute("INSERT INTO listed_prefix VALUES (?)", (prefix,))
    parts: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(_PART))
    for (place,) in index.execute(_PREFIXED, (f'"{prefix}" *',)):
        part, byte = divmod(place - FIRST, _PART)
        parts[part][byte] = HERE[0]
    for part, pages in parts.items():
        _add(index, prefix, part, pages)


def forget_damaged(index: sqlite3.Connection) -> None:
    """Remove each list with a part that cannot be read, in the open transaction."""
    damaged = set()
    for prefix, packed in index.execute("SELECT prefix, pages FROM prefix_list"):
        try:
            zlib.decompress(packed)
        except zlib.error:
            damaged.add(prefix)
    for prefix in damaged:
        _forget(index, prefix)


def clear_lists(index: sqlite3.Connection) -> None:
    """Leave no list."""
    for table in ("listed_prefix", "prefix_list", "prefix_sample"):
        index.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names


def listed_pages(project: sqlite3.Connection, term: SearchTerm) -> bytes | None:
    """The list for a term, by the index that is attached as `search`; None if it has none."""
    prefix = _prefix_of(term)
    rows = project.execute(_LIST, (prefix,)).fetchall() if prefix else []
    if not rows:
        return None
    pages = bytearray((rows[-1][0] + 1) * _PART)
    try:
        for part, packed in rows:
            pages[part * _PART : (part + 1) * _PART] = zlib.decompress(packed)
    except zlib.error:  # FTS5 finds the same, if later
        return None
    return bytes(pages)


def _columns(rows: Mapping[int, int], count: int) -> Iterator[bytes]:
    """The pages in a part with each of `count` prefixes, of the prefixes of each page."""
    width = (count + 7) // 8
    table = bytearray(_PART * width)
    for byte, prefixes in rows.items():
        table[byte * width : (byte + 1) * width] = prefixes.to_bytes(width, "little")
    for number in range(count):
        yield bytes(table[number // 8 :: width]).translate(_BIT[number % 8])


def _add(index: sqlite3.Connection, prefix: str, part: int, pages: bytes | bytearray) -> bool:
    """Add pages to a part of a list; False if it is damaged."""
    if HERE not in pages:
        return True
    former = index.execute(_PART_OF, (prefix, part)).fetchone()
    try:
        whole = (
            bytes(pages) if former is None else union([bytes(pages), zlib.decompress(former[0])])
        )
    except zlib.error:
        return False
    row = (prefix, part, zlib.compress(whole))
    index.execute("INSERT OR REPLACE INTO prefix_list VALUES (?, ?, ?)", row)
    return True


def _forget(index: sqlite3.Connection, prefix: str) -> None:
    """Have a damaged list made anew."""
    for table in ("prefix_list", "listed_prefix"):
        index.execute(f"DELETE FROM {table} WHERE prefix = ?", (prefix,))  # noqa: S608 - our own names


def _sample(index: sqlite3.Connection, texts: Sequence[str]) -> None:
    """Count the words with each prefix in some texts, by which those of all are estimated."""
    counts = Counter({_PAGES: len(texts)})
    for text in texts:
        counts.update(count_prefixes(text))
    index.executemany(_COUNT, sorted(counts.items()))
    index.execute(_DROP_RARE, (RARE_IN,))


def is_sampled(place: int) -> bool:
    """Whether the text at a place is one of those by which positions are estimated."""
    return position_of(place) == 0 and block_of(place) % SAMPLED_IN == 0


def _prefix_of(term: SearchTerm) -> str:
    """What words are to begin with, where a term asks for nothing else; else ""."""
    if term.field is not None:
        return ""
    words, is_beginning = phrase(term.words)
    word = words.strip()
    is_prefix = (term.is_prefix or is_beginning) and all(map(is_of_word, word))
    return word if is_prefix else ""
