"""Writing what came of asking URLs: the `visit`, `link`, `inlink` and `inlink_count` tables."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime

from app.model.page import FOLLOWED_KINDS, LinkKind, PageFacts
from app.model.rows import VisitRow
from app.store.bulk import Insert, Value
from app.store.cleaning import header_lines
from app.store.texts import Texts

COUNTED_KINDS = FOLLOWED_KINDS | {
    LinkKind.IMAGE,
    LinkKind.SCRIPT,
    LinkKind.STYLESHEET,
    LinkKind.ICON,
    LinkKind.MEDIA,
}
"""Kinds that count as inlinks: what brings a reader to a page, or a file into one. Redirects, forms
and what a page merely says of itself (canonical, alternate, next) do not."""

_VISIT = Insert(
    "visit",
    "id, status, reason, content_type, charset, language, size_bytes, raw_bytes, ttfb_ms,"
    " elapsed_ms, fetched_at, tries, truncated, title, h1, description, robots, canonical,"
    " word_count, content_hash, redirect, last_modified, headers, detail, outlinks",
)
_LINK = Insert("link", "source, position, target, kind, text, rel")
_INLINK = Insert("inlink", "target, source")
_INLINK_COUNT = Insert(
    "inlink_count",
    "id, links, sources",
    "ON CONFLICT (id) DO UPDATE"
    " SET links = links + excluded.links, sources = sources + excluded.sources",
)
_NO_FACTS = PageFacts()


def write_visits(connection: sqlite3.Connection, rows: list[VisitRow], texts: Texts) -> None:
    """Write visits and their links, in the transaction that is open.

    None of the URLs may have a visit: see `remove_visits`. The caller flushes `texts`.
    """
    # In order of their keys, rows that stand side by side in the file are written side by side.
    rows = sorted(rows, key=lambda row: row.id)
    visits: list[Value] = []
    links: list[Value] = []
    inlinks: list[tuple[int, int]] = []
    counts: Counter[int] = Counter()
    sources: Counter[int] = Counter()
    for row in rows:
        counted = _counted(row)
        visits += _visit_values(row, texts)
        links += _link_values(row, texts)
        inlinks += [(target, row.id) for target in {target for target, _ in row.links}]
        counts.update(counted)
        sources.update(set(counted))
    _VISIT.run(connection, visits)
    _LINK.run(connection, links)
    _INLINK.run(connection, [value for pair in sorted(inlinks) for value in pair])
    _add_counts(connection, counts, sources)


def remove_visits(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove visits and their links: these URLs are visited anew."""
    for source in ids:
        links = connection.execute(
            "SELECT target, kind FROM link WHERE source = ?", (source,)
        ).fetchall()
        counted = [target for target, kind in links if kind in COUNTED_KINDS]
        connection.executemany(
            "DELETE FROM inlink WHERE target = ? AND source = ?",
            [(target, source) for target in {target for target, _ in links}],
        )
        connection.execute("DELETE FROM link WHERE source = ?", (source,))
        connection.execute("DELETE FROM visit WHERE id = ?", (source,))
        _add_counts(
            connection,
            {target: -number for target, number in Counter(counted).items()},
            dict.fromkeys(counted, -1),
        )


def last_modified(headers: Iterable[tuple[str, str]]) -> str | None:
    """The Last-Modified header as ISO 8601 in UTC; None if absent or not a date."""
    for name, value in headers:
        if name.lower() == "last-modified":
            try:
                moment = parsedate_to_datetime(value)
                # A date without a zone is in UTC: RFC 9110, section 5.6.7.
                aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
                return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            except (ValueError, OverflowError):
                return None
    return None


def _counted(row: VisitRow) -> list[int]:
    kinds = COUNTED_KINDS
    return [target for target, link in row.links if link.kind in kinds]


def _visit_values(row: VisitRow, texts: Texts) -> tuple[Value, ...]:
    visit = row.visit
    facts = visit.facts or _NO_FACTS
    return (
        row.id,
        visit.status,
        visit.reason,
        _text_id(visit.content_type or None, texts),
        _text_id(visit.charset or None, texts),
        _text_id(facts.language, texts),
        visit.size_bytes,
        visit.raw_bytes,
        visit.ttfb_ms,
        visit.elapsed_ms,
        visit.fetched_at,
        row.tries,
        int(visit.truncated),
        facts.title,
        facts.h1,
        facts.description,
        _text_id(facts.robots, texts),
        facts.canonical,
        None if visit.facts is None else facts.word_count,
        facts.content_hash or None,
        visit.location,
        last_modified(visit.headers),
        header_lines(visit.headers),
        visit.detail or None,
        sum(link.kind in FOLLOWED_KINDS for _, link in row.links),
    )


def _text_id(text: str | None, texts: Texts) -> int | None:
    return None if text is None else texts.id_of(text)


def _link_values(row: VisitRow, texts: Texts) -> list[Value]:
    source = row.id
    id_of = texts.id_of
    values: list[Value] = []
    for position, (target, link) in enumerate(row.links):
        text, rel = link.text, link.rel
        values += (
            source,
            position,
            target,
            link.kind,
            id_of(text) if text else None,
            id_of(rel) if rel else None,
        )
    return values


def _add_counts(
    connection: sqlite3.Connection, links: dict[int, int], sources: dict[int, int]
) -> None:
    _INLINK_COUNT.run(
        connection,
        [value for url_id in sorted(links) for value in (url_id, links[url_id], sources[url_id])],
    )
