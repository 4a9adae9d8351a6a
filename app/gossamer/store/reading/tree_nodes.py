"""Reads the nodes of the folder and discovery trees, and the paths to them."""

import sqlite3
from collections.abc import Container, Sequence
from itertools import islice

from msgspec.structs import replace

from gossamer.model.outcome_counts import FORMER
from gossamer.model.project_queries import FolderNode
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.reading.row_mapping import folder
from gossamer.store.reading.worst_errors import WorstInFolders
from gossamer.store.writing.folder_table import MAX_LEVELS

_NODES = """
    SELECT f.id, f.parent, f.name, f.urls, f.errors,
    (SELECT count(*) FROM folder c WHERE c.parent = f.id), f.direct FROM folder f
"""


def subfolders(
    connection: sqlite3.Connection, parent: int | None, known: Container[int], limit: int
) -> list[int]:
    """The ids of `limit` folders right below a folder, or of origins, that are not known, by name.

    There may be any number: an index alone is read.
    """
    query = "SELECT id FROM folder WHERE parent IS ? ORDER BY name"
    ids = connection.execute(query, (parent,)).fetchall()
    return list(islice((folder for (folder,) in ids if folder not in known), limit))


def folder_nodes(
    connection: sqlite3.Connection, trouble: WorstInFolders, ids: Sequence[int]
) -> list[FolderNode]:
    """See `Reader.folder_nodes`."""
    found: dict[int, FolderNode] = {}
    for chunk in chunks(ids):
        rows = connection.execute(f"{_NODES} WHERE f.id IN ({marks(len(chunk))})", chunk)
        found.update((row[0], folder(row)) for row in rows)
    nodes = [found[each] for each in ids if each in found]
    return [replace(x, worst=trouble.worst(x.id)) if x.errors else x for x in nodes]


def folder_path(connection: sqlite3.Connection, names: Sequence[str]) -> list[int]:
    """See `Reader.folder_path`. Ends where folders do: at MAX_LEVELS."""
    path: list[int] = []
    for name in names[:MAX_LEVELS]:
        row = connection.execute(
            "SELECT id FROM folder WHERE parent IS ? AND name = ?",
            (path[-1] if path else None, name),
        ).fetchone()
        if row is None:
            return []
        path.append(row[0])
    return path


def discovery_path(connection: sqlite3.Connection, url_id: int) -> list[int]:
    """See `Reader.path_to`."""
    path: dict[int, None] = {}
    at: int | None = url_id
    while at is not None and at not in path:
        row = connection.execute("SELECT parent, outcome FROM url WHERE id = ?", (at,)).fetchone()
        if row is None or row[1] in FORMER:
            break
        path[at] = None
        at = row[0]
    return [*path][::-1]
