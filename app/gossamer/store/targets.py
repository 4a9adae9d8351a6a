"""Where new project files may be made, what is said where they may not, and how they go again."""

import errno
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import ProjectError
from gossamer.model.file_names import is_text
from gossamer.model.said import system_reason
from gossamer.store.identity import BESIDE

FILES: Final = ("", *BESIDE)
"""What the names of a project file and of those that SQLite keeps beside it end with."""

_LONGEST_END: Final = ".migrating-journal"
"""The longest name of a file beside a project, but for what comes before it."""


def discard(path: Path) -> None:
    """Remove a file that was not completed, and what SQLite keeps beside it, as far as it goes."""
    for suffix in FILES:
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def ensure_new(path: Path) -> None:
    """Raise ProjectError where no new file can be made at `path`, as far as can be told before."""
    with made(path):
        if path.exists():
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
