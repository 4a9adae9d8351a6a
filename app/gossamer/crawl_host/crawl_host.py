"""The crawl host: the process that runs the engine and the writer of one crawl."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from msgspec.structs import replace

from gossamer.crawl_host.crawl_runner import CrawlRunner
from gossamer.crawl_host.disk_failures import (
    STALLED_AFTER_S,
    STUCK_AFTER_S,
    DiskStallTimer,
    EndedWhileWaitingError,
    StalledDisk,
)
from gossamer.crawl_host.live_indexing import live_indexing
from gossamer.crawl_host.node_watch import NodeFetcher, NodeWatch
from gossamer.crawl_host.suspend_detector import SuspendDetector
from gossamer.crawl_host.worker_kinds import (
    node_workers,
    page_workers,
    remove_abandoned_profiles,
    render_workers,
)
from gossamer.crawl_host.worker_pool import WorkerPool
from gossamer.crawl_host.writer_thread import StoreThread
from gossamer.engine.crawl import Crawl
from gossamer.engine.crawl_memory import EngineLimits
from gossamer.engine.interfaces import RulesFor
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_connection import connect_to_parent
from gossamer.ipc.child_log import log_to
from gossamer.ipc.heartbeat import SilenceAlarm, send_heartbeats
from gossamer.ipc.process_start import LaunchedProcess
from gossamer.model.archive_record import ArchiveLocation, archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.errors import CrawlHostError, DiskError, KnownError, cause_of
from gossamer.model.messages.crawl_messages import (
    Close,
    HostCommand,
    HostHeartbeat,
    ShellHeartbeat,
    Start,
    Trouble,
)
from gossamer.model.secrets import Secrets
from gossamer.model.settings.archive_settings import ArchiveOnNodes
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable
from gossamer.robots.robots_txt import rules_for
from gossamer.store.locking.file_identity import file_of

if TYPE_CHECKING:
    from gossamer.crawl_host.archive_page_listing import ArchivedPages
    from gossamer.crawl_host.previous_crawl_thread import PreviousCrawlThread

_GOODBYE_S: Final = 2.0
_MAX_COMMANDS: Final = 10_000
_UNFORESEEN: Final[Sentence] = (
    "The crawl stopped because of an error in Gossamer; its results are safe. Press Resume to "
    "continue, and see the log for details."
)
_log = logging.getLogger(__name__)


class FetcherPool(NodeFetcher, Protocol):
    """The engine's Fetcher with methods to start and close it."""

    def start(
        self,
        group: asyncio.TaskGroup,
        settings: CrawlSettings,
        secrets: Secrets,
        archive: ArchiveLocation | None = None,
    ) -> None:
        """Begin to fetch with these settings, and archive there; `group` owns the tasks."""

    async def close(self) -> None:
        """End, closing every connection."""


