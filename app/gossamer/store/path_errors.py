"""What to say of a path that is no project file, by what is there."""

import re
from pathlib import Path
from typing import Final

from gossamer.model.errors import DiskError, ProjectError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.shards import SHARD_FILE

_URL: Final = lazy_pattern("(.*/)?(?P<scheme>https?):/(?P<rest>.+)", re.DOTALL)


def missing_error(path: Path) -> DiskError:
    """The error for a path where nothing is; a URL has lost a slash as a path."""
    if url := _URL.match(path.as_posix()):
        return DiskError(
            "{url} is a URL; crawl it first, or name a project file.",
            url=f"{url['scheme']}://{url['rest']}",
        )
    return DiskError("The project file {path} does not exist; check the path.", path=path)


def folder_error(path: Path) -> ProjectError:
    """The error for a folder: that of a crawl's shards has no project of the whole.

    OSError if it cannot be read.
    """
    if not any(SHARD_FILE.fullmatch(each.name) for each in path.iterdir()):
        return ProjectError("{path} is a folder, not a project file.", path=path)
    return ProjectError(
        "{path} is the folder of a crawl in shards; merge them with 'gossamer merge' and name the "
        "merged project, or name the file of one shard.",
        path=path,
    )
