"""Runs the project file's writer in its own thread."""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from gossamer.crawl_host.project_archive_repair import finish_archive, repair_archive
from gossamer.model.archive_loss import ArchiveLoss
from gossamer.model.errors import DiskError, ProjectError, damaged_file
from gossamer.model.messages.crawl_messages import UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import HandedLink
from gossamer.model.store_batch import ProjectSummary, StoreBatch, UrlRow
from gossamer.store.disk_errors import UNREADABLE
from gossamer.store.project_disk_check import try_writing
from gossamer.store.sqlite_locks import call_and_release
from gossamer.store.writing.robots_blocked_issues import RobotsBlockedIssueRules
from gossamer.store.writing.writer import Writer

if TYPE_CHECKING:
    from gossamer.model.translatable import Translatable

T = TypeVar("T")
RETRY_S: Final = 1.0
CHECK_S: Final = 20.0
"""For reading the whole of a file that may be damaged."""
_SOUND_COMMITS: Final = 20
"""After so many, a suspicion of damage is dropped."""


def _blocked_url_rules(settings: CrawlSettings) -> RobotsBlockedIssueRules:
    from gossamer.audit import live_robots_issues  # noqa: PLC0415 - few sites have such URLs

    return live_robots_issues.BlockedUrlRules(settings)


