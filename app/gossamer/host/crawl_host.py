"""The crawl host: the process in which one crawl lives."""

import asyncio
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import structs

from gossamer.engine.crawl import Crawl
from gossamer.engine.pauses import PauseReason, Pauses
from gossamer.host.disk_outage import DiskOutage, GivenUpError, held
from gossamer.host.log import log_to
from gossamer.host.pool import WorkerPool
from gossamer.host.stalled_disk import STUCK_AFTER_S, StalledDisk, Stillness, while_stalled
from gossamer.host.store_thread import StoreThread
from gossamer.host.suspend_detector import SuspendDetector
from gossamer.ipc.channel import Channel
from gossamer.ipc.child_process import connect_to_parent
from gossamer.ipc.heartbeat import beat
from gossamer.ipc.launch import Launched
from gossamer.model.errors import DiskError, KnownError, cause_of
from gossamer.model.messages import (
    Act,
    Alive,
    Cancel,
    Change,
    Close,
    Command,
    Pause,
    Progress,
    Resume,
    SetWorkers,
    Start,
    Trouble,
)
from gossamer.model.state import LIVE, CrawlState
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable
from gossamer.robots.robots_rules import rules_for
from gossamer.store.file_identity import file_of
from gossamer.store.writer import give_up
from gossamer.urls.scope import Scope

REPORT_EVERY_S = 0.1
_GOODBYE_S = 2.0
_MAX_COMMANDS = 10_000
_log = logging.getLogger(__name__)


