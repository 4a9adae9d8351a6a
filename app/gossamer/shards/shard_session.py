"""A session on one shard of a crawl, which belongs to the coordinator of the shards."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from gossamer.model.cluster_address import LOCAL, ClusterChoice, parse_cluster
from gossamer.model.errors import ProjectError
from gossamer.model.messages.crawl_messages import BulkAction, ChangeSettings, Start
from gossamer.model.messages.shard_messages import (
    FinishShard,
    GrantPages,
    LinkBatch,
    LinksTaken,
    ShardReport,
)
from gossamer.model.secrets import Secrets
from gossamer.model.shards import ShardIdentity
from gossamer.model.store_batch import ProjectSummary
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.default_paths import crawl_log
from gossamer.session.host_connection import USUAL_TIMINGS, SessionTimings
from gossamer.session.host_pool import HostPool
from gossamer.session.snapshot_recorder import SnapshotRecorder


class ShardSession(CrawlSession):
    """A shard and, while it is crawled, its crawl host."""

    def __init__(
        self,
        path: Path,
        summary: ProjectSummary,
        hosts: HostPool,
        on_exchange: Callable[[int, ShardReport | LinkBatch], None],
        timings: SessionTimings = USUAL_TIMINGS,
    ) -> None:
        """Take an existing project; ProjectError if it is no shard.

        `on_exchange` gets the number of the shard, and what it has for the others.
        """
        super().__init__(path, summary, hosts, timings)
        if summary.shard is None:
            raise ProjectError(
                "{path} is not a shard of a crawl; name the files of its shards.", path=path
            )
        self.identity = summary.shard
        self._on_exchange = on_exchange
        self.page_limit: int | None = None
        """How many pages it may fetch in all when it is started next."""
        self._recorder = _NoSnapshots(path)

    @property
    def known_secrets(self) -> Secrets:
        """What it tells the sites."""
        return self._secrets.for_requests()

    def tell(self, message: LinkBatch | LinksTaken | GrantPages | FinishShard) -> None:
        """Say something to its host; lost if there is none."""
        if self._host is not None:
            self._host.send(message)

    def _exchange(self, report: ShardReport | LinkBatch) -> None:
        self._on_exchange(self.identity.number, report)

    async def _start_host_with(
        self,
        actions: tuple[BulkAction | ChangeSettings, ...],
        workers: int | None = None,
        *,
        crawl: bool = True,
    ) -> None:
        """Start it with its share of what one machine has: requests, and page workers."""
        self._actions_sent = len(actions)
        shard, settings, log = self.identity, self.settings, crawl_log(self.path)
        start = Start(
            str(self.path.absolute()),
            shard.share_of(workers or settings.workers),
            self._secrets.for_requests(),
            str(log),
            actions,
            share_of_cluster(settings.cluster_choice, shard),
            crawl,
            shard.crawl,
            self.page_limit,
        )
        await self._start_host(start, shard.share_of(settings.local_page_workers), log)


def share_of_cluster(choice: ClusterChoice, shard: ShardIdentity) -> ClusterChoice:
    """Where a shard fetches: of nodes that are to be started here, it starts its share."""
    nodes = parse_cluster(choice.address).local_nodes if choice.address else 0
    return replace(choice, address=f"{LOCAL}{shard.share_of(nodes)}") if nodes else choice


class _NoSnapshots(SnapshotRecorder):
    """The figures of a part of a crawl say nothing about its site."""

    def record(self) -> None:
        """Record nothing."""
