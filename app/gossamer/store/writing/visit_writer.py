"""Writing what came of asking URLs: the `visit` and `link` tables."""

import sqlite3
from collections.abc import Callable, Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, Final, TypeAlias

from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.store_batch import VisitRow
from gossamer.model.visit import SparseColumn
from gossamer.store.bulk_insert import NULL, BulkInsert, Value
from gossamer.store.count_tables import CountTables
from gossamer.store.field_sql import LINK_TEXTS, VISIT_COLUMNS, StoredColumn, is_of_page
from gossamer.store.writing.immediate_inlinks import marking
from gossamer.store.writing.inlink_tables import Inlinks
from gossamer.store.writing.storable_text import header_lines
from gossamer.store.writing.string_pool import StringPool

_LINK = BulkInsert(
    "link",
    ", ".join(
        [
            *("source", "position", "target", "kind", "action"),
            *(each.name for each in LINK_TEXTS),
        ]
    ),
)
_LINK_WIDTH: Final = 5 + len(LINK_TEXTS)
_LINK_COLUMNS: Final = [
    (place, attrgetter(each.field.field.filled)) for place, each in enumerate(LINK_TEXTS, 5)
]
_NO_FACTS: Final = PageFacts()
_IS_READERS: Final = marking(OUTLINK_KINDS)
_NOTHING: Final[dict[Any, Any]] = {None: "", "": None}
"""Of a text of a page, None is that there is none; the string pool takes "" for that."""
MADE_HERE: Final = frozenset({"ttfb_ms", "elapsed_ms", "tries", "last_modified", "outlinks"})
"""Columns whose values are not just what a page worker reports."""

_Fill: TypeAlias = Callable[[Iterable[Any], StringPool], Iterable[Value]]
"""Makes of the values of a field what is stored."""


def _fill_of(column: StoredColumn) -> _Fill:
    if column.storage.pooled:
        return _pooled(column)
    encode = column.storage.encode
    if encode is not None:
        return lambda given, _: [NULL if value is None else encode(value) for value in given]
    if column.field.field.always:
        return lambda given, _: given
    if column.storage.sql_type == "TEXT" and not is_of_page(column):
        return lambda given, _: [value or NULL for value in given]
    return lambda given, _: [NULL if value is None else value for value in given]


def _pooled(column: StoredColumn) -> _Fill:
    encode = column.storage.encode
    if encode is not None:
        return lambda given, texts: texts.ids_of(
            ["" if value is None else encode(value) for value in given]
        )
    if is_of_page(column):
        return lambda given, texts: texts.ids_of([value or _NOTHING[value] for value in given])
    return lambda given, texts: texts.ids_of(given)


def _fills(*, of_page: bool) -> list[tuple[int, Callable[[Any], Any], _Fill]]:
    """The places of columns in a row, what gives their values, what makes of these."""
    return [
        (place, attrgetter(each.field.field.filled or each.name), _fill_of(each))
        for place, each in enumerate(VISIT_COLUMNS, len(_FIRST))
        if is_of_page(each) is of_page and each.name not in MADE_HERE
    ]


_FIRST: Final = ("id", "redirect_delay_s", "headers")
_NAMES: Final = (*_FIRST, *(each.name for each in VISIT_COLUMNS))
_PLACES: Final = {name: place for place, name in enumerate(_NAMES)}
_WIDTH: Final = len(_NAMES)
_VISIT: Final = BulkInsert("visit", ", ".join(_NAMES))
_OF_ANSWERS: Final = _fills(of_page=False)
_OF_PAGES: Final = _fills(of_page=True)