class CrawlHost:
    """Connects engine, page workers and project file, and serves the shell that started it.

    When the shell is gone, the crawl is paused at once and committed, and the process ends.
    """

    def __init__(
        self,
        pool: FetcherPool,
        store: StoreThread,
        *,
        rules_for: RulesFor = rules_for,
        suspend: SuspendDetector | None = None,
        stalled_after_s: float = STALLED_AFTER_S,
        limits: EngineLimits | None = None,
    ) -> None:
        """Wait for `Start`; fetcher and store are not started yet."""
        self._pool = pool
        self._store = store
        self._rules_for = rules_for
        self._limits = limits
        self._suspend = suspend or SuspendDetector()
        self._stalled_after_s = stalled_after_s
        self._stall_timer = DiskStallTimer(store.activity)
        self._commands: asyncio.Queue[HostCommand] = asyncio.Queue(_MAX_COMMANDS)
        self._alarm = SilenceAlarm(self._parent_silent)

    def receive(self, commands: list[HostCommand]) -> None:
        """Queue commands of the shell; an unreasonable number is dropped."""
        self._alarm.heard()
        for command in commands:
            if not (isinstance(command, ShellHeartbeat) or self._commands.full()):
                self._commands.put_nowait(command)

    def parent_gone(self) -> None:
        """No crawler runs on without an owner, whatever it asked for before."""
        while not self._commands.empty():
            self._commands.get_nowait()
        self.receive([Close()])

    def _parent_silent(self) -> None:
        _log.warning("nothing was heard of the coordinator: the crawl is paused")
        self.parent_gone()

    async def serve(self, channel: Channel[HostCommand]) -> int:
        """Crawl as commanded; returns the exit code of the process when the crawl has ended."""
        start = await self._commands.get()
        if not isinstance(start, Start):
            return 0
        async with asyncio.TaskGroup() as group:
            heartbeats = send_heartbeats(channel, self._heartbeat)
            heartbeat = group.create_task(heartbeats, name="heartbeats")
            # Removing profiles may take longer than the crawl, and than the shell waits in silence.
            async with asyncio.TaskGroup() as beside:
                removing = asyncio.to_thread(remove_abandoned_profiles)
                beside.create_task(removing, name="remove abandoned profiles")
                if start.silence_s is not None:
                    self._alarm.expect(start.silence_s)
                trouble = await self._trouble_of(start, channel)
                self._alarm.end()
                if trouble is not None:
                    channel.send(trouble)
            heartbeat.cancel()
        return 0 if trouble is None else trouble.exit_code

    def _heartbeat(self) -> HostHeartbeat:
        return HostHeartbeat(stuck=self._stall_timer.seconds() >= STUCK_AFTER_S)

    async def _trouble_of(self, start: Start, channel: Channel[HostCommand]) -> Trouble | None:
        """Run the crawl; returns why it could not finish, None if it did."""
        try:
            await self._run(start, channel)
        except KnownError as e:
            _log.exception("crawl stopped")
            return Trouble(e.said, e.exit_code)
        except Exception:  # noqa: BLE001  # the last line of defence: log it, tell the user
            _log.exception("crawl failed")
            from gossamer.store.row_validation import fault_of  # noqa: PLC0415 - seldom needed

            # Errors of a corrupt file may appear anywhere.
            fault = await asyncio.to_thread(fault_of, Path(start.project))
            if fault is not None:
                return Trouble(fault.said, fault.exit_code)
            return Trouble(Translatable(_UNFORESEEN), 1)
        return None

    async def _run(self, start: Start, channel: Channel[HostCommand]) -> None:
        log_to(start.log)
        CLOCK.set_right(start.clock_ahead_s)
        project = file_of(Path(start.project))  # a link may point elsewhere meanwhile
        new_crawl = partial(Crawl, rules_for=self._rules_for, limits=self._limits)
        runner = CrawlRunner(start, self._store, self._pool, new_crawl, self._commands, channel)
        try:
            cancelled_unsaved = await self._crawl(project, start, runner)
        except BaseExceptionGroup as failures:
            raise cause_of(failures) from failures
        finally:
            await _closed(self._store)
        if cancelled_unsaved:
            from gossamer.store.project import mark_cancelled  # noqa: PLC0415 - no crawl needs it

            await asyncio.to_thread(mark_cancelled, project)
        runner.report_end()

    async def _crawl(self, project: Path, start: Start, runner: CrawlRunner) -> bool:
        """Do what `start` wants; whether the user cancelled it without the file recording that."""
        summary = _with_secrets(await self._store.open(project), start.secrets)
        settings = _share(summary, start.processes).on_cluster(start.cluster)
        keeps = settings.archive and settings.source is None
        stays = settings.cluster and settings.archive_on_nodes is ArchiveOnNodes.LEAVE
        copies = archive_folder(project) if keeps and not stays else None
        if start.crawl:
            await self._store.repair_archive(is_needed=copies is not None)
        disk = StalledDisk(project, self._stall_timer, self._stalled_after_s)
        checks = (disk.check, NodeWatch(self._pool).check)
        async with asyncio.TaskGroup() as group:
            try:
                if not start.crawl:
                    await runner.apply_actions(summary)
                    return False
                place = ArchiveLocation(str(archive_folder(project))) if keeps else None
                async with (
                    _opened_previous(summary, copies) as previous,
                    _opened_archive(
                        settings.source, partial(runner.read_archive, summary)
                    ) as archive,
                    live_indexing(project, start.log, is_wanted=settings.full_text_search),
                ):
                    self._pool.start(group, settings, start.secrets, place)
                    cancelled_unsaved = await runner.crawl(
                        summary, checks, self._suspend, previous, archive
                    )
                if summary.previous is not None and not cancelled_unsaved:
                    await self._store.bind_ignored()
            except EndedWhileWaitingError as ended:
                return ended.is_cancelled
            else:
                return cancelled_unsaved
            finally:
                async with asyncio.TaskGroup() as endings:  # neither needs the other
                    ending = endings.create_task(self._pool.close(), name="end page workers")
                    closing = _closed(
                        self._store, after=ending if summary.settings.archive else None
                    )
                    endings.create_task(closing, name="close project")


