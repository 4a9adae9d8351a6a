"""Writes a shard's links to the others, and the state of the exchange.

A URL of another shard has a row in `url`, as any target of a link has. When that row is new, or its
rank gets better, the link is to be handed over: it is put into `outgoing_link` in the same
transaction, and stays there until the other shard has committed it.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.model.discovery_rank import JUST_RECORDED, Rank
from gossamer.model.errors import BugError, ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.shards import (
    NOTHING_EXCHANGED,
    UNSUSPICIOUS,
    CountedLink,
    HandedAs,
    HandedLink,
    PageJudgement,
)
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.bulk_insert import NULL, BulkInsert, Value
from gossamer.store.shard_tables import read_peers, read_shard
from gossamer.store.writing.rank_propagation import url_rows
from gossamer.urls.shard_ownership import Ownership

_LINKS: Final = BulkInsert(
    "outgoing_link",
    "shard, number, id, depth, hops, as_file, listed, act, page, handed_as, spread, is_new,"
    " is_alike",
)
_TO_SEND: Final = """
    SELECT u.url, o.depth, o.hops, o.as_file, o.listed, coalesce(p.url, ''), coalesce(o.act, ''),
      o.handed_as, o.spread, o.is_new, o.is_alike
    FROM outgoing_link o JOIN url u ON u.id = o.id
      LEFT JOIN url p ON p.id = coalesce(o.page, u.parent)
    WHERE o.shard = ? AND o.number > ? ORDER BY o.number LIMIT ?
