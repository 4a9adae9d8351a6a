"""Finds the pages of a project that match a search, by its index: see `store.searching`.

They stand in a table of the connection, so that a search is a condition like any other.
"""

import sqlite3
from array import array
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.index_progress import IndexBehindError, Indexing, IndexProgress
from gossamer.model.outcome_counts import FORMER
from gossamer.model.search_query import Query, Search, SearchTerm
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.text_cleaning import one_line
from gossamer.store.bulk_insert import listed, marks
from gossamer.store.database import damaged, primary_code
from gossamer.store.reading.read_interrupted import ReadInterrupted
from gossamer.store.reading.score_order import ScoreOrder
from gossamer.store.reading.search_hit_table import TABLES, SearchHitTable
from gossamer.store.reading.search_narrowing import WANTED
from gossamer.store.reading.search_ranking import BEST_FIRST, RANKED, best_hits, rank_hits
from gossamer.store.searching.incremental_indexing import (
    FAR_BEHIND,
    bring_up_to_date,
    last_block,
    usable_index,
    waiting_blocks,
)
from gossamer.store.searching.index_files import index_path, remove_index
from gossamer.store.searching.match_expression import text_expression
from gossamer.store.searching.search_index import (
    IndexDamagedError,
    file_of_project,
    reading_index,
)
from gossamer.store.stored_settings import settings_in
from gossamer.urls.url_parsing import url_key, without_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_FOUND_IDS: Final = (
    "SELECT h.id FROM temp.search_hit AS h CROSS JOIN main.url AS u ON u.id = h.id"  # noqa: S608 - our own numbers
    f" WHERE u.outcome NOT IN ({listed(FORMER)}) AND h.id > ? ORDER BY h.id"
)
_IS_KNOWN_NOW: Final = f"SELECT 1 FROM main.url WHERE id = ? AND outcome NOT IN ({listed(FORMER)})"  # noqa: S608 - our own numbers
_ENTERED: Final = "SELECT block, stamp FROM search.followed"
_Found: TypeAlias = tuple[Search, int, int, int]
"""What was searched for, in which version of the project, and up to which block of its texts."""
_LINK_TEXTS: Final = """
    WITH best (text, rank) AS MATERIALIZED (
        SELECT rowid, bm25(link_text) FROM search.link_text WHERE link_text MATCH ?
    )
    SELECT o.target, x.value, min(b.rank) FROM best AS b
    CROSS JOIN search.anchor_of AS o ON o.text = b.text CROSS JOIN main.text AS x ON x.id = b.text
    WHERE +o.target IN ({ids}) GROUP BY o.target
"""
"""With `min`, SQLite takes the other columns from that row."""
_CACHES: Final = ("PRAGMA search.cache_size=-16384", "PRAGMA temp.cache_size=-8192")
"""For the lists of common words, which one search reads several times, and what is found. With
SQLite's 2 MB for each, a search for many pages takes up to a fifth longer."""
FIRST: Final = 200
"""Pages that are shown before all are read."""
_IS_KNOWN: Final = f"{WANTED} SELECT 1 FROM wanted"  # noqa: S608 - our own words


