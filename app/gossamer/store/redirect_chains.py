"""Redirect chains, read from the links of kind REDIRECT. A URL has at most one of these."""

import sqlite3

from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome_counts import REDIRECTS
from gossamer.model.rank import MAX_HOPS
from gossamer.store.bulk_insert import listed

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
    loops = [_loop_from(connection, url_id) for url_id, inbound in rows if inbound]
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
