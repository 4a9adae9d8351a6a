"""Decides how links to URLs of other shards are handed over: free, or to be counted there.

Trap budgets count a link in the shard that owns its URL, as that one knows what is new, and is paid
back by what is found. It is handed over with what it needs for that: the judgement of the page.
"""

from gossamer.engine.crawl_memory import CrawlMemory
from gossamer.engine.traps.repeated_content import LinkSource
from gossamer.model.discovery_rank import UNLINKED, Rank
from gossamer.model.outcome import Outcome
from gossamer.model.shards import CountedLink, HandedAs, HandedLink, PageJudgement


class LinkHandover:
    """Notes links to URLs of other shards, and what these have to know of the pages."""

    def __init__(self, memory: CrawlMemory) -> None:
        """`memory` is what the crawl knows of URLs."""
        self._policy = memory.policy
        self._traps = memory.traps
        self._batch = memory.batch
        self._shard_links = memory.shard_links

    def is_elsewhere(self, url: str, outcome: Outcome) -> bool:
        """Whether another shard decides about `url`, which has that outcome in the crawl."""
        return self._policy.outcome_here(url, outcome) is Outcome.OTHER_SHARD

    def owned(self, targets: list[str], known: list[int]) -> list[int]:
        """`known`, packed entries of `targets`, with 0 for URLs of other shards.

        How deep those are is not known here: they may be what led to the page that links to them.
        """
        if not self._policy.is_sharded:
            return known
        return [
            0 if packed and self._policy.is_elsewhere(url) else packed
            for url, packed in zip(targets, known, strict=True)
        ]

    def source(self, link: HandedLink, page: int) -> LinkSource:
        """The page of another shard with that link, which has the id `page` here, or 0."""
        judged, depth = link.judgement, link.rank.depth
        source = LinkSource(
            link.referrer,
            depth if depth >= UNLINKED else max(depth - 1, 0),
            page,
            is_new=judged.is_new,
            is_alike=judged.is_alike,
            spread=judged.spread,
        )
        if page:
            self._traps.remember_source(source)
        if link.handed_as is HandedAs.FREE or link.rank.hops:
            # What led to the page spreads, not the page itself: no budget is asked for that.
            source.spread = 0
        return source

    def is_counted(self, url: str, rank: Rank, source: LinkSource) -> bool:
        """Whether the shard of `url` may count a link to it, and refuse it."""
        is_counted = rank.level == 0 and (rank.as_sitemap or not rank.listed)
        return is_counted and self._traps.may_refuse(url, source)

    def found(
        self, url_id: int, rank: Rank, source: LinkSource, *, is_counted: bool, may_count: bool
    ) -> None:
        """Hand over a link to a URL that is new here.

        In one crawl the URL `may_count`. Then the page leads on by it, unless it `is_counted` where
        it is owned: that shard may refuse it.
        """
        if is_counted:
            self.hand_over(url_id, rank, source)
            return
        if may_count:
            source.leads_on = True
        self.judge(url_id, source)

    def hand_over(self, url_id: int, rank: Rank, source: LinkSource) -> None:
        """Hand over a link that is counted."""
        judgement = PageJudgement(self._spread_of(source), source.is_new, source.is_alike)
        self._shard_links.hand_over(CountedLink(url_id, rank, source.id, judgement), source)

    def judge(self, url_id: int, source: LinkSource) -> None:
        """Note on which page a link is that is not counted, and that its new rank hands over."""
        self._batch.judge(url_id, source.id, PageJudgement(self._spread_of(source)))

    def _spread_of(self, source: LinkSource) -> int:
        # A redirect spreads as the page does that leads there.
        return max(source.spread, self._traps.spread_of(source.id))
