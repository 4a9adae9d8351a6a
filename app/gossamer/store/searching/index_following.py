"""Brings the search index of a project up to date, and says how far it has come."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gossamer.model.errors import ProjectError
from gossamer.store.searching.index_files import index_path, make_room
from gossamer.store.searching.search_index import SearchIndex, ensure_index

MERGE_STEPS: Final = 4
"""Steps of merging, for each of following: 40 ms at most."""


_MUCH: Final = 1_000
"""Blocks: with so many more, an index may take the room of others."""


class IndexProgress(NamedTuple):
    """How many blocks of texts are entered, of how many; `is_remade` as the index was damaged."""

    done: int
    total: int
    is_remade: bool = False


def last_block(project: sqlite3.Connection) -> int:
    """The number of the last block of texts of a project; 0 if it has none."""
    return int(project.execute("SELECT coalesce(max(id), 0) FROM text_block").fetchone()[0])


def waiting_blocks(project: sqlite3.Connection) -> int:
    """How many blocks of texts its index does not have yet; all where it cannot be read."""
    last, path = last_block(project), index_path(project)
    with suppress(ProjectError), SearchIndex(path) as index:
        return max(last - index.block, 0)
    return last


def bring_up_to_date(
    project: sqlite3.Connection,
    go_on: Callable[[IndexProgress], None],
    *,
    is_remade: bool = False,
) -> Path:
    """Enter what is new, and merge as much as that, or a little; the file of the index.

    `go_on` is told between any two steps, and ends it by raising. IndexDamagedError, DiskError.
    """
    path = ensure_index(project)
    with SearchIndex(path) as index:
        if last_block(project) - index.block >= _MUCH:
            make_room(path)
        steps = MERGE_STEPS
        while index.follow(project):
            go_on(IndexProgress(index.block, last_block(project), is_remade))
            steps += MERGE_STEPS
        done = IndexProgress(index.block, index.block, is_remade)
        while steps and index.merge():
            go_on(done)
            steps -= 1
    return path
