"""Parsed commands about schedules as plain values."""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct


class AddScheduleCommand(Struct, frozen=True):
    """Add a schedule for a URL or a project. Times and the name of a timer are as typed.

    One of `daily`, `weekly` and `cron` is given; values of `keep` (daily, weekly, monthly) that are
    None are the default; without `keep`, all projects stay.
    """

    name: str
    site: str
    daily: str | None = None
    weekly: tuple[str, str] | None = None
    cron: str | None = None
    settings_file: Path | None = None
    profile: str | None = None
    use_sitemaps: bool | None = None
    folder: Path | None = None
    keep: tuple[int | None, int | None, int | None] | None = (None, None, None)
    timer: str | None = None
    replace: bool = False


class ListSchedulesCommand(Struct, frozen=True):
    """List all schedules."""

    json: bool = False


class ShowScheduleCommand(Struct, frozen=True):
    """Show a schedule and its last runs."""

    name: str
    json: bool = False


class ScheduleChange(StrEnum):
    """What is done to a schedule; the value is the past participle."""

    ENABLE = "Enabled"
    DISABLE = "Disabled"
    REMOVE = "Removed"


class ChangeScheduleCommand(Struct, frozen=True):
    """Enable, disable or remove a schedule."""

    name: str
    change: ScheduleChange


class RunScheduleCommand(Struct, frozen=True):
    """Run a schedule; with `due`, only if it is due; without a name, all that are."""

    name: str | None = None
    due: bool = False
    quiet: bool = False


OfSchedules = (
    AddScheduleCommand
    | ListSchedulesCommand
    | ShowScheduleCommand
    | ChangeScheduleCommand
    | RunScheduleCommand
)
