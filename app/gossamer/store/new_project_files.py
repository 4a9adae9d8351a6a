"""Where new project files may be made, what is said where they may not, and how they go again."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import ProjectError
from gossamer.model.file_names import is_text
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import StagingFolder, told_of
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.writer_lock import WriterLock

FILES: Final = ("", *BESIDE)
"""What the names of a project file and of those that SQLite keeps beside it end with."""

_LONGEST_END: Final = ".lock-claim-01234567"
"""The longest name of a file beside a project, but for what comes before it."""


@contextmanager
def new_project(target: Path) -> Iterator[tuple[StagingFolder, Path]]:
    """Inside, an empty file aside, for SQLite; afterwards it is at `target`, where there was none.

    Nobody else may read it. Nothing is left of it if what is done inside fails, or is killed. What
    is said inside of the file is said of `target`. ProjectError if it cannot be put there.
    """
    ensure_new(target)
    with made(target), StagingFolder(target.parent) as aside:
        part = aside.new(target.name)
        with told_of(part, target):
            yield aside, part
        with closing(WriterLock(target)):  # of two who make the same one, one is the first
            _ensure_no_log(target)
            aside.put(part, target, replace=False)


def _ensure_no_log(target: Path) -> None:
    """Raise ProjectError if SQLite would take what lies about for the log of the new file."""
    for suffix in BESIDE:
        beside = target.with_name(target.name + suffix)
        if not os.path.lexists(beside):
            continue
        if suffix != "-shm" and beside.stat().st_size:
            raise ProjectError(
                "{beside} is left of another project of that name; move it to that project, or"
                " delete it.",
                beside=beside,
            )
        beside.unlink()


def ensure_new(path: Path) -> None:
    """Raise ProjectError where no new file can be made at `path`, as far as can be told before."""
    with made(path):
        if os.path.lexists(path):
            raise FileExistsError(path)
        if not stat.S_ISDIR(path.parent.stat().st_mode):
            raise NotADirectoryError(path.parent)


def ensure_text(path: Path) -> None:
    """Raise ProjectError where a name is not text: then no other process can be told of it."""
    if not is_text(str(path.absolute())):
        raise ProjectError(
            "The name {path} has characters that no encoding explains; rename the file or folder.",
            path=path,
        )


@contextmanager
def made(path: Path) -> Iterator[None]:
    """Inside, what the system says against a new file at `path` becomes a ProjectError."""
    ensure_text(path)
    try:
        with suppress(FileNotFoundError):
            (path.parent / f"{path.name}{_LONGEST_END}").lstat()
        yield
    except FileExistsError:
        raise ProjectError("{path} is there already; choose another name.", path=path) from None
    except FileNotFoundError:
        raise ProjectError(
            "There is no folder {folder}; make it first.", folder=path.parent
        ) from None
    except NotADirectoryError:
        raise ProjectError(
            "{folder} is not a folder; choose another place.", folder=path.parent
        ) from None
    except OSError as e:
        if e.errno == errno.ENAMETOOLONG:
            raise ProjectError(
                "The name of {path} is too long; choose a shorter one.", path=path
            ) from None
        raise ProjectError(
            "{path} cannot be written ({reason}); choose another place.",
            path=path,
            reason=system_reason(e),
        ) from e
