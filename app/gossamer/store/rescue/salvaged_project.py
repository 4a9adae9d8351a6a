"""Reads what a damaged file says of its project as a whole, and copies what the new one keeps.

That is its state and settings, when it was made, its series, the crawl before, and which shard of
a crawl it is.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.series_contents import is_series_id
from gossamer.model.settings.crawl_settings import CrawlSettings, decode_settings
from gossamer.model.timestamps import is_time
from gossamer.store.bulk_insert import marks
from gossamer.store.database import translated
from gossamer.store.rescue.row_salvage import EXCHANGED, IDENTITY, SHARD, columns_of
from gossamer.store.row_validation import makes_sense
from gossamer.store.stored_settings import roots_of
from gossamer.store.writer_lock import open_beside_writer

_PREVIOUS: Final = "SELECT base_path, base_created_at, base_position FROM project"


class SalvagedProject(NamedTuple):
    """What can be read of the row of a project; what was lost of it is made up."""

    state: CrawlState
    seconds: float
    settings: CrawlSettings
    settings_lost: bool = False
    identity_lost: bool = False
    """Whether its series, its previous crawl, when it was made, or how long it took, was lost."""


def salvaged_project(scratch: sqlite3.Connection, source: Path) -> SalvagedProject:
    """The project; if its settings were lost, with its roots. ProjectError without any."""
    row = scratch.execute(
        "SELECT state, settings, seconds, created_at, series FROM project"
    ).fetchone()
    try:
        state, text, seconds, created_at, series = row
        settings = replace(decode_settings(text), roots=roots_of(scratch)).checked()
        return SalvagedProject(
            CrawlState(state),
            float(seconds) if is_time(seconds) else 0.0,
            settings,
            identity_lost=not (
                is_time(seconds)
                and is_time(created_at)
                and is_series_id(series)
                and _makes_sense_of_previous(*scratch.execute(_PREVIOUS).fetchone())
            ),
        )
    except (TypeError, ValueError, UsageError):
        pass
    query = "SELECT url FROM url WHERE parent IS NULL AND depth = 0 ORDER BY id LIMIT 1000"
    roots = tuple(url for (url,) in scratch.execute(query))
    if not roots:
        raise ProjectError("Nothing of a Gossamer project can be read in {path}.", path=source)
    return SalvagedProject(CrawlState.PAUSED, 0.0, CrawlSettings(roots=roots), settings_lost=True)


def copy_identity(scratch: sqlite3.Connection, target: Path) -> None:
    """It remains the same crawl of the same series, after the same one, as far as can be read."""
    row = scratch.execute("SELECT series, created_at FROM project").fetchone()
    if row is None or not is_series_id(row[0]):
        return
    with translated(target), closing(open_beside_writer(target)) as connection:
        connection.execute("UPDATE project SET series = ?", row[:1])
        if not is_time(row[1]):
            return
        connection.execute("UPDATE project SET created_at = ?", row[1:])
        path, previous_at, position = scratch.execute(_PREVIOUS).fetchone()
        if isinstance(path, str) and is_time(previous_at):
            connection.execute(
                "UPDATE project SET base_path = ?, base_created_at = ?, base_position = ?",
                (path, previous_at, max(int(position), 0)),
            )


def _makes_sense_of_previous(path: object, created_at: object, position: int) -> bool:
    """Whether we write this of the previous crawl of a project, or that it has none."""
    has_one = isinstance(path, str) and is_time(created_at)
    has_none = path is None and created_at is None
    return (has_one or has_none) and position >= 0


def _has_rows(scratch: sqlite3.Connection, table: str) -> bool:
    return scratch.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None  # noqa: S608 - our own names


def copy_shard(
    scratch: sqlite3.Connection, target: Path, *, is_whole: bool, is_row_damaged: bool
) -> bool:
    """Have the new project be the same shard; False if it cannot be one any more.

    That it can if all it has exchanged with other shards `is_whole`: they do not send it again.
    Without a row that says which shard it is, it was none; unless that row may be lost, or it has
    exchanged something.
    """
    if not _has_rows(scratch, IDENTITY):
        return not (is_row_damaged or any(_has_rows(scratch, table) for table in EXCHANGED))
    if not is_whole or not all(makes_sense(scratch, table) for table in SHARD):
        return False
    with translated(target), closing(open_beside_writer(target)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in SHARD:
            names = columns_of(table)
            columns = ", ".join(names)
            connection.executemany(
                f"INSERT INTO {table} ({columns}) VALUES ({marks(len(names))})",  # noqa: S608 - our own names
                scratch.execute(f"SELECT {columns} FROM {table}"),  # noqa: S608 - our own names
            )
        connection.execute("COMMIT")
    return True
