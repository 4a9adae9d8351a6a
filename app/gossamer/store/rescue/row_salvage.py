"""Salvages every readable row of a damaged project file into a new file."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final
from zlib import crc32

from gossamer.model.discovery_rank import FORMER, MAX_HOPS, SitemapRole
from gossamer.model.outcome import Outcome
from gossamer.store.database import expected_schema
from gossamer.store.rescue.sqlite_page_reader import (
    INDEX_INTERIOR,
    INDEX_LEAF,
    TABLE_LEAF,
    BTreeCell,
    BTreePage,
    DamagedPageError,
    DatabasePages,
    Value,
    record,
)
from gossamer.store.schema import TABLES

SAVED: Final = (
    *("project", "root", "url", "text", "visit", "link"),
    *("robots", "site_check", "certificate"),
)
"""The tables that cannot be made again from others."""
IDENTITY: Final = "shard"
"""The table whose only row says which shard of which crawl it is."""
EXCHANGED: Final = ("shard_peer", "outgoing_link", "over_budget")
"""The tables of what a shard has exchanged with others."""
SHARD: Final = (IDENTITY, *EXCHANGED)
READ: Final = (
    *(*SAVED, "budget", "owed", "risky_url", "ignored_issue", "custom_value"),
    *("rendering", "rendering_detail", "screenshot", "text_block", "page_text"),
    *("archive_file", "archive_record"),
    *SHARD,
)
"""Those, and what only their trees lead to: its rows look like those of some indexes."""
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "": (int, str),
}

_OUTCOMES: Final[dict[Value, int]] = {int(outcome): int(outcome.state) for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """The layout of a table's records in the file."""

    name: str
    types: tuple[tuple[type, ...], ...]
    alias: int | None
    """The column that is the rowid; the record has NULL in its place."""
    in_index: bool
    """Whether the table is an index b-tree: WITHOUT ROWID."""

    def fits(self, values: list[Value]) -> bool:
        """Whether a record may be one of this table."""
        return _fits(self, tuple(map(type, values)))


@lru_cache(1000)
def _fits(shape: RecordLayout, types: tuple[type, ...]) -> bool:
    nothing = type(None)
    return len(types) == len(shape.types) and all(
        (of_value is nothing and (index == shape.alias or nothing in allowed))
        or (index != shape.alias and of_value in allowed)
        for index, (of_value, allowed) in enumerate(zip(types, shape.types, strict=True))
    )


@dataclass(slots=True)
class SalvageTally:
    """The result of reading a file page by page."""

    pages: int
    damaged_pages: int = 0
    damaged_rows: int = 0
    incomplete: set[str] = field(default_factory=set)
    """The tables and indexes whose trees are damaged or not found."""
    seen: int = 0
    """Pages that trees and the list of free ones lead to."""
    _known: bytearray = field(init=False)

    def __post_init__(self) -> None:
        self._known = bytearray(self.pages + 1)

    def is_new(self, number: int) -> bool:
        """Whether there is such a page and it was not asked for before; from now on it was."""
        if not 1 <= number <= self.pages or self._known[number]:
            return False
        self._known[number] = 1
        self.seen += 1
        return True


def salvage(
    pages: DatabasePages,
    scratch: sqlite3.Connection,
    progress: Callable[[int, int], None],
    whole: frozenset[str] = frozenset(),
) -> SalvageTally:
    """Insert every row of `SAVED` that can be read into the tables of the same names.

    Those that are `whole` are there already. First what the trees of the tables lead to, then pages
    that nothing leads to any more, unless they are free. `progress` is told of pages looked at, and
    of how many.
    """
    found = SalvageTally(pages=pages.count)
    if whole.issuperset(READ):
        return found
    roots = _roots(pages, found)
    found.incomplete |= set(READ) - whole - roots.keys()
    for name, root in roots.items():
        if name in whole:
            _pass_by(pages, root, found)
            continue
        damaged = found.damaged_pages + found.damaged_rows
        shapes = [shape for shape in _shapes() if shape.name == name]
        for page in _tree(pages, root, found, progress):
            found.damaged_rows += _insert(scratch, page, shapes)
        if not 1 <= root <= pages.count or found.damaged_pages + found.damaged_rows > damaged:
            found.incomplete.add(name)
    for number in pages.free():
        found.is_new(number)
    _take_strays(pages, scratch, found, progress, whole)
    return found


def _take_strays(
    pages: DatabasePages,
    scratch: sqlite3.Connection,
    found: SalvageTally,
    progress: Callable[[int, int], None],
    whole: frozenset[str],
) -> None:
    """Insert the rows of the pages that nothing leads to."""
    for number in range(1, pages.count + 1):
        if found.is_new(number):
            progress(found.seen, pages.count)
            _take_stray(pages, number, scratch, whole)


def _take_stray(
    pages: DatabasePages, number: int, scratch: sqlite3.Connection, whole: frozenset[str]
) -> None:
    """Insert the rows of a page that no tree leads to, whose table shows in their shape."""
    try:
        page = pages.btree(number)
    except DamagedPageError:
        return  # an overflow page, or the damaged one: nothing can be told from it
    shapes = [shape for shape in _shapes() if shape.name in SAVED and shape.name not in whole]
    _insert(scratch, page, shapes)  # what does not fit may be of a table made again


