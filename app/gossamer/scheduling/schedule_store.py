"""Stores the definitions of schedules: a file for each in the configuration folder."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from gossamer.model.errors import OutputError, UsageError
from gossamer.model.file_names import MOST_LETTERS, given_name, known_name
from gossamer.model.translatable import system_reason
from gossamer.scheduling.run_times import from_cron
from gossamer.scheduling.schedule import Schedule
from gossamer.session.default_paths import config_folder
from gossamer.store.atomic_files import make_private, write_aside

VERSION: Final = 1
_END: Final = ".json"
_MAX_BYTES: Final = 64 * 1024 * 1024


class ScheduleFile(msgspec.Struct, frozen=True):
    """What a file has. Its version is read before anything else of it."""

    schedule: Schedule
    version: int = VERSION


class _Versioned(msgspec.Struct, frozen=True):
    version: int


class ScheduleStore:
    """Reads and writes schedules in `folder`, by default the user's. Nothing is cached.

    Everything raises UsageError, with one sentence, about a name or a file that cannot be used,
    OutputError if a file cannot be written.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = config_folder() / "schedules" if folder is None else folder

    def names(self) -> list[str]:
        """The names of all schedules, sorted."""
        try:
            files = [path for path in self.folder.iterdir() if path.suffix == _END]
        except FileNotFoundError:
            return []
        except OSError as e:
            raise UsageError(
                "The schedule folder {folder} cannot be read ({reason}).",
                folder=self.folder,
                reason=system_reason(e),
            ) from e
        return sorted((path.stem for path in files if path.is_file()), key=str.casefold)

    def named(self, name: str) -> Schedule:
        """The schedule of that name, whatever its case."""
        known = known_name(name, self.names())
        if known is not None:
            return self._read(known)
        if others := self.names():
            raise UsageError(
                "There is no schedule named {name!r}; the schedules are {known}.",
                name=name,
                known=", ".join(others),
            )
        raise UsageError(
            "There is no schedule named {name!r}; add one with 'gossamer schedule add'.", name=name
        )

    def free_name(self, typed: str) -> str:
        """The name of a new schedule as it is kept."""
        name = given_name(typed, _END)
        if name is None:
            raise UsageError(
                "{name!r} is not a valid name of a schedule; use at most {most} characters "
                "that names of files may have.",
                name=typed,
                most=MOST_LETTERS,
            )
        if (known := known_name(name, self.names())) is not None:
            raise UsageError(
                "A schedule named {name} already exists; choose another name, use "
                "--replace, or remove that first.",
                name=known,
            )
        return name

    def save(self, schedule: Schedule, *, replace: bool) -> None:
        """Keep a definition in one step; without `replace`, only under a name that is free."""
        path = self._path(schedule.name)
        data = msgspec.json.format(msgspec.json.encode(ScheduleFile(schedule)), indent=2)
        try:
            make_private(self.folder)
            write_aside(path, data + b"\n", replace=replace)
        except FileExistsError as e:
            raise UsageError(
                "A schedule named {name} already exists; choose another name, use "
                "--replace, or remove that first.",
                name=schedule.name,
            ) from e
        except OSError as e:
            raise _not_written(path, e) from e

    def remove(self, name: str) -> None:
        """Forget a definition."""
        path = self._path(name)
        try:
            path.unlink(missing_ok=True)
        except OSError as e:
            raise _not_written(path, e) from e

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{_END}"

    def _read(self, name: str) -> Schedule:
        path = self._path(name)
        try:
            with path.open("rb") as file:
                return _decoded(file.read(_MAX_BYTES), path)
        except OSError as e:
            raise UsageError(
                "{path} cannot be read ({reason}).", path=path, reason=system_reason(e)
            ) from e


def _decoded(data: bytes, path: Path) -> Schedule:
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        if version == VERSION:
            schedule = msgspec.json.decode(data, type=ScheduleFile).schedule
            times = from_cron(schedule.times.expression)  # somebody may have edited it
            return replace(schedule, name=path.stem, times=times)
    except (ValueError, UsageError) as e:  # what is no JSON, and what is none of ours
        raise UsageError(
            "{path} is not a schedule of Gossamer ({reason}); delete it, and add the schedule "
            "again.",
            path=path,
            reason=e,
        ) from e
    raise UsageError("{path} was made by a newer Gossamer; update Gossamer to use it.", path=path)


def _not_written(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "{path} cannot be changed ({reason}).", path=path, reason=system_reason(error)
    )
