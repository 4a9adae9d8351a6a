"""Reads redirect chains from links of kind REDIRECT, of which a URL has at most one.

How far redirects lead, and where to, is SQL too: columns, orders and facets. The steps of each
chain are read again, which takes some microseconds for each of them; only redirects have any.
"""

import sqlite3
from collections.abc import Mapping
from itertools import chain as chained
from typing import Any, Final

from msgspec import convert, structs

from gossamer.model.discovery_rank import MAX_HOPS
from gossamer.model.fields.url_record import URL_FIELDS, UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.redirect_types import BREAKS, PERMANENT_STATUSES, ChainType
from gossamer.store.bulk_insert import listed, marks

MAX_URLS = 2 * MAX_HOPS
"""A chain is cut here. A crawl follows fewer hops in a row, but can enter a chain anywhere."""

_KIND = int(LinkKind.REDIRECT)
# A redirect is the last link of its URL.
ONWARD = (
    f"(SELECT CASE kind WHEN {_KIND} THEN target END FROM link"  # noqa: S608 - a number
    " WHERE source = {id} ORDER BY position DESC LIMIT 1)"
)
"""The id of the URL that the one with `id` redirects to; NULL if it redirects nowhere."""
_ONWARD = f"SELECT {ONWARD.format(id='?')}"
_INBOUND = f"SELECT source FROM link WHERE target = ? AND kind = {_KIND} ORDER BY source"  # noqa: S608 - a number
_SOURCES = f"""
    SELECT u.id, EXISTS (SELECT 1 FROM link l WHERE l.target = u.id AND l.kind = {_KIND})
    FROM url u WHERE u.outcome IN ({listed(REDIRECTS)}) AND u.id > ? ORDER BY u.id LIMIT ?
"""  # noqa: S608 - numbers


def chain_through(connection: sqlite3.Connection, url_id: int) -> list[int]:
    """The ids of the chain from a redirect to its end; for other URLs, of the one that ends there.

    Where several redirects lead to the same URL, the chain comes in by the one found first. A
    loop ends with the URL that comes again. A URL on no chain is alone.
    """
    onward = _chain_from(connection, url_id)
    if len(onward) > 1:
        return onward
    start, seen = url_id, {url_id}
    while len(seen) < MAX_HOPS:
        before = _first(connection, start, seen)
        if before is None:
            break
        start = before
        seen.add(start)
    return _chain_from(connection, start)


def chain_starts(
    connection: sqlite3.Connection, after: int, limit: int
) -> tuple[list[list[int]], int | None]:
    """The chains that start at the next `limit` redirects above id `after`, and the last id.

    The id is None when there were no more redirects. A chain starts where no redirect leads to;
    a loop into which nothing leads starts at its lowest id.
    """
    rows = connection.execute(_SOURCES, (after, limit)).fetchall()
    chains = [_chain_from(connection, url_id) for url_id, inbound in rows if not inbound]
    led_into = set(chained.from_iterable(chains))  # what is on a loop starts elsewhere
    loops = [
        _loop_from(connection, url_id)
        for url_id, inbound in rows
        if inbound and url_id not in led_into
    ]
    found = [*chains, *(loop for loop in loops if loop)]
    return sorted(found), rows[-1][0] if rows else None


def _chain_from(connection: sqlite3.Connection, url_id: int) -> list[int]:
    ids, seen = [url_id], {url_id}
    while len(ids) < MAX_URLS:
        (target,) = connection.execute(_ONWARD, (ids[-1],)).fetchone()
        if target is None:
            break
        ids.append(target)
        if target in seen:
            break
        seen.add(target)
    return ids


def _loop_from(connection: sqlite3.Connection, url_id: int) -> list[int]:
    """The loop that starts at this URL; empty if it is on none, or the loop has another start."""
    ids = _chain_from(connection, url_id)
    members = set(ids)
    if ids[-1] != url_id or min(ids) != url_id:
        return []
    if any(_first(connection, member, members) is not None for member in members):
        return []
    return ids


def redirect_sources(connection: sqlite3.Connection, url_id: int, limit: int) -> list[int]:
    """The ids of the URLs that redirect to one, rising; at most `limit`."""
    rows = connection.execute(f"{_INBOUND} LIMIT ?", (url_id, limit))
    return [int(source) for (source,) in rows]


