"""Timers of the user's own systemd: a service and a timer for each schedule."""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from gossamer.model.translatable import said, system_reason
from gossamer.scheduling.run_times import DAYS, DaySelection, TimeFields
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.system_timer import (
    Ask,
    StartCommand,
    TimerError,
    TimerState,
    ask,
    asked,
    identifier,
    start_command,
    with_hours_after_gaps,
)
from gossamer.store.atomic_files import make_private, write_aside

_PLAIN: Final = re.compile(r"[^A-Za-z0-9_.-]")
_ODD_IN_A_PATH: Final = frozenset("$\"'\\")
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "%": "%%", "\n": "\\n", "\t": "\\t"}
_PROGRAM: Final = "X-GossamerProgram"
_OF_GAPS: Final = """\
# A time before 04:00 has a second one an hour later: on the day on which clocks skip an hour, the
# first may not come. A run that is not due does nothing.
"""
_SHELL: Final = ("/bin/sh", "-c", 'exec "$@"', "gossamer")


def unit_name(name: str) -> str:
    """The name of a schedule's units, escaped as by systemd-escape(1)."""
    escaped = _PLAIN.sub(lambda found: "".join(f"\\x{b:02x}" for b in found[0].encode()), name)
    return f"gossamer-{identifier(name, escaped)}"


def calendar_lines(fields: TimeFields) -> list[str]:
    """The times as values of OnCalendar, see systemd.time(7)."""
    hours, minutes = _numbers(fields.hours, 24), _numbers(fields.minutes, 60)
    months = "*" if fields.months is None else _numbers(fields.months, 12)
    return [f"{_day(days, months)} {hours}:{minutes}:00" for days in fields.days]


def _day(days: DaySelection, months: str) -> str:
    numbers = "*" if days.days is None else _numbers(days.days, 31)
    if days.weekdays is None:
        return f"*-{months}-{numbers}"
    names = ",".join(DAYS[day][:3].capitalize() for day in days.weekdays)
    return f"{names} *-{months}-{numbers}"


def _numbers(values: Sequence[int], of: int) -> str:
    return "*" if len(values) == of else ",".join(f"{value:02}" for value in values)


def quoted(word: str, *, doubled: str = "%$") -> str:
    """A word of a command as systemd.syntax(7) has it: in quotes, with what it would replace."""
    return '"' + "".join(_escaped(letter, doubled) for letter in word) + '"'


def _escaped(letter: str, doubled: str) -> str:
    if letter in doubled:
        return letter * 2
    if letter in _ESCAPES and letter not in "%$":
        return _ESCAPES[letter]
    return f"\\x{ord(letter):02x}" if ord(letter) < ord(" ") or letter == "\x7f" else letter


def service_text(schedule: Schedule, command: StartCommand) -> str:
    """The service: one run. SIGTERM goes to our process alone, which pauses its crawl."""
    words = command.words
    if not _ODD_IN_A_PATH.isdisjoint(words[0]) or not words[0].isprintable():
        words = (*_SHELL, *words)  # systemd takes no such path for a program
    line = " ".join([quoted(words[0], doubled="%"), *map(quoted, words[1:])])
    variables = "".join(
        f"Environment={quoted(f'{name}={value}', doubled='%')}\n"
        for name, value in command.environment.items()
    )
    return f"""\
# Written by 'gossamer schedule'; remove it with 'gossamer schedule remove'.
[Unit]
Description=Gossamer crawls {_description(schedule)}

[Service]
Type=oneshot
ExecStart={line}
{variables}KillMode=mixed
Nice=10
# Another run is under way; the computer is being shut down. Neither is a failure.
SuccessExitStatus=7 130

[{_PROGRAM}]
Path={json.dumps(str(command.program), ensure_ascii=False)}
"""


def timer_text(schedule: Schedule) -> str:
    """The timer. Missed runs, or runs interrupted by the end of the session, are tried again."""
    fields = schedule.times.fields
    looked_at = with_hours_after_gaps(fields)
    lines = calendar_lines(looked_at)
    remark = "" if looked_at == fields else _OF_GAPS
    calendar = "".join(f"OnCalendar={line}\n" for line in lines)
    return f"""\
# Written by 'gossamer schedule'; remove it with 'gossamer schedule remove'.
{remark}[Unit]
Description=Gossamer crawls {_description(schedule)}

[Timer]
{calendar}Persistent=true
OnStartupSec=2min

[Install]
WantedBy=timers.target
"""


