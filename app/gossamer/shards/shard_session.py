"""A session on one shard of a crawl, which belongs to the coordinator of the shards."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.model.cluster_address import LOCAL, NO_CLUSTER, ClusterChoice, parse_cluster
from gossamer.model.crawl_progress import at_standstill
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    ChangeSettings,
    Progress,
    Start,
    Trouble,
)
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
from gossamer.model.translatable import Translatable
from gossamer.session.crawl_host_pool import HostSource
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.default_paths import crawl_log
from gossamer.session.interruptions import IsWanted
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.session.snapshot_recorder import SnapshotRecorder
from gossamer.shards.shard_nodes import SILENCE_S, ShardLocation, ShardNodes
from gossamer.store.locking.lease import is_held
from gossamer.store.project import ensure_text

HANDED_OVER_S: Final = 30.0
"""How long to retry a shard that another node still has: within `SILENCE_S` that one notices that
it is not wanted any more, commits, and ends."""
_TRY_EVERY_S: Final = 2.0


class ShardSession(CrawlSession):
    """A shard and, while it is crawled, its crawl host."""

    def __init__(
        self,
        path: Path,
        summary: ProjectSummary,
        hosts: HostSource,
        on_exchange: Callable[[int, ShardReport | LinkBatch], None],
        timings: SessionTimings = USUAL_TIMINGS,
    ) -> None:
        """Open an existing project; ProjectError if it is no shard.

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
        self._nodes: ShardNodes | None = None
        self._on_wait: Callable[[], None] = lambda: None
        self.place: ShardLocation | None = None
        """The location of the node that crawled it last."""
        self._is_starting = False
        self.is_node_lost = False
        """Whether the last process ended because its node was lost."""

    def use_nodes(self, nodes: ShardNodes, on_wait: Callable[[], None]) -> None:
        """Crawl it on nodes from the next start on.

        `on_wait` is called when the progress says that it waits for one.
        """
        self._nodes, self._on_wait = nodes, on_wait

    @property
    def known_secrets(self) -> Secrets:
        """The secrets it sends to the sites."""
        return self._secrets.for_requests()

    def tell(self, message: LinkBatch | LinksTaken | GrantPages | FinishShard) -> None:
        """Send a message to its host; lost if there is none."""
        if self._host is not None:
            self._host.send(message)

    def _exchange(self, report: ShardReport | LinkBatch) -> None:
        self._on_exchange(self.identity.number, report)

    async def _is_examined(self, is_wanted: IsWanted) -> bool:
        """Examine nothing: a shard may be on a node alone."""
        return is_wanted()

    async def _start_host_with(
        self,
        actions: tuple[BulkAction | ChangeSettings, ...],
        workers: int | None = None,
        *,
        crawl: bool = True,
    ) -> None:
        """Start it with its share of what one machine has: requests, and page workers."""
        self._actions_sent = len(actions)
        shard, settings = self.identity, self.settings
        start = Start(
            str(self.path.absolute()),
            shard.share_of(workers or settings.workers),
            self._secrets.for_requests(),
            actions=actions,
            crawl=crawl,
            shards_of=shard.crawl,
            page_limit=self.page_limit,
        )
        if self._nodes is not None:
            await self._start_on_node(start, self._nodes)
            return
        log, cluster = crawl_log(self.path), share_of_cluster(settings.cluster_choice, shard)
        start = replace(start, log=str(log), cluster=cluster)
        await self._start_host(start, shard.share_of(settings.local_page_workers), log)

    # ---------------------------------------------------------------- on nodes

    async def start(
        self, workers: int | None = None, actions: tuple[BulkAction | ChangeSettings, ...] = ()
    ) -> None:
        """Crawl or resume; if a lost node still has the shard, as soon as it releases it.

        Raises as `CrawlSession.start`.
        """
        if self._nodes is None:
            await super().start(workers, actions)
            return
        loop = asyncio.get_running_loop()
        until_s = loop.time() + HANDED_OVER_S
        self._is_starting = True
        try:
            while True:
                if await self._is_started(workers, actions, may_wait=loop.time() < until_s):
                    break
                await asyncio.sleep(_TRY_EVERY_S)
        finally:
            self._is_starting = False

    async def _is_started(
        self,
        workers: int | None,
        actions: tuple[BulkAction | ChangeSettings, ...],
        *,
        may_wait: bool,
    ) -> bool:
        """Whether the crawl runs, and not another process has the shard, which may let go of it."""
        try:
            await super().start(workers, actions)
        except ProjectError:
            if may_wait and not self._closed and is_held(self.path):
                return False
            raise
        return True

    async def _start_on_node(self, start: Start, nodes: ShardNodes) -> None:
        """Have a node crawl it with the file alone: machines share nothing else."""
        place = await nodes.place(self._wait_for_node)
        self._hosts = self.place = place
        log = self.path.absolute().with_suffix(".log")
        start = replace(
            start,
            log=str(log),
            cluster=NO_CLUSTER,
            processes=place.page_workers,
            silence_s=SILENCE_S,
            clock_ahead_s=place.link.clock_ahead_s,
        )
        await self._start_host(start, place.page_workers, log)

    async def _ensure_writable(self) -> None:
        """Leave it to the node, whose machine knows, but for what must not be started at all."""
        if self._nodes is None:
            await super()._ensure_writable()
        else:
            ensure_text(self.path)

    def _wait_for_node(self, why: Translatable) -> None:
        self.progress = at_standstill(self.progress, CrawlState.PAUSED, notice=why, waits=True)
        self._on_wait()

    def _publish(self, report: Progress | Trouble) -> None:
        """Leave troubles of a start to whoever starts it: it may be tried again."""
        if self._is_starting and isinstance(report, Trouble):
            self._trouble = report
            report = replace(self.progress, state=CrawlState.FAILED)
        super()._publish(report)

    def _host_gone(self) -> None:
        self.is_node_lost = self._host is not None and self._host.is_lost
        super()._host_gone()


def share_of_cluster(choice: ClusterChoice, shard: ShardIdentity) -> ClusterChoice:
    """Where a shard fetches: of nodes that are to be started here, it starts its share."""
    nodes = parse_cluster(choice.address).local_nodes if choice.address else 0
    return replace(choice, address=f"{LOCAL}{shard.share_of(nodes)}") if nodes else choice


class _NoSnapshots(SnapshotRecorder):
    """Records nothing: the figures of a part of a crawl say nothing about its site."""

    def record(self) -> None:
        """Record nothing."""