"""


class SupersededError(ProjectError):
    """Another process writes the shard by now: this one must not commit anything more."""

    def __init__(self) -> None:
        super().__init__(
            "Another process has begun to crawl this shard, so this one has stopped; what it had "
            "committed is safe."
        )


class _Noted(NamedTuple):
    """A row of `outgoing_link` to be."""

    url_id: int
    url: str
    rank: Rank
    act: str | None = None
    page: int | None = None
    handed_as: HandedAs = HandedAs.FREE
    judgement: PageJudgement = UNSUSPICIOUS


class OutgoingLinks:
    """The links that a shard hands over. In a project that is no shard, it does nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection
        self._identity = read_shard(connection)
        shards = 1 if self._identity is None else self._identity.shards
        self._owner = Ownership(shards).owner
        self._noted: dict[int, tuple[str, Rank]] = {}
        self._noted_others: list[_Noted] = []
        if self._identity is not None:
            # What another shard is told must not be undone by a power cut: it forgets the links
            # that are committed here, and does not take those again whose numbers it knows.
            connection.execute("PRAGMA synchronous=FULL")
        self._epoch = self._begun_epoch()
        self.forget()

    def forget(self) -> None:
        """Forget what may not be in the file: after a rollback."""
        self._noted.clear()
        self._noted_others.clear()
        self._peers = read_peers(self._connection)

    def ensure_current(self) -> None:
        """Raise SupersededError if another process has begun to write the shard since.

        Must run in a transaction: nobody can begin between this and its commit.
        """
        if self._identity is not None and _epoch_in(self._connection) != self._epoch:
            raise SupersededError

    def _begun_epoch(self) -> int:
        """Begin an epoch: who wrote the shard before, and may not know that it is over, stops."""
        if self._identity is None:
            return 0
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("UPDATE shard SET epoch = epoch + 1")
        epoch = _epoch_in(self._connection)
        self._connection.execute("COMMIT")
        return epoch

    def note(self, rows: Iterable[UrlRow]) -> None:
        """Hand over those of other shards; they are new, or their rank has become better.

        A page that is only there because it leads to a URL of ours is known where it belongs.
        """
        for row in rows:
            is_referrer = row.parent is None and row.rank == JUST_RECORDED
            if row.outcome is Outcome.OTHER_SHARD and not is_referrer:
                self._noted[row.id] = row.url, row.rank

    def note_decided(self, ids: Iterable[int]) -> None:
        """Hand over URLs that were left out before, and belong to other shards."""
        for url_id in ids:
            self.note(url_rows(self._connection, "id = ?", [url_id]))

    def note_risky(self, rows: Iterable[tuple[int, str]]) -> None:
        """Hand over what links say of URLs of other shards: that they sign out or delete."""
        if self._identity is None:
            return
        for url_id, words in rows:
            for row in url_rows(self._connection, "id = ?", [url_id]):
                if self._owner(row.url) != self._identity.number:
                    self._noted_others.append(_Noted(row.id, row.url, JUST_RECORDED, words))

    def flush(self, batch: StoreBatch) -> None:
        """Write what is to be handed over, what was taken, and what need not be kept any more."""
        if self._identity is None:
            return
        before = self._peers
        self._peers = dict(before)
        self._note_counted(batch.counted)
        for url_id, rank in batch.passed_on:
            self._note_other(url_id, rank, handed_as=HandedAs.PROPAGATED)
        self._write_noted(batch.judged)
        self._note_counts(batch.received, batch.acknowledged)
        self._connection.executemany(
            "INSERT OR REPLACE INTO shard_peer (shard, sent, acknowledged, received)"
            " VALUES (?, ?, ?, ?)",
            [
                (shard, counts.sent, counts.acknowledged, counts.received)
                for shard, counts in self._peers.items()
                if before.get(shard) != counts
            ],
        )
        batch.peers = dict(self._peers)

    def to_send(self, shard: int, after: int, limit: int) -> list[HandedLink]:
        """Up to `limit` links to another shard with numbers above `after`, in order."""
        rows = self._connection.execute(_TO_SEND, (shard, after, limit))
        return [
            HandedLink(
                *(url, Rank.stored(*rank), referrer, act, HandedAs(handed_as)),
                PageJudgement(spread, bool(is_new), bool(is_alike)),
            )
            for url, *rank, referrer, act, handed_as, spread, is_new, is_alike in rows
        ]

    def _note_counted(self, links: Iterable[CountedLink]) -> None:
        for link in links:
            if self._noted.get(link.id, ("", None))[1] == JUST_RECORDED:
                del self._noted[link.id]  # this link is all that leads there
            self._note_other(
                *(link.id, link.rank),
                page=link.page,
                handed_as=HandedAs.COUNTED,
                judgement=link.judgement,
            )

    def _note_other(
        self,
        url_id: int,
        rank: Rank,
        *,
        handed_as: HandedAs,
        page: int | None = None,
        judgement: PageJudgement = UNSUSPICIOUS,
    ) -> None:
        for row in url_rows(self._connection, "id = ?", [url_id]):
            noted = _Noted(url_id, row.url, rank, None, page, handed_as, judgement)
            self._noted_others.append(noted)

    def _write_noted(self, judged: Mapping[int, tuple[int, PageJudgement]]) -> None:
        values: list[Value] = []
        free = [
            _Noted(url_id, url, rank, None, page, HandedAs.FREE, judgement)
            for url_id, (url, rank) in self._noted.items()
            for page, judgement in [judged.get(url_id, (None, UNSUSPICIOUS))]
        ]
        for url_id, url, rank, act, page, handed_as, judgement in (*free, *self._noted_others):
            owner = self._owner(url)
            counts = self._peers.get(owner, NOTHING_EXCHANGED)
            self._peers[owner] = replace(counts, sent=counts.sent + 1)
            values += (owner, counts.sent + 1, url_id, rank.depth, rank.hops)
            values += (int(rank.as_file), int(rank.listed), act, page or NULL, int(handed_as))
            values += (judgement.spread, int(judgement.is_new), int(judgement.is_alike))
        _LINKS.run(self._connection, values)
        self._noted.clear()
        self._noted_others.clear()

    def _note_counts(self, received: Mapping[int, int], acknowledged: Mapping[int, int]) -> None:
        for shard, number in received.items():
            counts = self._peers.get(shard, NOTHING_EXCHANGED)
            if number <= counts.received:
                raise BugError("links of another shard were to be committed twice")
            self._peers[shard] = replace(counts, received=number)
        for shard, number in acknowledged.items():
            counts = self._peers.get(shard, NOTHING_EXCHANGED)
            if number > counts.sent:
                raise BugError("another shard has acknowledged links that were never sent")
            self._connection.execute(
                "DELETE FROM outgoing_link WHERE shard = ? AND number <= ?", (shard, number)
            )
            known = max(number, counts.acknowledged)
            self._peers[shard] = replace(counts, acknowledged=known)


def _epoch_in(connection: sqlite3.Connection) -> int:
    (epoch,) = connection.execute("SELECT epoch FROM shard").fetchone()
    return int(epoch)
