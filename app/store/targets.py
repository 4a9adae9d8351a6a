"""Where new project files may be made, what is said where they may not, and how they go again."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from app.model.errors import ProjectError
from app.model.said import system_reason

FILES: Final = ("", "-wal", "-shm", "-journal")
"""What the names of a project file and of those that SQLite keeps beside it end with."""


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


@contextmanager
def made(path: Path) -> Iterator[None]:
    """Inside, what the system says against a new file at `path` becomes a ProjectError."""
    try:
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
        raise ProjectError(
            "{path} cannot be written ({reason}); choose another place.",
            path=path,
            reason=system_reason(e),
        ) from e
