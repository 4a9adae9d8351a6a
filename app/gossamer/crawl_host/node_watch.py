"""Pauses a crawl while no node can be reached."""

from typing import Protocol

from gossamer.engine.crawl import Crawl
from gossamer.engine.interfaces import Fetcher
from gossamer.engine.job_prefetch import JobPrefetch
from gossamer.engine.pause_reasons import PauseReason
from gossamer.model.crawl_state import PAUSES, CrawlState
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.translatable import Translatable


class NodePool(Protocol):
    """The state of the nodes."""

    @property
    def nodes(self) -> list[NodeState]:
        """What each node does."""

    @property
    def trouble(self) -> Translatable | None:
        """Why no job can be done now."""

    @property
    def starting(self) -> Translatable | None:
        """What is waited for, where no job can be done yet."""

    @property
    def silent_after_ms(self) -> int | None:
        """How long the last `drop` took until no connection was open, if there was one."""


class NodeFetcher(Fetcher, JobPrefetch, NodePool, Protocol):
    """The engine's Fetcher, which may have nodes that prefetch jobs."""


class NodeWatch:
    """Pauses a crawl while its workers can do no job, and ends that pause when they can."""

    def __init__(self, pool: NodePool) -> None:
        """`pool` knows the nodes."""
        self._pool = pool
        self._crawl: Crawl | None = None
        self._said: Translatable | None = None

    def check(self, crawl: Crawl) -> None:
        """Pause `crawl` if there is trouble; end that pause when it has passed.

        After an outage of its disk, `crawl` is another object that has not been notified yet.
        """
        before = self._said if crawl is self._crawl else None
        trouble = self._pool.trouble
        can_be_told = crawl.state is CrawlState.RUNNING or crawl.state in PAUSES
        if trouble == before or not can_be_told:
            return
        self._crawl, self._said = crawl, trouble
        if trouble is None:
            crawl.end_pause(PauseReason.NODES)
        else:
            crawl.pause(PauseReason.NODES, trouble)