def _description(schedule: Schedule) -> str:
    return f"{schedule.name}, {schedule.times.described}".replace("%", "%%")


def _unquoted(value: str) -> str:
    """A value of show-environment, which has $'...' around what a shell would not take as it is."""
    if not value.startswith("$'"):
        return value
    controls = {"n": "\n", "t": "\t"}
    return re.sub(r"\\(.)", lambda found: controls.get(found[1], found[1]), value[2:-1])


def _path(text: str) -> Path | None:
    """The path in a unit; None if somebody has edited it to what is none."""
    try:
        return Path(json.loads(text))
    except ValueError:
        return None


class SystemdTimer:
    """Writes units into the user's folder and has systemd read them."""

    kind: Final = TimerKind.SYSTEMD

    def __init__(self, ask_system: Ask = ask, environment: Mapping[str, str] = os.environ) -> None:
        """Run system programs through `ask_system`; `environment` is that of this process."""
        self._ask = ask_system
        self._environment = environment

    @cached_property
    def folder(self) -> Path:
        """Where systemd looks for the user's units: it may use another folder than we expect."""
        try:
            lines = self._ask(["systemctl", "--user", "show-environment"], b"").output
        except OSError:
            lines = b""
        variables = dict(
            line.split("=", 1) for line in os.fsdecode(lines).splitlines() if "=" in line
        )
        config = _unquoted(variables.get("XDG_CONFIG_HOME", ""))
        return Path(config or Path.home() / ".config") / "systemd" / "user"

    def is_usable(self) -> bool:
        """Whether a systemd of this user's is running."""
        try:
            return not self._ask(["systemctl", "--user", "show-environment"], b"").code
        except OSError:
            return False

    def install(self, schedule: Schedule) -> None:
        """Write both units, and start the timer."""
        unit = unit_name(schedule.name)
        command = start_command(schedule.name, self._environment)
        try:
            self._write(f"{unit}.service", service_text(schedule, command))
            self._write(f"{unit}.timer", timer_text(schedule))
            self._systemctl("daemon-reload")
            self._systemctl("enable", f"{unit}.timer")
            self._systemctl("restart", f"{unit}.timer")  # one that runs goes by its new times
        except TimerError:
            self._delete(unit)
            raise

    def remove(self, name: str) -> None:
        """Stop the timer, and remove both units. A run under way continues."""
        unit = unit_name(name)
        if (self.folder / f"{unit}.timer").exists():
            self._systemctl("disable", "--now", f"{unit}.timer")
            self._delete(unit)
            self._systemctl("daemon-reload")

    def state(self, name: str) -> TimerState:
        """Whether the timer's file is there, what it starts, and whether it needs a session."""
        unit = unit_name(name)
        try:
            text = (self.folder / f"{unit}.service").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return TimerState(is_there=False)
        program = re.search(rf'^\[{_PROGRAM}\]\nPath=(".*")$', text, re.MULTILINE)
        remark = None
        if self._lingers() is False:
            remark = said(
                "It runs only while you are logged in; for runs without that: loginctl "
                "enable-linger"
            )
        is_there = (self.folder / f"{unit}.timer").is_file()
        return TimerState(is_there, _path(program[1]) if program else None, remark)

    def _lingers(self) -> bool | None:
        """Whether the user's systemd runs without a session; None if unknown."""
        user = str(os.getuid()) if sys.platform != "win32" else ""
        try:  # without a user, the properties of logind itself are shown
            result = self._ask(["loginctl", "show-user", "--property=Linger", "--value", user], b"")
        except OSError:
            return None
        found = result.output.strip()
        return {b"yes": True, b"no": False}.get(found) if not result.code else None

    def _systemctl(self, *words: str) -> None:
        asked(self._ask, ["systemctl", "--user", *words])

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        try:
            make_private(self.folder)
            write_aside(path, text.encode(), replace=True)
        except OSError as e:
            raise TimerError(
                "{path} cannot be written ({reason}).", path=path, reason=system_reason(e)
            ) from e

    def _delete(self, unit: str) -> None:
        for end in (".timer", ".service"):
            path = self.folder / f"{unit}{end}"
            try:
                path.unlink(missing_ok=True)
            except OSError as e:
                raise TimerError(
                    "{path} cannot be removed ({reason}).", path=path, reason=system_reason(e)
                ) from e
