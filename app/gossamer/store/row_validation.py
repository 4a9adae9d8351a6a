"""Validates that the rows of a project file are as the program writes them.

SQLite keeps any value in any column. A file from a stranger, or one with a byte altered, may be
whole for SQLite and yet hold what nobody could have put there.
"""

import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final
from zlib import crc32

from gossamer.model.crawl_state import CrawlState
from gossamer.model.custom_definitions import MAX_COUNT, MAX_VALUES, CustomFailure
from gossamer.model.discovery_rank import FORMER, MAX_HOPS, UNLINKED, SitemapRole
from gossamer.model.errors import KnownError, ProjectError
from gossamer.model.fields.field_declaration import LARGEST
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.link_traits import MAX_TRAITS
from gossamer.model.outcome import Outcome
from gossamer.model.shards import MOST_SHARDS, HandedAs
from gossamer.model.site_checks import SiteCheck
from gossamer.model.timestamps import LATEST_S
from gossamer.store.bulk_insert import listed
from gossamer.store.database import (
    damaged,
    interrupted_after,
    open_for_reading,
    primary_code,
    translated_reading,
)
from gossamer.store.field_sql import (
    AUDIT_COLUMNS,
    RENDERING_COLUMNS,
    VISIT_COLUMNS,
    StoredColumn,
)
from gossamer.store.project_summary import read_summary
from gossamer.store.schema import TABLES

PATIENCE_S: Final = 20.0
"""For a look at a project with which something has failed."""
_TYPES: Final = {
    "INTEGER": "'integer'",
    "REAL": "'real', 'integer'",
    "TEXT": "'text'",
    "BLOB": "'blob'",
    "": "'integer', 'real', 'text', 'null'",
}
"""How SQLite calls what may stand in a column of this kind."""


_STATES: Final = ", ".join(f"({int(outcome.state)}, {int(outcome)})" for outcome in Outcome)


def _checks(columns: Iterable[StoredColumn]) -> str:
    return " AND ".join(
        f"coalesce({each.storage.check.format(each.name)}, 1)"
        for each in columns
        if each.storage.check
    )


_SENSE: Final = {
    "project": (
        f"state IN ({', '.join(repr(str(state)) for state in CrawlState)})"
        f" AND created_at BETWEEN 0 AND {LATEST_S} AND seconds BETWEEN 0 AND {LATEST_S}"
        " AND length(series) = 32 AND series NOT GLOB '*[^0-9a-f]*'"
    ),
    "url": (
        f"id BETWEEN 1 AND {LARGEST} AND (state, outcome) IN (VALUES {_STATES})"
        f" AND depth BETWEEN 0 AND {FORMER} AND hops BETWEEN 0 AND {MAX_HOPS}"
        f" AND as_file IN (0, 1) AND listed BETWEEN 0 AND {SitemapRole.READ}"
    ),
    "visit": _checks(VISIT_COLUMNS),
    "link": (
        f"kind IN ({', '.join(str(int(kind)) for kind in LinkKind)})"
        f" AND action IN ({', '.join(str(int(action)) for action in LinkAction)})"
        f" AND position BETWEEN 0 AND {LARGEST} AND traits BETWEEN 0 AND {MAX_TRAITS}"
    ),
    "url_audit": _checks(AUDIT_COLUMNS),
    "rendering": _checks(RENDERING_COLUMNS),
    "url_count": f"outcome IN ({', '.join(str(int(outcome)) for outcome in Outcome)})",
    "ignored_issue": f"ignored_at BETWEEN 0 AND {LATEST_S}",
    "custom_value": (
        f"definition BETWEEN 0 AND {MAX_COUNT} AND position BETWEEN 0 AND {MAX_VALUES - 1}"
        f" AND coalesce(failure IN ({listed(CustomFailure)}), 1)"
        f" AND CASE typeof(value) WHEN 'integer' THEN value BETWEEN 0 AND {MAX_COUNT}"
        " ELSE typeof(value) IN ('text', 'null') END"
    ),
    "shard": (
        f"number BETWEEN 0 AND shards - 1 AND shards BETWEEN 1 AND {MOST_SHARDS}"
        " AND length(crawl) = 32 AND crawl NOT GLOB '*[^0-9a-f]*' AND epoch >= 0"
    ),
    "shard_peer": (
        "acknowledged BETWEEN 0 AND sent AND received >= 0"
        " AND shard BETWEEN 0 AND (SELECT shards FROM shard) - 1"
    ),
    "outgoing_link": (
        f"depth BETWEEN 0 AND {FORMER} AND hops BETWEEN 0 AND {MAX_HOPS}"
        f" AND as_file IN (0, 1) AND listed BETWEEN 0 AND {SitemapRole.READ}"
        f" AND handed_as IN ({listed(map(int, HandedAs))}) AND spread >= 0"
        " AND is_new IN (0, 1) AND is_alike IN (0, 1)"
    ),
    "over_budget": f"depth BETWEEN 0 AND {UNLINKED}",
    "robots": f"fetched_at BETWEEN 0 AND {LATEST_S}",
    "site_check": (
        f"kind IN ({', '.join(str(int(kind)) for kind in SiteCheck)})"
        f" AND (outcome IS NULL OR outcome IN ({', '.join(str(int(each)) for each in Outcome)}))"
        f" AND fetched_at BETWEEN 0 AND {LATEST_S}"
    ),
    "certificate": " AND ".join(
        f"{name} BETWEEN 0 AND {LATEST_S}" for name in ("seen_at", "not_before", "not_after")
    ),
}
"""What else holds for the rows of a table."""
_REMOVABLE: Final = (
    *("visit", "rendering", "robots", "site_check", "certificate"),
    *("ignored_issue", "custom_value"),
)
_KEYS_ASTRAY: Final = """
    SELECT (SELECT count(*) FROM url_key WHERE id <= (SELECT indexed FROM project))
        <> (SELECT count(*) FROM url WHERE id <= (SELECT indexed FROM project))
"""
_FOLDERS_IN_CIRCLES: Final = """
    WITH RECURSIVE sound (id) AS (
        SELECT id FROM folder WHERE parent IS NULL
        UNION SELECT f.id FROM sound JOIN folder f ON f.parent = sound.id
    )
    SELECT (SELECT count(*) FROM sound) < (SELECT count(*) FROM folder)
"""


