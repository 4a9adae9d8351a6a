"""The pages with common prefixes are listed in the search index, and searches use the lists."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gossamer.child_processes import site_auditor
from gossamer.child_processes.search_indexer import PREPARING, SEARCH_INDEX
from gossamer.child_processes.site_auditor import AUDIT
from gossamer.model.errors import DiskError
from gossamer.model.messages.audit_messages import StartAudit
from gossamer.model.messages.search_messages import IndexTexts
from gossamer.model.project_queries import Filter, Order, View
from gossamer.model.search_query import RELEVANCE, Query, Search, SearchTerm
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.database import open_for_reading
from gossamer.store.reading.query_part_pages import QueryPartPages
from gossamer.store.reading.reader import Reader
from gossamer.store.searching import incremental_indexing, prefix_lists, search_index
from gossamer.store.searching.incremental_indexing import IncrementalIndexer, list_prefixes
from gossamer.store.searching.index_files import index_path
from gossamer.store.searching.page_bitmaps import IN_BITMAP
from gossamer.store.searching.prefix_lists import RARE_IN, listed_pages
from gossamer.store.searching.search_index import SearchIndex
from gossamer.store.text_blocks import BLOCK_BYTES
from tests.fakes.crawled import SITE, Crawled

if TYPE_CHECKING:
    from gossamer.model.messages.process_messages import ProcessStep

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)
TEXTS = {
    "/": "All standard things, standing and stated",
    "/std": "std::string and a Straße",
    "/code": "constant code, co-operation, 11.5 percent",
    "/état": "État, étage; Ñandú",
    "/ru": "Привет, простая проба",
    "/中": "中文文件名和目录",
    "/日": "ファイルの名前、ファイルシステム",
    "/ไทย": "ภาษาไทยและภาษาอื่น",
    "/none": "",
}
QUERIES = (
    *("st*", "ST*", "stra*", "straß*", "co*", "con*", "et*", "ét*", "ÉT*", "na*", "11*", "п*"),
    *("пр*", "Про*", "文", "文件", "フ", "ファイ", "ภ*", "ภา*", "st* co*", "st* -co*", "-st*"),
    *(
        "-st* -co*",
        "st* OR co*",
        "(st* OR пр*) string",
        "std st*",
        "in:title st*",
        "st* status:200",
    ),
    *(
        "st* status:200",
        "(st* OR std OR в*) -all",
        "-(std OR co*)",
        "(st* status:404) OR co*",
        "(status:200 OR all) st*",
        "(status:404 OR all OR пр*) -co*",
        "std -(folder:/std/ OR in:title état)",
        "((st* -co*) OR (status:200 string)) -(status:404 OR 文)",
        "co-op*",
        '"standing st*"',
        "address:st*",
        "zz*",
        "string st* a*",
    ),
)


def noted(_done: int, _total: int) -> None:
    """Nothing ends it."""


def found(path: Path, words: str) -> list[int] | str:
    with Reader(path) as reader:
        try:
            search = Search(words)
            return list(reader.ids(View.ALL, Filter(search=search), Order(RELEVANCE)))
        except Exception as e:  # noqa: BLE001 - what is refused stays so
            return str(e)


def lists_of(path: Path) -> set[str]:
    """The prefixes that are listed."""
    with (
        closing(open_for_reading(path)) as project,
        closing(sqlite3.connect(index_path(project))) as index,
    ):
        return {prefix for (prefix,) in index.execute("SELECT prefix FROM listed_prefix")}


def set_limits(patch: pytest.MonkeyPatch, *, pages: int, positions: int) -> None:
    """Have lists from so many pages on, for prefixes with so many positions; all are sampled."""
    patch.setattr(prefix_lists, "LEAST_PAGES", pages)
    patch.setattr(incremental_indexing, "LEAST_PAGES", pages)
    patch.setattr(prefix_lists, "HEAVY", positions)
    patch.setattr(prefix_lists, "LEAST_SAMPLED", 1)
    patch.setattr(prefix_lists, "MOST_LISTS", 1_000)
    patch.setattr(prefix_lists, "is_sampled", lambda _place: True)


def pages_listed(path: Path, prefix: str) -> list[int]:
    """The pages in the list of a prefix, in the order of their places."""
    return all_pages_listed(path, [prefix])[prefix]


def all_pages_listed(path: Path, prefixes: Iterable[str]) -> dict[str, list[int]]:
    """The pages in the list of each prefix."""
    found = {}
    with closing(open_for_reading(path)) as project:
        project.execute("ATTACH ? AS search", (f"{index_path(project).as_uri()}?mode=ro",))
        is_in_bitmap = IN_BITMAP.format(place="id")
        sql = f"SELECT url FROM search.place WHERE {is_in_bitmap} ORDER BY id"  # noqa: S608 - our own words
        for prefix in prefixes:
            pages = listed_pages(project, SearchTerm(prefix, is_prefix=True))
            assert pages is not None
            found[prefix] = [url for (url,) in project.execute(sql, (pages,))]
    return found


def counted(path: Path) -> set[str]:
    """The prefixes that the sample counts."""
    with (
        closing(open_for_reading(path)) as project,
        closing(sqlite3.connect(index_path(project))) as index,
    ):
        return {prefix for (prefix,) in index.execute("SELECT prefix FROM prefix_sample")}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any prefix of any project is worth a list."""
    set_limits(monkeypatch, pages=1, positions=1)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for path, text in TEXTS.items():
            crawled.page(path, "/std", title=text[:9], text=text.encode())
        return crawled.path


