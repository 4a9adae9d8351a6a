"""Holds a crawl's in-memory state and the limits on its size."""

from typing import Self

from msgspec import Struct

from gossamer.engine.cookie_redirects import CookieRedirects
from gossamer.engine.follow_policy import Policy
from gossamer.engine.interfaces import ScopePolicy
from gossamer.engine.pending_batch import MAX_LINKS, MAX_VISITS, PendingBatch
from gossamer.engine.progress import Counters
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.queue.host_queues import HostRate
from gossamer.engine.robots_cache import MAX_ORIGINS
from gossamer.engine.seen_urls import MOST_SLOTS, SeenUrls
from gossamer.engine.shard_links import ShardLinks
from gossamer.engine.traps.trap_budgets import TrapBudgets
from gossamer.engine.url_tracker import UrlTracker
from gossamer.model.store_batch import REACH, ProjectSummary
from gossamer.urls.url_parsing import host_of, parse_root


class EngineLimits(Struct, frozen=True):
    """The sizes of queues and caches in memory; everything else stays in the project file."""

    queued_urls: int = 50_000
    """In the frontier."""
    seen_urls: int = 100_000
    """URLs known with their text."""
    seen_hash_slots: int = MOST_SLOTS
    """For older ones: see `SeenHashes`."""
    pending_visits: int = MAX_VISITS
    """Visits waiting for the writer; with more, no new fetch starts."""
    pending_links: int = MAX_LINKS
    """Likewise the links of these visits."""
    propagated_links: int = REACH
    """Links over which one commit propagates better ranks."""
    robots_origins: int = MAX_ORIGINS
    """Origins whose robots.txt is kept."""
    rows_per_read: int = 10_000
    """Rows of the project file read at a time when a selection of URLs is worked through."""


class CrawlMemory(Struct, frozen=True, eq=False):
    """A crawl's in-memory state of URLs, shared by everything that decides about them."""

    policy: Policy
    counters: Counters
    batch: PendingBatch
    tracker: UrlTracker
    frontier: Frontier
    known: SeenUrls
    traps: TrapBudgets
    redirects: CookieRedirects
    shard_links: ShardLinks

    @classmethod
    def of(cls, summary: ProjectSummary, scope: ScopePolicy, limits: EngineLimits) -> Self:
        """The initial memory of a crawl; the URLs of the project are on file."""
        settings, last_id = summary.settings, summary.last_id
        root_hosts = [host_of(parse_root(root)) for root in settings.roots]
        batch = PendingBatch(
            last_id, max_visits=limits.pending_visits, max_links=limits.pending_links
        )
        tracker = UrlTracker(batch)
        frontier = Frontier(tracker, limits.queued_urls, HostRate.of(settings))
        frontier.restore(last_id)
        traps = TrapBudgets(settings.max_similar, root_hosts=root_hosts)
        return cls(
            Policy(settings, scope, summary.shard, summary.risky),
            Counters(summary),
            batch,
            tracker,
            frontier,
            SeenUrls(limits.seen_urls, complete=last_id == 0, hash_slots=limits.seen_hash_slots),
            traps,
            CookieRedirects(),
            ShardLinks(summary, batch),
        )
