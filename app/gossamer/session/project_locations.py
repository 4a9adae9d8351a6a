"""Locates the projects of a series: finds moved ones, forgets those that are gone."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.series_contents import CrawlSnapshot, ProjectLocation
from gossamer.session.default_paths import SUFFIX, projects_folder
from gossamer.session.series import Series, record_found, record_snapshot
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.series_file import QUERIES
from gossamer.store.series_paths import series_path

__all__ = [
    "ProjectLocation",
    "current_location",
    "find_moved",
    "forget_crawls",
    "forget_project",
    "location_of",
    "location_of_file",
    "missing",
    "relink",
    "relink_crawl",
]


def location_of(snapshot: CrawlSnapshot) -> ProjectLocation:
    """Whether the file of a crawl is where it was seen last. Checks the disk, reads no file."""
    return location_of_file(Path(snapshot.project)) if snapshot.project else ProjectLocation.REMOVED


def location_of_file(path: Path) -> ProjectLocation:
    """Whether a project is where it was; if that is unknown, it is out of reach."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return ProjectLocation.MISSING if _is_folder(path.parent) else ProjectLocation.OUT_OF_REACH
    except OSError:  # a drive that is gone, or a folder that is another user's
        return ProjectLocation.OUT_OF_REACH
    return ProjectLocation.HERE


def current_location(path: Path, series_id: str, created_at: float) -> Path:
    """Where a project that was at `path` is now; `path` if it is there, or cannot be found.

    It is looked for as `find_moved` does.
    """
    if location_of_file(path) is ProjectLocation.HERE or not series_path(series_id).exists():
        return path
    series = Series(series_path(series_id))
    with suppress(ProjectError):
        find_moved(series, path)
        for each in series.crawls():
            if each.created_at == created_at and location_of(each) is ProjectLocation.HERE:
                return Path(each.project)
    return path


def missing(crawls: Iterable[CrawlSnapshot]) -> list[CrawlSnapshot]:
    """The crawls whose files should be there and are not."""
    gone = {ProjectLocation.MISSING, ProjectLocation.OUT_OF_REACH}
    return [each for each in crawls if location_of(each) in gone]


def find_moved(series: Series, near: Path | None = None) -> bool:
    """Look for moved projects; whether anything has changed.

    They are looked for where projects of the series were, beside the project `near`, and in the
    data folder. That takes a millisecond for each project there, and for each crawl. If another
    project is at the location of a crawl, the crawl has none any more.
    """
    crawls = [each for each in series.crawls() if each.project]
    here = {each.created_at for each in crawls if _is_its_own(series, each)}
    lost = [each for each in crawls if each.created_at not in here]
    if not lost:
        return False
    places = [Path(each.project) for each in crawls] + ([] if near is None else [near.absolute()])
    folders = dict.fromkeys([*(place.parent for place in places), projects_folder()])
    is_changed = record_found(series, folders, here)
    for each in lost:
        if location_of(each) is ProjectLocation.HERE:
            is_changed |= series.clear_location(each.created_at, each.project)
    return is_changed


def relink(series: Series, places: Sequence[Path]) -> int:
    """Look for projects of a series in folders, recursively, and files; returns how many exist.

    UsageError for a file of another series, ProjectError for what is no project.
    """
    found = 0
    for place in places:
        if not place.is_dir():
            _ensure_of(series, place)
            record_snapshot(place)
            found += 1
            continue
        for file in sorted(place.rglob(f"*{SUFFIX}")):
            with suppress(ProjectError):  # what cannot be read is no crawl of it that we could tell
                if read_identity(file)[0] == series.id:
                    record_snapshot(file)
                    found += 1
    return found


def relink_crawl(series: Series, created_at: float, file: Path) -> None:
    """Note that the project of one crawl is this file; UsageError if it is another crawl's."""
    _ensure_of(series, file)
    if read_identity(file)[1] != created_at:
        raise UsageError("{file} is another crawl of this site.", file=file)
    record_snapshot(file)


def forget_crawls(series: Series, created_at: Iterable[float]) -> int:
    """Forget crawls and their figures; returns how many there were.

    UsageError if the project of one is still there: its figures would come back.
    """
    asked = set(created_at)
    wanted = [each for each in series.crawls() if each.created_at in asked]
    for each in wanted:
        if location_of(each) is ProjectLocation.HERE and _is_its_own(series, each):
            raise UsageError(
                "The project {path} is still there; delete it with 'gossamer delete' first.",
                path=each.project,
            )
    for each in wanted:
        series.remove_crawl(each.created_at)
    return len(wanted)


def forget_project(series_id: str, created_at: float, project: Path) -> bool:
    """Note that a project was deleted; whether that was the only file of its crawl.

    If it was the only one of its series, and nothing else is kept there, the file of the series is
    removed. A copy, which is the same crawl, is looked for as `find_moved` does.
    """
    series = Series(series_path(series_id))
    with suppress(ProjectError, OSError):
        find_moved(series, project)
        left = {each.created_at for each in series.crawls() if _is_its_own(series, each)}
        if created_at in left:
            return False
        settings = set(series.setting_names()) - {QUERIES}
        kept = (series.notes(), series.saved_filters(), settings)
        others = [each for each in series.crawls() if each.created_at != created_at]
        if others or any(kept):
            series.clear_location(created_at, str(project.absolute()))
        else:
            series.remove()
    return True


def _ensure_of(series: Series, file: Path) -> None:
    if read_identity(file)[0] != series.id:
        raise UsageError("{file} is a crawl of another site.", file=file)


def _is_its_own(series: Series, snapshot: CrawlSnapshot) -> bool:
    """Whether the file of a crawl exists, and is not known to be another's."""
    if location_of(snapshot) is not ProjectLocation.HERE:
        return False
    try:
        return read_identity(Path(snapshot.project)) == (series.id, snapshot.created_at)
    except ProjectError:  # damaged, or of a newer version: still its place
        return True


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
