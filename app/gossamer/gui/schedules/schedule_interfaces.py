"""The interface by which the schedules dialog changes schedules, and its implementation."""

from pathlib import Path
from typing import NamedTuple, Protocol

from gossamer.model.translatable import Translatable
from gossamer.scheduling.retention_rule import RetentionRule
from gossamer.scheduling.run_start import start_run
from gossamer.scheduling.run_times import RunTimes
from gossamer.scheduling.schedule_operations import ScheduleOverview, SchedulePlan, Schedules
from gossamer.session.settings_file import settings_of


class ScheduleRequest(NamedTuple):
    """A schedule as it was filled in: `project` is crawled again."""

    name: str
    times: RunTimes
    project: Path
    folder: Path | None
    retention: RetentionRule


class SchedulePort(Protocol):
    """Keeps schedules. Every method may be called on any thread, and raises KnownError."""

    def overviews(self) -> list[ScheduleOverview]:
        """All of them, by name."""

    def add(self, request: ScheduleRequest) -> Translatable | None:
        """Add one, and have its runs started; what the user should know of it."""

    def change(self, request: ScheduleRequest) -> Translatable | None:
        """Give the one of that name other times, another folder, another rule; as `add`."""

    def remove(self, name: str) -> None:
        """Have no more runs started, and forget it; its projects stay."""

    def enable(self, name: str) -> None:
        """Have runs started again."""

    def disable(self, name: str) -> None:
        """Have no more runs started until it is enabled again."""

    def run(self, name: str) -> None:
        """Start a run now, in a process of its own that outlives this one."""


class SystemSchedules:
    """A SchedulePort on the schedules of the user."""

    def __init__(self, schedules: Schedules | None = None) -> None:
        self._schedules = schedules or Schedules()

    def overviews(self) -> list[ScheduleOverview]:
        """See `SchedulePort`."""
        return [self._schedules.overview(name) for name in self._schedules.names()]

    def add(self, request: ScheduleRequest) -> Translatable | None:
        """See `SchedulePort`."""
        schedule = self._schedules.add(
            SchedulePlan(
                request.name,
                request.times,
                project=request.project,
                folder=request.folder,
                retention=request.retention,
            )
        )
        return self._schedules.sitemap_warning(schedule.name)

    def change(self, request: ScheduleRequest) -> Translatable | None:
        """See `SchedulePort`."""
        before = self._schedules.named(request.name)
        self._schedules.change(
            SchedulePlan(
                request.name,
                request.times,
                project=None if before.project is None else Path(before.project),
                settings=None if before.settings is None else settings_of(before.settings)[0],
                folder=request.folder,
                retention=request.retention,
                timer=before.timer,
                use_sitemaps=before.use_sitemaps,
            )
        )
        return self._schedules.sitemap_warning(before.name)

    def remove(self, name: str) -> None:
        """See `SchedulePort`."""
        self._schedules.remove(name)

    def enable(self, name: str) -> None:
        """See `SchedulePort`."""
        self._schedules.enable(name)

    def disable(self, name: str) -> None:
        """See `SchedulePort`."""
        self._schedules.disable(name)

    def run(self, name: str) -> None:
        """See `SchedulePort`."""
        start_run(name)
