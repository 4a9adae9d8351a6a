"""Redirect chains, read from the links of kind REDIRECT. A URL has at most one of these."""

import sqlite3

from gossamer.model.outcome import Outcome
from gossamer.model.page import LinkKind
from gossamer.model.rows import MAX_HOPS

MAX_URLS = 2 * MAX_HOPS
"""A chain is cut here. A crawl follows fewer hops in a row, but can enter a chain anywhere."""

_KIND = int(LinkKind.REDIRECT)
_REDIRECTS = ", ".join(str(int(outcome)) for outcome in Outcome if outcome.is_redirect)
_ONWARD = f"SELECT target FROM link WHERE source = ? AND kind = {_KIND} ORDER BY position LIMIT 1"  # noqa: S608 - a number
_INBOUND = f"SELECT source FROM link WHERE target = ? AND kind = {_KIND} ORDER BY source"  # noqa: S608 - a number
_SOURCES = f"""
    SELECT u.id, EXISTS (SELECT 1 FROM link l WHERE l.target = u.id AND l.kind = {_KIND})
    FROM url u WHERE u.outcome IN ({_REDIRECTS}) AND u.id > ? ORDER BY u.id LIMIT ?
"""  # noqa: S608 - numbers


def chain_through(connection: sqlite3.Connection, url_id: int) -> list[int]:
    """The ids of the chain that a URL is on, from where it starts to its end.

    Where several redirects lead to the same URL, the chain comes in by the one found first. A
    loop ends with the URL that comes again. A URL on no chain is alone.
    """
    start, seen = url_id, {url_id}
    while len(seen) < MAX_HOPS:
        before = _before(connection, start, seen)
        if before is None:
            break
        start = before
        seen.add(start)
    return _chain_from(connection, start)


def _before(connection: sqlite3.Connection, start: int, seen: set[int]) -> int | None:
    """The URL from which a chain comes to `start`; None if it starts there."""
    before = _first(connection, start, seen)
    if before is not None or _first(connection, start, set()) is None:
        return before
    # All that redirects here has been seen: a loop, which may be entered elsewhere.
    entries = (_first(connection, member, seen) for member in sorted(seen))
    return next((entry for entry in entries if entry is not None), None)


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
        row = connection.execute(_ONWARD, (ids[-1],)).fetchone()
        if row is None:
            break
        ids.append(row[0])
        if row[0] in seen:
            break
        seen.add(row[0])
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
