"""The search index follows a crawl, is made again where damaged, and keeps to its room."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.child_processes import search_indexer
from gossamer.child_processes.search_indexer import (
    LOOK_S,
    SEARCH_INDEX,
    STAGE,
    WAIT_S,
    is_due,
    rest_s,
)
from gossamer.model.errors import ProjectError
from gossamer.model.index_progress import IndexProgress
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.messages.search_messages import IndexTexts
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import RELEVANCE, Search
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.reading.reader import Reader
from gossamer.store.searching import index_files
from gossamer.store.searching.incremental_indexing import waiting_blocks
from gossamer.store.searching.index_files import index_path, make_room
from gossamer.store.searching.search_index import BLOCKS, SearchIndex, ensure_index
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


def waiting(path: Path) -> int:
    with closing(sqlite3.connect(path)) as project:
        return waiting_blocks(project)


def index_of_project(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as project:
        return index_path(project)


def found(reader: Reader, words: str) -> int:
    return len(reader.ids(View.ALL, Filter(search=Search(words)), Order(RELEVANCE)))


def follow(path: Path, is_over: Callable[[], bool]) -> None:
    SEARCH_INDEX.work(IndexTexts(str(path), follows=True), lambda _: None, is_over)


def test_a_batch_is_entered_when_it_is_full_or_has_waited_long() -> None:
    assert not is_due(0, 1000)
    assert not is_due(1, WAIT_S / 2)
    assert is_due(1, WAIT_S)
    assert is_due(BLOCKS, 0)


def test_it_rests_less_the_further_it_is_behind() -> None:
    rests = [rest_s(1.0, waiting) for waiting in (0, 4 * BLOCKS, 4 * BLOCKS + 1, 17 * BLOCKS)]
    assert rests == [3.0, 3.0, 1.0, 0.0]


def test_what_is_committed_is_entered_while_the_crawl_goes_on_and_the_rest_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_indexer, "WAIT_S", 0.0)
    monkeypatch.setattr(search_indexer, "LOOK_S", LOOK_S / 1000)
    behind: list[int] = []
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:

        def is_over() -> bool:
            """A page more whenever all are entered."""
            behind.append(waiting(crawled.path))
            if behind[-1] == 0:
                crawled.page(f"/{len(behind)}", text=b"red")
            return behind.count(0) > 3

        follow(crawled.path, is_over)
        assert set(behind) == {0, 1}
        assert waiting(crawled.path) == 0, "the last one, too"
        with Reader(crawled.path) as reader:
            assert found(reader, "red") == behind.count(0)


def test_a_crawl_without_any_text_has_no_index(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/")
    follow(crawled.path, lambda: True)
    assert not index_of_project(crawled.path).exists()


def test_an_index_that_is_removed_or_damaged_meanwhile_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_indexer, "WAIT_S", 0.0)
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", text=b"red")
        index = index_of_project(crawled.path)

        def damage() -> None:
            index.write_bytes(b"no index" * 999)

        harms = iter((index.unlink, damage))

        def is_over() -> bool:
            if waiting(crawled.path):
                return False
            if harm := next(harms, None):
                harm()
                crawled.page("/more", text=b"red")
                return False
            return True

        follow(crawled.path, is_over)
        assert waiting(crawled.path) == 0
        with Reader(crawled.path) as reader:
            assert found(reader, "red") == 2


def test_an_old_project_is_indexed_with_its_progress(tmp_path: Path) -> None:
    steps: list[ProcessStep] = []
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(2 * BLOCKS + 1):
            crawled.page(f"/{number}", text=b"red")
    SEARCH_INDEX.work(IndexTexts(str(crawled.path)), steps.append, lambda: False)
    assert steps[0] == ProcessStep(STAGE, BLOCKS, 2 * BLOCKS + 1)
    assert steps[1] == ProcessStep(STAGE, 2 * BLOCKS, 2 * BLOCKS + 1)
    assert waiting(crawled.path) == 0


def test_what_was_entered_stays_when_it_is_cancelled(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(2 * BLOCKS + 1):
            crawled.page(f"/{number}", text=b"red")
    with pytest.raises(SEARCH_INDEX.cancelled):
        SEARCH_INDEX.work(IndexTexts(str(crawled.path)), lambda _: None, lambda: True)
    assert waiting(crawled.path) == BLOCKS + 1
    with Reader(crawled.path) as reader:
        assert reader.texts_to_enter() == BLOCKS + 1, "it is not said to be whole"
        assert found(reader, "red") == 2 * BLOCKS + 1
        assert reader.texts_to_enter() == 0


def damage_page(index: Path) -> None:
    """The one where the words begin."""
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'page_data'"
        ).fetchone()
    content = bytearray(index.read_bytes())
    content[(root - 1) * size : root * size] = b"\xa5" * size
    index.write_bytes(content)


def test_a_damaged_page_of_the_index_is_noticed_and_the_index_made_again(tmp_path: Path) -> None:
    told: list[IndexProgress] = []
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(BLOCKS + 1):
            crawled.page(f"/{number}", text=b"red")
    with Reader(crawled.path) as reader:
        assert found(reader, "red") == BLOCKS + 1
    damage_page(index_of_project(crawled.path))
    with Reader(crawled.path) as reader:
        reader.tell_indexing(told.append)
        assert found(reader, "red") == BLOCKS + 1
    assert told[0] == IndexProgress(BLOCKS, BLOCKS + 1, is_remade=True)


def test_a_damaged_project_is_not_taken_for_a_damaged_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", text=b"red")

    def fail(_connection: object, *_: object) -> bool:
        error = sqlite3.DatabaseError("database disk image is malformed")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error

    monkeypatch.setattr(SearchIndex, "_enter", fail)
    with Reader(crawled.path) as reader, pytest.raises(ProjectError, match=r"a\.gossamer"):
        found(reader, "red")


def indexes(tmp_path: Path, count: int) -> list[Path]:
    made = []
    for number in range(count):
        with Crawled(tmp_path / f"{number}.gossamer", SETTINGS) as crawled:
            crawled.page("/", text=b"red")
        with closing(sqlite3.connect(crawled.path)) as project:
            made.append(ensure_index(project))
    return made


def test_the_indexes_used_longest_ago_make_room_unless_they_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_files, "data_folder", lambda: tmp_path)
    paths = indexes(tmp_path, 5)
    for age, path in enumerate(paths):
        os.utime(path, (1e9 + age, 1e9 + age))
    size = paths[0].stat().st_size
    make_room(paths[4], 5 * size)
    assert all(path.exists() for path in paths)
    with SearchIndex(paths[0]), SearchIndex(paths[0]):
        make_room(paths[4], 3 * size)
        assert [path.exists() for path in paths] == [True, False, False, True, True]
    make_room(paths[3], 0)
    assert [path.exists() for path in paths] == [False, False, False, True, False]