def check_content(connection: sqlite3.Connection, path: Path, budget_s: float) -> None:
    """Raise ProjectError if a look at the rows, as long as `budget_s`, finds what we never write.

    Of a file too large for that a part is looked at.
    """
    queries = (*_queries_of_tables().values(), _FOLDERS_IN_CIRCLES, _KEYS_ASTRAY)
    with interrupted_after(connection, budget_s) as over, translated_reading(path):
        try:
            found = any(
                connection.execute(query).fetchone() not in {None, (0,)} for query in queries
            ) or _has_altered_address(connection, over)
        except sqlite3.OperationalError as e:
            if primary_code(e) != sqlite3.SQLITE_INTERRUPT:
                raise
            return
    if found:
        raise damaged(path)


def fault_of(path: Path) -> ProjectError | None:
    """What is wrong with the project at `path`, with which something unforeseen has happened.

    None if nothing can be found: then the fault is ours.
    """
    try:
        with closing(open_for_reading(path)) as connection:
            with translated_reading(path):
                read_summary(connection, path)
            check_content(connection, path, PATIENCE_S)
    except ProjectError as e:
        return e
    except (KnownError, OSError):
        return None
    return None


def _has_altered_address(connection: sqlite3.Connection, over: threading.Event) -> bool:
    for url, checksum in connection.execute("SELECT url, crc FROM url"):
        if crc32(url.encode()) != checksum:
            return True
        if over.is_set():
            return False
    return False


@cache
def _queries_of_tables() -> dict[str, str]:
    """Each gives a row if there is one in its table that we never write."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {name: _query(connection, name) for (name,) in rows}


def remove_nonsense(connection: sqlite3.Connection) -> None:
    """Remove rows, whose types are right, with numbers that we never write.

    Of projects, URLs and links nothing is removed: what is wrong with one of them is made up for.
    """
    for table in _REMOVABLE:
        connection.execute(f"DELETE FROM {table} WHERE NOT ({_SENSE[table]})")  # noqa: S608 - our own words


def makes_sense(connection: sqlite3.Connection, table: str) -> bool:
    """Whether each row of a table of a project is one that we write."""
    if connection.execute(_queries_of_tables()[table]).fetchone() is not None:
        return False
    if table not in {"url", "root"}:
        return True
    rows = connection.execute(f"SELECT url, crc FROM {table}")  # noqa: S608 - our own names
    return all(crc32(url.encode()) == checksum for url, checksum in rows)


def _query(connection: sqlite3.Connection, table: str) -> str:
    conditions = [f"NOT ({_SENSE[table]})"] if table in _SENSE else []
    for _, name, kind, not_null, _, key in connection.execute(f"PRAGMA table_info({table})"):
        types = _TYPES[kind] if not_null or key else f"{_TYPES[kind]}, 'null'"
        conditions.append(f"typeof({name}) NOT IN ({types})")
    return f"SELECT 1 FROM {table} WHERE {' OR '.join(conditions)} LIMIT 1"  # noqa: S608 - our own names
