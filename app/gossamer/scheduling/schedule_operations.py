"""The operations of shells on schedules: add, list, enable, disable and remove them."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.errors import BusyError, KnownError, ProjectError, UsageError
from gossamer.model.file_names import known_name
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.sitemap_condition import schedule_warning
from gossamer.scheduling.local_time import local_time
from gossamer.scheduling.pruning import Pruning, prune_projects
from gossamer.scheduling.retention_rule import RetentionRule
from gossamer.scheduling.run_decision import previous_project_of
from gossamer.scheduling.run_history import (
    RunHistory,
    RunRecords,
    ScheduledRun,
)
from gossamer.scheduling.run_times import RunTimes
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.scheduling.timers.system_timer import SystemTimer, TimerState
from gossamer.scheduling.timers.timer_choice import timer_of, usual_timer
from gossamer.session.default_paths import ensure_projects_folder, projects_folder
from gossamer.session.known_projects import glance
from gossamer.session.project_locations import current_location
from gossamer.session.series import record_snapshot
from gossamer.session.session_factory import checked_settings
from gossamer.session.settings_file import settings_of, settings_text
from gossamer.store import project as project_file
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_folders import display_url

_CHANGES: Final = ".changes"
"""The lock of whoever changes definitions; no schedule can be called that."""


class SchedulePlan(Struct, frozen=True):
    """The plan of a schedule: to crawl `project` again, or a site with `settings`.

    Without `timer` runs are started by the best that the system has. Projects go to `folder`, by
    default one in the data folder. `use_sitemaps` is as in `Schedule`.
    """

    name: str
    times: RunTimes
    project: Path | None = None
    settings: CrawlSettings | None = None
    folder: Path | None = None
    retention: RetentionRule = RetentionRule()
    timer: TimerKind | None = None
    use_sitemaps: bool | None = None


class ScheduleOverview(NamedTuple):
    """The overview of a schedule. `trouble` says what keeps it from running.

    `site` is what it crawls: the first of its roots, "" if that is not known.
    """

    name: str
    schedule: Schedule | None
    history: RunHistory
    is_running: bool
    next_at: datetime | None
    """In local time; None if it is disabled, or the user starts its runs."""
    trouble: Translatable | None
    remark: Translatable | None
    site: str = ""

    @property
    def is_started_by_person(self) -> bool:
        """Whether no timer of ours starts its runs."""
        return self.schedule is not None and self.schedule.timer is TimerKind.NONE

    @property
    def last_ended(self) -> ScheduledRun | None:
        """The last run that is over."""
        runs = self.history.runs[:-1]
        return (runs[-1] if runs else None) if self.is_running else self.last_run

    @property
    def last_run(self) -> ScheduledRun | None:
        """The last run; one that was killed counts as interrupted."""
        return self.runs[-1] if self.runs else None

    @property
    def runs(self) -> tuple[ScheduledRun, ...]:
        """The runs, the newest last; those that were killed count as interrupted."""
        runs = self.history.runs
        if self.is_running:  # the lock is that of the last
            return (*RunHistory(runs[:-1]).with_killed_as_interrupted().runs, *runs[-1:])
        return self.history.with_killed_as_interrupted().runs


class Schedules:
    """The schedules of a user."""

    def __init__(
        self,
        store: ScheduleStore | None = None,
        records: RunRecords | None = None,
        timer: Callable[[TimerKind], SystemTimer] = timer_of,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """They are stored in the user's folders by default."""
        self._store = store or ScheduleStore()
        self.records = records or RunRecords()
        self._timer = timer
        self._clock = clock

    def names(self) -> list[str]:
        """The names of all, sorted."""
        return self._store.names()

    def named(self, name: str) -> Schedule:
        """The schedule of this name; UsageError if there is none, or its file cannot be used.

        If its project was moved, it names the new location.
        """
        schedule = self._store.named(name)
        if schedule.project is None or not schedule.project_series:
            return schedule
        project = current_location(
            Path(schedule.project), schedule.project_series, schedule.project_created_at
        )
        return replace(schedule, project=str(project))

    def add(self, plan: SchedulePlan) -> Schedule:
        """Add a schedule and its timer.

        KnownError with one sentence if something is impossible; then nothing is added.
        """
        with self._changing():
            schedule = self._schedule(plan, self._store.free_name(plan.name))
            if plan.folder is not None:
                ensure_projects_folder(plan.folder)
            timer = self._timer(schedule.timer)
            self._store.save(schedule, replace=False)
            try:
                timer.install(schedule)
            except BaseException:
                self._store.remove(schedule.name)
                raise
            return schedule

    def change(self, plan: SchedulePlan) -> Schedule:
        """Change an existing schedule to `plan`; its history and projects stay.

        One that is disabled stays so. KnownError if something of the plan cannot be; then the
        schedule stays as it was. BusyError while it runs.
        """
        with self._changing():
            before = self.named(plan.name)
            with closing(self.records.lock(before.name)):
                planned = self._schedule(plan, before.name, before)
                schedule = replace(planned, is_enabled=before.is_enabled)
                if schedule.folder != before.folder:  # that may be on a disk that is not connected
                    ensure_projects_folder(Path(schedule.folder))
                try:
                    self._exchange_timer(before, schedule)
                    self._store.save(schedule, replace=True)
                except BaseException:
                    with suppress(KnownError):  # what is told is why it could not be changed
                        self._exchange_timer(schedule, before)
                    raise
            return schedule

    def remove(self, name: str) -> str:
        """Remove a schedule and its timer; returns its name. Its projects stay.

        BusyError while it runs.
        """
        with self._changing():
            known = self._known(name)
            with closing(self.records.lock(known)):
                for timer in self._timers_of(known):
                    timer.remove(known)
                self._store.remove(known)
                self.records.forget(known)
            return known

    def enable(self, name: str) -> Schedule:
        """Enable a schedule; runs missed meanwhile are not made up for.

        The timer of an enabled one is written again.
        """
        with self._changing():
            schedule = self.named(name)
            if not schedule.is_enabled:
                schedule = replace(schedule, is_enabled=True, since=self._clock())
            self._timer(schedule.timer).install(schedule)
            self._store.save(schedule, replace=True)
            return schedule

    def disable(self, name: str) -> Schedule:
        """Disable a schedule until it is enabled again. A run under way continues."""
        with self._changing():
            schedule = replace(self.named(name), is_enabled=False)
            self._timer(schedule.timer).remove(schedule.name)
            self._store.save(schedule, replace=True)
            return schedule

    def overview(self, name: str) -> ScheduleOverview:
        """The overview of a schedule; an unusable file is its trouble."""
        name = known_name(name, self.names()) or name
        history = RunHistory()
        try:
            history = self.records.read(name)
            # Once it has projects of its own, it is not worth while to search for the first one.
            schedule = self._store.named(name) if history.projects else self.named(name)
            state = self._timer(schedule.timer).state(name)
        except KnownError as e:
            is_running = self.records.is_running(name)
            return ScheduleOverview(name, None, history, is_running, None, e.said, None)
        next_at = None
        if schedule.is_enabled and schedule.timer is not TimerKind.NONE:
            next_at = next(iter(schedule.times.following(local_time(self._clock()))), None)
        return ScheduleOverview(
            schedule.name,
            schedule,
            history,
            self.records.is_running(schedule.name),
            next_at,
            _trouble(schedule, state),
            state.remark if schedule.is_enabled else None,
            _site(schedule, history),
        )

    def sitemap_warning(self, name: str) -> Translatable | None:
        """That a notification rule looks at sitemaps and a schedule reads none; None otherwise.

        If that cannot be determined, the reason: the schedule exists nevertheless.
        """
        try:
            schedule = self.named(name)
            project = previous_project_of(schedule, self.records.read(schedule.name))
            if project is None:
                settings = settings_of(schedule.settings or "")[0]
            else:
                with Reader(project) as reader:
                    settings = reader.summary().settings
            if schedule.use_sitemaps is not None:
                settings = replace(settings, use_sitemaps=schedule.use_sitemaps)
            return schedule_warning(settings, project)
        except KnownError as e:
            return e.said

    def pruning(self, name: str) -> Pruning:
        """What the retention rule of a schedule would remove now."""
        schedule = self.named(name)
        history = self.records.read(schedule.name)
        return prune_projects(schedule, history.projects, dry_run=True)

    def _schedule(self, plan: SchedulePlan, name: str, before: Schedule | None = None) -> Schedule:
        """The definition of what is planned; KnownError if it cannot be.

        The project that it crawled `before` need not exist any more: it may have its own by now.
        """
        folder = plan.folder or projects_folder() / name
        project_file.ensure_text(folder)
        project = settings = None
        identity = ("", 0.0)
        if plan.project is not None:
            project = str(plan.project.absolute())
            if before is not None and before.project == project:
                identity = before.project_series, before.project_created_at
            else:
                project_file.check(plan.project)
                identity = _recorded_identity(plan.project)
        else:
            settings = settings_text(_usable(plan.settings), all_roots=True)
        return Schedule(
            name=name,
            times=plan.times,
            folder=str(folder.absolute()),
            timer=usual_timer().kind if plan.timer is None else plan.timer,
            since=self._clock(),
            project=project,
            project_series=identity[0],
            project_created_at=identity[1],
            settings=settings,
            retention=plan.retention,
            use_sitemaps=plan.use_sitemaps,
        )

    def _exchange_timer(self, before: Schedule, after: Schedule) -> None:
        if after.is_enabled:
            self._timer(after.timer).install(after)
        if after.timer is not before.timer:
            self._timer(before.timer).remove(before.name)

    def _known(self, name: str) -> str:
        """The name of a schedule as it is kept, even if its file cannot be used."""
        return known_name(name, self.names()) or self._store.named(name).name

    def _timers_of(self, name: str) -> list[SystemTimer]:
        """The timer of a schedule; if its file cannot be used, those that it may have."""
        try:
            return [self._timer(self._store.named(name).timer)]
        except UsageError:
            return [timer for kind in TimerKind if (timer := self._timer(kind)).is_usable()]

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Inside, no other process changes definitions or timers."""
        try:
            lock = self.records.lock(_CHANGES)
        except BusyError as e:
            raise BusyError(
                "Schedules are being changed by another window or command; try again in a moment."
            ) from e
        with closing(lock):
            yield


def _recorded_identity(project: Path) -> tuple[str, float]:
    """The series and time of creation of a project, which is found by them after a move.

    ProjectError if it cannot be read.
    """
    with suppress(ProjectError):  # a series file that cannot be written must not prevent a schedule
        record_snapshot(project)
    return read_identity(project)


def _usable(settings: CrawlSettings | None) -> CrawlSettings:
    """Settings that a schedule can begin with; UsageError."""
    if settings is None:
        raise UsageError("Enter the URL of a website to crawl, or a project to crawl again.")
    public, secrets = checked_settings(settings)
    if secrets:
        raise UsageError(
            "Schedules keep no passwords, cookies or headers; crawl the site once with --remember, "
            "and schedule that project."
        )
    return public


def _site(schedule: Schedule, history: RunHistory) -> str:
    """The first address that a schedule crawls, and how many more there are; "" if unknown."""
    roots: Sequence[str] = ()
    count = 0
    if schedule.settings is not None:
        with suppress(KnownError):  # somebody has edited them; a run says what is wrong
            roots = settings_of(schedule.settings)[0].roots
            count = len(roots)
    else:
        places = [each.path for each in history.projects[-1:]]
        infos = (glance(Path(each)) for each in (schedule.project or "", *places))
        found = next((each for each in infos if each.roots), None)
        roots, count = ((), 0) if found is None else (found.roots, found.root_count)
    if not roots:
        return ""
    address = display_url(roots[0])
    return address if count == 1 else f"{address} (+{count - 1})"


def _trouble(schedule: Schedule, state: TimerState) -> Translatable | None:
    """What keeps a schedule from running, and what to do."""
    if not schedule.is_enabled:
        return None
    again = f"gossamer schedule enable '{schedule.name}'"
    if not state.is_there:
        return said("Its timer is missing; create it again: {command}", command=again)
    if state.program is not None and not state.program.exists():
        return said(
            "Its timer starts {program}, which no longer exists; create it again: {command}",
            program=state.program,
            command=again,
        )
    return None