class CrawlHost:
    """Composes engine, page workers and project file, and obeys the shell that started it.

    Commands are carried out one after the other; acts, which may take long, one after the other
    beside them. When the shell is gone, the crawl is paused at
    once and committed, and the process ends.
    """

    def __init__(self, workers: list[Launched]) -> None:
        """Wait for `Start`; `workers` are page workers that come up meanwhile."""
        self._workers = workers
        self._channel: Channel[Command] | None = None
        self._commands: asyncio.Queue[Command] = asyncio.Queue(_MAX_COMMANDS)
        self._wait: DiskOutage | None = None
        self._crawl: Crawl | None = None
        self._reported: Progress | None = None
        self._held: Progress | None = None
        """What is told instead of the crawl's own progress while the disk does not take it."""
        self._pauses = Pauses()
        self._stillness: Stillness | None = None
        self._sleep = SuspendDetector()
        self._leaving = False
        """Whether the person ends the crawl: then it does not wait for its disk."""

    def receive(self, commands: list[Command]) -> None:
        """Queue commands of the shell; more than anyone can mean are dropped."""
        for command in commands:
            if not self._commands.full():
                self._commands.put_nowait(command)

    def parent_gone(self) -> None:
        """No crawler runs on without an owner, whatever it asked for before."""
        while not self._commands.empty():
            self._commands.get_nowait()
        self.receive([Close()])

    async def serve(self, channel: Channel[Command]) -> int:
        """Crawl as told; return the exit code of the process when the crawl has ended."""
        self._channel = channel
        start = await self._commands.get()
        if not isinstance(start, Start):
            return 0
        async with asyncio.TaskGroup() as group:
            beating = group.create_task(beat(channel, self._alive), name="beats")
            code = await self._ran(start, channel)
            beating.cancel()
        return code

    def _alive(self) -> Alive:
        still_s = 0.0 if self._stillness is None else self._stillness.seconds()
        return Alive(stuck=still_s >= STUCK_AFTER_S)

    async def _ran(self, start: Start, channel: Channel[Command]) -> int:
        try:
            await self._run(start)
        except KnownError as e:
            _log.exception("crawl stopped")
            channel.send(Trouble(e.said, e.exit_code))
            return e.exit_code
        except Exception:  # noqa: BLE001  # the last line of defence: log it, tell the person
            _log.exception("crawl failed")
            from gossamer.store.row_validation import fault_of  # noqa: PLC0415 - seldom needed

            # What a file holds that nobody could have written shows up anywhere.
            fault = await asyncio.to_thread(fault_of, Path(start.project))
            trouble = Trouble(Translatable(_UNFORESEEN), 1)
            if fault is not None:
                trouble = Trouble(fault.said, fault.exit_code)
            channel.send(trouble)
            return trouble.exit_code
        return 0

    async def _run(self, start: Start) -> None:
        log_to(start.log)
        project = file_of(Path(start.project))  # a link may be led elsewhere meanwhile
        store = StoreThread(project)
        self._stillness = Stillness(store.sign)
        try:
            summary = await store.open()
            size = summary.settings.processes or os.cpu_count() or 1
            async with asyncio.TaskGroup() as group:
                pool = WorkerPool(group, size)
                try:
                    given_up = await self._begin(summary, store, pool, start)
                finally:
                    async with asyncio.TaskGroup() as endings:  # neither needs the other
                        endings.create_task(pool.close(), name="end page workers")
                        endings.create_task(_closed(store), name="close project")
        except BaseExceptionGroup as failures:
            raise cause_of(failures) from failures
        finally:
            await _closed(store)
        if given_up:
            await asyncio.to_thread(give_up, project)
        self._send_progress(final=True)

    async def _begin(
        self, summary: ProjectSummary, store: StoreThread, pool: WorkerPool, start: Start
    ) -> bool:
        """Do what was wished; whether the person cancelled it so that the file does not know."""
        if start.crawl:
            pool.configure(summary.settings, start.secrets, start.log)
            pool.start(self._workers)
            return await self._crawl_on(summary, store, pool, start)
        crawl = self._crawl = self._new_crawl(summary, store, pool, start.workers)
        await crawl.apply(start.acts)
        return False

    async def _crawl_on(
        self, summary: ProjectSummary, store: StoreThread, pool: WorkerPool, start: Start
    ) -> bool:
        """Crawl to the end. Where the disk fails on the way, wait, and go on as after a crash.

        Returns whether the person cancelled the crawl during such a wait, so that the file does
        not know.
        """
        wait = self._wait = DiskOutage(
            self._commands, store.open_again, self._pauses, self._tell_of_wait
        )
        wait.acts.extend(start.acts)
        wait.workers = start.workers
        while True:
            crawl = self._crawl = self._new_crawl(summary, store, pool, wait.workers)
            self._held = None
            try:
                await self._attend(crawl, wait, StalledDisk(store.path, store.sign))
            except DiskError as trouble:
                if self._leaving:
                    raise
                _log.warning("the crawl waits for its disk", extra={"reason": str(trouble)})
                await pool.drop()
                await store.let_go()
                try:
                    summary = await wait.wait(trouble)
                except GivenUpError as given_up:
                    return self._ended_held(given_up)
                _log.info("the crawl goes on")
            else:
                return False

    def _new_crawl(
        self, summary: ProjectSummary, store: StoreThread, pool: WorkerPool, workers: int | None
    ) -> Crawl:
        return Crawl(
            summary,
            store,
            pool,
            rules_for,
            Scope(summary.settings),
            workers=workers,
            pauses=self._pauses,
            on_state=self._state_changed,
        )

    async def _attend(self, crawl: Crawl, wait: DiskOutage, disk: StalledDisk) -> None:
        """Run a crawl, obey and report meanwhile."""
        begun = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                beside = [
                    group.create_task(self._obey(crawl, wait), name="commands"),
                    group.create_task(_act(crawl, wait, begun), name="acts"),
                    group.create_task(self._report(crawl, disk), name="reports"),
                ]
                try:
                    await crawl.run(_each_done(wait, begun))
                finally:
                    self._pauses.remove(PauseReason.DISK_STALLED)
                    for task in beside:
                        task.cancel()
        except BaseExceptionGroup as failures:
            raise cause_of(failures) from failures

    def _ended_held(self, given_up: GivenUpError) -> bool:
        cancelled = isinstance(given_up.command, Cancel)
        if self._held is not None:
            state = CrawlState.CANCELLED if cancelled else CrawlState.PAUSED
            self._held = structs.replace(self._held, state=state, waits=False)
        return cancelled

    def _tell_of_wait(self) -> None:
        """Report that the crawl is paused, by itself or for the person, until the disk works."""
        if self._crawl is not None:
            self._held = held(self._held or self._crawl.progress(), self._pauses)
            self._send_progress()

    async def _obey(self, crawl: Crawl, wait: DiskOutage) -> None:
        while True:
            command = await self._commands.get()
            match command:
                case Act() | Change():
                    wait.keep(command)
                case SetWorkers(workers=workers):
                    wait.keep(command)
                    crawl.set_workers(workers)
                    self._send_progress()
                case _:
                    self._leaving = isinstance(command, Close | Cancel)
                    await _steer(crawl, command)
                    self._send_progress()

    async def _report(self, crawl: Crawl, disk: StalledDisk) -> None:
        while True:
            if self._sleep.slept() and crawl.state is not CrawlState.PAUSED:
                _log.info("the machine has slept: what was in flight is asked again")
                await crawl.fetch_anew()
            disk.check(crawl)
            if crawl.state is not CrawlState.PAUSED or self._has_news(crawl):
                self._send_progress()
            await asyncio.sleep(REPORT_EVERY_S)

    def _has_news(self, crawl: Crawl) -> bool:
        last = self._reported
        done = 0 if self._wait is None else self._wait.done
        return last is None or (last.revision, last.state, last.notice, last.waits, last.acts) != (
            crawl.revision,
            crawl.state,
            self._pauses.sentence,
            self._pauses.end_by_themselves,
            done,
        )

    def _state_changed(self, state: CrawlState) -> None:
        # The end is reported when the file is closed, so that whoever hears of it may open it.
        if state in LIVE:
            self._send_progress()

    def _send_progress(self, *, final: bool = False) -> None:
        """Report to the shell; a shell that reads slowly misses all but the final report."""
        if self._crawl is None or self._channel is None:
            return
        if final or not self._channel.congested:
            done = 0 if self._wait is None else self._wait.done
            progress = self._held or self._crawl.progress()
            if PauseReason.DISK_STALLED in self._pauses:
                progress = while_stalled(progress)
            self._reported = structs.replace(progress, acts=done)
            self._channel.send(self._reported)


