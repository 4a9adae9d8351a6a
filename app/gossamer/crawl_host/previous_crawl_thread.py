"""Reads the previous project of a recrawl in its own thread, in parallel with the writer."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from msgspec.structs import replace

from gossamer import __version__
from gossamer.audit.live_response_issues import with_issues
from gossamer.model.errors import BugError, KnownError
from gossamer.model.previous_crawl import (
    PreviousCrawlReference,
    PreviousPage,
    PreviousResponse,
    PreviousText,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.extraction_settings import read_alike
from gossamer.model.visit import Visit
from gossamer.store.reading.previous_crawl_reader import PreviousCrawlReader
from gossamer.store.sqlite_locks import call_and_release
from gossamer.urls.scope_and_limits import Scope, sites_of

if TYPE_CHECKING:
    from gossamer.crawl_host.previous_archive import PreviousArchive

T = TypeVar("T")
_FAILURES = (KnownError, BugError, ValueError, TypeError, LookupError)
"""The errors that a corrupt file causes, anywhere."""
_log = logging.getLogger(__name__)


class PreviousCrawlThread:
    """The engine's PreviousCrawl. SQLite waits for the disk in a thread, not on the loop.

    Once the file cannot be read, nothing is known any more: pages are then fetched as in any crawl.
    """

    def __init__(
        self,
        reader: PreviousCrawlReader,
        thread: ThreadPoolExecutor,
        is_internal: Callable[[str], bool],
        *,
        alike: bool,
        archive: "PreviousArchive | None" = None,
    ) -> None:
        """Use what `opened` has opened."""
        self._archive = archive
        self._is_internal = is_internal
        self._reader: PreviousCrawlReader | None = reader
        self._thread = thread
        self.reads_alike = alike
        """Whether it read pages as they would be read now."""

    @classmethod
    async def opened(
        cls, previous: PreviousCrawlReference, settings: CrawlSettings, archive: Path | None = None
    ) -> Self | None:
        """The previous project for a recrawl with these settings; None where it cannot be read.

        What did not change is copied to the folder `archive`, if there is one.
        """
        is_internal = Scope(settings).is_internal
        thread = ThreadPoolExecutor(1, thread_name_prefix="previous")
        loop = asyncio.get_running_loop()
        reader = None
        try:
            reader = await loop.run_in_executor(thread, PreviousCrawlReader, Path(previous.path))
            if reader.summary.created_at == previous.created_at:
                alike = _reads_alike(reader, settings)
                copies = _previous_archive(reader, Path(previous.path), settings, archive)
                return cls(reader, thread, is_internal, alike=alike, archive=copies)
            reason = "another project stands there"
        except _FAILURES as e:
            reason = str(e)
        if reader is not None:
            await loop.run_in_executor(thread, reader.close)
        thread.shutdown(wait=False)
        _log.warning("the previous crawl cannot be read", extra={"reason": reason})
        return None

    async def drop(self) -> None:
        """End the file of copies, if there is one: the archive is to be repaired."""
        archive = self._archive
        if archive is not None:
            await self._call(lambda _: archive.close(), None)

    async def close(self) -> None:
        """Close the file."""
        reader, self._reader = self._reader, None
        if reader is not None:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._close_files, reader)
        self._thread.shutdown(wait=False)

    def _close_files(self, reader: PreviousCrawlReader) -> None:
        reader.close()
        if self._archive is not None:
            self._archive.close()

    async def response(self, url: str) -> PreviousResponse | None:
        """The response that the previous crawl got for `url`."""

        def read(reader: PreviousCrawlReader) -> PreviousResponse | None:
            known = reader.response(url)
            if known is None or self._archive is None:
                return known
            record = reader.archive_record(known.id)
            return replace(known, referred=self._archive.referred(record, url))

        return await self._call(read, None)

    async def visit(
        self, url: str, known: PreviousResponse, settings: CrawlSettings
    ) -> Visit | None:
        """The whole of a complete response, with the page rules that `settings` apply to it."""
        numbers = [each.number for each in settings.definitions]

        def read(reader: PreviousCrawlReader) -> Visit | None:
            visit = reader.visit(known.id, numbers)
            if visit is None or visit.fetched_at != known.fetched_at:  # crawled meanwhile
                return None
            visit = with_issues(url, visit, settings, self._is_internal)
            if self._archive is None:
                return visit
            return self._archive.taken_over(visit, reader.archive_record(known.id), url)

        return await self._call(read, None)

    async def text(self, url: str) -> PreviousText | None:
        """The robots.txt or llms.txt at `url`."""

        def read(reader: PreviousCrawlReader) -> PreviousText | None:
            known = reader.text(url)
            if known is None or self._archive is None:
                return known
            record = reader.host_record(url)
            return replace(known, referred=self._archive.referred(record, url))

        return await self._call(read, None)

    async def confirmed_text(self, url: str, known: PreviousText) -> Visit | None:
        """The visit of a text that did not change, whose record the archive has."""
        archive = self._archive
        if archive is None:
            return known.visit

        def read(reader: PreviousCrawlReader) -> Visit | None:
            return archive.taken_over(known.visit, reader.host_record(url), url)

        return await self._call(read, None)

    async def pages(self, after: int, limit: int) -> list[PreviousPage]:
        """Pages by id."""
        return await self._call(lambda reader: reader.pages(after, limit), [])

    async def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        """When each of `urls` was requested."""
        return await self._call(lambda reader: reader.fetched_at(urls), {})

    async def _call(self, read: Callable[[PreviousCrawlReader], T], nothing: T) -> T:
        reader = self._reader
        if reader is None:
            return nothing
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, call_and_release, partial(read, reader))
        except _FAILURES as e:
            if self._reader is not None:
                _log.warning("the previous crawl cannot be read", extra={"reason": str(e)})
                await self.close()
            return nothing


def _previous_archive(
    reader: PreviousCrawlReader, previous: Path, settings: CrawlSettings, target: Path | None
) -> "PreviousArchive | None":
    """The archive to copy from; None if copying is not wanted or not possible."""
    if target is None or not reader.summary.settings.archive:
        return None
    from gossamer.crawl_host.previous_archive import PreviousArchive, keeps_alike  # noqa: PLC0415 - few crawls have one

    if not keeps_alike(reader.summary.settings, settings):
        return None
    return PreviousArchive(previous, target, settings)


def _reads_alike(reader: PreviousCrawlReader, settings: CrawlSettings) -> bool:
    """Whether pages were read by the same version, with equivalent settings."""
    before = reader.summary.settings
    is_same_program = reader.program == f"Gossamer {__version__}"
    # Not by its scope: a pattern of its settings may be refused by now, and says nothing of pages.
    return (
        is_same_program and sites_of(before) == sites_of(settings) and read_alike(before, settings)
    )
