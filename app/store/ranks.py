"""Carrying a better way to a URL on, through the links and redirects already stored."""

import sqlite3
from collections.abc import Iterable

from app.model.outcome import Outcome
from app.model.page import LinkAction, LinkKind
from app.model.rows import Rank, UrlRow
from app.store.bulk import chunks, marks
from app.store.tallies import Tallies

_SITEMAPS = f"{int(LinkKind.SITEMAP)}, {int(LinkKind.SITEMAP_INDEX)}"
"""What only a sitemap names is no click away from anything."""


def relax(
    connection: sqlite3.Connection, better: Iterable[tuple[int, Rank]], tallies: Tallies
) -> list[UrlRow]:
    """Store better ranks of known URLs and of every URL that is reached better through them.

    A link that is followed costs a click and starts with no hops; a redirect costs a hop and no
    click. Returns the URLs whose rank changed, as they are now, by id. Must run in a
    transaction. Ends, because depths and hops only fall.
    """
    candidates: dict[int, Rank] = {}
    for url_id, rank in better:
        _offer(candidates, url_id, rank)
    changed: dict[int, UrlRow] = {}
    while candidates:
        improved = _improved(connection, candidates, changed, tallies)
        changed.update(improved)
        candidates = {}
        for source, target, is_redirect in _ways_on(connection, list(improved)):
            rank = improved[source].rank
            _offer(candidates, target, rank.redirected() if is_redirect else rank.clicked())
    rows = [changed[url_id] for url_id in sorted(changed)]
    connection.executemany(
        "UPDATE url SET depth = ?, hops = ?, as_file = ? WHERE id = ?",
        [(row.rank.depth, row.rank.hops, row.rank.as_file, row.id) for row in rows],
    )
    return rows


def _offer(candidates: dict[int, Rank], url_id: int, rank: Rank) -> None:
    known = candidates.get(url_id)
    candidates[url_id] = rank if known is None else known.merged(rank)


def _improved(
    connection: sqlite3.Connection,
    candidates: dict[int, Rank],
    changed: dict[int, UrlRow],
    tallies: Tallies,
) -> dict[int, UrlRow]:
    """Those of the candidates whose rank beats the present one, with the merged rank."""
    improved = {}
    for row in _present(connection, list(candidates), changed):
        rank = row.rank.merged(candidates[row.id])
        if rank != row.rank:
            tallies.url(row.outcome, row.rank.depth, -1)
            tallies.url(row.outcome, rank.depth)
            improved[row.id] = UrlRow(row.id, row.url, rank, row.outcome, row.parent)
    return improved


def _present(
    connection: sqlite3.Connection, ids: list[int], changed: dict[int, UrlRow]
) -> Iterable[UrlRow]:
    yield from (changed[url_id] for url_id in ids if url_id in changed)
    unread = [url_id for url_id in ids if url_id not in changed]
    for chunk in chunks(unread):
        yield from url_rows(connection, f"id IN ({marks(len(chunk))})", chunk)


def _ways_on(connection: sqlite3.Connection, ids: list[int]) -> Iterable[tuple[int, int, int]]:
    """(source, target, whether it is a redirect) for what leads on from these URLs."""
    for chunk in chunks(ids):
        yield from connection.execute(
            f"SELECT DISTINCT source, target, kind = {int(LinkKind.REDIRECT)}"  # noqa: S608 - numbers and marks
            f" FROM link JOIN url t ON t.id = target AND t.outcome != {int(Outcome.OVER_BUDGET)}"
            f" WHERE source IN ({marks(len(chunk))}) AND action = {int(LinkAction.FOLLOW)}"
            f" AND kind NOT IN ({_SITEMAPS})",
            chunk,
        )


def url_rows(
    connection: sqlite3.Connection, condition: str, values: Iterable[int | str]
) -> Iterable[UrlRow]:
    """The rows of `url` for which `condition`, an SQL text of our own, holds."""
    cursor = connection.execute(
        f"SELECT id, url, depth, hops, as_file, outcome, parent FROM url WHERE {condition}",  # noqa: S608 - conditions from our own code
        tuple(values),
    )
    for url_id, url, depth, hops, as_file, outcome, parent in cursor:
        yield UrlRow(url_id, url, Rank(depth, hops, bool(as_file)), Outcome(outcome), parent)
