"""Makes and finds the files of a crawl's shards, which are in one folder."""

import secrets
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Final

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.shards import MOST_SHARDS, SHARD_FILE, ShardIdentity
from gossamer.model.translatable import system_reason
from gossamer.store import project
from gossamer.store.locking.lease import make_lease
from gossamer.store.shard_tables import become_shard

FOLDER_SUFFIX: Final = ".shards"
_PRIVATE: Final = 0o700


def folder_beside(merged: Path) -> Path:
    """The folder of the shards whose merged project is to be at `merged`."""
    return merged.with_suffix(FOLDER_SUFFIX)


def merged_beside(folder: Path) -> Path:
    """Where the merged project of a folder of shards is put."""
    return folder.with_suffix(".gossamer")


def shard_path(folder: Path, number: int, shards: int) -> Path:
    """The project file of a shard, whose `number` counts from 0; its name counts from 1."""
    return folder / f"shard-{number + 1}-of-{shards}.gossamer"


def create_shards(folder: Path, settings: CrawlSettings, shards: int, series: str) -> list[Path]:
    """Make the project files of a new crawl in a new folder, all of them or none.

    UsageError for what shards cannot do, ProjectError if they cannot be made.
    """
    if not 1 <= shards <= MOST_SHARDS:
        raise UsageError(
            "A crawl can have 1 to {most} shards, not {shards}.", most=MOST_SHARDS, shards=shards
        )
    project.ensure_new(folder)
    aside = folder.with_name(f".{folder.name}-{secrets.token_hex(8)}.part")
    crawl = secrets.token_hex(16)
    try:
        aside.mkdir(mode=_PRIVATE)
        for number in range(shards):
            path = shard_path(aside, number, shards)
            project.create(path, settings, series=series)
            become_shard(path, ShardIdentity(crawl, number, shards))
            make_lease(path)
        aside.rename(folder)
    except OSError as e:
        raise ProjectError(
            "{path} cannot be written ({reason}); choose another location.",
            path=folder,
            reason=system_reason(e),
        ) from e
    finally:
        with suppress(OSError):
            rmtree(aside)
    return shards_in(folder)


def shards_in(folder: Path) -> list[Path]:
    """The files of all shards in a folder, by number; ProjectError if some are missing."""
    found = {}
    with suppress(OSError):
        found = {
            (int(match[1]), int(match[2])): path
            for path in folder.iterdir()
            if (match := SHARD_FILE.fullmatch(path.name)) is not None
        }
    shards = max((number for _, number in found), default=0)
    if not shards:
        raise ProjectError(
            "{folder} is a folder without shards of a crawl; name a project file.", folder=folder
        )
    missing = [n + 1 for n in range(shards) if (n + 1, shards) not in found]
    if missing:
        raise ProjectError(
            "{folder} does not hold all shards of a crawl; restore the file {name}.",
            folder=folder,
            name=shard_path(folder, missing[0] - 1, shards).name,
        )
    return [found[n + 1, shards] for n in range(shards)]
