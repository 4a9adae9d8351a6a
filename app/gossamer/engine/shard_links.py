"""What one shard of a crawl and the others share, as this shard's engine sees it: links, pages.

Links that come from another shard are admitted with the batch that notes their numbers, so that
each is taken once, whatever is killed when.
"""

from collections import deque

from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.messages.shard_messages import GrantPages, LinkBatch, PageShare, ShardReport
from gossamer.model.shards import NOTHING_EXCHANGED, HandedLink, PeerCounts
from gossamer.model.store_batch import ProjectSummary, StoreBatch


class ShardLinks:
    """The links that wait to be admitted, and the numbers of those that are committed."""

    def __init__(self, summary: ProjectSummary, batch: PendingBatch) -> None:
        """Take the project as it stands, and where it is noted what is admitted."""
        self.may_finish = summary.shard is None
        """Whether the crawl ends when it has nothing left to do: others may have links for it."""
        self.is_idle = False
        """Whether it had nothing left to do when that was last looked at."""
        self.page_limit: int | None = None
        """How many pages it may fetch in all, where the others have their shares."""
        self._grants_heard = 0
        self._batch = batch
        self._waiting: deque[LinkBatch] = deque()
        self._looked_up: deque[LinkBatch] = deque()
        self._admitted = {shard: counts.received for shard, counts in summary.peers.items()}
        self.peers: dict[int, PeerCounts] = dict(summary.peers)
        """What is exchanged with the other shards, as it is committed."""

    def __len__(self) -> int:
        """How many batches wait to be admitted."""
        return len(self._waiting) + len(self._looked_up)

    def put(self, batch: LinkBatch) -> None:
        """Have links of another shard wait to be admitted."""
        self._waiting.append(batch)

    def to_look_up(self) -> list[str]:
        """The URLs that admission will ask for when it takes what waits now."""
        self._looked_up += self._waiting
        self._waiting.clear()
        links = (link for batch in self._looked_up for link in batch.links)
        return [url for link in links for url in (link.url, link.referrer)]

    def take(self) -> list[HandedLink]:
        """The links, looked up, that were not admitted before; to be admitted at once.

        Of a batch that does not follow on from what was admitted, nothing is taken: it is sent
        again from there.
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

    def acknowledge(self, shard: int, number: int) -> None:
        """Another shard has committed all links up to this number: they are not kept any more."""
        if number > self.peers.get(shard, NOTHING_EXCHANGED).acknowledged:
            self._batch.acknowledge(shard, number)

    def grant_pages(self, grant: GrantPages, has: int) -> None:
        """Take another limit of pages; it has so many, with those in flight."""
        self.page_limit = max(grant.limit, has)
        self._grants_heard = grant.order

    def report(self, run: int, pages: int, *, is_idle: bool, is_exhausted: bool) -> ShardReport:
        """What to tell the coordinator, where so many pages are fetched.

        It is idle where nothing may be fetched, and exhausted where nothing waits to be either.
        """
        share = None
        if self.page_limit is not None:
            spare = max(self.page_limit - pages, 0) if is_idle and is_exhausted else 0
            wants_more = is_idle and not is_exhausted
            share = PageShare(self.page_limit, self._grants_heard, spare, wants_more)
        return ShardReport(run, is_idle, self.peers, share)

    def committed(self, batch: StoreBatch) -> None:
        """Take in what the project file says of the exchange since that commit."""
        if batch.peers:
            self.peers = batch.peers
