"""Decides what a run of a schedule does, as a pure function of definition, history and time."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from gossamer.model.translatable import Translatable, said
from gossamer.scheduling.run_history import UNFINISHED, RunHistory, ScheduledRun
from gossamer.scheduling.schedule import Schedule


class NotDue(NamedTuple):
    """Do nothing; the sentence says why."""

    said: Translatable


class BeginCrawl(NamedTuple):
    """Begin a new crawl."""


class ResumeCrawl(NamedTuple):
    """Resume the crawl of an interrupted run; `begun_s`, in Unix seconds, is when it began."""

    project: Path
    begun_s: float


RunDecision = NotDue | BeginCrawl | ResumeCrawl


def interrupted_run(history: RunHistory, now: datetime) -> ScheduledRun | None:
    """The last run, if it was interrupted during a crawl; runs dated in the future do not count."""
    last = next((run for run in reversed(_past(history, now)) if run.has_begun), None)
    return last if last is not None and last.outcome in UNFINISHED else None


def decide(
    schedule: Schedule,
    history: RunHistory,
    now: datetime,
    *,
    can_resume: bool,
    only_if_due: bool,
) -> RunDecision:
    """What to do at `now`, in the zone of the schedule.

    An interrupted crawl, if its project `can_resume`, continues until the next time of the
    schedule: then a new one begins, so that each shows the site at one time. With `only_if_due`, a
    run begins only if a scheduled time has passed since the last run, or since the schedule was
    added or enabled. One run makes up for all times that passed meanwhile.
    """
    latest = schedule.times.latest(now)
    latest_s = float("-inf") if latest is None else latest.timestamp()
    if only_if_due and not schedule.is_enabled:
        return NotDue(said("The schedule {name} is disabled.", name=schedule.name))
    run = interrupted_run(history, now)
    if run is not None and run.project is not None and can_resume and latest_s <= run.begun_s:
        return ResumeCrawl(Path(run.project), run.begun_s)
    if only_if_due and latest_s <= _served_until(schedule, history, now):
        return NotDue(said("The schedule {name} is not due.", name=schedule.name))
    return BeginCrawl()


def _served_until(schedule: Schedule, history: RunHistory, now: datetime) -> float:
    """Times up to this one are done. Runs that a wrong clock dated into the future do not count."""
    began = [run.started_s for run in _past(history, now) if run.has_begun]
    since = [schedule.since] if schedule.since <= now.timestamp() else []
    return max([*began, *since], default=float("-inf"))


def _past(history: RunHistory, now: datetime) -> list[ScheduledRun]:
    return [run for run in history.runs if run.started_s <= now.timestamp()]


def previous_projects_of(
    schedule: Schedule, history: RunHistory, project: Path | None = None
) -> list[Path]:
    """The projects that may be crawled again, by `project` or by a new one, the best first.

    These are the complete ones, the latest first, then the one that the schedule was added with.
    """
    made = [
        path
        for each in reversed(history.projects)
        if each.is_complete and (path := Path(each.path)) != project and path.is_file()
    ]
    return made if schedule.project is None else [*made, Path(schedule.project)]


def previous_project_of(schedule: Schedule, history: RunHistory) -> Path | None:
    """The best of them; None if the schedule begins with settings alone."""
    return next(iter(previous_projects_of(schedule, history)), None)
