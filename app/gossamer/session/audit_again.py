"""Audits a project again from its archive: its pages are read again, and the result replaces it.

The new project is made separately, as a crawl of the archive; until the last step, the old one
stays unchanged.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from gossamer.audit.rules.validation import HIGH_CARBON
from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_state import PAUSES, CrawlState
from gossamer.model.errors import CrawlHostError, KnownError, ProjectError, UsageError
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.settings.crawl_settings import SETTINGS, CrawlSettings
from gossamer.model.settings.setting_declaration import Section
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Sentence, Translatable
from gossamer.session.archive_import import create_import, index_archives, source_of_project
from gossamer.session.audit_process import audit_project
from gossamer.session.session_factory import NO_CHANGES, SessionFactory
from gossamer.session.settings_warnings import missing_browser, missing_for_accessibility
from gossamer.session.snapshot_recorder import keep_segments_or_log, record_or_log
from gossamer.store.atomic_files import StagingFolder, errors_naming_target
from gossamer.store.disk_errors import disk_error
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import check
from gossamer.store.project_carry_over import (
    count_kept_facts,
    missing_archive_files,
    take_over,
    take_over_ignored,
)
from gossamer.store.project_replacement import replace_project
from gossamer.store.reading.reader import Reader
from gossamer.store.searching.index_files import index_of, remove_index

if TYPE_CHECKING:
    from gossamer.model.archive_source import ArchiveSource
    from gossamer.session.crawl_session import CrawlSession

_T = TypeVar("_T")
_INDEXING: Final[Sentence] = "Looking through the archive"
_READING: Final[Sentence] = "Reading pages"
_NO_LIMIT: Final = 10**9
_ONLY_ASKED: Final = frozenset(
    {Section.PACE, Section.REQUESTS, Section.ACCESS, Section.ARCHIVE, Section.RECRAWL}
)
"""Such settings take effect only when a server is requested."""
_LIMITS: Final = frozenset({"max_pages", "max_similar"})
_UNFINISHED: Final[Sentence] = (
    "The crawl of {project} is not finished, so it cannot be audited again from its archive: "
    "resume it first."
)
_CHANGED: Final[Sentence] = (
    "{project} was changed while it was audited again, so it was left as it is; audit it again."
)


class _Stopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """The index is not wanted any more."""


class AuditedAgain(Struct, frozen=True):
    """The result: `kept_facts` pages and files could not be read from the archive and stayed."""

    kept_facts: int = 0


async def _nothing() -> None:
    """Do nothing: nobody has the project open."""


async def audit_again(
    project: Path,
    changes: Mapping[str, object] = NO_CHANGES,
    on_step: Callable[[ProcessStep], None] = lambda _: None,
    sessions: SessionFactory | None = None,
    let_go: Callable[[], Awaitable[None]] = _nothing,
) -> AuditedAgain:
    """Read all pages of the archive of a finished crawl again, by its settings with `changes`.

    `let_go` is awaited before the project is replaced: whoever has it open closes it then. After a
    cancellation, kill or failure, the project is unchanged. UsageError if there is no archive, or
    for settings that cannot be used, ProjectError if the project is being written or is not
    finished, or the disk has no room for the new one.
    """
    file = file_of(project)
    sessions = sessions or SessionFactory()
    sessions.open(file).ensure_free()
    summary, source, settings = await asyncio.to_thread(_prepared, project, changes)
    await _index(source, on_step)
    try:
        with (
            StagingFolder(file.parent) as aside,
            errors_naming_target(made := aside.path / file.name, file),
        ):
            session = create_import(settings, source, made, sessions, begins_series=True)
            await _read(session, file, _urls(summary), on_step)
            after = replace(summary.settings, **changes)
            await _in_thread(lambda: take_over(made, file, after, [HIGH_CARBON.number]))
            await audit_project(made, on_step)
            kept = await asyncio.to_thread(count_kept_facts, made, source)
            await let_go()
            await _completed(lambda: _put_in_place(made, file, summary))
    except OSError as e:
        raise disk_error(file, e) from e
    if "segments" in changes:
        await asyncio.to_thread(keep_segments_or_log, file, after.segments)
    return AuditedAgain(kept)


def refuse_unaffected(changes: Mapping[str, object]) -> None:
    """Raise UsageError for a setting that has no effect on archived pages."""
    for name in changes:
        if name in _LIMITS:
            raise UsageError(
                "{setting} cannot change by reading the archive again: which pages it lets "
                "through depends on the order in which servers respond. Crawl again to change "
                "it.",
                setting=SETTINGS[name].name,
            )
        if name == "roots" or SETTINGS[name].section in _ONLY_ASKED:
            raise UsageError(
                "{setting} cannot change by reading the archive again; crawl again to change it.",
                setting=SETTINGS[name].name,
            )


def _prepared(
    project: Path, changes: Mapping[str, object]
) -> tuple[ProjectSummary, "ArchiveSource", CrawlSettings]:
    """The project as it is now, its archive, and how to read it; raises as `audit_again` does."""
    refuse_unaffected(changes)
    check(project)
    with Reader(project) as reader:
        summary = reader.summary()
    if summary.settings.source is None:
        source, settings = source_of_project(project)
        for name in missing_archive_files(project):
            raise UsageError(
                "The archive file {path} is missing; put it back where it was.",
                path=archive_folder(file_of(project)) / name,
            )
    else:
        source, settings = summary.settings.source, summary.settings
    if summary.state is not CrawlState.FINISHED:
        raise ProjectError(_UNFINISHED, project=project)
    # What was not asked because of limits is not in the archive; what was, is wanted. Nobody logs
    # in to an archive.
    settings = replace(
        replace(settings, **changes).checked(),
        max_pages=None,
        max_similar=_NO_LIMIT,
        login_form=None,
    )
    if (missing := _missing(settings, changes)) is not None:
        raise UsageError(missing)
    return summary, source, settings


def _missing(settings: CrawlSettings, changes: Mapping[str, object]) -> Translatable | None:
    """What keeps pages from being read as wanted; without a browser, rendered ones stay."""
    browser = missing_browser(settings)
    if browser is not None and not {"render", "browser"}.intersection(changes):
        return None
    return browser or missing_for_accessibility(settings)


def _urls(summary: ProjectSummary) -> int:
    return max(1, sum(summary.outcomes.values()))


async def _read(
    session: "CrawlSession", project: Path, urls: int, on_step: Callable[[ProcessStep], None]
) -> None:
    """Have the session crawl the archive of `project` to its end; KnownError if that fails."""
    try:
        await session.start()
        async for news in session.updates():
            if isinstance(news, Trouble):
                await _go_on_after(session, news)
                continue
            on_step(ProcessStep(_READING, min(news.known - news.queued, urls), urls))
            if news.state is CrawlState.FINISHED:
                break
            _ensure_running(news)
    finally:
        await session.close()
        # Page workers that were ended while they read the old project leave a -wal file.
        with suppress(KnownError), Reader(project):
            pass


async def _go_on_after(session: "CrawlSession", trouble: Trouble) -> None:
    """Restart if that helps; else raise the trouble."""
    if trouble.again:
        await session.start()
        return
    is_of_disk = trouble.exit_code == ProjectError.exit_code
    raise (ProjectError if is_of_disk else CrawlHostError)(trouble.sentence)


def _ensure_running(news: Progress) -> None:
    """Raise the reason of a pause: the unfinished project would take up disk space meanwhile."""
    if news.notice is not None and (news.waits or news.state in PAUSES):
        raise ProjectError(news.notice)


def _put_in_place(made: Path, file: Path, before: ProjectSummary) -> None:
    """Replace the old project by the new one, unless the old one has changed since."""

    def ensure_unchanged() -> None:
        with Reader(file) as reader:
            now = reader.summary()
        if (now.settings, now.state, now.content_stamp) != (
            before.settings,
            before.state,
            before.content_stamp,
        ):
            raise ProjectError(_CHANGED, project=file)
        take_over_ignored(made, file)

    replace_project(made, file, ensure_unchanged)
    remove_index(index_of(before.series, before.created_at))
    record_or_log(file)


async def _index(source: "ArchiveSource", on_step: Callable[[ProcessStep], None]) -> None:
    """Ensure an index of the archive; cancelling gives up soon."""
    loop, stop = asyncio.get_running_loop(), Event()

    def tell(done: int, total: int) -> None:
        if stop.is_set():
            raise _Stopped
        loop.call_soon_threadsafe(on_step, ProcessStep(_INDEXING, done, max(1, total)))

    with suppress(_Stopped):
        await _in_thread(lambda: index_archives(source, tell), stop.set)


async def _completed(work: Callable[[], None]) -> None:
    """Do it in a thread, to its end: it is too late to cancel."""
    try:
        await asyncio.shield(future := asyncio.get_running_loop().run_in_executor(None, work))
    except asyncio.CancelledError:
        times = 1 + await _outwaited(future)
        future.result()
        if (task := asyncio.current_task()) is not None:
            for _ in range(times):
                task.uncancel()


async def _in_thread(work: Callable[[], _T], stop: Callable[[], None] = lambda: None) -> _T:
    """Do it in a thread; a cancellation still waits for it, as it uses files that would go."""
    future = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        stop()
        await _outwaited(future)
        future.exception()  # nobody needs it any more
        raise


async def _outwaited(future: asyncio.Future[Any]) -> int:
    """Wait until it is done; returns how often this task was cancelled meanwhile."""
    times = 0
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError:
            times += 1
    return times
