"""Declares `gossamer schedule` for typer."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from gossamer.cli import shared_options
from gossamer.cli.command_group import command_group
from gossamer.cli.parsed_schedule_commands import (
    AddScheduleCommand,
    ChangeScheduleCommand,
    ListSchedulesCommand,
    RunScheduleCommand,
    ScheduleChange,
    ShowScheduleCommand,
)
from gossamer.model.errors import UsageError

schedule = command_group("schedule", "Crawl a site again at given times.")

_Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The name of the schedule.")]
_Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", show_default=False)
]


@schedule.command("add")
def add_schedule(
    name: _Name,
    site: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="A URL, or a project to crawl again.")
    ],
    *,
    daily: Annotated[
        str | None, typer.Option("--daily", metavar="HH:MM", help="Crawl each day at that time.")
    ] = None,
    weekly: Annotated[
        tuple[str, str] | None,
        typer.Option("--weekly", metavar="DAY HH:MM", help="Crawl each week, on that day."),
    ] = None,
    cron: Annotated[
        str | None,
        typer.Option(
            "--cron", metavar="TIMES", help="Cron expression such as '30 2 * * 1-5', or @daily."
        ),
    ] = None,
    settings_file: shared_options.Settings = None,
    profile: shared_options.ProfileName = None,
    use_sitemaps: Annotated[
        bool | None,
        typer.Option(
            "--use-sitemaps/--no-use-sitemaps", help="Read sitemaps, as 'gossamer crawl' does."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            metavar="FOLDER",
            help="Folder for the projects. Default: one in the data folder.",
        ),
    ] = None,
    keep_daily: Annotated[
        int | None,
        typer.Option("--keep-daily", metavar="N", help="Days to keep a project of: 7 by default."),
    ] = None,
    keep_weekly: Annotated[
        int | None,
        typer.Option("--keep-weekly", metavar="N", help="Weeks to keep one of: 8 by default."),
    ] = None,
    keep_monthly: Annotated[
        int | None,
        typer.Option("--keep-monthly", metavar="N", help="Months to keep one of: 12 by default."),
    ] = None,
    keep_all: Annotated[
        bool, typer.Option("--keep-all", help="Remove no projects.", show_default=False)
    ] = False,
    timer: Annotated[
        str | None,
        typer.Option(
            "--timer",
            metavar="TIMER",
            help="What starts the runs: systemd, crontab, launchd, task-scheduler or none. "
            "Default: the best that the system has.",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Replace an existing schedule; keep its history.", show_default=False
        ),
    ] = False,
) -> AddScheduleCommand:
    """Add a schedule.

    Say when with --daily, --weekly or --cron. Times are local.
    """
    if sum(each is not None for each in (daily, weekly, cron)) != 1:
        raise UsageError(
            "Say when to crawl: --daily 02:30, --weekly sunday 02:30 or --cron '30 2 * * 1-5'."
        )
    keep = (keep_daily, keep_weekly, keep_monthly)
    if keep_all and any(each is not None for each in keep):
        raise UsageError("--keep-all keeps every project; leave out the other --keep options.")
    return AddScheduleCommand(
        name,
        site,
        daily=daily,
        weekly=weekly,
        cron=cron,
        settings_file=settings_file,
        profile=profile,
        use_sitemaps=use_sitemaps,
        folder=folder,
        keep=None if keep_all else keep,
        timer=timer,
        replace=replace,
    )


@schedule.command("list")
def list_schedules(json: _Json = False) -> ListSchedulesCommand:
    """List all schedules: when, the next time, and how the last run ended."""
    return ListSchedulesCommand(json)


@schedule.command("show")
def show_schedule(name: _Name, json: _Json = False) -> ShowScheduleCommand:
    """Show a schedule, its last runs, and what its retention rule would remove now."""
    return ShowScheduleCommand(name, json)


@schedule.command("run")
def run_schedule(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Schedule; with --due, all by default.")
    ] = None,
    *,
    due: Annotated[
        bool,
        typer.Option(
            "--due",
            help="Only if a time has come since the last run. This is what timers start.",
            show_default=False,
        ),
    ] = False,
    quiet: shared_options.Quiet = False,
) -> RunScheduleCommand:
    """Run a schedule now.

    Crawls, audits, and removes old projects as the retention rule says.
    """
    if name is None and not due:
        raise UsageError("Specify a schedule: gossamer schedule run NAME")
    return RunScheduleCommand(name, due, quiet)


@schedule.command("enable")
def enable_schedule(name: _Name) -> ChangeScheduleCommand:
    """Have a schedule run again; write its timer anew."""
    return ChangeScheduleCommand(name, ScheduleChange.ENABLE)


@schedule.command("disable")
def disable_schedule(name: _Name) -> ChangeScheduleCommand:
    """Have a schedule not run until it is enabled."""
    return ChangeScheduleCommand(name, ScheduleChange.DISABLE)


@schedule.command("remove")
def remove_schedule(name: _Name) -> ChangeScheduleCommand:
    """Remove a schedule and its timer. Its projects stay."""
    return ChangeScheduleCommand(name, ScheduleChange.REMOVE)
