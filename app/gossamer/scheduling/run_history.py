"""The history of a schedule: its last runs, and the projects that it has made."""

from collections.abc import Collection
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from gossamer.model.errors import BusyError, OutputError, UsageError
from gossamer.model.translatable import Translatable, enumerated, said, system_reason
from gossamer.session.project_locations import ProjectLocation, location_of_file
from gossamer.store.atomic_files import make_private, write_aside
from gossamer.store.data_folder import data_folder
from gossamer.store.locking.lock_file import LockFile, holder_in

VERSION: Final = 1
MOST_RUNS: Final = 50
_END: Final = ".json"


class RunOutcome(StrEnum):
    """How a run ended."""

    RUNNING = "running"
    """The run has not ended, or it was killed."""
    FINISHED = "finished"
    INCOMPLETE = "finished, but not all that follows"
    """The crawl is there; a later step failed."""
    INTERRUPTED = "interrupted"
    """The next run may resume its crawl."""
    FAILED = "failed"


UNFINISHED: Final = frozenset({RunOutcome.RUNNING, RunOutcome.INTERRUPTED})


class PageChanges(msgspec.Struct, frozen=True):
    """How many URLs differ from the crawl before.

    `lost` counts those of `changed` that were pages, and now fail or redirect; `issues` the URLs
    that have got an issue, once for each issue.
    """

    new: int
    missing: int
    changed: int
    lost: int = 0
    issues: int = 0

    @property
    def said(self) -> Translatable:
        """In words."""
        counts = said(
            "{new:,} new, {missing:,} missing, {changed:,} changed",
            new=self.new,
            missing=self.missing,
            changed=self.changed,
        )
        lost = said("pages that now fail or redirect: {count:,}", count=self.lost)
        issues = said("new issues: {count:,}", count=self.issues)
        more = [words for words, count in ((lost, self.lost), (issues, self.issues)) if count]
        if not more:
            return counts
        return said("{changes} ({more})", changes=counts, more=enumerated(more))


class ScheduledRun(msgspec.Struct, frozen=True):
    """One run. Times are Unix seconds; `begun_s` is when its crawl was begun, maybe by another run.

    `failures` has a sentence for each step that failed, `removed` the projects that were pruned.
    """

    started_s: float
    begun_s: float
    outcome: RunOutcome = RunOutcome.RUNNING
    ended_s: float | None = None
    project: str | None = None
    failures: tuple[Translatable, ...] = ()
    removed: tuple[str, ...] = ()
    changes: PageChanges | None = None
    """Since the crawl before, if there was one and they were compared."""
    base: str | None = None
    """The project of that crawl."""

    @property
    def has_begun(self) -> bool:
        """Whether it got far enough to have a result to show."""
        return self.project is not None or self.outcome not in UNFINISHED


class MadeProject(msgspec.Struct, frozen=True):
    """A project that a schedule has made, and the time that stands in it, in Unix seconds."""

    path: str
    created_s: float
    is_complete: bool = False
    """Whether its crawl ended well: the next run crawls the last such one again."""


class RunHistory(msgspec.Struct, frozen=True):
    """The last runs of a schedule, the newest last, and its projects. Versioned."""

    runs: tuple[ScheduledRun, ...] = ()
    projects: tuple[MadeProject, ...] = ()
    version: int = VERSION

    def with_run(self, run: ScheduledRun) -> "RunHistory":
        """The history with this run added or replaced."""
        others = tuple(each for each in self.runs if each.started_s != run.started_s)
        return replace(self, runs=(*others, run)[-MOST_RUNS:])

    def with_killed_as_interrupted(self) -> "RunHistory":
        """The history with running runs marked as interrupted; for use when none is running."""
        return replace(
            self,
            runs=tuple(
                replace(each, outcome=RunOutcome.INTERRUPTED)
                if each.outcome is RunOutcome.RUNNING
                else each
                for each in self.runs
            ),
        )

    def with_project(self, made: MadeProject) -> "RunHistory":
        """The history with one more project."""
        others = tuple(each for each in self.projects if each.path != made.path)
        return replace(self, projects=(*others, made))

    def with_complete(self, path: str) -> "RunHistory":
        """The history with the crawl of this project marked as complete."""
        return replace(
            self,
            projects=tuple(
                replace(each, is_complete=True) if each.path == path else each
                for each in self.projects
            ),
        )

    def without_gone(self) -> "RunHistory":
        """The history without projects whose files are gone from their folders.

        If the folder is gone too, its disk may come back.
        """
        paths = (each.path for each in self.projects)
        return self.without_projects(
            {each for each in paths if location_of_file(Path(each)) is ProjectLocation.MISSING}
        )

    def without_projects(self, paths: Collection[str]) -> "RunHistory":
        """The history without these projects, which are gone."""
        return replace(
            self, projects=tuple(each for each in self.projects if each.path not in paths)
        )


class _Versioned(msgspec.Struct, frozen=True):
    version: int


class RunRecords:
    """Reads and writes the histories of schedules in `folder`, by default that of the user.

    A writer must hold the schedule's lock.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = data_folder() / "schedule-runs" if folder is None else folder

    def read(self, name: str) -> RunHistory:
        """The history of a schedule; UsageError if it was written by a newer version.

        A damaged one counts as none: crawls continue without it, and none of its projects is
        removed.
        """
        path = self.folder / f"{name}{_END}"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return RunHistory()
        except OSError as e:
            raise _not_used(path, e) from e
        try:
            if msgspec.json.decode(data, type=_Versioned).version != VERSION:
                raise UsageError(
                    "{path} was made by a newer Gossamer; update Gossamer to use it.", path=path
                )
            return msgspec.json.decode(data, type=RunHistory)
        except ValueError:
            return RunHistory()

    def write(self, name: str, history: RunHistory) -> None:
        """Remember it, in one step; OutputError."""
        path = self.folder / f"{name}{_END}"
        try:
            make_private(self.folder)
            write_aside(path, msgspec.json.encode(history), replace=True)
        except OSError as e:
            raise _not_used(path, e) from e

    def forget(self, name: str) -> None:
        """Remove it; OutputError."""
        path = self.folder / f"{name}{_END}"
        try:
            path.unlink(missing_ok=True)
        except OSError as e:
            raise _not_used(path, e) from e

    def lock(self, name: str) -> LockFile:
        """The lock of a schedule, for the run that holds it; BusyError if another does."""
        path = self._lock(name)
        try:
            make_private(self.folder)
            return LockFile(path)
        except OSError as e:
            if (holder := holder_in(path)) is not None:
                raise BusyError(
                    "The schedule {name} is running already ({holder}); wait until it has ended.",
                    name=name,
                    holder=holder.said,
                ) from e
            raise _not_used(path, e) from e

    def is_running(self, name: str) -> bool:
        """Whether a run holds the lock of a schedule."""
        return holder_in(self._lock(name)) is not None

    def _lock(self, name: str) -> Path:
        return self.folder / f"{name}.lock"


def _not_used(path: Path, error: OSError) -> OutputError:
    return OutputError("{path} cannot be used ({reason}).", path=path, reason=system_reason(error))
