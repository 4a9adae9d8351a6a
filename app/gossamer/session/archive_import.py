"""Makes a project from archives: an index of them, the roots, and a session that crawls them."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from gossamer.archive.archive_indexing import OnProgress, ensure_index
from gossamer.archive.captures import ScanReport
from gossamer.archive.project_archive_files import project_archive_files
from gossamer.archive.wacz_page_list import listed_roots
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS, CrawlSettings
from gossamer.model.settings.setting_declaration import Section
from gossamer.session.session_factory import SessionFactory
from gossamer.store.archive_index import ArchiveIndex, index_path
from gossamer.store.project import check
from gossamer.store.reading.reader import Reader

if TYPE_CHECKING:
    from gossamer.session.crawl_session import CrawlSession


_OF_ARCHIVES: Final = tuple(
    name for name, each in SETTINGS.items() if each.section is Section.ARCHIVE
)


def index_archives(
    source: ArchiveSource, on_progress: OnProgress | None = None
) -> ScanReport | None:
    """Ensure an index of the archives; returns what was read for it, None if there was one.

    UsageError for archives that cannot be used, ProjectError if no index can be written.
    """
    return ensure_index(source, on_progress)


def archived_roots(source: ArchiveSource) -> tuple[str, ...]:
    """The default roots of a crawl of indexed archives.

    The seeds of their page lists, else the first page. UsageError if there is no page.
    """
    paths = [Path(each) for each in source.archives]
    listed = [root for path in paths for root in listed_roots(path)]
    if listed:
        return tuple(dict.fromkeys(listed))
    with closing(ArchiveIndex(index_path(paths))) as index:
        pages = index.pages(0, 1)
    if not pages:
        raise UsageError(
            "There is no HTML page in {archives}, so there is nothing to crawl.",
            archives=", ".join(source.archives),
        )
    return (pages[0].url,)


def source_of_project(project: Path) -> tuple[ArchiveSource, CrawlSettings]:
    """The archive of a project as a source, and the settings for making a project from it.

    They are those of the project, except that nothing is archived once more. UsageError if it keeps
    no pages, ProjectError if it cannot be used.
    """
    check(project)
    with Reader(project) as reader:
        settings = reader.summary().settings
        kept = project_archive_files(project, reader)
    source = ArchiveSource(kept, unlinked=False, project=str(project.absolute()))
    usual = {name: getattr(DEFAULTS, name) for name in _OF_ARCHIVES}
    return source, replace(settings, **usual)


def create_import(
    settings: CrawlSettings,
    source: ArchiveSource,
    output: Path | None,
    sessions: SessionFactory,
    *,
    begins_series: bool = False,
) -> "CrawlSession":
    """A session on a new project whose responses come from indexed archives.

    Without roots in the settings, those that the archives name. Raises as
    `SessionFactory.create` does.
    """
    roots = settings.roots or archived_roots(source)
    # Nodes of a cluster do not have its files.
    settings = replace(settings, roots=roots, source=source, cluster="")
    return sessions.create(settings, output, begins_series=begins_series)


def archive_source(archives: Sequence[Path], moment: float, *, unlinked: bool) -> ArchiveSource:
    """The archives as a project stores them; paths are made absolute."""
    return ArchiveSource(tuple(str(each.absolute()) for each in archives), moment, unlinked)