def _first(connection: sqlite3.Connection, url_id: int, seen: set[int]) -> int | None:
    """The first URL, by id and not in `seen`, that redirects to this one."""
    for (source,) in connection.execute(_INBOUND, (url_id,)):
        if source not in seen:
            return int(source)
    return None


_DECLARED: Final = {each.name: each for each in URL_FIELDS}
_MOST_HOPS: Final = MAX_URLS - 1
_REDIRECTS: Final = listed(REDIRECTS)
_BREAKING: Final = " ".join(
    f"WHEN max(o.outcome IN ({listed(outcomes)})) THEN '{kind.value}'" for kind, outcomes in BREAKS
)
_PERMANENT: Final = (
    f"CASE WHEN o.outcome IN ({_REDIRECTS})"
    f" THEN coalesce(w.status, 0) IN ({listed(PERMANENT_STATUSES)}) END"
)
_TYPE: Final = (
    f"CASE {_BREAKING} WHEN max({_PERMANENT}) > min({_PERMANENT}) THEN '{ChainType.MIXED.value}'"
    f" WHEN max({_PERMANENT}) THEN '{ChainType.PERMANENT.value}'"
    f" ELSE '{ChainType.TEMPORARY.value}' END"
)
# `mark` is the URL at the last place that is a power of two: a loop comes by it again (Brent's
# algorithm), however long the way into it is.
_ENDS: Final = f"""
    WITH RECURSIVE step (start, id, target, place, mark) AS (
        SELECT u.id, u.id, {ONWARD.format(id="u.id")}, 1, u.id
        FROM url u WHERE u.outcome IN ({_REDIRECTS}) {{among}}
        UNION ALL
        SELECT s.start, s.target, {ONWARD.format(id="s.target")}, s.place + 1,
            CASE WHEN s.place & (s.place + 1) THEN s.mark ELSE s.target END
        FROM step s WHERE s.target != s.mark AND s.place < {_MOST_HOPS}
    )
    SELECT step.start AS id,
        count(DISTINCT CASE WHEN step.target IS NOT NULL THEN step.id END) AS length,
        {_TYPE} AS type,
        CASE WHEN coalesce(max(step.target = step.mark), 0) = 0 THEN coalesce(
            max(CASE WHEN step.target IS NULL THEN step.id END),
            max(CASE WHEN step.place = {_MOST_HOPS} THEN step.target END)
        ) END AS final
    FROM step JOIN url o ON o.id = step.id LEFT JOIN visit w ON w.id = step.id GROUP BY step.start
"""  # noqa: S608 - our own words

CHAIN_JOINS: Final = {
    "ch": f" LEFT JOIN ({_ENDS.format(among='')}) ch ON ch.id = u.id",
    "fu": " LEFT JOIN url fu ON fu.id = ch.final",
    "fv": " LEFT JOIN visit fv ON fv.id = ch.final",
}
"""What can be joined to a URL `u`: `length` and `type` of its chain, the URL and visit at its end.

The end is what leads no further; a loop has none.
"""
_CHAIN_FIELDS: Final = tuple(
    (place, each.field.sql)
    for place, each in enumerate(map(_DECLARED.get, UrlRecord.__struct_fields__))
    if each is not None and each.field.sql.startswith(tuple(f"{alias}." for alias in CHAIN_JOINS))
)
"""The fields of a record that tell of its chain: their places in it, and their SQL."""
_CHAIN_ENDS: Final = (
    f"SELECT ch.id, {', '.join(sql for _, sql in _CHAIN_FIELDS)} FROM"  # noqa: S608 - our own words
    f" ({_ENDS.replace('{among}', 'AND u.id IN ({marks})')}) ch"
    f"{CHAIN_JOINS['fu']}{CHAIN_JOINS['fv']}"
)


def chain_ends(number: int) -> str:
    """The same of the redirects among so many URLs, whose ids are the parameters."""
    return _CHAIN_ENDS.format(marks=marks(number))


def with_chain(known: Mapping[int, UrlRecord], row: tuple[Any, ...]) -> UrlRecord:
    """The record of a redirect with what a row of `chain_ends` tells of it; ValueError."""
    url_id, *ends = row
    values = list(structs.astuple(known[url_id]))
    for (place, _), end in zip(_CHAIN_FIELDS, ends, strict=True):
        values[place] = end
    return convert(values, UrlRecord)
