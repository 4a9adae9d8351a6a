"""Runs a crawl from start to end: obeys commands and restarts after a disk outage."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gossamer.crawl_host.bulk_action_queue import BulkActionQueue
from gossamer.crawl_host.disk_failures import DiskOutage, EndedWhileWaitingError
from gossamer.crawl_host.node_watch import NodeFetcher
from gossamer.crawl_host.progress_reports import FIRST_REPORTS_S, REPORT_EVERY_S, ProgressReports
from gossamer.crawl_host.shard_exchange import ShardExchange
from gossamer.crawl_host.suspend_detector import SuspendDetector
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.engine.interfaces import PageList
from gossamer.engine.pause_reasons import PauseReason, Pauses
from gossamer.ipc.channel import Channel
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.errors import DiskError, ProjectError, cause_of
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    Cancel,
    ChangeSettings,
    Close,
    HostCommand,
    Pause,
    Resume,
    SetWorkers,
    Start,
)
from gossamer.model.messages.shard_messages import FinishShard, GrantPages, LinkBatch, LinksTaken
from gossamer.model.shards import ShardIdentity
from gossamer.model.store_batch import ProjectSummary
from gossamer.urls.scope_and_limits import Scope

if TYPE_CHECKING:
    from gossamer.crawl_host.previous_crawl_thread import PreviousCrawlThread

Checks: TypeAlias = Sequence[Callable[[Crawl], None]]
"""Checks made several times a second, which may pause the crawl or end such a pause."""
_log = logging.getLogger(__name__)


class CrawlRunner:
    """Runs a project's crawl, obeys commands and reports progress.

    Commands are carried out in sequence; bulk actions, which may take long, concurrently with them,
    but in sequence too.
    """

    def __init__(
        self,
        start: Start,
        store: StoreThread,
        fetcher: NodeFetcher,
        new_crawl: Callable[..., Crawl],
        commands: asyncio.Queue[HostCommand],
        channel: Channel[HostCommand],
    ) -> None:
        """The arguments are what to crawl, the engine's ports, commands and reports."""
        self._store = store
        self._fetcher = fetcher
        self._make_crawl = new_crawl
        self._commands = commands
        self._actions = BulkActionQueue(start.actions)
        self._workers = start.workers
        self._pauses = Pauses()
        self._reports = ProgressReports(
            *(channel, self._pauses, self._actions, fetcher), lambda: store.archive_trouble
        )
        self._previous: PreviousCrawlThread | None = None
        self._archive: PageList | None = None
        self._shards_of = start.shards_of
        self._channel = channel
        self._exchange: ShardExchange | None = None
        self._pages = None if start.page_limit is None else GrantPages(start.page_limit, 0)
        self._is_ending = False
        """Whether the user is ending the crawl: then it does not wait for its disk."""

    async def apply_actions(self, summary: ProjectSummary) -> None:
        """Perform the user's actions on a project without crawling it."""
        await self._new_crawl(summary).apply(self._actions.drained())

    async def read_archive(self, summary: ProjectSummary, source: ArchiveSource) -> None:
        """Ensure the index of the archives to crawl from; report progress if that takes long.

        EndedWhileWaitingError where the user ends the crawl meanwhile.
        """
        from gossamer.crawl_host.archive_index_wait import ArchiveIndexWait  # noqa: PLC0415 - most crawls have none

        self._new_crawl(summary)
        wait = ArchiveIndexWait(self._pauses, self._commands, self._keep, self._report_outage)
        try:
            await wait.wait(source)
        except EndedWhileWaitingError as ended:
            self._break_off(ended)
            raise

    async def crawl(
        self,
        summary: ProjectSummary,
        checks: Checks,
        suspend: SuspendDetector,
        previous: "PreviousCrawlThread | None" = None,
        archive: PageList | None = None,
    ) -> bool:
        """Crawl to the end. If the disk fails meanwhile, wait, and continue as after a crash.

        `previous` is that of a recrawl, `archive` has the pages of a crawl from an archive.

        Returns whether the user cancelled the crawl during such a wait, which the file does not
        record.
        """
        self._previous, self._archive = previous, archive
        if summary.shard is not None:
            _ensure_coordinated(summary.shard, self._shards_of, self._store.path)
            self._exchange = ShardExchange(summary.shard, self._store, self._channel)
        outage = DiskOutage(self._pauses, self._commands, self._keep, self._store.open_again)
        while True:
            try:
                await self._run(self._new_crawl(summary), checks, suspend)
            except DiskError as error:
                if self._is_ending:
                    raise
                _log.warning("the crawl waits for its disk", extra={"reason": str(error)})
                await self._fetcher.drop()
                if previous is not None:
                    await previous.drop()
                await self._store.discard()
                try:
                    summary = await outage.wait(error, self._report_outage)
                except EndedWhileWaitingError as ended:
                    self._break_off(ended)
                    return ended.is_cancelled
                _log.info("the crawl goes on")
            else:
                return False

    def _break_off(self, ended: EndedWhileWaitingError) -> None:
        state = CrawlState.CANCELLED if ended.is_cancelled else CrawlState.PAUSED
        self._reports.break_off(state)

    def report_end(self) -> None:
        """Report the final state of the crawl; call it when its file is closed."""
        self._reports.send(final=True)

    def _new_crawl(self, summary: ProjectSummary) -> Crawl:
        crawl = self._make_crawl(
            summary,
            self._store,
            self._fetcher,
            scope=Scope(summary.settings),
            workers=self._workers,
            pauses=self._pauses,
            on_state=self._report_state,
            previous=self._previous,
            archive=self._archive,
            ahead=self._fetcher,
        )
        if self._pages is not None:
            crawl.grant_pages(self._pages)
        self._reports.follow(crawl)
        return crawl

    async def _run(self, crawl: Crawl, checks: Checks, suspend: SuspendDetector) -> None:
        begun = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                beside = [
                    group.create_task(self._obey(crawl), name="commands"),
                    group.create_task(self._perform_actions(crawl, begun), name="actions"),
                    group.create_task(self._watch(crawl, checks, suspend), name="reports"),
                ]
                if self._exchange is not None:
                    beside.append(group.create_task(self._exchange.run(crawl), name="shards"))
                try:
                    await crawl.run(self._actions_at_start(begun))
                finally:
                    self._pauses.remove(PauseReason.DISK_STALLED, PauseReason.NODES)
                    for task in beside:
                        task.cancel()
        except BaseExceptionGroup as failures:
            raise cause_of(failures) from failures

    def _actions_at_start(self, begun: asyncio.Event) -> Iterator[BulkAction | ChangeSettings]:
        """The actions to do before anything is fetched; `begun` is set after the last."""
        yield from self._actions.drained()
        begun.set()

    async def _perform_actions(self, crawl: Crawl, begun: asyncio.Event) -> None:
        """Perform actions as they come. Those not done when the crawl ends stay in the queue."""
        await begun.wait()
        while True:
            await self._actions.wait()
            while (action := self._actions.first) is not None:
                if not await crawl.perform(action):
                    return
                self._actions.first_done()

    async def _obey(self, crawl: Crawl) -> None:
        while True:
            match await self._commands.get():
                case (BulkAction() | ChangeSettings()) as action:
                    self._keep(action)
                case SetWorkers() as command:
                    self._keep(command)
                    crawl.set_workers(command.workers)
                    self._reports.send()
                case (LinkBatch() | LinksTaken() | GrantPages() | FinishShard()) as command:
                    self._keep(command)
                    if self._exchange is not None:
                        self._exchange.obey(crawl, command)
                case command:
                    self._is_ending = isinstance(command, Close | Cancel)
                    await _steer(crawl, command)
                    self._reports.send()

    def _keep(self, command: HostCommand) -> None:
        """Keep a command until it can be carried out, in this run of the crawl or the next."""
        if isinstance(command, SetWorkers):
            self._workers = command.workers
        elif isinstance(command, GrantPages):
            self._pages = command
        elif isinstance(command, BulkAction | ChangeSettings):
            self._actions.put(command)

    async def _watch(self, crawl: Crawl, checks: Checks, suspend: SuspendDetector) -> None:
        """Report several times a second, and check machine and disk."""
        for wait_s in chain(FIRST_REPORTS_S, repeat(REPORT_EVERY_S)):
            if suspend.slept() and crawl.state is not CrawlState.PAUSED:
                _log.info("the machine has slept: what was in flight is asked again")
                await crawl.refetch_in_flight()
            for check in checks:
                check(crawl)
            self._reports.send_changes(crawl)
            await asyncio.sleep(wait_s)

    def _report_state(self, state: CrawlState) -> None:
        # The end is reported when the file is closed, so that the receiver may open it.
        if state in LIVE:
            self._reports.send()

    def _report_outage(self) -> None:
        self._reports.break_off()
        self._reports.send()


def _ensure_coordinated(shard: ShardIdentity, shards_of: str, path: Path) -> None:
    """Raise ProjectError unless the shell carries links between the shards of this crawl."""
    if shard.crawl != shards_of:
        raise ProjectError(
            "{path} is shard {number} of {shards} of one crawl, which goes on as a whole: resume "
            "the folder of the shards instead.",
            path=path,
            number=shard.number + 1,
            shards=shard.shards,
        )


async def _steer(crawl: Crawl, command: HostCommand) -> None:
    match command:
        case Pause(now=False):
            crawl.pause()
        case Pause():
            await crawl.pause_now()
        case Resume():
            crawl.resume()
        case Cancel():
            await crawl.cancel()
        case Close():
            await crawl.close()
        case _:
            _log.warning("command out of place", extra={"command": command})