class SearchHits:
    """Keeps `temp.search_hit` on one connection: the hits of the latest search."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take a connection that only reads."""
        self._connection = connection
        self._attached: tuple[Path, int, int] | None = None
        self._found: _Found | None = None
        self._is_interrupted = False
        self._score_order = ScoreOrder(connection)
        self.indexing = Indexing.ITSELF
        """What is done where the index is FAR_BEHIND."""
        self.tell_progress: Callable[[IndexProgress], None] | None = None
        """Called, on the thread that searches, while an index is brought up to date."""

    def find(self, search: Search, *, is_hurried: bool = False) -> None:
        """Look for pages, unless nothing has changed since.

        `is_hurried`: without those whose texts are not in the index yet. UsageError for what is no
        query, where no texts were kept, or for a URL that is not known; ProjectError where the
        index cannot be made.
        """
        query = search.query
        self._is_interrupted = False
        search = replace(search, not_linking_to=self._ensure_possible(search))
        self._connection.execute("PRAGMA query_only=OFF")
        try:
            self._look_in_index(search, query, is_hurried=is_hurried)
        except IndexDamagedError:
            self._look_anew(search, query)
        except sqlite3.OperationalError as e:
            if primary_code(e) == sqlite3.SQLITE_INTERRUPT:
                raise ReadInterrupted from e
            raise
        finally:
            self._connection.execute("PRAGMA query_only=ON")

    def first(self, search: Search) -> "array[int]":
        """The best FIRST pages, in order; raises as `find`.

        Where others may have to be waited for, those of the index as it is: to enter what a crawl
        has committed in the last seconds takes longer than the search.
        """
        self.find(search, is_hurried=self.indexing is not Indexing.ITSELF)
        return array("q", filter(self._is_known, best_hits(self._connection, FIRST)))

    def _is_known(self, url_id: int) -> bool:
        return self._connection.execute(_IS_KNOWN_NOW, (url_id,)).fetchone() is not None

    def _ensure_possible(self, search: Search) -> str:
        """The URL that pages must not link to; that of a page, where its views are none."""
        if not last_block(self._connection):
            self._ensure_kept()
        url = search.not_linking_to
        if not url:
            return url
        for each in (url, without_fragment(url)):
            if self._connection.execute(_IS_KNOWN, (url_key(each), each)).fetchone() is not None:
                return each
        raise UsageError(
            "{url} is not in the project; spell it as it is there.", url=one_line(url, 200)
        )

    def _ensure_kept(self) -> None:
        """UsageError unless the crawl keeps texts; it may not have come to any page yet."""
        settings = DEFAULTS
        with suppress(ValueError, TypeError):
            settings = settings_in(self._connection)
        if settings.full_text_search:
            return
        if settings.source is not None:
            raise UsageError(
                "The texts of these archives were not kept; to search them, import them again with "
                "the setting Full-text search (--full-text-search)."
            )
        raise UsageError(
            "The texts of this crawl were not kept; to search them, crawl again with the "
            "setting Full-text search (--full-text-search)."
        )

    def _look_anew(self, search: Search, query: Query) -> None:
        """Look in an index that takes the place of a damaged one."""
        remove_index(index_path(self._connection))
        try:
            self._look_in_index(search, query, is_remade=True)
        except IndexDamagedError as e:  # it is not the index that is
            raise damaged(file_of_project(self._connection)) from e

    def _look_in_index(
        self, search: Search, query: Query, *, is_hurried: bool = False, is_remade: bool = False
    ) -> None:
        self._ensure_near()
        path = usable_index(self._connection) if is_hurried else None
        if path is None:
            path = bring_up_to_date(self._connection, self._go_on, is_remade=is_remade)
        with reading_index(path):
            self._attach(path)
            (version,) = self._connection.execute("PRAGMA main.data_version").fetchone()
            found = (search, version, *self._connection.execute(_ENTERED).fetchone())
            if found != self._found:
                self._found = None
                # What links to a page is not what it mentions itself.
                uses_anchors = not search.not_linking_to and not search.is_absent
                table = SearchHitTable(self._connection, uses_anchors=uses_anchors)
                table.fill(query, search.not_linking_to)
                rank_hits(self._connection, query, self._score_order)
                self._found = found

    def _ensure_near(self) -> None:
        """Have the index not be far behind, or have this be the one to enter the texts."""
        if self.indexing is Indexing.ITSELF or waiting_blocks(self._connection) < FAR_BEHIND:
            return
        if self.indexing is Indexing.ELSEWHERE:
            raise IndexBehindError
        raise UsageError("The search index is not complete; search again to complete it.")

    def found_ids(self, after: int) -> "array[int]":
        """The ids of all pages that were found, in the order of discovery; those above `after`."""
        rows = self._connection.execute(_FOUND_IDS, (after,))
        return array("q", chain.from_iterable(rows))

    def best_first(self, ids: "array[int]") -> "array[int]":
        """These ids, which are sorted, with the best first; those behind are as they were."""
        (count,) = self._connection.execute("SELECT count(*) FROM temp.search_hit").fetchone()
        if len(ids) == count:
            best = array("q", best_hits(self._connection, RANKED))
        else:
            wanted, rows = frozenset(ids), self._connection.execute(BEST_FIRST, (count,))
            best = array("q", islice((x for x, *_ in rows if x in wanted), RANKED))
        ranked = frozenset(best)
        best.extend(each for each in ids if each not in ranked)
        return best

    def texts_of_links(self, ids: "Sequence[int]", terms: "Sequence[SearchTerm]") -> dict[int, str]:
        """Of those of these pages that links with any of these terms lead to, the best text."""
        if self._attached is None:
            return {}
        rows = self._connection.execute(
            _LINK_TEXTS.format(ids=marks(len(ids))), (text_expression(terms), *ids)
        )
        return {url_id: text for url_id, text, _ in rows}

    def interrupt(self) -> None:
        """End the search that is running, if one is: after a step. Call from any thread."""
        self._is_interrupted = True

    def _go_on(self, progress: IndexProgress) -> None:
        if self._is_interrupted:
            raise ReadInterrupted
        if self.tell_progress is not None:
            self.tell_progress(progress)

    def _attach(self, path: Path) -> None:
        """Have the index at hand, unless it is; another one may have taken its place."""
        status = path.stat()
        attached = (path, status.st_dev, status.st_ino)
        if attached == self._attached:
            return
        if self._attached:
            self._attached = self._found = None
            self._connection.execute("DETACH search")
        self._connection.execute("ATTACH ? AS search", (f"{path.as_uri()}?mode=rw",))
        for table in TABLES:
            self._connection.execute(table)
        for setting in _CACHES:
            self._connection.execute(setting)
        self._attached = attached