class StoreThread:
    """The engine's Store. SQLite waits for the disk in a thread, not on the loop.

    A call that is cancelled still runs to its end on the thread; later calls wait for it.
    """

    def __init__(self, on_lost: Callable[[], None] = lambda: None) -> None:
        """The thread starts when it is first needed. `on_lost` is that of `Writer`."""
        self._on_lost = on_lost
        self.path = Path()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._writer: Writer | None = None
        self._suspect = False
        """Whether the last read looked like damage. It is damage if the next one does, too: a
        temporary disk error looks the same.
        """
        self._sound_commits = 0
        """Commits since the suspicion: a single one may not have touched the damaged part."""
        self._created_at = 0.0
        """The creation time of the project, when first opened."""
        self._needs_archive = False
        """Whether this crawl writes to the archive beside the project."""
        self._archive_loss: ArchiveLoss | None = None
        """What was found to be missing from the archive since the project was first opened."""
        self.archive_trouble: Translatable | None = None
        """The same, or why the archive could not be settled, for the user."""
        self._calls = 0
        """How many calls the thread has begun."""
        self._used_s: Callable[[], float] | None = None
        """The processor time of the thread while it executes a call."""

    def activity(self) -> tuple[int, float] | None:
        """Another value whenever the thread has made progress; None while there is nothing to do.

        As long as it stays the same, the thread waits for its disk; or works on one call, if the
        system does not report the processor time of a thread.
        """
        used_s = self._used_s
        return None if used_s is None else (self._calls, used_s())

    async def open(self, path: Path) -> ProjectSummary:
        """Open a project file for writing; ProjectError if that is impossible."""
        self.path = path
        try:
            summary = await self._opened()
        except DiskError:
            if not self._suspect:
                raise
            await asyncio.sleep(RETRY_S)
            summary = await self._opened()
        self._created_at = summary.created_at
        return summary

    async def _opened(self) -> ProjectSummary:
        self._writer = await self._call(
            lambda: Writer(self.path, self._on_lost, _blocked_url_rules)
        )
        async with self._discarded_on_failure():
            return await self.summary()

    @asynccontextmanager
    async def _discarded_on_failure(self) -> AsyncIterator[None]:
        """Inside, a failure releases the file: the next try opens it again."""
        try:
            yield
        except BaseException:
            await self.discard()
            raise

    async def repair_archive(self, *, is_needed: bool) -> None:
        """Make the archive end where the project says, while nobody writes to it.

        DiskError if its folder is missing, though the project names records in it. From now on, if
        it `is_needed`, it is made, and DiskError says that it cannot be written to.
        """
        self._needs_archive = is_needed
        await self._repair_archive()

    async def _repair_archive(self) -> None:
        self._note(
            await self._call(
                lambda: repair_archive(self._open_writer, self.path, is_needed=self._needs_archive)
            )
        )

    async def open_again(self) -> ProjectSummary:
        """Reopen the file after a failure; DiskError unless its folder can be written to.

        ProjectError if another project is there now.
        """
        await self._call(lambda: try_writing(self.path))
        if self._suspect:
            from gossamer.store.project import check  # noqa: PLC0415 - few files are damaged

            await self._call(lambda: check(self.path, CHECK_S))
        summary = await self._opened()
        async with self._discarded_on_failure():
            if summary.created_at != self._created_at:
                raise ProjectError(
                    "{path} was replaced by another project, which was not touched; restore the "
                    "crawled one to continue.",
                    path=self.path,
                )
            await self._repair_archive()
        return summary

    async def finish_archive(self) -> None:
        """Make the archive, to which nobody writes any more, end where the project says."""
        if self._writer is None:
            return
        try:
            self._note(await self._call(lambda: finish_archive(self._open_writer, self.path)))
        except DiskError as e:
            self.archive_trouble = e.said
        except ProjectError:
            pass  # it is repaired when the crawl continues

    def _note(self, loss: ArchiveLoss | None) -> None:
        if loss is not None:
            self._archive_loss = loss.joined(self._archive_loss)
            self.archive_trouble = self._archive_loss.said

    async def discard(self) -> None:
        """Close the file as far as its disk permits; what is not committed is discarded."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(ProjectError):
                await self._call(writer.close)

    async def close(self) -> None:
        """Checkpoint and close the file; it is a single file afterwards."""
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                await self._call(writer.close)
        finally:
            self._thread.shutdown(wait=False)

    async def summary(self) -> ProjectSummary:
        """The project as a whole."""
        return await self._call(self._open_writer.summary)

    async def commit(self, batch: StoreBatch) -> list[UrlRow]:
        """Write `batch` in one transaction; returns the known URLs whose rank improved."""
        improved = await self._call(lambda: self._open_writer.commit(batch))
        self._sound_commits += 1
        if self._sound_commits >= _SOUND_COMMITS:
            self._suspect = False
        return improved

    async def lookup(self, urls: Sequence[str]) -> dict[str, UrlRow]:
        """Those of `urls` that are known."""
        return await self._call(lambda: self._open_writer.lookup(urls))

    async def left_out(self, before: int, limit: int) -> list[UrlRow]:
        """URLs that trap budgets left out."""
        return await self._call(lambda: self._open_writer.left_out(before, limit))

    async def budgets(self, limit: int) -> dict[str, int]:
        """What is spent of trap budgets, by key."""
        return await self._call(lambda: self._open_writer.budgets(limit))

    async def selected(self, selection: UrlSelection, after: int, limit: int) -> list[UrlRow]:
        """URLs of a selection by id."""
        return await self._call(lambda: self._open_writer.selected(selection, after, limit))

    async def by_id(self, ids: Sequence[int]) -> list[UrlRow]:
        """The URLs with these ids."""
        return await self._call(lambda: self._open_writer.by_id(ids))

    async def queued(self, host: str, after: int, limit: int) -> list[UrlRow]:
        """Queued URLs of a host by id."""
        return await self._call(lambda: self._open_writer.queued(host, after, limit))

    async def queued_hosts(self, after: str, limit: int) -> list[UrlRow]:
        """A queued URL of each host, by host."""
        return await self._call(lambda: self._open_writer.queued_hosts(after, limit))

    async def listed_dates(self, after: int, limit: int) -> list[tuple[int, str, str]]:
        """Queued URLs that sitemaps date, by id."""
        return await self._call(lambda: self._open_writer.listed_dates(after, limit))

    async def refused(self, outcomes: Collection[Outcome], after: int, limit: int) -> list[UrlRow]:
        """Refused URLs by id."""
        return await self._call(lambda: self._open_writer.refused(outcomes, after, limit))

    async def outgoing(self, shard: int, after: int, limit: int) -> list[HandedLink]:
        """Links to another shard with numbers above `after`, in order."""
        return await self._call(lambda: self._open_writer.outgoing(shard, after, limit))

    async def bind_ignored(self) -> None:
        """Bind the ignored issues that a recrawl took over to its URLs."""
        await self._call(self._open_writer.bind_ignored)

    @property
    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise RuntimeError("the store is not open")
        return self._writer

    async def _call(self, function: Callable[[], T]) -> T:
        try:
            return await self._on_thread(function)
        except ProjectError as e:
            if self._suspect or damaged_file(e.said) is None:
                raise
            self._suspect, self._sound_commits = True, 0
            raise DiskError(UNREADABLE, path=self.path) from e

    async def _on_thread(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._timed, function)

    def _timed(self, function: Callable[[], T]) -> T:
        self._calls += 1
        self._used_s = _processor_time()
        try:
            return call_and_release(function)
        finally:
            self._used_s = None


def _processor_time() -> Callable[[], float]:
    """A function that returns, on any thread, the processor seconds this thread has used.

    Call it only while this thread lives.
    """
    if sys.platform != "linux":
        return lambda: 0.0
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)
