"""Runs `gossamer schedule`: adds, lists, changes and runs schedules."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from gossamer.cli.crawl_summary import as_json
from gossamer.cli.foreground_scheduled_run import ForegroundScheduledRun
from gossamer.cli.given_options import base_settings
from gossamer.cli.parsed_schedule_commands import (
    AddScheduleCommand,
    ChangeScheduleCommand,
    ListSchedulesCommand,
    RunScheduleCommand,
    ScheduleChange,
    ShowScheduleCommand,
)
from gossamer.cli.terminal import complain, counted, printable, remark, write_out
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.number_format import short_duration
from gossamer.scheduling.local_time import local_time
from gossamer.scheduling.retention_rule import KEEP_ALL, RetentionRule, rule_of
from gossamer.scheduling.run_history import ScheduledRun
from gossamer.scheduling.run_times import RunTimes, daily, from_cron, weekly
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_operations import ScheduleOverview, SchedulePlan, Schedules
from gossamer.scheduling.scheduled_run import RunEnding, run_schedule
from gossamer.session.default_paths import SUFFIX, schedule_log

_SHOWN_RUNS = 10


def add_schedule(command: AddScheduleCommand) -> int:
    """Run `gossamer schedule add` and return the exit code."""
    schedules = Schedules()
    plan = SchedulePlan(
        command.name,
        _times(command),
        folder=command.folder,
        retention=_retention(command),
        timer=_timer_kind(command.timer),
        use_sitemaps=command.use_sitemaps,
    )
    if command.site.lower().endswith(SUFFIX):
        if command.settings_file is not None or command.profile is not None:
            raise UsageError(
                "A project is crawled again with its own settings; leave out --settings and"
                " --profile."
            )
        plan = replace(plan, project=Path(command.site))
    else:
        base = base_settings(command.settings_file, command.profile)
        plan = replace(plan, settings=replace(base, roots=(command.site,)))
    schedule = schedules.change(plan) if command.replace else schedules.add(plan)
    overview = schedules.overview(schedule.name)
    done = "Changed" if command.replace else "Added"
    remark(
        f"{done} the schedule {schedule.name}: {schedule.times.described}, {_next(overview)}. "
        f"Projects go to {schedule.folder}"
    )
    _warn(overview)
    if (sitemaps := schedules.sitemap_warning(schedule.name)) is not None:
        complain(f"{schedule.name}: {sitemaps}")
    return 0


def _times(command: AddScheduleCommand) -> RunTimes:
    if command.daily is not None:
        return daily(command.daily)
    if command.weekly is not None:
        return weekly(*command.weekly)
    return from_cron(command.cron or "")


def _retention(command: AddScheduleCommand) -> RetentionRule:
    if command.keep is None:
        return KEEP_ALL
    usual = RetentionRule()
    given = zip(command.keep, (usual.daily, usual.weekly, usual.monthly), strict=True)
    return rule_of(*(default if typed is None else typed for typed, default in given))


def _timer_kind(typed: str | None) -> TimerKind | None:
    if typed is None:
        return None
    try:
        return TimerKind(typed.lower())
    except ValueError:
        raise UsageError(
            "There is no timer {typed!r}; use one of {known}.",
            typed=typed,
            known=", ".join(TimerKind),
        ) from None


def list_schedules(command: ListSchedulesCommand) -> int:
    """Run `gossamer schedule list` and return the exit code."""
    schedules = Schedules()
    overviews = [schedules.overview(name) for name in schedules.names()]
    if command.json:
        write_out(as_json({"schedules": [_object(each) for each in overviews]}))
        return 0
    for line in _aligned([_cells(each) for each in overviews]):
        write_out(f"{printable(line)}\n")
    for each in overviews:
        _warn(each)
    if not overviews:
        remark("There are no schedules. Add one: gossamer schedule add NAME URL --daily 02:30")
    return 0


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip()


def _cells(overview: ScheduleOverview) -> tuple[str, ...]:
    """A schedule in a table: name, site, times, next time, last run."""
    if overview.schedule is None:
        return (overview.name, overview.site, "cannot be used")
    times = str(overview.schedule.times.described)
    when = "running now" if overview.is_running else _next(overview)
    return (overview.name, overview.site, times, when, _last(overview))


def _next(overview: ScheduleOverview) -> str:
    if overview.next_at is not None:
        return f"next {_moment(overview.next_at)}"
    is_enabled = overview.schedule is not None and overview.schedule.is_enabled
    return "started by you" if is_enabled and overview.is_started_by_person else "disabled"


def _last(overview: ScheduleOverview) -> str:
    last = overview.last_ended
    if last is None:
        return "never run"
    changes = "" if last.changes is None else f", {last.changes.said}"
    return f"last {_moment(local_time(last.started_s))}: {last.outcome.value}{changes}"


def show_schedule(command: ShowScheduleCommand) -> int:
    """Run `gossamer schedule show` and return the exit code."""
    schedules = Schedules()
    schedule = schedules.named(command.name)
    overview = schedules.overview(schedule.name)
    pruning = schedules.pruning(schedule.name)
    if command.json:
        would = [str(path) for path in pruning.removed]
        write_out(as_json(_object(overview) | {"would_remove": would}))
        return 0
    lines = [*_described(schedule, overview), *_runs(overview)]
    lines += [f"would remove   {path}" for path in pruning.removed]
    write_out("".join(f"{printable(line)}\n" for line in lines))
    _warn(overview)
    return 0


def _described(schedule: Schedule, overview: ScheduleOverview) -> Iterator[str]:
    yield f"schedule       {schedule.name}{'' if schedule.is_enabled else ' (disabled)'}"
    yield f"site           {overview.site}"
    yield f"when           {schedule.times.described}"
    if overview.next_at is not None:
        yield f"next           {_moment(overview.next_at)}"
    yield f"started by     {schedule.timer.value}"
    if schedule.project is not None:
        yield f"crawls again   {schedule.project}"
    yield f"projects       {schedule.folder}"
    rule = schedule.retention
    if rule.keeps_all:
        yield "keeps          all"
    else:
        yield f"keeps          {rule.daily} daily, {rule.weekly} weekly, {rule.monthly} monthly"
    try:
        yield f"log            {schedule_log(schedule.name)}"
    except OSError:
        return


def _runs(overview: ScheduleOverview) -> Iterator[str]:
    for run in reversed(overview.runs[-_SHOWN_RUNS:]):
        yield f"run            {_moment(local_time(run.started_s))}  {_told(run)}"
        yield from (f"               {failure}" for failure in run.failures)


def _told(run: ScheduledRun) -> str:
    parts = [run.outcome.value]
    if run.ended_s is not None:
        parts.append(short_duration(max(run.ended_s - run.started_s, 0)))
    if run.changes is not None:
        parts.append(f"{run.changes.said}")
    if run.project is not None:
        parts.append(Path(run.project).name)
    if run.removed:
        parts.append(f"{counted(len(run.removed), 'old project')} removed")
    return ", ".join(parts)


def _object(overview: ScheduleOverview) -> dict[str, object]:
    schedule = overview.schedule
    found: dict[str, object] = {
        "name": overview.name,
        "site": overview.site or None,
        "running": overview.is_running,
        "next": None if overview.next_at is None else overview.next_at.isoformat(),
        "last": None if overview.last_ended is None else _run_object(overview.last_ended),
        "trouble": None if overview.trouble is None else str(overview.trouble),
        "runs": [_run_object(run) for run in overview.runs],
    }
    if schedule is not None:
        found |= {
            "enabled": schedule.is_enabled,
            "cron": schedule.times.expression,
            "timer": schedule.timer.value,
            "folder": schedule.folder,
            "keep": {
                "daily": schedule.retention.daily,
                "weekly": schedule.retention.weekly,
                "monthly": schedule.retention.monthly,
            },
        }
    return found


def _run_object(run: ScheduledRun) -> dict[str, object]:
    return {
        "started": local_time(run.started_s).isoformat(),
        "ended": None if run.ended_s is None else local_time(run.ended_s).isoformat(),
        "outcome": run.outcome.value,
        "project": run.project,
        "compared_with": run.base,
        "changes": None if run.changes is None else to_builtins(run.changes),
        "failures": [str(each) for each in run.failures],
        "removed": list(run.removed),
    }


def change_schedule(command: ChangeScheduleCommand) -> int:
    """Run `gossamer schedule enable`, `disable` or `remove` and return the exit code."""
    schedules = Schedules()
    match command.change:
        case ScheduleChange.ENABLE:
            name = schedules.enable(command.name).name
            _warn(schedules.overview(name))
        case ScheduleChange.DISABLE:
            name = schedules.disable(command.name).name
        case ScheduleChange.REMOVE:
            name = schedules.remove(command.name)
    remark(f"{command.change.value}: {name}")
    return 0


def run_schedules(command: RunScheduleCommand) -> int:
    """Run `gossamer schedule run` and return the exit code: of several, the highest."""
    schedules = Schedules()
    names = schedules.names() if command.name is None else [command.name]
    code = 0
    for name in names:
        ending = _run(schedules, name, command)
        code = max(code, ending.exit_code)
        if ending.is_interrupted:
            break
    return code


def _run(schedules: Schedules, name: str, command: RunScheduleCommand) -> RunEnding:
    try:
        schedule = schedules.named(name)
        shell = ForegroundScheduledRun(schedule.name, quiet=command.quiet)
        ending = asyncio.run(
            run_schedule(schedule, shell, schedules.records, only_if_due=command.due)
        )
    except KnownError as e:
        complain(str(e))
        return RunEnding(e.exit_code)
    if ending.not_due is not None and not command.quiet:
        remark(str(ending.not_due))
    return ending


def _warn(overview: ScheduleOverview) -> None:
    for sentence in (overview.trouble, overview.remark):
        if sentence is not None:
            complain(f"{overview.name}: {sentence}")


def _moment(time: datetime | None) -> str:
    return "never" if time is None else f"{time:%Y-%m-%d %H:%M}"
