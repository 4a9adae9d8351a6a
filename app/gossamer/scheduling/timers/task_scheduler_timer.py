"""Tasks of Windows' Task Scheduler: an XML definition for each schedule.

Their schema is documented at
https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from math import gcd
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET
from xml.sax.saxutils import unescape

from gossamer.model.translatable import system_reason
from gossamer.scheduling.local_time import local_time
from gossamer.scheduling.run_times import DAYS, DaySelection, TimeFields
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.system_timer import (
    Ask,
    StartCommand,
    TimerError,
    TimerState,
    ask,
    asked,
    ensure_plain,
    start_command,
    with_hours_after_gaps,
)
from gossamer.store.atomic_files import StagingFolder, make_private
from gossamer.store.data_folder import data_folder

_NAMESPACE: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
_MOST_TRIGGERS: Final = 40
"""Task Scheduler takes 48."""
_CONTROLS: Final = "".join(map(chr, range(32)))
_VARIABLE: Final = re.compile("%[^%]+%")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_HOUR_MINUTES: Final = 60


def task_name(name: str) -> str:
    """What the Task Scheduler calls the task of a schedule."""
    return f"\\Gossamer\\{name}"


def task_xml(schedule: Schedule, command: StartCommand, user: str = "") -> bytes:
    r"""The definition of a task, in UTF-16; TimerError if a path cannot stand in one.

    `user` is whose task it is, as DOMAIN\name. Elements come in the order of the schema. A run that
    was missed starts as soon as it can, and none while another is under way.
    """
    ensure_plain(command, _CONTROLS, TimerKind.TASK_SCHEDULER)
    if any(_VARIABLE.search(word) for word in command.words):
        raise TimerError(
            "{path} has two percent signs, between which Windows would see a variable; install "
            "Gossamer elsewhere.",
            path=command.program,
        )
    task = ET.Element("Task", version="1.2", xmlns=_NAMESPACE)
    about = ET.SubElement(task, "RegistrationInfo")
    _text(about, "Description", f"Gossamer crawls {schedule.name}, {schedule.times.described}")
    _add_triggers(ET.SubElement(task, "Triggers"), schedule, user)
    person = ET.SubElement(ET.SubElement(task, "Principals"), "Principal", id="Author")
    if user:
        _text(person, "UserId", user)
    _text(person, "LogonType", "InteractiveToken")
    _text(person, "RunLevel", "LeastPrivilege")
    settings = ET.SubElement(task, "Settings")
    _text(settings, "MultipleInstancesPolicy", "IgnoreNew")
    _text(settings, "DisallowStartIfOnBatteries", "false")
    _text(settings, "StopIfGoingOnBatteries", "false")
    _text(settings, "StartWhenAvailable", "true")
    _text(settings, "Enabled", "true")
    _text(settings, "ExecutionTimeLimit", "PT0S")
    _text(settings, "Priority", "7")
    run = ET.SubElement(ET.SubElement(task, "Actions", Context="Author"), "Exec")
    _text(run, "Command", command.words[0])
    _text(run, "Arguments", subprocess.list2cmdline(command.words[1:]))
    ET.indent(task)
    text: bytes = ET.tostring(task, encoding="utf-16", xml_declaration=True)
    return text


def _add_triggers(triggers: ET.Element, schedule: Schedule, user: str) -> None:
    since = f"{local_time(schedule.since):%Y-%m-%d}"
    fields = with_hours_after_gaps(schedule.times.fields)
    times = [f"{hour:02}:{minute:02}" for hour in fields.hours for minute in fields.minutes]
    if user:
        # At login: a run that the end of the session before has interrupted. For a login of
        # anybody, Windows would want an administrator.
        logon = ET.SubElement(triggers, "LogonTrigger")
        _text(logon, "Enabled", "true")
        _text(logon, "UserId", user)
    if len(times) * len(fields.days) > _MOST_TRIGGERS:
        _add_repeated(triggers, fields, since)
        return
    for days in fields.days:
        for time in times:
            trigger = ET.SubElement(triggers, "CalendarTrigger")
            _text(trigger, "Enabled", "true")
            _text(trigger, "StartBoundary", f"{since}T{time}:00")
            _add_days(trigger, days, fields.months)


def _add_repeated(triggers: ET.Element, fields: TimeFields, since: str) -> None:
    """One trigger that goes off as often as all minutes have in common, all day."""
    every = gcd(_HOUR_MINUTES, *fields.minutes)
    trigger = ET.SubElement(triggers, "CalendarTrigger")
    _text(trigger, "Enabled", "true")
    _text(trigger, "StartBoundary", f"{since}T00:00:00")
    repetition = ET.SubElement(trigger, "Repetition")
    _text(repetition, "Interval", "PT1H" if every == _HOUR_MINUTES else f"PT{every}M")
    _text(repetition, "Duration", "P1D")
    _text(ET.SubElement(trigger, "ScheduleByDay"), "DaysInterval", "1")


def _add_days(trigger: ET.Element, days: DaySelection, months: tuple[int, ...] | None) -> None:
    """The days of a trigger: where it knows no such days, more of them, which does no harm."""
    if days.weekdays is not None and months is None:
        week = ET.SubElement(trigger, "ScheduleByWeek")
        _text(week, "WeeksInterval", "1")
        _add_names(week, "DaysOfWeek", (DAYS[day].capitalize() for day in days.weekdays))
        return
    if days.days is None and months is None:
        _text(ET.SubElement(trigger, "ScheduleByDay"), "DaysInterval", "1")
        return
    named = (_MONTHS[month - 1] for month in months or range(1, 13))
    if days.weekdays is not None:
        weeks = ET.SubElement(trigger, "ScheduleByMonthDayOfWeek")
        numbers = ET.SubElement(weeks, "Weeks")
        for week_number in ("1", "2", "3", "4", "Last"):
            _text(numbers, "Week", week_number)
        _add_names(weeks, "DaysOfWeek", (DAYS[day].capitalize() for day in days.weekdays))
        _add_names(weeks, "Months", named)
        return
    month = ET.SubElement(trigger, "ScheduleByMonth")
    of_month = ET.SubElement(month, "DaysOfMonth")
    for day in days.days or range(1, 32):
        _text(of_month, "Day", str(day))
    _add_names(month, "Months", named)


def _add_names(parent: ET.Element, tag: str, names: Iterator[str]) -> None:
    element = ET.SubElement(parent, tag)
    for name in names:
        ET.SubElement(element, name)


def _text(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = text


class TaskSchedulerTimer:
    """Registers tasks by schtasks.exe."""

    kind: Final = TimerKind.TASK_SCHEDULER

    def __init__(
        self,
        ask_system: Ask = ask,
        environment: Mapping[str, str] = os.environ,
        folder: Path | None = None,
    ) -> None:
        """Run system programs through `ask_system`; definitions pass through `folder`."""
        self._ask = ask_system
        self._environment = environment
        self._folder = folder

    def is_usable(self) -> bool:
        """Whether this is Windows."""
        return sys.platform == "win32"

    def install(self, schedule: Schedule) -> None:
        """Register the task, in place of an older one."""
        names = [self._environment.get(each, "") for each in ("USERDOMAIN", "USERNAME")]
        command = start_command(schedule.name, self._environment)
        data = task_xml(schedule, command, "\\".join(filter(None, names)))
        folder = self._folder or data_folder()
        words = ["schtasks", "/Create", "/F", "/TN", task_name(schedule.name), "/XML"]
        try:
            make_private(folder)
            with StagingFolder(folder) as aside:
                part = aside.new("task.xml")
                part.write_bytes(data)
                asked(self._ask, [*words, str(part)])
        except OSError as e:
            raise TimerError(
                "{path} cannot be written ({reason}).", path=folder, reason=system_reason(e)
            ) from e

    def remove(self, name: str) -> None:
        """Delete the task. A run that is under way goes on."""
        if self.state(name).is_there:
            asked(self._ask, ["schtasks", "/Delete", "/F", "/TN", task_name(name)])

    def state(self, name: str) -> TimerState:
        """Whether the task is registered, and what it starts."""
        try:
            result = self._ask(["schtasks", "/Query", "/XML", "/TN", task_name(name)], b"")
        except OSError:
            return TimerState(is_there=False)
        if result.code:
            return TimerState(is_there=False)
        return TimerState(is_there=True, program=_program(result.output))


def _program(definition: bytes) -> Path | None:
    """What a task starts, by what schtasks writes: UTF-16, or in a pipe what the console has.

    None where that cannot be told.
    """
    encoding = "utf-16-le" if b"\0" in definition else "utf-8"
    found = re.search("<Command>(.*?)</Command>", definition.decode(encoding, "replace"), re.DOTALL)
    if found is None or "\N{REPLACEMENT CHARACTER}" in found[1]:
        return None
    return Path(unescape(found[1]).strip('"'))
