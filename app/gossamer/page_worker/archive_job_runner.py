"""Runs jobs whose responses come from archives: an index says where these have them."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from gossamer.archive.captured_responses import CapturedResponse
from gossamer.archive.indexed_responses import IndexedResponses
from gossamer.archive.record_reader import RecordError
from gossamer.archive.recorded_responses import recorded_response
from gossamer.archive.warc_reader import ArchiveReadError, read_dom
from gossamer.audit.live_response_issues import with_issues
from gossamer.model.archive_record import RecordKind, archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, Fetched, FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import TRUNCATED
from gossamer.model.outcome_details import Detail, DetailCode, NotArchivedError
from gossamer.model.previous_crawl import PreviousResponse
from gossamer.model.rendering import Rendering
from gossamer.model.response_warnings import ResponseWarning, Warnings
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.page_worker.page_fetchers import PageFetcher, StoredRendering
from gossamer.page_worker.worker_job_loop import JobRunner
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.locking.file_identity import file_of
from gossamer.store.reading.previous_crawl_reader import PreviousCrawlReader
from gossamer.urls.url_parsing import is_http

_OF_CONTENT: Final = TRUNCATED | {ResponseWarning.SITEMAP_EMPTY}
"""Warnings that follow from what an archive keeps."""
_SHOWN: Final = frozenset({RenderOutcome.RENDERED, RenderOutcome.TIMED_OUT})
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class ArchivedResponses(ClosedOnExit):
    """The responses in archives, for one thread, and what the project knows beyond them."""

    def __init__(self, source: ArchiveSource, is_internal: Callable[[str], bool] = is_http) -> None:
        """Open the index, which must exist; ProjectError if it cannot be read.

        `is_internal` tells the audit which URLs belong to the site.
        """
        self._is_internal = is_internal
        self._responses = IndexedResponses(source)
        self._former = _opened_project(source.project)
        self._folder = archive_folder(file_of(Path(source.project)))

    def close(self) -> None:
        """Close all files."""
        self._responses.close()
        if self._former is not None:
            self._former.close()

    def times_of(self, url: str, *, is_head: bool) -> dict[str, Any]:
        """When the response for `url` was received, and how long it took, by name.

        An archive may not know the latter: then it is 0.
        """
        found = self._responses.capture(url, is_head=is_head)
        if found is None:
            return {"ttfb_ms": 0, "elapsed_ms": 0}
        ttfb_ms, elapsed_ms = self._responses.times(found)
        return {"fetched_at": found.time, "ttfb_ms": ttfb_ms, "elapsed_ms": elapsed_ms}

    def original_visit(self, url: str, settings: CrawlSettings) -> Visit | None:
        """The visit of `url` in the archive's own project; None if it has none."""
        found = self._from_original(lambda original: _original_visit(original, url, settings))
        if found is None:
            return None
        visit, rendering = found
        visit = with_issues(url, visit, settings, self._is_internal)
        return replace(visit, rendering=rendering, archived=[])

    def better_visit(self, url: str, visit: Visit, settings: CrawlSettings) -> Visit | None:
        """The project's visit of a page that could not be rendered as it was then; else None.

        If the archive lacks a script, or there is no browser, a page would lose what it had.
        """
        if visit.rendering is None or (original := self.original_visit(url, settings)) is None:
            return None
        is_alike = original.status == visit.status and original.rendering is not None
        if (
            not is_alike
            or original.rendering is None
            or is_as_then(visit.rendering, original.rendering)
        ):
            return None
        return original

    def stored_rendering(
        self, url: str, visit: Visit, settings: CrawlSettings
    ) -> StoredRendering | None:
        """How the crawl rendered a page that cannot be rendered as it was then.

        None if `visit` shows it as it was, and if the archive does not have all of its DOM.
        """
        original = self.better_visit(url, visit, settings)
        if original is None or original.rendering is None or (known := self._known(url)) is None:
            return None
        record = self._from_original(lambda former: former.dom_record(known.id))
        if record is None or original.rendering.render_outcome not in _SHOWN:
            return None
        try:
            dom = read_dom(self._folder, record, url)
        except ArchiveReadError as e:
            _log.warning("a stored DOM cannot be read", extra={"url": url, "reason": str(e)})
            return None
        if dom.is_cut:
            return None
        return StoredRendering(dom.markup.decode("utf-8", "replace"), original, original.rendering)

    def known_of(self, url: str, visit: Visit) -> dict[str, Any] | None:
        """What the archive's own project knows in addition about the response in `visit`, by name.

        None if it does not have that response.
        """
        known = self._known(url)
        if known is None or known.status != visit.status:
            return None
        own = _of_the_wire(known.warnings)
        read = set(visit.warnings).difference(_of_the_wire(visit.warnings))
        times = self._from_original(lambda original: original.times(known.id))
        if times is None:
            return None
        fetched_at, ttfb_ms, elapsed_ms = times
        return {
            "warnings": tuple(each for each in ResponseWarning if each in read.union(own)),
            "fetched_at": fetched_at,
            "ttfb_ms": ttfb_ms,
            "elapsed_ms": elapsed_ms,
        }

    def original_text(self, url: str) -> tuple[Visit, str] | None:
        """The robots.txt or llms.txt that the project has at `url`; None if it has none."""
        found = self._from_original(lambda original: original.text(url))
        return None if found is None else (found.visit, found.text)

    def response(self, url: str, *, is_head: bool) -> CapturedResponse:
        """The response to a request for `url`; NotArchivedError if there is none."""
        try:
            if (known := self._known(url)) is None:
                return self._responses.response(url, is_head=is_head)
            return self._recorded(known.id, url) or self._responses.response(url, is_head=is_head)
        except (UsageError, RecordError) as e:
            raise NotArchivedError(DetailCode.ARCHIVE_DAMAGED()) from e

    def _recorded(self, url_id: int, url: str) -> CapturedResponse | None:
        """The response by the record of the archive's own project; None for a 304.

        An archive may also have earlier responses, which do not count any more.
        """
        record = self._from_original(lambda original: original.archive_record(url_id))
        if self._former is None:
            return None
        if record is None:
            raise NotArchivedError(DetailCode.ARCHIVE_NOTHING())
        if record.kind is RecordKind.NOT_MODIFIED:
            return None
        return recorded_response(self._folder, record, url)

    def _known(self, url: str) -> PreviousResponse | None:
        return self._from_original(lambda original: original.response(url))

    def _from_original(self, read: Callable[[PreviousCrawlReader], _T | None]) -> _T | None:
        """What `read` gets from the project; None without one.

        A damaged project is dropped: from then on less is known.
        """
        if self._former is None:
            return None
        try:
            return read(self._former)
        except ProjectError as e:
            _log_unreadable(e)
            self._former.close()
            self._former = None
            return None