@asynccontextmanager
async def _opened_previous(
    summary: ProjectSummary, copies: Path | None
) -> AsyncIterator["PreviousCrawlThread | None"]:
    """What a recrawl knows of the site; None for other crawls, or if it cannot be read.

    What did not change is copied to the archive at `copies`.
    """
    if summary.previous is None:
        yield None
        return
    from gossamer.crawl_host.previous_crawl_thread import PreviousCrawlThread  # noqa: PLC0415 - most crawls are no recrawls

    previous = await PreviousCrawlThread.opened(summary.previous, summary.settings, copies)
    try:
        yield previous
    finally:
        if previous is not None:
            await previous.close()


@asynccontextmanager
async def _opened_archive(
    source: ArchiveSource | None, read: Callable[[ArchiveSource], Awaitable[None]]
) -> AsyncIterator["ArchivedPages | None"]:
    """The pages of the archive to crawl from, once `read` has indexed it; None for none."""
    if source is not None:
        await read(source)
    if source is None or not source.unlinked:
        yield None
        return
    from gossamer.crawl_host.archive_page_listing import ArchivedPages  # noqa: PLC0415 - most crawls have none

    pages = ArchivedPages(source)
    try:
        yield pages
    finally:
        await pages.close()


def _with_secrets(summary: ProjectSummary, secrets: Secrets) -> ProjectSummary:
    """The project, with settings that also name the secrets of this run."""
    missing = [names for names in secrets.names() if names not in summary.settings.needs_secrets]
    if not missing:
        return summary
    needs = (*summary.settings.needs_secrets, *missing)
    return replace(summary, settings=replace(summary.settings, needs_secrets=needs))


def _share(summary: ProjectSummary, processes: int | None) -> CrawlSettings:
    """The settings by which a crawl has page workers: a shard has its share, or so many."""
    settings, shard = summary.settings, summary.shard
    if shard is None:
        return settings
    share = processes or shard.share_of(settings.processes or os.cpu_count() or 1)
    return replace(settings, processes=share)


async def _closed(store: StoreThread, after: asyncio.Task[None] | None = None) -> None:
    """Close the project. All that counts is committed, so a full disk changes nothing now.

    An archive is settled `after` the page workers have ended, which write to it.
    """
    try:
        if after is not None:
            await asyncio.wait({after})
            await store.finish_archive()
        await store.close()
    except DiskError as e:
        _log.warning("project not closed in order", extra={"reason": str(e)})


async def main(workers: list[LaunchedProcess]) -> int:
    """Serve the process that started this one until its crawl has ended or it goes.

    `workers` are page workers that were started ahead. Those that the crawl does not use are
    ended.
    """
    pool = WorkerPool([page_workers(workers), render_workers(workers), node_workers()])
    host = CrawlHost(pool, StoreThread(_end_at_once))
    try:
        channel = await connect_to_parent(HostCommand, host.receive, host.parent_gone)
        return await _served(host, channel)
    finally:
        for worker in workers:
            worker.abandon()


def _end_at_once() -> None:
    """End without another write: another machine may have the file, and closing it writes."""
    os._exit(CrawlHostError.exit_code)


async def _served(host: CrawlHost, channel: Channel[HostCommand]) -> int:
    try:
        return await host.serve(channel)
    finally:
        channel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await channel.wait_closed()
