"""Reads what `gossamer info` says of a project, or of all shards of a crawl."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from msgspec import structs

from gossamer.archive.archive_repair import file_sizes
from gossamer.audit.over_budget_report import TrapReport
from gossamer.cli.crawl_summary import SummaryNotes, remarks_on
from gossamer.model.archive_record import archive_folder
from gossamer.model.crawl_progress import progress_of
from gossamer.model.lock_owner import LockOwner
from gossamer.model.messages.crawl_messages import Progress
from gossamer.model.store_batch import ProjectSummary
from gossamer.session.crawl_failure import as_told, failure_in
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.shards.shard_folder import shards_in
from gossamer.shards.summed_progress import summed
from gossamer.store.locking.file_identity import file_of
from gossamer.store.project import check
from gossamer.store.reading.archive_reader import RemoteArchive
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import holder_of

_K = TypeVar("_K")


class ArchiveSurvey(NamedTuple):
    """The archive of a project."""

    folder: Path
    files: int | None
    """None if the folder cannot be read."""
    size: int = 0
    not_kept: Mapping[str, int] = MappingProxyType({})
    """By content type, URLs with a good response that it does not have."""
    remote: tuple[RemoteArchive, ...] = ()


class ProjectSurvey(NamedTuple):
    """A project, or all shards of a crawl as one."""

    project: Path
    """Its file, or the folder of the shards."""
    summary: ProjectSummary
    progress: Progress
    holder: LockOwner | None = None
    remarks: SummaryNotes = SummaryNotes()
    archive: ArchiveSurvey | None = None
    shows_site: bool = True
    shards: int | None = None
    """How many there are; None for a project."""

    @property
    def as_told(self) -> Progress:
        """Its progress as shown to people."""
        return as_told(self.progress, shows_site=self.shows_site)


def survey_of(path: Path) -> ProjectSurvey:
    """Read a project, or all shards in a folder; ProjectError if they cannot be used."""
    if path.is_dir():
        return _whole_crawl(path, [_read_project(each) for each in shards_in(path)])
    return _read_project(path)


def _read_project(project: Path) -> ProjectSurvey:
    check(project)
    with Reader(project) as reader:
        summary = reader.summary()
        remarks = remarks_on(reader)
        shows_site = failure_in(reader, summary.settings) is None
        archive = _archive_at(project, reader) if summary.settings.archive else None
    summary = structs.replace(summary, settings=split_off_secrets(summary.settings)[0])
    holder = holder_of(project)
    progress = progress_of(summary)
    if holder is not None:  # what the file says is so
        progress = structs.replace(progress, state=summary.state)
    return ProjectSurvey(project, summary, progress, holder, remarks, archive, shows_site)


def _whole_crawl(folder: Path, shards: Sequence[ProjectSurvey]) -> ProjectSurvey:
    """Sum up all shards of the crawl in a folder, without what is on its way between them."""
    first = shards[0]
    created_at = min(each.summary.created_at for each in shards)
    return ProjectSurvey(
        folder,
        structs.replace(first.summary, created_at=created_at),
        summed([each.progress for each in shards], ()),
        next((each.holder for each in shards if each.holder is not None), None),
        _all_remarks([each.remarks for each in shards]),
        _all_archives(folder, [each.archive for each in shards if each.archive is not None]),
        any(each.shows_site for each in shards),
        len(shards),
    )


def _all_remarks(parts: Sequence[SummaryNotes]) -> SummaryNotes:
    return SummaryNotes(
        _all_trapped([each.trapped for each in parts if each.trapped is not None]),
        _total([each.warnings for each in parts]),
        _total([each.rendering for each in parts]),
        _total([each.rendered_for for each in parts]),
        _total([each.rendered_sections for each in parts]),
        sum(each.web_sockets for each in parts),
    )


def _all_trapped(parts: Sequence[TrapReport]) -> TrapReport | None:
    if not parts:
        return None
    examples = {key: url for each in reversed(parts) for key, url in each.examples.items()}
    return TrapReport(sum(each.urls for each in parts), examples)


def _total(parts: Sequence[Mapping[_K, int]]) -> Mapping[_K, int]:
    total: Counter[_K] = Counter()
    for each in parts:
        total.update(each)
    return dict(total.most_common())


def _archive_at(project: Path, reader: Reader) -> ArchiveSurvey:
    remote = tuple(reader.remote_archives())
    folder = archive_folder(file_of(project))
    try:
        sizes = file_sizes(folder)
    except OSError:
        return ArchiveSurvey(folder, None, remote=remote)
    size = sum(sizes.values())
    return ArchiveSurvey(folder, len(sizes), size, reader.unarchived_types(), remote)


def _all_archives(folder: Path, parts: Sequence[ArchiveSurvey]) -> ArchiveSurvey | None:
    """The archives of all shards, which are folders in that of their files."""
    if not parts:
        return None
    files = [each.files for each in parts if each.files is not None]
    return ArchiveSurvey(
        folder,
        sum(files) if files else None,
        sum(each.size for each in parts),
        _total([each.not_kept for each in parts]),
        tuple(remote for each in parts for remote in each.remote),
    )
