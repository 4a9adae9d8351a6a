"""Lines in the user's crontab, for systems without systemd: a marked block, and nothing else.

Each schedule has a line. One more line checks every hour for missed runs: cron itself skips what
was due while the computer was off.
"""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Final

from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.system_timer import (
    Ask,
    ProgramResult,
    StartCommand,
    TimerError,
    TimerState,
    ask,
    asked,
    ensure_plain,
    start_command,
)

_BEGIN: Final = b"# BEGIN Gossamer schedules. Change them with 'gossamer schedule', not here.\n"
_END: Final = b"# END Gossamer schedules\n"
_BLOCK: Final = re.compile(
    rb"^" + re.escape(_BEGIN) + rb"(.*?)^" + re.escape(_END), re.MULTILINE | re.DOTALL
)
_SAID: Final = re.compile(r"^# (.*)\n(.*)\n", re.MULTILINE)
MISSED: Final = "missed runs"
_MISSED_AT: Final = "17 * * * *"
_QUIETLY: Final = ">/dev/null 2>&1"
_MOST_BYTES: Final = 990
"""Of a line: Debian's cron takes 1,000."""
_NONE_YET: Final = (b"no crontab", b"can't open")
"""How cron and BusyBox say that there is none."""
_REFUSED: Final = "\n\r\0"
_FIELDS: Final = 5


def command_text(command: StartCommand) -> str:
    """A command as a line of crontab(5) has it, for /bin/sh; TimerError if none can have it."""
    ensure_plain(command, _REFUSED, TimerKind.CRONTAB)
    variables = [f"{name}={shlex.quote(value)}" for name, value in command.environment.items()]
    text = " ".join([*variables, shlex.join(command.words), _QUIETLY])
    return text.replace("%", "\\%")


def line_of(schedule: Schedule, command: StartCommand) -> str:
    """The line of a schedule."""
    line = f"{schedule.times.expression} {command_text(command)}"
    if len(line.encode(errors="surrogateescape")) > _MOST_BYTES:
        raise TimerError(
            "The path of {program} is too long for a line of crontab; install Gossamer elsewhere.",
            program=command.program,
        )
    return line


def missed_line(command: StartCommand) -> str:
    """The line that looks every hour for what is due: `command` is that of all schedules."""
    return f"{_MISSED_AT} {command_text(command)}"


def with_lines(crontab: bytes, changes: Mapping[str, str | None]) -> bytes:
    """The crontab with these lines of our block, by their comments; None removes one.

    All outside of the block stays as it is. Without a schedule, there is no block. TimerError if
    the block has no end.
    """
    lines = {**lines_in(crontab), **changes}
    said_lines = {said: line for said, line in lines.items() if line is not None}
    block = _block(said_lines) if said_lines.keys() - {MISSED} else b""
    if _BLOCK.search(crontab):
        return _BLOCK.sub(lambda _: block, crontab, count=1)
    ended = crontab if not crontab or crontab.endswith(b"\n") else crontab + b"\n"
    return ended + block if block else crontab


def lines_in(crontab: bytes) -> dict[str, str]:
    """The lines of our block, by their comments; TimerError if the block has no end."""
    block = _BLOCK.search(crontab)
    if block is None:
        if _BEGIN in crontab or _END in crontab:
            raise TimerError(
                "The crontab has only a part of the block of Gossamer's schedules; delete what is "
                "left of it with 'crontab -e'."
            )
        return {}
    return dict(_SAID.findall(os.fsdecode(block[1])))


def _block(lines: Mapping[str, str]) -> bytes:
    text = "".join(f"# {said}\n{line}\n" for said, line in lines.items())
    return _BEGIN + os.fsencode(text) + _END


def said_of(name: str) -> str:
    """The comment on the line of a schedule."""
    return f"schedule {name}"


class CrontabTimer:
    """Reads and writes the user's crontab by crontab(1)."""

    kind: Final = TimerKind.CRONTAB

    def __init__(self, ask_system: Ask = ask, environment: Mapping[str, str] = os.environ) -> None:
        """Run system programs through `ask_system`; `environment` is that of this process."""
        self._ask = ask_system
        self._environment = environment

    def is_usable(self) -> bool:
        """Whether there is a crontab; whether cron runs is unknown."""
        return which("crontab") is not None

    def install(self, schedule: Schedule) -> None:
        """Put the line of a schedule into the block."""
        line = line_of(schedule, start_command(schedule.name, self._environment))
        missed = missed_line(start_command("", self._environment))
        self._change({said_of(schedule.name): line, MISSED: missed})

    def remove(self, name: str) -> None:
        """Remove its line, and with the last one the block."""
        self._change({said_of(name): None})

    def state(self, name: str) -> TimerState:
        """Whether there is a line, and what it starts."""
        line = lines_in(self._read()).get(said_of(name))
        if line is None:
            return TimerState(is_there=False)
        return TimerState(is_there=True, program=_program(line))

    def _change(self, changes: Mapping[str, str | None]) -> None:
        before = self._read()
        after = with_lines(before, changes)
        if after != before:
            asked(self._ask, ["crontab", "-"], after)

    def _read(self) -> bytes:
        def listed(words: Sequence[str], data: bytes) -> ProgramResult:
            result = self._ask(words, data)
            is_none = result.code and any(each in result.errors for each in _NONE_YET)
            return ProgramResult(0, b"", b"") if is_none else result

        return asked(listed, ["crontab", "-l"]).output


def _program(line: str) -> Path | None:
    """What a line starts; None if it is not as we have written it: somebody has edited it."""
    *_, command = line.split(" ", _FIELDS)
    try:
        words = shlex.split(command.replace("\\%", "%"))
    except ValueError:
        return None
    return next((Path(word) for word in words if not re.match(r"XDG_\w+=", word)), None)
