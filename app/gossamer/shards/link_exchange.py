"""Decides which messages the coordinator sends to which shards, and when their crawl is over.

A state machine of values: reports and batches of links go in, messages to shards come out.
Everything it knows is in the files of the shards too: a killed coordinator loses nothing. Why it
ends when it may, and no sooner: docs/adr/0050-shards-hand-links-over.md.
"""

from msgspec import Struct

from gossamer.model.messages.shard_messages import GrantPages, LinkBatch, LinksTaken, ShardReport
from gossamer.model.shards import NOTHING_EXCHANGED, PeerCounts, ensure_fresh
from gossamer.shards.page_budget import PageBudget


class Delivery(Struct, frozen=True):
    """A message and the shard that it is for."""

    shard: int
    message: LinkBatch | LinksTaken | GrantPages


class LinkExchange:
    """What is known of the shards of one crawl, by their last reports."""

    def __init__(self, shards: int, pages: PageBudget | None = None) -> None:
        """No shard has reported yet. `pages` is the budget they share, if the crawl has a limit."""
        self._pages = pages
        self._shards = range(shards)
        self._reports: dict[int, ShardReport] = {}
        """The last of each shard since it was started, or of one that has ended."""
        self._connected: set[int] = set()
        self._ended: set[int] = set()
        """Those that have finished. What they reported last may be that they were about to."""

    def report(self, shard: int, report: ShardReport) -> list[Delivery]:
        """Take a shard's report. StaleShardError if its file was replaced by an older copy."""
        before = self._reports.get(shard)
        is_new = shard not in self._connected or before is None or before.run != report.run
        self._reports[shard] = report
        self._connected.add(shard)
        self._ended.discard(shard)
        self._ensure_fresh(shard)
        others = [other for other in self._shards if other != shard and other in self._connected]
        deliveries = []
        for other in others:
            taken = _counts(report, other).received
            if is_new or before is None or taken > _counts(before, other).received:
                deliveries.append(Delivery(other, LinksTaken(shard, taken, again=is_new)))
        if is_new:
            for other in others:
                taken = _counts(self._reports[other], shard).received
                deliveries.append(Delivery(shard, LinksTaken(other, taken, again=True)))
        return deliveries + self._grants(shard, report)

    def page_limit_of(self, shard: int) -> int | None:
        """How many pages a shard may fetch when it is started; None for no limit."""
        return None if self._pages is None else self._pages.limit_of(shard)

    def _grants(self, shard: int, report: ShardReport) -> list[Delivery]:
        if self._pages is None or report.pages is None:
            return []
        return [Delivery(other, grant) for other, grant in self._pages.report(shard, report.pages)]

    def batch(self, batch: LinkBatch) -> list[Delivery]:
        """Pass links on. If their shard does not run now, they are sent again when it does."""
        known = batch.receiver in self._connected
        return [Delivery(batch.receiver, batch)] if known else []

    def lost(self, shard: int) -> None:
        """Note that the process of a shard is gone, with all it had not committed."""
        self._connected.discard(shard)
        self._reports.pop(shard, None)
        if self._pages is not None:
            self._pages.lost(shard)

    def ended(self, shard: int) -> None:
        """Note that a shard has finished its crawl, as ordered."""
        self._connected.discard(shard)
        self._ended.add(shard)

    @property
    def to_start(self) -> list[int]:
        """Shards that have finished, but have links to take."""
        return [
            shard
            for shard in self._reports
            if shard not in self._connected and not self._has_taken_all(shard)
        ]

    @property
    def is_over(self) -> bool:
        """Whether no shard has anything to do, and no link is under way between any two."""
        return (self._pages is None or self._pages.is_settled) and all(
            (report := self._reports.get(shard)) is not None
            and (report.is_idle or shard in self._ended)
            and self._has_taken_all(shard)
            for shard in self._shards
        )

    def _has_taken_all(self, shard: int) -> bool:
        """Whether a shard has committed all links that others are known to have for it."""
        own = self._reports[shard]
        return all(
            _counts(report, shard).sent == _counts(own, other).received
            for other, report in self._reports.items()
            if other != shard
        )

    def _ensure_fresh(self, shard: int) -> None:
        own = self._reports[shard]
        for other, report in self._reports.items():
            if other != shard:
                ensure_fresh(shard, _counts(own, other), other, _counts(report, shard))


def _counts(report: ShardReport, other: int) -> PeerCounts:
    return report.peers.get(other, NOTHING_EXCHANGED)