def write_visits(
    connection: sqlite3.Connection,
    rows: list[VisitRow],
    texts: StringPool,
    tallies: CountTables,
    inlinks: Inlinks,
) -> None:
    """Write visits and their links, in the transaction that is open.

    None of the URLs may have a visit: see `remove_visits`. The caller flushes what it passes.
    """
    # In order of their keys, rows that stand side by side in the file are written side by side.
    rows = sorted(rows, key=lambda row: row.id)
    visits = _visit_values(rows, texts)
    for row, type_id in zip(rows, visits[_PLACES["content_type"] :: _WIDTH], strict=True):
        visit = row.visit
        content_type = type_id if isinstance(type_id, int) else None
        tallies.answer(visit.status, visit.raw_bytes)
        tallies.response(None if visit.status is None else visit.elapsed_ms, content_type)
    links = list(chain.from_iterable(_link_values(row, texts) for row in rows))
    _VISIT.run(connection, visits)
    _LINK.run(connection, links)
    inlinks.add(rows)


def remove_visits(
    connection: sqlite3.Connection, ids: Iterable[int], tallies: CountTables, inlinks: Inlinks
) -> list[tuple[int | None, int]]:
    """Remove visits and their links: these URLs are visited anew.

    Returns status and bytes received of each.
    """
    removed = []
    for source in ids:
        links = connection.execute(
            "SELECT target, kind FROM link WHERE source = ?", (source,)
        ).fetchall()
        inlinks.remove(source, links)
        connection.execute("DELETE FROM link WHERE source = ?", (source,))
        status, raw_bytes, elapsed_ms, content_type = connection.execute(
            "SELECT status, raw_bytes, elapsed_ms, content_type FROM visit WHERE id = ?", (source,)
        ).fetchone()
        tallies.answer(status, raw_bytes, -1)
        tallies.response(elapsed_ms, content_type, -1)
        removed.append((status, raw_bytes))
        connection.execute("DELETE FROM visit WHERE id = ?", (source,))
    return removed


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


def _visit_values(rows: list[VisitRow], texts: StringPool) -> list[Value]:
    """The rows of `visit`, one after the other; made by columns, as those of `link` are."""
    visits = [row.visit for row in rows]
    facts = [visit.facts or _NO_FACTS for visit in visits]
    values: list[Value] = [NULL] * (_WIDTH * len(rows))

    def put(name: str, column: list[Value]) -> None:
        values[_PLACES[name] :: _WIDTH] = column

    put("id", [row.id for row in rows])
    put("redirect_delay_s", [visit.redirect_delay_s for visit in visits])
    put("headers", [header_lines(visit.headers) for visit in visits])
    put("tries", [row.tries for row in rows])
    # How long it took to be refused is no response time.
    put("ttfb_ms", [NULL if each.status is None else each.ttfb_ms for each in visits])
    put("elapsed_ms", [NULL if each.status is None else each.elapsed_ms for each in visits])
    put("last_modified", [last_modified(visit.headers) or NULL for visit in visits])
    put("outlinks", [row.links.links.kinds.translate(_IS_READERS).count(1) for row in rows])
    for given, fills in ((visits, _OF_ANSWERS), (facts, _OF_PAGES)):
        for place, get, fill in fills:
            values[place::_WIDTH] = fill(map(get, given), texts)
    return values


def _link_values(row: VisitRow, texts: StringPool) -> list[Value]:
    """The rows of `link`, one after the other; made by columns, which takes half the time."""
    links = row.links.links
    columns = [(place, get(links)) for place, get in _LINK_COLUMNS]
    usual = texts.ids_of(
        [column.usual if isinstance(column, SparseColumn) else "" for _, column in columns]
    )
    values: list[Value] = [row.id, 0, 0, 0, 0, *usual] * len(links)
    values[1::_LINK_WIDTH] = range(len(links))
    values[2::_LINK_WIDTH] = row.links.targets
    values[3::_LINK_WIDTH] = links.kinds
    values[4::_LINK_WIDTH] = row.links.actions
    for start, column in columns:
        if not isinstance(column, SparseColumn):
            values[start::_LINK_WIDTH] = texts.ids_of(column)
            continue
        others = texts.ids_of(column.others)
        for position, other in zip(column.positions, others, strict=True):
            values[position * _LINK_WIDTH + start] = other
    return values
