"""What all timers share: the command they start, calls of system programs, errors."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
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
_MOST_OF_A_NAME: Final = 200


class TimerError(KnownError):
    """The system rejects a timer, or cannot start our command."""


class StartCommand(NamedTuple):
    """The words that start a run, and the variables by which it finds the user's files."""

    words: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def program(self) -> Path:
        """The program, which may be gone after an upgrade."""
        return Path(self.words[0])


class TimerState(NamedTuple):
    """The state of a schedule's timer; `program` is what it starts, if known.

    `remark` is what the user should know about it.
    """

    is_there: bool
    program: Path | None = None
    remark: Translatable | None = None


class SystemTimer(Protocol):
    """A part of the system that starts runs of schedules."""

    @property
    def kind(self) -> TimerKind:
        """Which kind it is."""

    def is_usable(self) -> bool:
        """Whether this system has it."""

    def install(self, schedule: Schedule) -> None:
        """Install the timer of a schedule, or replace it; TimerError."""

    def remove(self, name: str) -> None:
        """Remove the timer; TimerError. Does nothing if there is none."""

    def state(self, name: str) -> TimerState:
        """The current state of the timer."""


def start_command(name: str, environment: Mapping[str, str] = os.environ) -> StartCommand:
    """The command that runs a schedule if it is due; without a name, all due ones."""
    program = lasting_command(environment)
    if sys.platform == "win32":
        program[0] = _without_console(program[0])
    words = (*program, "schedule", "run", *filter(None, [name]), "--due")
    folders = {each: environment[each] for each in _FOLDERS if each in environment}
    return StartCommand(words, folders)


def identifier(name: str, escaped: str) -> str:
    """What identifies a schedule in the name of a file: its escaped name, unless that is too long.

    Two names must never have the same escaped name.
    """
    if len(escaped) <= _MOST_OF_A_NAME:
        return escaped
    return blake2b(name.encode(), digest_size=16).hexdigest()


def _without_console(program: str) -> str:
    """The Python, or the frozen program, that opens no console window, where there is one."""
    path = Path(program)
    quiet = path.with_name(f"{path.stem.removesuffix('w')}w.exe")
    return str(quiet) if quiet.is_file() else program


class ProgramResult(NamedTuple):
    """The result of a system program: its exit code, and its output as bytes."""

    code: int
    output: bytes
    errors: bytes

    @property
    def reason(self) -> str:
        """Its last line, without the full stop."""
        lines = (self.errors or self.output).decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1].rstrip(".") if said else f"exit code {self.code}"


Ask = Callable[[Sequence[str], bytes], ProgramResult]
"""Runs a system program with an input to its end; OSError if that is impossible."""


def ask(words: Sequence[str], data: bytes = b"") -> ProgramResult:
    """Run a program; OSError, also if it does not end."""
    try:
        done = subprocess.run(  # noqa: S603 - programs of the system, with words of ours
            words, input=data, capture_output=True, check=False, timeout=_DEADLINE_S
        )
    except subprocess.TimeoutExpired as e:
        raise TimeoutError(f"{words[0]} does not respond") from e
    return ProgramResult(done.returncode, done.stdout, done.stderr)


def asked(ask_system: Ask, words: Sequence[str], data: bytes = b"") -> ProgramResult:
    """The result of a program that must succeed; TimerError with its last line."""
    try:
        result = ask_system(words, data)
    except OSError as e:
        raise TimerError(
            "{program} cannot be run ({reason}).", program=words[0], reason=system_reason(e)
        ) from e
    if result.code:
        raise TimerError("{program} failed: {reason}.", program=words[0], reason=result.reason)
    return result


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
    """The times with the hour after each that clocks may skip: not all systems make up for it.

    On all other days, nothing is due in that hour.
    """
    later = {hour + 1 for hour in fields.hours if hour <= _LATEST_GAP_HOUR}
    return fields._replace(hours=tuple(sorted({*fields.hours, *later})))
