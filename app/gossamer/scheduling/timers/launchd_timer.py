"""Agents of launchd on macOS: a property list for each schedule, see launchd.plist(5)."""

import os
import plistlib
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from shutil import which
from typing import Final
from urllib.parse import quote

from gossamer.model.translatable import system_reason
from gossamer.scheduling.run_times import DaySelection, TimeFields
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.system_timer import (
    Ask,
    StartCommand,
    TimerError,
    TimerState,
    ask,
    asked,
    ensure_plain,
    identifier,
    start_command,
    with_hours_after_gaps,
)
from gossamer.store.atomic_files import write_aside

_MOST_ENTRIES: Final = 50
_CONTROLS: Final = "".join(map(chr, (*range(9), *range(11, 32), 127)))
"""What XML cannot have, and the carriage return, which it changes."""
_DAY_HOURS: Final = 24

Entry = dict[str, int]


def label(name: str) -> str:
    """What launchd calls the agent of a schedule."""
    return f"org.gossamer.schedule.{identifier(name, quote(name, safe=''))}"


def calendar_entries(fields: TimeFields) -> list[Entry]:
    """The times as StartCalendarInterval: a value that is left out stands for all.

    Of times that would take too many entries, only the minutes are said, and of a day that is also
    a weekday only that: a run that is not due does nothing.
    """
    entries = [entry for days in fields.days for entry in _entries(fields, days)]
    if len(entries) <= _MOST_ENTRIES:
        return entries
    return [{"Minute": minute} for minute in fields.minutes]


def _entries(fields: TimeFields, days: DaySelection) -> list[Entry]:
    hours = None if len(fields.hours) == _DAY_HOURS else fields.hours
    # With a day and a weekday, launchd would start what fits either, too.
    numbers = days.days if days.weekdays is None else None
    named: list[tuple[str, Sequence[int] | None]] = [
        ("Month", fields.months),
        ("Day", numbers),
        ("Weekday", days.weekdays),
        ("Hour", hours),
        ("Minute", fields.minutes),
    ]
    given = [[(key, value) for value in values] for key, values in named if values is not None]
    return [dict(each) for each in product(*given)]


def plist_bytes(schedule: Schedule, command: StartCommand) -> bytes:
    """The property list; TimerError if a path has a character that none can have.

    It also starts the run at login, which does nothing unless one was missed or interrupted.
    """
    ensure_plain(command, _CONTROLS, TimerKind.LAUNCHD)
    content = {
        "Label": label(schedule.name),
        "ProgramArguments": list(command.words),
        "EnvironmentVariables": dict(command.environment),
        "StartCalendarInterval": calendar_entries(with_hours_after_gaps(schedule.times.fields)),
        "RunAtLoad": True,
        "ProcessType": "Background",
    }
    return plistlib.dumps(content, sort_keys=False)


class LaunchdTimer:
    """Writes agents into the user's folder and has launchd load them."""

    kind: Final = TimerKind.LAUNCHD

    def __init__(
        self,
        ask_system: Ask = ask,
        environment: Mapping[str, str] = os.environ,
        folder: Path | None = None,
    ) -> None:
        """Run system programs through `ask_system`; agents are in ~/Library/LaunchAgents."""
        self._ask = ask_system
        self._environment = environment
        self._folder = folder or Path.home() / "Library" / "LaunchAgents"

    def is_usable(self) -> bool:
        """Whether this is a Mac."""
        return sys.platform == "darwin" and which("launchctl") is not None

    def install(self, schedule: Schedule) -> None:
        """Write the agent and load it, in place of an older one."""
        data = plist_bytes(schedule, start_command(schedule.name, self._environment))
        path = self._path(schedule.name)
        self._unload(schedule.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_aside(path, data, replace=True)
        except OSError as e:
            raise TimerError(
                "{path} cannot be written ({reason}).", path=path, reason=system_reason(e)
            ) from e
        try:
            asked(self._ask, ["launchctl", "bootstrap", self._domain, str(path)])
        except TimerError:
            path.unlink(missing_ok=True)
            raise

    def remove(self, name: str) -> None:
        """Unload the agent and remove it. A run that is under way is paused by that."""
        path = self._path(name)
        if path.exists():
            self._unload(name)
            try:
                path.unlink(missing_ok=True)
            except OSError as e:
                raise TimerError(
                    "{path} cannot be removed ({reason}).", path=path, reason=system_reason(e)
                ) from e

    def state(self, name: str) -> TimerState:
        """Whether the agent is there, and what it starts."""
        try:
            content = plistlib.loads(self._path(name).read_bytes())
            return TimerState(is_there=True, program=Path(content["ProgramArguments"][0]))
        except FileNotFoundError:
            return TimerState(is_there=False)
        except (OSError, ValueError, LookupError, TypeError, plistlib.InvalidFileException):
            return TimerState(is_there=True)

    @property
    def _domain(self) -> str:
        return f"gui/{os.getuid()}" if sys.platform != "win32" else "gui/0"

    def _unload(self, name: str) -> None:
        """Unload an agent, if it is loaded."""
        try:
            self._ask(["launchctl", "bootout", f"{self._domain}/{label(name)}"], b"")
        except OSError as e:
            raise TimerError(
                "{program} cannot be run ({reason}).", program="launchctl", reason=system_reason(e)
            ) from e

    def _path(self, name: str) -> Path:
        return self._folder / f"{label(name)}.plist"