def _tree(
    pages: DatabasePages, root: int, found: SalvageTally, progress: Callable[[int, int], None]
) -> Iterator[BTreePage]:
    """The pages of a b-tree, in order, each once; counts those that are damaged."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if not found.is_new(number):
            continue
        progress(found.seen, pages.count)
        try:
            page = pages.btree(number)
        except DamagedPageError:
            found.damaged_pages += 1
            continue
        waiting += reversed(page.children)
        found.damaged_rows += page.damaged
        yield page


def _pass_by(pages: DatabasePages, root: int, found: SalvageTally) -> None:
    """Count the pages of a tree as known, but for those of long records."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if found.is_new(number):
            waiting += pages.children(number)


def _roots(pages: DatabasePages, found: SalvageTally) -> dict[str, int]:
    """Where the tree of each table and index begins, also of those that are not ours."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        usual = dict(connection.execute("SELECT name, rootpage FROM sqlite_schema"))
    said = {}
    for page in _tree(pages, 1, found, lambda *_: None):
        for cell in page.cells:
            try:
                kind, name, _, root, _ = record(cell.payload)
            except (DamagedPageError, ValueError):
                continue
            if kind in {"table", "index"} and isinstance(name, str) and isinstance(root, int):
                said[name] = root
    lost = {name: root for name, root in usual.items() if name not in said}
    taken = set(said.values())
    return said | {name: root for name, root in lost.items() if root not in taken}


def _insert(scratch: sqlite3.Connection, page: BTreePage, shapes: list[RecordLayout]) -> int:
    """Insert the rows of a page that fit one of the shapes; how many there are that do not."""
    in_index = {TABLE_LEAF: False, INDEX_LEAF: True, INDEX_INTERIOR: True}.get(page.kind)
    shapes = [shape for shape in shapes if shape.in_index is in_index]
    if not shapes:
        return 0
    damaged = 0
    rows: dict[str, list[list[Value]]] = {}
    for index, cell in enumerate(page.cells):
        shape, row = _row(cell, shapes)
        if shape is None or not _in_order(page.cells, index) or not _makes_sense(shape, row):
            damaged += 1
        else:
            rows.setdefault(shape.name, []).append(row)
    return damaged + sum(_put(scratch, name, page_rows) for name, page_rows in rows.items())


def _put(scratch: sqlite3.Connection, table: str, rows: list[list[Value]]) -> int:
    """Insert rows into a table; how many it does not take."""
    marks = ", ".join("?" * len(rows[0]))
    insert = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608 - our own names
    try:
        scratch.executemany(insert, rows)
    except (OverflowError, sqlite3.IntegrityError, sqlite3.DataError):
        if len(rows) == 1:
            return 1
        half = len(rows) // 2
        return _put(scratch, table, rows[:half]) + _put(scratch, table, rows[half:])
    return 0


def _row(cell: BTreeCell, shapes: list[RecordLayout]) -> tuple[RecordLayout | None, list[Value]]:
    """The shape that a record fits, and its values."""
    try:
        values = record(cell.payload)
    except DamagedPageError:
        return None, []
    for shape in shapes:
        if shape.fits(values):
            if shape.alias is not None:
                values[shape.alias] = cell.rowid
            return shape, values
    return None, []


def _in_order(cells: list[BTreeCell], index: int) -> bool:
    """Whether the rowid of a cell lies between those of its neighbours, as it must."""
    rowid = cells[index].rowid
    if rowid is None:
        return True
    before = cells[index - 1].rowid if index else None
    after = cells[index + 1].rowid if index + 1 < len(cells) else None
    return (before is None or before < rowid) and (after is None or rowid < after)


def _makes_sense(shape: RecordLayout, row: list[Value]) -> bool:
    """Whether an address is what it was, and the numbers of a URL are numbers that we write."""
    if shape.name not in {"url", "root"}:
        return True
    columns = dict(zip(columns_of(shape.name), row, strict=True))
    if crc32(str(columns["url"]).encode()) != columns["crc"]:
        return False
    if shape.name == "root":
        return True
    outcome = columns["outcome"]
    return (
        outcome in _OUTCOMES
        and _OUTCOMES[outcome] == columns["state"]
        and columns["depth"] in range(FORMER + 1)
        and columns["hops"] in range(MAX_HOPS + 1)
        and columns["as_file"] in {0, 1}
        and columns["listed"] in range(SitemapRole.READ + 1)
    )


@cache
def columns_of(table: str) -> list[str]:
    """The columns of one of our tables that are stored, in order."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


@cache
def _shapes() -> list[RecordLayout]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return [_shape(connection, name) for name in READ]


def _shape(connection: sqlite3.Connection, name: str) -> RecordLayout:
    columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
    in_index = "WITHOUT ROWID" in expected_schema()[name]
    types = []
    alias = None
    for index, _, kind, not_null, _, key in columns:
        if key == 1 and kind == "INTEGER" and not in_index:
            alias = index
        types.append(_TYPES[kind] if not_null else (*_TYPES[kind], type(None)))
    return RecordLayout(name, tuple(types), alias, in_index)
