"""Propagates a better rank through the links and redirects already stored.

A better way to one URL may be one to hundreds of thousands. So they are carried on in parts: the
table `owed` has the URLs from which that is still to be done.
"""

import sqlite3
from collections.abc import Iterable

from gossamer.model.discovery_rank import UNLINKED, Rank, SitemapRole
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.count_tables import CountTables

_COLUMNS = "t.id, t.url, t.depth, t.hops, t.as_file, t.listed, t.outcome, t.parent"
_NEAREST = """
    SELECT o.depth, u.id, u.depth, u.hops, u.as_file, u.listed,
        (SELECT max(position) FROM link WHERE source = u.id)
    FROM owed o CROSS JOIN url u ON u.id = o.id ORDER BY o.depth, o.id LIMIT 1
"""
_REDIRECT = int(LinkKind.REDIRECT)
# What only a sitemap names is no click away from anything.
_NO_WAYS = f"{int(LinkKind.SITEMAP)}, {int(LinkKind.SITEMAP_INDEX)}"
_WAYS_ON = f"""
    SELECT l.kind = {_REDIRECT}, {_COLUMNS}
    FROM link l JOIN url t ON t.id = l.target
    WHERE l.source = ? AND l.action = {int(LinkAction.FOLLOW)} AND l.kind NOT IN ({_NO_WAYS})
        AND (t.outcome != {int(Outcome.OVER_BUDGET)} OR t.depth <= {UNLINKED})
        AND (l.kind = {_REDIRECT} OR t.depth > ? OR t.hops > 0)
"""  # noqa: S608 - numbers and names of our own


class _Ranks:
    """The ranks that one transaction makes better."""

    def __init__(self, connection: sqlite3.Connection, tallies: CountTables) -> None:
        self._connection = connection
        self._tallies = tallies
        self.changed: dict[int, UrlRow] = {}
        self.elsewhere: dict[int, Rank] = {}
        """Those of URLs that other shards may have refused."""

    def improve(self, row: UrlRow, offered: Rank) -> None:
        """Store what is better of an offered rank; what leads on from the URL is owed then."""
        rank = row.rank.merged(offered)
        if rank == row.rank:
            return
        self._tallies.url(row.outcome, row.rank.depth, -1)
        self._tallies.url(row.outcome, rank.depth)
        self.changed[row.id] = UrlRow(row.id, row.url, rank, row.outcome, row.parent)
        self._connection.execute(
            "UPDATE url SET depth = ?, hops = ?, as_file = ?, listed = ? WHERE id = ?",
            (rank.depth, rank.hops, int(rank.as_file), int(rank.listed), row.id),
        )
        # That a sitemap was read changes nothing of what it leads to.
        if rank.listed != SitemapRole.READ or rank.redirected() != row.rank.redirected():
            self._owe(rank.depth, row.id)

    def owe(self, ids: list[int]) -> None:
        """Have the ranks of these carried on."""
        for chunk in chunks(ids):
            for row in url_rows(self._connection, f"id IN ({marks(len(chunk))})", chunk):
                self._owe(row.rank.depth, row.id)

    def carry_on(self, reach: int) -> bool:
        """Make better what the nearest of the owed URLs lead to; whether some are left."""
        while (nearest := self._connection.execute(_NEAREST).fetchone()) is not None:
            if reach <= 0:
                return True
            owed_depth, source, *rank, last = nearest
            self._connection.execute(
                "DELETE FROM owed WHERE depth = ? AND id = ?", (owed_depth, source)
            )
            reach -= 1
            if rank[0] == owed_depth:  # otherwise it stood there nearer, too
                self._carry_on_from(source, Rank.stored(*rank))
                reach -= 0 if last is None else last + 1
        return False

    def _carry_on_from(self, source: int, rank: Rank) -> None:
        clicked, redirected = rank.clicked(), rank.redirected()
        ways = self._connection.execute(_WAYS_ON, (source, clicked.depth)).fetchall()
        for is_redirect, *target in ways:
            row = _row(*target)
            row = self.changed.get(row.id, row)  # it may stand there twice
            offered = redirected if is_redirect else clicked
            if row.outcome is Outcome.OTHER_SHARD and row.rank.level > offered.level == 0:
                known = self.elsewhere.get(row.id, offered)
                self.elsewhere[row.id] = known.merged(offered)
            else:
                self.improve(row, offered)

    def _owe(self, depth: int, url_id: int) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO owed (depth, id) VALUES (?, ?)", (depth, url_id)
        )


def relax(connection: sqlite3.Connection, batch: StoreBatch, tallies: CountTables) -> list[UrlRow]:
    """Store better ranks of known URLs, and of URLs that are reached better through them.

    A link that is followed costs a click and starts with no hops; a redirect costs a hop and no
    click. Returns the URLs whose rank changed, as they are now, by id, and sets `batch.owing` and
    `batch.passed_on`.
    Must run in a transaction. Ends, because depths and hops only fall.
    """
    ranks = _Ranks(connection, tallies)
    offers = _best(batch.improved)
    propagated = _best(batch.propagated)
    for chunk in chunks(list({**offers, **propagated})):
        for row in list(url_rows(connection, f"id IN ({marks(len(chunk))})", chunk)):
            if (rank := offers.get(row.id)) is not None:
                ranks.improve(row, rank)
            rank, now = propagated.get(row.id), ranks.changed.get(row.id, row)
            # What is over budget and has a rank is about to be queued all the same.
            if rank is not None and (now.outcome is not Outcome.OVER_BUDGET or not now.rank.level):
                ranks.improve(now, rank)
    ranks.owe(batch.owed)
    batch.owing = ranks.carry_on(batch.reach)
    batch.passed_on = sorted(ranks.elsewhere.items())
    return [ranks.changed[url_id] for url_id in sorted(ranks.changed)]


def _best(offered: Iterable[tuple[int, Rank]]) -> dict[int, Rank]:
    """By id, all ranks that were offered merged into one."""
    best: dict[int, Rank] = {}
    for url_id, rank in offered:
        best[url_id] = best[url_id].merged(rank) if url_id in best else rank
    return best


def url_rows(
    connection: sqlite3.Connection, condition: str, values: Iterable[int | str]
) -> Iterable[UrlRow]:
    """The rows of `url` for which `condition`, an SQL text of our own, holds."""
    query = f"SELECT {_COLUMNS} FROM url t WHERE {condition}"  # noqa: S608 - conditions from our own code
    for row in connection.execute(query, tuple(values)):
        yield _row(*row)


def _row(url_id: int, url: str, *rest: int) -> UrlRow:
    *rank, outcome, parent = rest
    return UrlRow(url_id, url, Rank.stored(*rank), Outcome(outcome), parent)
