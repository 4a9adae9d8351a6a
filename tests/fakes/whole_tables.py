"""All rows of all tables of a project, so that two crawls of one site can be compared.

Ids are replaced by what they stand for. Left out is what two crawls by one machine differ in, too.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.rule_evidence import OtherUrl

_TIMES: Final = {"fetched_at", "ttfb_ms", "elapsed_ms", "seen_at", "created_at", "seconds"}
_ORDER: Final = {
    "project": {"content_stamp", "indexed", "settings"},
    "url": {"parent"},  # the first of several pages that link to it
    "visit": {"content_stamp", "tries", "says_new", "header_names", "header_values", "cookies"},
    "audit_state": {"content_stamp"},
    "url_audit": {"near_duplicate_id", "near_duplicate_match"},
}
"""What depends on which answer came first, by table."""
_LEFT_OUT: Final = {
    *("text", "time_count", "extreme", "inlink", "inlink_count", "folder_url", "url_key"),
    "budget",  # what of it is spent depends on which page of a folder was read first
}
"""Ids and times alone; `recount.miscounts` looks after those."""
_TYPES: Final = """
    SELECT value, sum(urls) FROM type_count JOIN text ON text.id = content_type GROUP BY 1
"""
"""A text that was forgotten meanwhile, as by a crawl that goes on, has another id the next time."""
_ISSUE: Final = re.compile(r"rule=(\d+)$")
_NO_ROW: Final = "urls=0"
"""A counter that has gone down to nothing."""
_URLS: Final = {("url_audit", "duplicate_id"), ("url_audit", "near_duplicate_id")}


def table_rows(path: Path) -> dict[str, Counter[tuple[object, ...]]]:
    """By table, the rows that two crawls of one site must have in common, and how often."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in _LEFT_OUT and not name.startswith("sqlite_")
        ]
        meanings = _meanings(connection)
        found = {name: _rows(connection, name, meanings) for name in sorted(names)}
        return {**found, "type_count": Counter(connection.execute(_TYPES))}


def table_differences(one: Path, other: Path) -> list[str]:
    """What is not the same, as lines to read: - what only the first has, + only the other."""
    mine, its = table_rows(one), table_rows(other)
    return [
        f"{table}: {row}"
        for table in sorted(mine.keys() | its.keys())
        for row in _more(mine.get(table), its.get(table))
    ]


def _more(
    mine: Counter[tuple[object, ...]] | None, its: Counter[tuple[object, ...]] | None
) -> list[str]:
    mine, its = mine or Counter(), its or Counter()
    found = [f"- {row}" for row in (mine - its).elements()]
    return found + [f"+ {row}" for row in (its - mine).elements()]


def _meanings(connection: sqlite3.Connection) -> dict[str, dict[Any, object]]:
    """By table, what an id of it stands for."""
    folders: dict[Any, object] = {}
    for key, parent, name in connection.execute("SELECT id, parent, name FROM folder ORDER BY id"):
        folders[key] = f"{folders.get(parent, '')}{name}"
    return {
        "url": dict(connection.execute("SELECT id, url FROM url")),
        "text": dict(connection.execute("SELECT id, value FROM text")),
        "folder": folders,
    }


def _rows(
    connection: sqlite3.Connection, table: str, meanings: Mapping[str, Mapping[Any, object]]
) -> Counter[tuple[object, ...]]:
    keys = connection.execute(f"PRAGMA foreign_key_list({table})")
    referenced = {column: to for _, _, to, column, *_ in keys}
    columns = connection.execute(f"PRAGMA table_info({table})")
    wanted = {}
    for _, name, *_ in columns:
        if name in _TIMES or name in _ORDER.get(table, ()):
            continue
        to = "url" if (table, name) in _URLS else referenced.get(name)
        if name == "id" and table == "folder":
            to = "folder"
        if name == "id" and to is None:
            continue
        wanted[name] = meanings.get(to or "")
    found = connection.execute(f"SELECT {', '.join(wanted) or 'NULL'} FROM {table}")  # noqa: S608 - names of its schema
    rows = (
        tuple(
            f"{name}={value if meaning is None else meaning.get(value)}"
            for (name, meaning), value in zip(wanted.items(), row, strict=True)
        )
        for row in found
    )
    return Counter(_known_value(row) for row in rows if _NO_ROW not in row)


def _known_value(row: tuple[str, ...]) -> tuple[object, ...]:
    """A row; of an issue that names one of several URLs alike, without which one."""
    found = _ISSUE.match(row[0])
    rule = RULES.get(int(found[1])) if found else None
    return row if rule is None or not isinstance(rule.evidence, OtherUrl) else row[:2]
