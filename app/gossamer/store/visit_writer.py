"""Writing what came of asking URLs: the `visit` and `link` tables."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache

from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.page import PageFacts
from gossamer.model.response_warnings import codes
from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import NULL, BulkInsert, Value
from gossamer.store.inlinks import Inlinks
from gossamer.store.sanitize import header_lines
from gossamer.store.small_inlinks import marking
from gossamer.store.string_pool import StringPool
from gossamer.store.url_counts import CountTables

_VISIT = BulkInsert(
    "visit",
    "id, status, reason, content_type, charset, language, size_bytes, raw_bytes, ttfb_ms,"
    " elapsed_ms, fetched_at, tries, warnings, title, h1, description, robots, canonical,"
    " word_count, content_hash, redirect, redirect_kind, redirect_delay_s, robots_header,"
    " last_modified, headers, detail, outlinks",
)
_LINK = BulkInsert("link", "source, position, target, kind, action, text, rel, element, fragment")
_COLUMNS = 9
_NO_FACTS = PageFacts()
_IS_READERS = marking(OUTLINK_KINDS)


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
    visits: list[Value] = []
    links: list[Value] = []
    for row in rows:
        kinds = row.links.links.kinds
        tallies.answer(row.visit.status, row.visit.raw_bytes)
        outlinks = kinds.translate(_IS_READERS).count(1)
        content_type = _text_id(row.visit.content_type or None, texts)
        is_answered = row.visit.status is not None
        tallies.response(row.visit.elapsed_ms if is_answered else None, content_type)
        visits += _visit_values(row, content_type, outlinks, texts)
        links += _link_values(row, texts)
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


def _visit_values(
    row: VisitRow, content_type: int | None, outlinks: int, texts: StringPool
) -> list[Value]:
    visit = row.visit
    facts = visit.facts or _NO_FACTS
    is_answered = visit.status is not None  # how long it took to be refused is no response time
    values = (
        row.id,
        visit.status,
        visit.reason,
        content_type,
        _text_id(visit.charset or None, texts),
        _text_id(facts.language, texts),
        visit.size_bytes,
        visit.raw_bytes,
        visit.ttfb_ms if is_answered else None,
        visit.elapsed_ms if is_answered else None,
        visit.fetched_at,
        row.tries,
        _text_id(codes(visit.warnings) or None, texts),
        facts.title,
        facts.h1,
        facts.description,
        _text_id(facts.robots, texts),
        facts.canonical,
        None if visit.facts is None else facts.word_count,
        facts.content_hash or None,
        visit.location,
        visit.redirect_kind and int(visit.redirect_kind),
        visit.redirect_delay_s,
        _text_id(visit.robots_header or None, texts),
        last_modified(visit.headers),
        header_lines(visit.headers),
        visit.detail or None,
        outlinks,
    )
    return [NULL if value is None else value for value in values]


def _text_id(text: str | None, texts: StringPool) -> int | None:
    return None if text is None else texts.id_of(text)


def _link_values(row: VisitRow, texts: StringPool) -> list[Value]:
    """The rows of `link`, one after the other; made by columns, which takes half the time."""
    links = row.links.links
    mostly = (links.rels, links.elements, links.fragments)
    usual = texts.ids_of([column.usual for column in mostly])
    values: list[Value] = [row.id, 0, 0, 0, 0, 0, *usual] * len(links)
    values[1::_COLUMNS] = range(len(links))
    values[2::_COLUMNS] = row.links.targets
    values[3::_COLUMNS] = links.kinds
    values[4::_COLUMNS] = row.links.actions
    values[5::_COLUMNS] = texts.ids_of(links.texts)
    for number, column in enumerate(mostly, 6):
        others = texts.ids_of(column.others)
        for position, other in zip(column.positions, others, strict=True):
            values[position * _COLUMNS + number] = other
    return values