def test_searches_find_the_same_with_lists_in_the_same_order(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {words: found(site, words) for words in QUERIES}
    assert len(before["st*"]) > 1
    list_prefixes(site, noted)
    assert {"st", "stra", "et", "пр", "п", "文", "文件", "フ", "ภา", "11"} <= lists_of(site)
    assert not {"s", "1", "é", "ét", "stand"} & lists_of(site)
    used = []
    page_bitmap_of = QueryPartPages.page_bitmap_of

    def counted(self: QueryPartPages, part: Query) -> bytes | None:
        pages = page_bitmap_of(self, part)
        used.append(pages is not None)
        return pages

    monkeypatch.setattr(QueryPartPages, "page_bitmap_of", counted)
    assert {words: found(site, words) for words in QUERIES} == before
    assert sum(used) > len(QUERIES) // 2


def test_whoever_enters_texts_keeps_the_lists_up(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        old = crawled.page("/", text=b"standard")
        changed = crawled.page("/changed", text=b"standard")
        list_prefixes(crawled.path, noted)
        assert found(crawled.path, "st*") == [old, changed]
        crawled.page("/changed", text=b"nothing")
        new = crawled.page("/new", text="état stones".encode())
        assert found(crawled.path, "st*") == [old, new]
        assert set(pages_listed(crawled.path, "st")) == {old, changed, new}
        assert "et" not in lists_of(crawled.path)
        list_prefixes(crawled.path, noted)
        assert pages_listed(crawled.path, "et") == [new]


@pytest.mark.parametrize("most", [1, 3, 20])
def test_lists_have_the_pages_that_fts5_finds(tmp_path: Path, most: int) -> None:
    """However many blocks are entered together, in whichever part of a list they are."""
    path = tmp_path / "a.gossamer"
    with Crawled(path, SETTINGS) as crawled:
        crawled.page("/", text=" ".join(TEXTS.values()).encode())
        list_prefixes(path, noted)
        for number in range(20):
            text = list(TEXTS.values())[number % len(TEXTS)]
            crawled.page(f"/{number}", text=f"{text} {'x' * BLOCK_BYTES}".encode())
        with closing(open_for_reading(path)) as project, SearchIndex(index_path(project)) as index:
            while index.follow(project, most):
                pass
    lists = all_pages_listed(path, lists_of(path))
    assert len(lists) > 100
    with closing(open_for_reading(path)) as project:
        index_file = index_path(project)
    with closing(sqlite3.connect(index_file)) as index:
        for prefix, pages in lists.items():
            sql = "SELECT url FROM page JOIN place ON place.id = page.rowid WHERE page MATCH ?"
            rows = [url for (url,) in index.execute(sql, (f'"{prefix}" *',))]
            assert pages == rows, prefix


def test_a_prefix_is_listed_with_each_batch_of_a_crawl_the_heaviest_first(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        with IncrementalIndexer(crawled.path) as indexer:
            for number in range(3):
                crawled.page(f"/{number}", text=b"stone stonework standard steel zebra")
                indexer.enter_batch()
        assert len(lists_of(crawled.path)) == 3
        assert "st" in lists_of(crawled.path)
        assert len(pages_listed(crawled.path, "st")) == 3


def test_what_few_words_of_the_sample_begin_with_is_no_longer_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefix_lists, "HEAVY", 1_000)
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/0", text=b"zebra")
        assert found(crawled.path, "zebra")
        assert "ze" in counted(crawled.path)
        for number in range(1, RARE_IN + 1):
            crawled.page(f"/{number}", text=b"stone")
        assert found(crawled.path, "stone")
        assert "ze" not in counted(crawled.path)
        assert "st" in counted(crawled.path)


def test_a_damaged_list_is_passed_over_and_made_again(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        old = crawled.page("/", text=b"stones")
        list_prefixes(crawled.path, noted)
        with closing(open_for_reading(crawled.path)) as project:
            index_file = index_path(project)
        with closing(sqlite3.connect(index_file)) as index, index:
            index.execute("UPDATE prefix_list SET pages = x'00' WHERE prefix = 'st'")
        assert found(crawled.path, "st*") == [old]
        new = crawled.page("/new", text=b"stones")
        assert found(crawled.path, "st*") == [old, new]
        assert "st" not in lists_of(crawled.path)
        list_prefixes(crawled.path, noted)
        assert pages_listed(crawled.path, "st") == [old, new]


def test_a_list_with_a_damaged_part_has_no_part_of_it_left(tmp_path: Path) -> None:
    """Also where one transaction adds to the damaged part and to another."""
    path = tmp_path / "a.gossamer"
    with Crawled(path, SETTINGS) as crawled:
        old = crawled.page("/", text=b"stones")
        list_prefixes(path, noted)
        with closing(open_for_reading(path)) as project:
            index_file = index_path(project)
        with closing(sqlite3.connect(index_file)) as index, index:
            index.execute("UPDATE prefix_list SET pages = x'00' WHERE prefix = 'st'")
        new = [
            crawled.page(f"/{number}", text=f"stones {'x' * BLOCK_BYTES}".encode())
            for number in range(20)
        ]
        with closing(open_for_reading(path)) as project, SearchIndex(index_path(project)) as writer:
            while writer.follow(project, 40):
                pass
        with closing(sqlite3.connect(index_file)) as rows:
            parts = rows.execute("SELECT part FROM prefix_list WHERE prefix = 'st'").fetchall()
        assert parts == []
        assert set(found(path, "st*")) == {old, *new}


def test_a_list_with_a_damaged_part_that_is_not_added_to_is_made_again(site: Path) -> None:
    list_prefixes(site, noted)
    before = pages_listed(site, "st")
    with closing(open_for_reading(site)) as project:
        index_file = index_path(project)
    with closing(sqlite3.connect(index_file)) as index, index:
        index.execute("UPDATE prefix_list SET pages = x'00' WHERE prefix = 'st'")
    list_prefixes(site, noted)
    assert pages_listed(site, "st") == before


def test_a_few_long_pages_do_not_say_which_prefixes_are_heavy(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefix_lists, "LEAST_SAMPLED", len(TEXTS) + 1)
    list_prefixes(site, noted)
    assert lists_of(site) == set()


def test_there_are_so_many_lists_at_most(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix_lists, "MOST_LISTS", 7)
    list_prefixes(site, noted)
    assert len(lists_of(site)) == 7
    list_prefixes(site, noted)
    assert len(lists_of(site)) == 7


def test_listing_goes_on_where_it_was_ended_and_is_done_once(site: Path) -> None:
    class EndedError(Exception):
        pass

    def end_at_the_fifth(done: int, _total: int) -> None:
        if done == 5:
            raise EndedError

    with pytest.raises(EndedError):
        list_prefixes(site, end_at_the_fifth)
    assert len(lists_of(site)) == 5, "the heaviest"
    assert found(site, "st*")
    told: list[tuple[int, int]] = []
    list_prefixes(site, lambda *far: told.append(far))
    assert "st" in lists_of(site)
    assert told[-1][0] == told[-1][1] - 1
    del told[:]
    list_prefixes(site, lambda *far: told.append(far))
    assert set(told) <= {(0, 1)}, "nothing is listed again"


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_the_audit_prepares_searches_of_large_projects(
    site: Path, monkeypatch: pytest.MonkeyPatch, *, is_cancelled: bool
) -> None:
    """Cancelled then, the audit is done all the same."""
    steps: list[ProcessStep] = []
    audited: list[Path] = []

    def audit(project: Path, *_: object) -> None:
        audited.append(project)

    monkeypatch.setattr(site_auditor, "run_site_audit", audit)
    AUDIT.work(StartAudit(str(site)), steps.append, lambda: is_cancelled)
    assert audited == [site]
    assert ("st" in lists_of(site)) is not is_cancelled
    assert {each.stage for each in steps} == (set() if is_cancelled else {PREPARING})


def test_a_full_disk_spoils_neither_the_audit_nor_the_index(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DiskError("The disk is full.")

    monkeypatch.setattr(site_auditor, "run_site_audit", lambda *_: None)
    monkeypatch.setattr(search_index, "list_prefix", fail)
    AUDIT.work(StartAudit(str(site)), lambda _: None, lambda: False)
    SEARCH_INDEX.work(IndexTexts(str(site)), lambda _: None, lambda: False)
    assert lists_of(site) == set()
    assert found(site, "st*")


def test_an_index_that_is_made_later_has_lists(site: Path) -> None:
    steps: list[ProcessStep] = []
    SEARCH_INDEX.work(IndexTexts(str(site)), steps.append, lambda: False)
    assert "st" in lists_of(site)
    assert steps[-1].stage == PREPARING


def test_small_projects_and_rare_prefixes_have_no_lists(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        set_limits(patch, pages=len(TEXTS) + 1, positions=1)
        list_prefixes(site, noted)
        with closing(open_for_reading(site)) as project:
            assert not index_path(project).exists()
    set_limits(monkeypatch, pages=1, positions=1_000)
    list_prefixes(site, noted)
    assert lists_of(site) == set()