_UNFORESEEN: Sentence = (
    "The crawl stopped because of an error in Gossamer itself; what it had found is safe:"
    " press Resume to go on, and see the log for details."
)


async def _closed(store: StoreThread) -> None:
    """Close the project. All that counts is committed, so a full disk changes nothing now."""
    try:
        await store.close()
    except DiskError as e:
        _log.warning("project not closed in order", extra={"reason": str(e)})


def _each_done(wait: DiskOutage, begun: asyncio.Event) -> Iterator[Act | Change]:
    """What waits to be done, each taken out when the next is asked for; `begun` is set then."""
    while wait.acts:
        yield wait.acts[0]
        wait.one_done()
    begun.set()


async def _act(crawl: Crawl, wait: DiskOutage, begun: asyncio.Event) -> None:
    """Carry out acts as they come, from when `crawl` has begun: what takes long holds up nothing.

    What is not done when the crawl ends stays.
    """
    await begun.wait()
    while True:
        await wait.come.wait()
        wait.come.clear()
        while wait.acts:
            if not await crawl.act(wait.acts[0]):
                return
            wait.one_done()


async def _steer(crawl: Crawl, command: Command) -> None:
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


async def main(workers: list[Launched]) -> int:
    """Serve the process that started this one until its crawl has ended or it goes.

    `workers` are page workers that were started ahead. Those that the crawl does not use are
    ended.
    """
    host = CrawlHost(workers)
    try:
        channel = await connect_to_parent(Command, host.receive, host.parent_gone)
        return await _served(host, channel)
    finally:
        for worker in workers:
            worker.abandon()


async def _served(host: CrawlHost, channel: Channel[Command]) -> int:
    try:
        return await host.serve(channel)
    finally:
        channel.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE_S):
                await channel.wait_closed()
