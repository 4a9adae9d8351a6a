"""Keeps the series of a site: opens its file, recreates it if it is lost, records crawls.

docs/series.md describes the file.
"""

import logging
import re
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.audit.rule_catalogue import RULES
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError, ProjectError, UsageError
from gossamer.model.segments import parse_segments
from gossamer.model.series_contents import (
    CrawlSnapshot,
    Note,
    NoteSubject,
    is_series_id,
)
from gossamer.model.translatable import Translatable, said, system_reason
from gossamer.session.crawl_failure import crawl_failure
from gossamer.session.current_user import user_name
from gossamer.session.default_paths import SUFFIX, projects_folder
from gossamer.store.atomic_files import make_private
from gossamer.store.project import ensure_text
from gossamer.store.reading.crawl_snapshot import read_identity, take_snapshot
from gossamer.store.series_file import Series
from gossamer.store.series_paths import SERIES_SUFFIX, series_folder, series_path
from gossamer.store.series_tables import (
    SeriesDamagedError,
    check_series_file,
    make_series_file,
    repair_series_file,
)

__all__ = [
    "CrawlSnapshot",
    "Note",
    "NoteSubject",
    "Series",
    "all_series",
    "created_at_of",
    "identity_of",
    "next_segments",
    "record_found",
    "record_snapshot",
    "series_named",
    "series_of",
    "write_note",
]

_log = logging.getLogger(__name__)
_ID_START: Final = re.compile("[0-9a-f]{4,32}")
_PRIORITIES: Final = {rule.number: rule.priority for rule in RULES.values()}


def series_of(project: Path, *, gather: bool = True) -> Series:
    """The series of a project, with all its crawls that can be found.

    Its file is made if necessary; `Series.repaired` says whether it had to be recreated. Without
    `gather`, no other crawls are looked for: for a new series, that would take a millisecond for
    each project in the data folder. ProjectError if the project cannot be read, or the file cannot
    be made.
    """
    series = _recorded(project)[0]
    if gather and not series.is_gathered:
        record_found(series, {project.absolute().parent, projects_folder()})
        series.note_gathered()
    return series


def created_at_of(project: Path) -> float:
    """When a project was made, which identifies its crawl in the series."""
    return read_identity(project)[1]


def identity_of(project: Path) -> str:
    """The subject of a note about the crawl in a project; see `NoteSubject.CRAWL`."""
    return repr(created_at_of(project))


def series_named(text: str) -> Series:
    """The series of a project file, or the one whose id begins with `text`.

    UsageError if the id is that of none or of several, ProjectError as for `series_of`.
    """
    path = Path(text)
    if not _ID_START.fullmatch(text.lower()) or path.exists():
        return series_of(path)
    found = [file.stem for file in _series_files() if file.stem.startswith(text.lower())]
    if len(found) != 1:
        raise UsageError(
            "There are {number} series whose id begins with {text!r}; see 'gossamer series list'.",
            number=len(found),
            text=text,
        )
    return _opened(found[0], make=False)


def all_series() -> list[Series]:
    """Every series that has a file, the one used last first. Damaged files are repaired.

    A file that vanishes meanwhile is left out, and so is one that cannot be used, which goes to the
    log.
    """
    latest = sorted(_series_files(), key=_changed_at, reverse=True)
    return [series for file in latest if (series := _opened_if_there(file)) is not None]


def _changed_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _opened_if_there(file: Path) -> Series | None:
    try:
        return _opened(file.stem, make=False)
    except ProjectError as e:
        if file.exists():
            _log.warning("%s", e)
        return None


def record_snapshot(project: Path) -> bool:
    """Record the current figures of a crawl in its series; whether any are new.

    Some milliseconds, however large the project is. ProjectError as for `series_of`.
    """
    return _recorded(project)[1]


def record_found(series: Series, folders: Iterable[Path], known: Collection[float] = ()) -> bool:
    """Record the crawls of a series whose projects are in these folders; whether any were new.

    Those made at a `known` time are left as they are: what is found may be a copy.
    """
    is_new = False
    for found in _projects_in(folders):
        with suppress(ProjectError):  # what cannot be read is no crawl of it that we could tell
            series_id, created_at = read_identity(found)
            if series_id == series.id and created_at not in known:
                is_new |= _recorded(found)[1]
    return is_new


def next_segments(previous: Path) -> tuple[str, ...] | None:
    """The segments that a crawl made from this project begins with; None for its own.

    A crawl is made also if the series cannot be opened, or has no usable segments.
    """
    try:
        segments = series_of(previous, gather=False).segments()
        parse_segments(segments or ())
    except KnownError as e:
        _log.warning("%s", e)
        return None
    return segments


def write_note(series: Series, note: Note) -> Note:
    """Store a note in the user's name, as of now; returns it as stored. UsageError if invalid."""
    return series.add_note(
        Note(
            text=note.text,
            subject=note.subject,
            about=note.about,
            author=user_name(),
            created_at=time.time(),
        )
    )


def _series_files() -> list[Path]:
    folder = series_folder()
    files = folder.glob(f"*{SERIES_SUFFIX}") if folder.is_dir() else ()
    return [file for file in files if is_series_id(file.stem)]


def _recorded(project: Path) -> tuple[Series, bool]:
    """The series of a project, with its current figures; whether any were new.

    A project that was never crawled has none. One that has finished without showing its site
    has failed.
    """
    ensure_text(project)
    series_id, snapshot, issues = take_snapshot(project, _PRIORITIES)
    if snapshot.state is CrawlState.FINISHED and crawl_failure(project) is not None:
        snapshot = replace(snapshot, state=CrawlState.FAILED)
    series = _opened(series_id)
    return series, snapshot.state is not CrawlState.NEW and series.record(snapshot, issues)


def _opened(series_id: str, *, make: bool = True) -> Series:
    """The series with this id, whose file is repaired if damaged, and made if there is none.

    Without `make`, ProjectError if there is none.
    """
    path = series_path(series_id)
    repaired: Translatable | None = None
    try:
        make_private(path.parent)
        if make and not path.exists():
            make_series_file(path)
        try:
            check_series_file(path)
        except SeriesDamagedError:
            kept = repair_series_file(path)
            if kept is not None:
                repaired = said(
                    "The series file {path} was damaged and was rebuilt from its readable parts "
                    "and from the projects; the damaged file is now {kept}.",
                    path=path,
                    kept=kept,
                )
                _log.warning("%s", repaired)  # at the end of a crawl, nobody else would say so
    except OSError as e:
        raise ProjectError(
            "The series file {path} cannot be written ({reason}); check its folder.",
            path=path,
            reason=system_reason(e),
        ) from e
    return Series(path, repaired)


def _projects_in(folders: Iterable[Path]) -> Iterable[Path]:
    for folder in folders:
        with suppress(OSError):  # another user's, or on a drive that is gone
            yield from folder.glob(f"*{SUFFIX}")
