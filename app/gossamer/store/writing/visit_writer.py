"""Writes finished visits and their links to the `visit` and `link` tables."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct

from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.freshness import UNCHANGED
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.store_batch import VisitRow
from gossamer.model.visit import NO_LINKS, CountedResponse, IndexedColumn, SparseColumn, Visit
from gossamer.store.audit_status import read_content_stamp
from gossamer.store.bulk_insert import NULL, BulkInsert, Value, chunks, listed, marks
from gossamer.store.count_tables import CountTables
from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS, StoredColumn, is_of_page
from gossamer.store.header_texts import HeaderTexts
from gossamer.store.writing.inlink_tables import Inlinks, marking
from gossamer.store.writing.string_pool import EMPTY, StringPool

_NO_FACTS: Final = PageFacts()
_IS_READERS: Final = marking(OUTLINK_KINDS)
MADE_HERE: Final = frozenset({"ttfb_ms", "elapsed_ms", "tries", "last_modified", "outlinks"})
"""Columns whose values are not just what a page worker reports."""


class _Reported(Struct, frozen=True):
    """Columns whose values are taken from one object as a page worker reports them."""

    columns: Sequence[StoredColumn]

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.columns]

    @property
    def get(self) -> Callable[[Any], tuple[Any, ...]]:
        """Gives their values."""
        get = attrgetter(*(each.field.field.filled or each.name for each in self.columns))
        return get if len(self.columns) > 1 else lambda reported: (get(reported),)


def _kept_in(column_type: type) -> _Reported:
    """The texts of links that a page worker reports in such a column."""
    return _Reported(
        [
            each
            for each in LINK_TEXTS
            if isinstance(getattr(NO_LINKS, each.field.field.filled), column_type)
        ]
    )


_RESPONSE: Final = _Reported(
    [each for each in VISIT_COLUMNS if not is_of_page(each) and each.name not in MADE_HERE]
)
_PAGE: Final = _Reported([each for each in VISIT_COLUMNS if is_of_page(each)])
_response_values, _page_values = _RESPONSE.get, _PAGE.get
_NAMES: Final = (
    *("id", "header_names", "header_values", "content_stamp", "tries"),
    *("ttfb_ms", "elapsed_ms", "last_modified", "outlinks"),
    *_RESPONSE.names,
    *_PAGE.names,
)
_WIDTH: Final = len(_NAMES)
_VISIT: Final = BulkInsert("visit", ", ".join(_NAMES))
_CONTENT_TYPE: Final = _NAMES.index("content_type")
_ENCODED: Final = [
    (_NAMES.index(each.name), each.storage.encode)
    for each in (*_RESPONSE.columns, *_PAGE.columns)
    if each.storage.encode is not None
]
_POOLED: Final = [_NAMES.index("header_names")] + [
    _NAMES.index(each.name) for each in (*_RESPONSE.columns, *_PAGE.columns) if each.storage.pooled
]
_POOLED_OF_PAGE: Final = [_NAMES.index(each.name) for each in _PAGE.columns if each.storage.pooled]

_LINK_HEAD: Final = ("source", "position", "target", "kind", "action", "traits")
_SPARSE, _INDEXED, _FULL = map(_kept_in, (SparseColumn, IndexedColumn, list))
_sparse_columns, _indexed_columns, _full_columns = _SPARSE.get, _INDEXED.get, _FULL.get
# In the order of the table, or SQLite copies each value once more.
_LINK_NAMES: Final = (*_LINK_HEAD, *(each.name for each in LINK_TEXTS))
_LINK: Final = BulkInsert("link", ", ".join(_LINK_NAMES))
_LINK_WIDTH: Final = len(_LINK_NAMES)
_AT_SPARSE, _AT_INDEXED, _AT_FULL = (
    list(map(_LINK_NAMES.index, kept.names)) for kept in (_SPARSE, _INDEXED, _FULL)
)
_COUNTED: Final = (
    "SELECT status, iif(unchanged, 0, raw_bytes) + coalesce(resource_bytes, 0), unchanged,"  # noqa: S608 - our own words
    f" elapsed_ms, content_type FROM (SELECT *, coalesce(freshness IN ({listed(UNCHANGED)}), 0)"
    " AS unchanged FROM visit WHERE id = ?)"
)
_NO_TEXTS: Final = [NULL] * len(LINK_TEXTS)


def write_visits(
    connection: sqlite3.Connection,
    rows: list[VisitRow],
    texts: StringPool,
    tallies: CountTables,
    inlinks: Inlinks,
) -> None:
    """Write visits and their links, in the transaction that is open, as content of its stamp.

    None of the URLs may have a visit: see `remove_visits`. The caller flushes what it passes.
    """
    # In order of their keys, rows that stand side by side in the file are written side by side.
    rows = sorted(rows, key=lambda row: row.id)
    visits = _visit_values(rows, texts, read_content_stamp(connection) + 1)
    for row, type_id in zip(rows, visits[_CONTENT_TYPE::_WIDTH], strict=True):
        visit = row.visit
        content_type = type_id if isinstance(type_id, int) else None
        tallies.response(visit.counted)
        tallies.time_and_type(None if visit.status is None else visit.elapsed_ms, content_type)
    links: list[Value] = []
    for row in rows:
        links += _link_values(row, texts)
    _VISIT.run(connection, visits)
    _LINK.run(connection, links)
    inlinks.add(rows)


def remove_visits(
    connection: sqlite3.Connection, ids: Iterable[int], tallies: CountTables, inlinks: Inlinks
) -> list[CountedResponse]:
    """Remove visits and their links, which are returned: these URLs are visited again."""
    removed = []
    for source in ids:
        links = connection.execute(
            "SELECT target, kind FROM link WHERE source = ?", (source,)
        ).fetchall()
        inlinks.remove(source, links)
        connection.execute("DELETE FROM link WHERE source = ?", (source,))
        counted = connection.execute(_COUNTED, (source,)).fetchone()
        status, received_bytes, unchanged, elapsed_ms, content_type = counted
        response = CountedResponse(status, received_bytes, bool(unchanged))
        tallies.response(response, -1)
        tallies.time_and_type(elapsed_ms, content_type, -1)
        removed.append(response)
        connection.execute("DELETE FROM visit WHERE id = ?", (source,))
    return removed


def visited_among(connection: sqlite3.Connection, ids: Sequence[int]) -> list[int]:
    """Those of `ids` that have a visit already: they were taken up again."""
    found: list[int] = []
    for chunk in chunks(ids):
        query = f"SELECT id FROM visit WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
        found += [url_id for (url_id,) in connection.execute(query, chunk)]
    return found


def last_modified(headers: Iterable[tuple[str, str]]) -> str | None:
    """The Last-Modified header as ISO 8601 in UTC; None if absent or not a date."""
    for name, value in headers:
        if name.lower() == "last-modified":
            return _iso_date(value)
    return None


@lru_cache(maxsize=1024)  # the pages of a site are often as old as each other
def _iso_date(value: str) -> str | None:
    try:
        moment = parsedate_to_datetime(value)
        # A date without a zone is in UTC: RFC 9110, section 5.6.7.
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None


def _visit_values(rows: list[VisitRow], texts: StringPool, stamp: int) -> list[Value]:
    """The rows of `visit`, one after the other."""
    values: list[Any] = []
    for row in rows:
        visit = row.visit
        # How long it took to be refused is no response time.
        has_response = visit.status is not None
        values += (
            row.id,
            *HeaderTexts.of(visit.headers),
            stamp,
            row.tries,
            visit.ttfb_ms if has_response else None,
            visit.elapsed_ms if has_response else None,
            last_modified(visit.headers),
            row.links.links.kinds.translate(_IS_READERS).count(1),
        )
        values += _response_values(visit)
        values += _page_values(visit.facts or _facts_of_file(visit))
    for place, encode in _ENCODED:
        values[place::_WIDTH] = [
            None if value is None else encode(value) for value in values[place::_WIDTH]
        ]
    for place in _POOLED_OF_PAGE:
        values[place::_WIDTH] = [EMPTY if value == "" else value for value in values[place::_WIDTH]]
    for place in _POOLED:
        values[place::_WIDTH] = texts.ids_of(values[place::_WIDTH])
    return [NULL if value is None else value for value in values]


def _facts_of_file(visit: Visit) -> PageFacts:
    if visit.canonical_header is None:
        return _NO_FACTS
    return PageFacts(canonical_header=visit.canonical_header)


def _link_values(row: VisitRow, texts: StringPool) -> list[Value]:
    """The rows of `link`, one after the other; made by columns, which takes half the time."""
    links = row.links.links
    sparse = _sparse_columns(links)
    first: list[Value] = [row.id, 0, 0, 0, 0, 0, *_NO_TEXTS]
    usual = texts.ids_of([column.usual for column in sparse])
    for place, text in zip(_AT_SPARSE, usual, strict=True):
        first[place] = text
    values = first * len(links)
    values[1::_LINK_WIDTH] = range(len(links))
    values[2::_LINK_WIDTH] = row.links.targets
    values[3::_LINK_WIDTH] = links.kinds
    values[4::_LINK_WIDTH] = row.links.actions
    if links.traits:
        values[5::_LINK_WIDTH] = links.traits
    for place, column in zip(_AT_SPARSE, sparse, strict=True):
        others = texts.ids_of(column.others)
        for position, other in zip(column.positions, others, strict=True):
            values[position * _LINK_WIDTH + place] = other
    for place, column in zip(_AT_INDEXED, _indexed_columns(links), strict=True):
        if column.indexes:
            known = texts.ids_of(column.texts)
            values[place::_LINK_WIDTH] = list(map(known.__getitem__, column.indexes))
    for place, column in zip(_AT_FULL, _full_columns(links), strict=True):
        values[place::_LINK_WIDTH] = texts.ids_of(column)
    return values
