"""Removes the projects of a schedule that its retention rule does not keep."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable, said
from gossamer.scheduling.local_time import LOCAL
from gossamer.scheduling.retention_rule import RetentionRule, kept
from gossamer.scheduling.run_history import MadeProject
from gossamer.scheduling.schedule import Schedule
from gossamer.session.known_projects import ProjectInfo, glance
from gossamer.session.project_files import delete_project
from gossamer.session.series import NoteSubject, series_of
from gossamer.store.project_in_use import is_in_use


class LeftProject(NamedTuple):
    """A project that the rule does not keep, and why it stays nevertheless."""

    path: Path
    reason: Translatable


class Pruning(NamedTuple):
    """What pruning has removed or would remove, and what it has left."""

    removed: tuple[Path, ...]
    left: tuple[LeftProject, ...]


def prune_projects(
    schedule: Schedule,
    projects: Iterable[MadeProject],
    *,
    dry_run: bool = False,
    zone: tzinfo = LOCAL,
) -> Pruning:
    """Remove those of the schedule's `projects` that its rule does not keep; or only say which.

    A file is removed if it is in the schedule's own folder and still the project that the schedule
    has made; if nobody has it open, and there is no note about its crawl. One that cannot be
    removed is left, with the reason.
    """
    if schedule.retention.keeps_all:
        return Pruning((), ())
    present = {each: info for each in projects if (info := _of_schedule(schedule, each))}
    removed: list[Path] = []
    left: list[LeftProject] = []
    for made in _not_kept(present, schedule.retention, zone):
        path = Path(made.path)
        try:
            reason = _why_left(present[made])
            if reason is None and not dry_run:
                delete_project(path)
        except KnownError as e:
            reason = e.said
        if reason is None:
            removed.append(path)
        else:
            left.append(LeftProject(path, reason))
    return Pruning(tuple(removed), tuple(left))


def _of_schedule(schedule: Schedule, made: MadeProject) -> ProjectInfo | None:
    """Information about a project, if its file is still where and what the schedule has made."""
    path = Path(made.path)
    try:
        if path.parent != Path(schedule.folder) or not S_ISREG(path.lstat().st_mode):
            return None
    except OSError:
        return None
    info = glance(path)
    return info if info.trouble is None and info.created_at == made.created_s else None


def _not_kept(
    present: dict[MadeProject, ProjectInfo], rule: RetentionRule, zone: tzinfo
) -> Iterator[MadeProject]:
    """The projects to remove, oldest first: of failed crawls, those older than a finished one.

    The rule counts only finished crawls.
    """
    finished = {made.created_s for made, info in present.items() if _has_finished(made, info)}
    newest = max(finished, default=float("-inf"))
    stay = kept(finished, rule, zone)
    for made in sorted(present, key=lambda each: each.created_s):
        if made.created_s not in stay and made.created_s < newest:
            yield made


def _has_finished(made: MadeProject, info: ProjectInfo) -> bool:
    """Whether it shows the site: a run finished it, or somebody else did with a result.

    A crawl without any response is finished, too, but must not represent its day.
    """
    return info.state is CrawlState.FINISHED and (made.is_complete or info.working > 0)


def _why_left(info: ProjectInfo) -> Translatable | None:
    """Why a project stays though the rule does not keep it; None if it may be removed."""
    if info.held_by is not None:
        return said("{path} is being crawled.", path=info.path)
    if is_in_use(info.path):
        return said("{path} is open in another program.", path=info.path)
    about = f"{info.created_at}"
    if any(note.about == about for note in series_of(info.path).notes(NoteSubject.CRAWL)):
        return said("{path} has a note.", path=info.path)
    return None
