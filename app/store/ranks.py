"""Carrying a better way to a URL on, through the links and redirects already stored."""

import sqlite3
from collections.abc import Iterable

from app.model.outcome import Outcome
from app.model.page import FOLLOWED_KINDS, LinkKind
from app.model.rows import MAX_HOPS, Rank, UrlRow
from app.store.bulk import CHUNK, marks

_KINDS = ", ".join(str(int(kind)) for kind in sorted({*FOLLOWED_KINDS, LinkKind.REDIRECT}))


def merged(old: Rank, new: Rank) -> Rank:
    """The better of each part; the other's parts where one has no depth."""
    if new.depth is None:
        return old
    if old.depth is None:
        return new
    return Rank(min(old.depth, new.depth), min(old.hops, new.hops))


def relax(connection: sqlite3.Connection, better: Iterable[tuple[int, Rank]]) -> list[UrlRow]:
    """Store better ranks of known URLs and of every URL that is reached better through them.

    A link of a followed kind costs a click and starts with no hops; a redirect costs a hop and
    no click. Returns the URLs whose rank changed, as they are now, by id. Must run in a
    transaction. Ends, because depths and hops only fall.
    """
    candidates: dict[int, Rank] = {}
    for url_id, rank in better:
        _offer(candidates, url_id, rank)
    changed: dict[int, UrlRow] = {}
    while candidates:
        improved = _improved(connection, candidates, changed)
        changed.update(improved)
        candidates = {}
        for source, target, is_redirect in _ways_on(connection, list(improved)):
            _offer(candidates, target, _rank_beyond(improved[source].rank, is_redirect))
    rows = [changed[url_id] for url_id in sorted(changed)]
    connection.executemany(
        "UPDATE url SET depth = ?, hops = ? WHERE id = ?",
        [(row.rank.depth, row.rank.hops, row.id) for row in rows],
    )
    return rows


def _offer(candidates: dict[int, Rank], url_id: int, rank: Rank) -> None:
    known = candidates.get(url_id)
    candidates[url_id] = rank if known is None else merged(known, rank)


def _rank_beyond(rank: Rank, is_redirect: int) -> Rank:
    depth = rank.depth
    if is_redirect:
        return Rank(depth, min(rank.hops + 1, MAX_HOPS))
    return Rank(None if depth is None else depth + 1)


def _improved(
    connection: sqlite3.Connection, candidates: dict[int, Rank], changed: dict[int, UrlRow]
) -> dict[int, UrlRow]:
    """Those of the candidates whose rank beats the present one, with the merged rank."""
    improved = {}
    for row in _present(connection, list(candidates), changed):
        rank = merged(row.rank, candidates[row.id])
        if rank != row.rank:
            improved[row.id] = UrlRow(row.id, row.url, rank, row.outcome, row.parent)
    return improved


def _present(
    connection: sqlite3.Connection, ids: list[int], changed: dict[int, UrlRow]
) -> Iterable[UrlRow]:
    yield from (changed[url_id] for url_id in ids if url_id in changed)
    unread = [url_id for url_id in ids if url_id not in changed]
    for start in range(0, len(unread), CHUNK):
        chunk = unread[start : start + CHUNK]
        yield from url_rows(connection, f"id IN ({marks(len(chunk))})", chunk)


def _ways_on(connection: sqlite3.Connection, ids: list[int]) -> Iterable[tuple[int, int, int]]:
    """(source, target, whether it is a redirect) for what leads on from these URLs."""
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        yield from connection.execute(
            f"SELECT DISTINCT source, target, kind = {int(LinkKind.REDIRECT)} FROM link"  # noqa: S608 - numbers and marks
            f" WHERE source IN ({marks(len(chunk))}) AND kind IN ({_KINDS})",
            chunk,
        )


def url_rows(
    connection: sqlite3.Connection, condition: str, values: Iterable[int]
) -> Iterable[UrlRow]:
    """The rows of `url` for which `condition`, an SQL text of our own, holds."""
    cursor = connection.execute(
        f"SELECT id, url, depth, hops, outcome, parent FROM url WHERE {condition}",  # noqa: S608 - conditions from our own code
        tuple(values),
    )
    for url_id, url, depth, hops, outcome, parent in cursor:
        yield UrlRow(url_id, url, Rank(depth, hops), Outcome(outcome), parent)