def _original_visit(
    original: PreviousCrawlReader, url: str, settings: CrawlSettings
) -> tuple[Visit, Rendering | None] | None:
    if (known := original.response(url)) is None:
        return None
    visit = original.visit(known.id, [each.number for each in settings.definitions])
    return None if visit is None else (visit, original.rendering(known.id))


def _of_the_wire(warnings: Warnings) -> Warnings:
    """The warnings about how a response arrived, which an archive does not keep."""
    return tuple(each for each in warnings if each not in _OF_CONTENT)


def _opened_project(path: str) -> PreviousCrawlReader | None:
    """The archive's own project; None if there is none any more: then less is known."""
    if not path:
        return None
    try:
        return PreviousCrawlReader(Path(path))
    except ProjectError as e:
        _log_unreadable(e)
        return None


def _log_unreadable(error: ProjectError) -> None:
    _log.warning("the project of the archive cannot be read", extra={"reason": str(error)})


class ArchiveJobRunner:
    """Runs jobs whose responses come from an archive: with its times, and never better results."""

    def __init__(
        self,
        runner: JobRunner,
        responses: ArchivedResponses,
        settings: CrawlSettings,
        pages: PageFetcher | None = None,
    ) -> None:
        """`runner` runs the jobs, with pages from `pages`; `responses` has their times."""
        if pages is not None:
            pages.take_archive(responses)
        self._settings = settings
        self._runner = runner
        self._responses = responses

    async def run(self, job: Fetch) -> Fetched:
        """Do a job once: a repetition would give the same."""
        fetched = await self._runner.run(job)
        if fetched.visit.outcome is Outcome.NOT_IN_ARCHIVE:
            return self._from_project(job, fetched)
        is_head = job.kind is FetchKind.CHECK
        visit = fetched.visit
        original = self._responses.better_visit(job.url, visit, self._settings)
        if original is not None:
            return _kept(fetched, original, DetailCode.ARCHIVE_RENDERING())
        known = self._responses.known_of(job.url, visit)
        if known is None:
            known = self._responses.times_of(job.url, is_head=is_head)
        return replace(fetched, visit=replace(visit, transient=False, retry_after_s=None, **known))

    def _from_project(self, job: Fetch, fetched: Fetched) -> Fetched:
        """Replace what its archive did not keep by what the project has of it."""
        if job.kind is FetchKind.TEXT:
            text = self._responses.original_text(job.url)
            return fetched if text is None else replace(fetched, visit=text[0], text=text[1])
        visit = self._responses.original_visit(job.url, self._settings)
        if visit is None:
            return fetched
        is_damaged = fetched.visit.detail == DetailCode.ARCHIVE_DAMAGED()
        return _kept(fetched, visit, fetched.visit.detail if is_damaged else None)

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Continue with these settings."""
        self._settings = configure.settings
        self._runner.reconfigure(configure)

    async def drop(self) -> None:
        """Return when no request is under way."""
        await self._runner.drop()


def _kept(fetched: Fetched, original: Visit, why: Detail | None) -> Fetched:
    """What the project says, and why it is not read again."""
    detail = original.detail or why
    visit = replace(original, transient=False, retry_after_s=None, detail=detail)
    return replace(fetched, visit=visit)


def is_as_then(now: Rendering, then: Rendering) -> bool:
    """Whether a page was rendered as before: nothing is missing that was there."""
    if then.render_outcome in _SHOWN and now.render_outcome not in _SHOWN:
        return False
    return _without_response(now) <= _without_response(then)


def _without_response(rendering: Rendering) -> set[str]:
    return {each.url for each in rendering.details.resources if each.failure}
