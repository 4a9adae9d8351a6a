"""Observes the project of a session that others may crawl."""

import asyncio
from contextlib import suppress
from pathlib import Path

import msgspec

from gossamer.model.crawl_progress import progress_of
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import ProjectSummary
from gossamer.session.crawl_host_connection import HostConnection, other_holder_of
from gossamer.session.crawl_host_pool import HostSource
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.session.session_timings import USUAL_TIMINGS, SessionTimings
from gossamer.store.writer_lock import taken


class ObservedProject(HostConnection):
    """A project that is crawled here or by others: who has it, and what has become of it."""

    settings: CrawlSettings

    def __init__(
        self,
        path: Path,
        progress: Progress,
        hosts: HostSource,
        timings: SessionTimings = USUAL_TIMINGS,
    ) -> None:
        """Look who has it."""
        super().__init__(path, progress, hosts, timings)
        self._holder = other_holder_of(path)
        """Who had the project open at the last check."""

    @property
    def held_by(self) -> LockOwner | None:
        """Who else had the project open to crawl it, when it was opened or `observe` saw it last.

        Then it can only be read here.
        """
        return None if self._host is not None else self._holder

    def ensure_free(self) -> None:
        """Raise ProjectError, which says who has it, if the project can only be read here."""
        if self._host is None and (holder := other_holder_of(self.path)) is not None:
            raise taken(self.path, holder)

    async def observe(self) -> bool:
        """Until `close`, follow what others do with the project; True where it was replaced."""
        from gossamer.session.crawl_observer import CrawlObserver  # noqa: PLC0415 - windows alone observe

        observer = CrawlObserver(self.path)
        try:
            while not self._closed:
                if self._is_at_rest():
                    seen = await asyncio.to_thread(observer.observe)
                    if self._is_at_rest():
                        if seen.is_replaced:
                            return True
                        self._show_observed(seen.holder, seen.summary)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._timings.observe_every_s):
                        await self._updates.until(lambda: self._closed)
        finally:  # a read that is under way is not waited for here
            asyncio.get_running_loop().run_in_executor(None, observer.close)
        return False

    def _show_observed(self, holder: LockOwner | None, summary: ProjectSummary | None) -> None:
        if summary is None and holder == self._holder:
            return
        self._holder = holder
        progress = self.progress if summary is None else progress_of(summary)
        revision = self.progress.revision + (summary is not None)
        if summary is not None:
            self.settings = split_off_secrets(summary.settings)[0]
        self._publish(msgspec.structs.replace(progress, revision=revision))
