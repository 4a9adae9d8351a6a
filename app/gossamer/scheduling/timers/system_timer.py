"""What all timers have in common: what they start, how the system is asked, what can go wrong."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gossamer.ipc.process_start import lasting_command
from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable, system_reason
from gossamer.scheduling.run_times import TimeFields
from gossamer.scheduling.schedule import Schedule, TimerKind

_FOLDERS: Final = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_LATEST_GAP_HOUR: Final = 3
_DEADLINE_S: Final = 30.0


class TimerError(KnownError):
    """The system does not take a timer, or cannot start what we would have it start."""


class StartCommand(NamedTuple):
    """The words that start a run, and the variables by which it finds the person's files."""

    words: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def program(self) -> Path:
        """The program, which may be gone after an upgrade."""
        return Path(self.words[0])


class TimerState(NamedTuple):
    """What there is of a schedule's timer; `program` is what it starts, if it says that.

    `remark` is what the person should know of it.
    """

    is_there: bool
    program: Path | None = None
    remark: Translatable | None = None


class SystemTimer(Protocol):
    """Has one part of the system start runs of schedules."""

    @property
    def kind(self) -> TimerKind:
        """Which kind it is."""

    def is_usable(self) -> bool:
        """Whether this system has it."""

    def install(self, schedule: Schedule) -> None:
        """Have runs of this schedule started from now on; TimerError. A second time replaces it."""

    def remove(self, name: str) -> None:
        """Have no more runs started; TimerError. Does nothing if there is no timer."""

    def state(self, name: str) -> TimerState:
        """What there is of the timer now."""


def start_command(name: str, environment: Mapping[str, str] = os.environ) -> StartCommand:
    """What starts the run of a schedule if it is due; without a name, of all that are."""
    program = lasting_command(environment)
    if sys.platform == "win32":
        program[0] = _without_console(program[0])
    words = (*program, "schedule", "run", *filter(None, [name]), "--due")
    folders = {each: environment[each] for each in _FOLDERS if each in environment}
    return StartCommand(words, folders)


def _without_console(program: str) -> str:
    """The Python, or the frozen program, that opens no console window, where there is one."""
    path = Path(program)
    quiet = path.with_name(f"{path.stem.removesuffix('w')}w.exe")
    return str(quiet) if quiet.is_file() else program


class ProgramResult(NamedTuple):
    """What a program of the system answered: its exit code, and its output as bytes."""

    code: int
    output: bytes
    errors: bytes

    @property
    def reason(self) -> str:
        """Its last words, without the full stop."""
        lines = (self.errors or self.output).decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1].rstrip(".") if said else f"exit code {self.code}"


Ask = Callable[[Sequence[str], bytes], ProgramResult]
"""Runs a program of the system with an input to its end; OSError if it cannot be."""


def ask(words: Sequence[str], data: bytes = b"") -> ProgramResult:
    """Run a program; OSError, also where it does not end."""
    try:
        done = subprocess.run(  # noqa: S603 - programs of the system, with words of ours
            words, input=data, capture_output=True, check=False, timeout=_DEADLINE_S
        )
    except subprocess.TimeoutExpired as e:
        raise TimeoutError(f"{words[0]} does not answer") from e
    return ProgramResult(done.returncode, done.stdout, done.stderr)


def asked(ask_system: Ask, words: Sequence[str], data: bytes = b"") -> ProgramResult:
    """The answer of a program that has to succeed; TimerError with its last words."""
    try:
        answer = ask_system(words, data)
    except OSError as e:
        raise TimerError(
            "{program} cannot be run ({reason}).", program=words[0], reason=system_reason(e)
        ) from e
    if answer.code:
        raise TimerError("{program} failed: {reason}.", program=words[0], reason=answer.reason)
    return answer


def ensure_plain(command: StartCommand, refused: str, kind: TimerKind) -> None:
    """TimerError if a word has one of the characters that a timer of this kind cannot have."""
    for word in (*command.words, *command.environment.values()):
        if any(letter in refused for letter in word):
            raise TimerError(
                "{path} has a character that {timer} cannot start a program with; install "
                "Gossamer elsewhere.",
                path=repr(word),
                timer=kind.value,
            )


def with_hours_after_gaps(fields: TimeFields) -> TimeFields:
    """With the hour after each in which clocks may skip the time: not all systems make up for it.

    On all other days, nothing is due in that hour.
    """
    later = {hour + 1 for hour in fields.hours if hour <= _LATEST_GAP_HOUR}
    return fields._replace(hours=tuple(sorted({*fields.hours, *later})))
