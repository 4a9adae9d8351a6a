"""What a shard shares with the others, as its engine sees it: links and the page budget.

Links that come from another shard are admitted with the batch that notes their numbers, so that
each is taken once, whatever is killed when.
"""

from collections import deque
from typing import Final

from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.traps.repeated_content import LinkSource
from gossamer.model.bounded_dict import remember
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.messages.shard_messages import GrantPages, LinkBatch, PageShare, ShardReport
from gossamer.model.shards import NOTHING_EXCHANGED, CountedLink, HandedLink, PeerCounts
from gossamer.model.store_batch import ProjectSummary, StoreBatch

MOST_COUNTED: Final = 50_000
"""Counted links that are remembered, so that not every page of a kind hands the same one over."""


class ShardLinks:
    """The links that wait to be admitted, and the numbers of those that are committed."""

    def __init__(self, summary: ProjectSummary, batch: PendingBatch) -> None:
        """`batch` notes what is admitted, and what is handed over."""
        self.may_finish = summary.shard is None
        """Whether the crawl ends when it has nothing left to do: other shards may have links for
        it."""
        self.is_idle = False
        """Whether it had nothing left to do when last checked."""
        self.page_limit: int | None = None
        """How many pages it may fetch in all, its share among the shards."""
        self._grants_heard = 0
        self._batch = batch
        self._waiting: deque[LinkBatch] = deque()
        self._looked_up: deque[LinkBatch] = deque()
        self._counted: dict[int, int] = {}
        """By URL and kind of page, at which depth a counted link was handed over."""
        self._admitted = {shard: counts.received for shard, counts in summary.peers.items()}
        self.peers: dict[int, PeerCounts] = dict(summary.peers)
        """What was exchanged with the other shards, as committed."""

    def __len__(self) -> int:
        """How many batches wait to be admitted."""
        return len(self._waiting) + len(self._looked_up)

    def put(self, batch: LinkBatch) -> None:
        """Queue links from another shard for admission."""
        self._waiting.append(batch)

    def to_look_up(self) -> list[str]:
        """The URLs that admission will need when it takes what waits now."""
        self._looked_up += self._waiting
        self._waiting.clear()
        links = (link for batch in self._looked_up for link in batch.links)
        return [url for link in links for url in (link.url, link.referrer)]

    def take(self) -> list[HandedLink]:
        """The links, looked up, that were not admitted before; admit them at once.

        A batch with a gap after what was admitted is skipped: it is sent again from there.
        """
        links: list[HandedLink] = []
        while self._looked_up:
            batch = self._looked_up.popleft()
            known = self._admitted.get(batch.sender, 0)
            if batch.first <= known + 1 and batch.last > known:
                links += batch.links[known + 1 - batch.first :]
                self._admitted[batch.sender] = batch.last
                self._batch.receive(batch.sender, batch.last)
        return links

    def hand_over(self, link: CountedLink, source: LinkSource) -> None:
        """Hand a link on `source` over to a shard that may refuse it.

        That shard looks again by itself at what it left out, when the budget has room or the URL
        costs none of it by now. So links on pages that count alike are handed over once, unless
        they are clicks nearer. A URL that it knows as a file is not looked at again: see ADR 64.
        """
        kind = hash((link.id, source.pattern, source.is_new, source.lane, source.is_doubtful))
        if link.rank.depth < self._counted.get(kind, UNLINKED + 1):
            remember(self._counted, kind, link.rank.depth, MOST_COUNTED)
            self._batch.hand_over(link)

    def acknowledge(self, shard: int, number: int) -> None:
        """Drop all links up to this number: another shard has committed them."""
        if number > self.peers.get(shard, NOTHING_EXCHANGED).acknowledged:
            self._batch.acknowledge(shard, number)

    def grant_pages(self, grant: GrantPages, has: int) -> None:
        """Set another page limit; `has` counts the pages so far, with those in flight."""
        self.page_limit = max(grant.limit, has)
        self._grants_heard = grant.order

    def report(self, run: int, pages: int, *, is_idle: bool, is_exhausted: bool) -> ShardReport:
        """The report for the coordinator, with so many pages fetched.

        It is idle where nothing may be fetched, and exhausted where nothing waits to be either.
        """
        share = None
        if self.page_limit is not None:
            spare = max(self.page_limit - pages, 0) if is_idle and is_exhausted else 0
            wants_more = is_idle and not is_exhausted
            share = PageShare(self.page_limit, self._grants_heard, spare, wants_more)
        return ShardReport(run, is_idle, self.peers, share)

    def committed(self, batch: StoreBatch) -> None:
        """Update the exchange counts after that commit."""
        if batch.peers:
            self.peers = batch.peers
