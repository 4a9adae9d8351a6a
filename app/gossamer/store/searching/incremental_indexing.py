"""Updates the search index of a project, and reports the progress."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from gossamer.model.errors import ProjectError
from gossamer.model.index_progress import IndexProgress
from gossamer.store.closed_on_exit import ClosedOnExit
from gossamer.store.database import open_for_reading
from gossamer.store.searching.index_files import index_path, make_room, remove_index
from gossamer.store.searching.prefix_lists import LEAST_PAGES
from gossamer.store.searching.search_index import IndexDamagedError, SearchIndex, ensure_index

MERGE_STEPS: Final = 4
"""Steps of merging, for each of following: 40 ms at most."""
FAR_BEHIND: Final = 256
"""Blocks of texts: what is less is entered by the search itself, within a second or two."""
_MUCH: Final = 1_000
"""Blocks: with so many more, an index may take the room of others."""


def last_block(project: sqlite3.Connection) -> int:
    """The number of the last block of texts of a project; 0 if it has none."""
    return int(project.execute("SELECT coalesce(max(id), 0) FROM text_block").fetchone()[0])


def waiting_blocks(project: sqlite3.Connection) -> int:
    """How many blocks of texts its index does not have yet; all where it cannot be read."""
    last, path = last_block(project), index_path(project)
    with suppress(ProjectError), SearchIndex(path) as index:
        return max(last - index.block, 0)
    return last


def usable_index(project: sqlite3.Connection) -> Path | None:
    """The file of the index, if it has texts of this project and no others."""
    path = ensure_index(project)
    with SearchIndex(path) as index:
        return path if index.follows(project) else None


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


def list_prefixes(project: Path, go_on: Callable[[int, int], None]) -> None:
    """Have the index of a project with many texts list the common prefixes that are not listed.

    Where it is far behind, that is left to searches. `go_on` gets how many lists
    are there, and how many there will be, and ends it by raising. ProjectError where the index
    cannot be used.
    """
    with closing(open_for_reading(project)) as connection:
        if not _has_many_texts(connection) or waiting_blocks(connection) >= FAR_BEHIND:
            return
        path = bring_up_to_date(connection, lambda _: go_on(0, 1))
    with SearchIndex(path) as index:
        total = len(index.unlisted_prefixes())
        for done in range(total):
            go_on(done, total)
            index.list_heaviest()


def _has_many_texts(project: sqlite3.Connection) -> bool:
    (pages,) = project.execute("SELECT count(*) FROM page_text").fetchone()
    return int(pages) >= LEAST_PAGES


class IncrementalIndexer(ClosedOnExit):
    """Enters the texts of one project into its index, in a process for that alone."""

    def __init__(self, project: Path) -> None:
        """Open the project; ProjectError if it cannot be used."""
        self._project = open_for_reading(project)
        self._entered = 0

    def close(self) -> None:
        """Close the project."""
        self._project.close()

    @property
    def waiting(self) -> int:
        """How many blocks of texts were committed since the last one that was entered here."""
        return last_block(self._project) - self._entered

    def enter_batch(self) -> None:
        """Enter the next blocks, and list a prefix, if need be.

        A damaged index is removed: the next batch begins again.
        """
        try:
            with SearchIndex(ensure_index(self._project)) as index:
                index.follow(self._project)
                index.list_heaviest()
                self._entered = index.block
        except IndexDamagedError:
            remove_index(index_path(self._project))
            self._entered = 0

    def enter_all(self, go_on: Callable[[IndexProgress], None]) -> None:
        """Enter all there are; see `bring_up_to_date`. A damaged index is made again."""
        try:
            bring_up_to_date(self._project, go_on)
        except IndexDamagedError:
            remove_index(index_path(self._project))
            bring_up_to_date(self._project, go_on, is_remade=True)
