"""Search in project files: as a filter of tables, followed while they change."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import DiskError, UsageError
from gossamer.model.index_progress import Indexing
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.search_query import RELEVANCE, Search, parse_query
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.project_files import copy_project, delete_project
from gossamer.store import database
from gossamer.store.database import open_for_reading
from gossamer.store.reading.read_interrupted import ReadInterrupted
from gossamer.store.reading.reader import Reader
from gossamer.store.reading.search_hit_table import TABLES, SearchHitTable
from gossamer.store.searching import search_index
from gossamer.store.searching.incremental_indexing import bring_up_to_date
from gossamer.store.searching.index_files import index_path
from gossamer.store.searching.search_index import SearchIndex, ensure_index
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,), full_text_search=True)


def found(path: Path, words: str, view: View = View.ALL, **more: object) -> list[str]:
    """The paths of pages that are found, best first."""
    with Reader(path) as reader:
        return found_by(reader, words, view, **more)


def found_by(reader: Reader, words: str, view: View = View.ALL, **more: object) -> list[str]:
    filter_ = Filter(search=Search(words, **more))  # type: ignore[arg-type]  # each gives what fits
    ids = reader.ids(view, filter_, Order(RELEVANCE))
    return [record.url.removeprefix(SITE) for record in reader.records(ids)]


def first_by(reader: Reader, words: str) -> list[str]:
    """The paths of the pages that are shown before all are read."""
    ids = reader.first_ids(View.ALL, Filter(search=Search(words)), Order(RELEVANCE))
    return [record.url.removeprefix(SITE) for record in reader.records(ids or [])]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/shoes", "/none", title="Start", text=b"All kinds of red things")
        crawled.page("/shoes", title="Red shoes", h1="Shoes", text=b"Red leather, and more red")
        crawled.page("/blue", "/shoes", title="Blue", text=b"As red shoes, but blue")
        crawled.page("/none", text=b"")
        crawled.page("/unkept", title="red")
        return crawled.path


def test_the_best_pages_come_first(site: Path) -> None:
    assert found(site, "red")[0] == "/shoes"
    assert sorted(found(site, "red")) == ["/", "/blue", "/shoes"]
    assert found(site, '"red shoes"') == ["/shoes", "/blue"]
    assert found(site, "in:title red") == ["/shoes"]
    assert found(site, "address:blue") == ["/blue"]


def test_pages_without_words_are_found_and_those_that_do_not_link_somewhere(site: Path) -> None:
    assert sorted(found(site, "leather", is_absent=True)) == ["/", "/blue", "/none"]
    assert sorted(found(site, "-red")) == ["/none"]
    assert found(site, "red", not_linking_to=f"{SITE}/none") == ["/shoes", "/blue"]
    assert found(site, "red", not_linking_to=f"{SITE}/shoes") == [], "nor the page itself"
    with pytest.raises(UsageError, match="/unknown is not in the project"):
        found(site, "blue", not_linking_to=f"{SITE}/unknown")
    assert found(site, "red", not_linking_to=f"{SITE}/shoes") == [], "nothing was left behind"


def test_what_does_not_link_to_a_view_is_found_where_views_are_pages(tmp_path: Path) -> None:
    with Crawled(tmp_path / "views.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/#/cart", title="Start", text=b"Pay here")
        crawled.page("/#/cart", "/", title="Cart", text=b"Pay for all")
        crawled.page("/help", "/", title="Help", text=b"How to pay")
    assert found(crawled.path, "pay", not_linking_to=f"{SITE}/#/cart") == ["/help"]
    assert found(crawled.path, "pay", not_linking_to=f"{SITE}/") == []


def test_a_view_is_its_document_where_views_are_no_pages(site: Path) -> None:
    expected = found(site, "red", not_linking_to=f"{SITE}/none")
    assert found(site, "red", not_linking_to=f"{SITE}/none#/cart") == expected
    with pytest.raises(UsageError, match="/unknown#/cart is not in the project"):
        found(site, "blue", not_linking_to=f"{SITE}/unknown#/cart")


def test_a_search_is_a_condition_like_any_other(site: Path) -> None:
    with Reader(site) as reader:
        red = Search("red")
        ok = Filter(search=red, facets=facet_values(status={200}))
        assert len(reader.ids(View.PAGES, ok)) == 3
        missing = Filter(search=red, facets=facet_values(status={404}))
        assert len(reader.ids(View.PAGES, missing)) == 0
        assert [each.count for each in reader.facet(View.ALL, Filter(search=red), "status")] == [3]
        links = reader.ids(View.LINKS, Filter(search=Search("leather")))
        assert {each.target_url for each in reader.link_records(links)} == {f"{SITE}/shoes"}
        best = reader.ids(View.ALL, Filter(search=red), Order(RELEVANCE))
        assert [each.id for each in reader.iterate(View.ALL, Filter(search=red))] == list(best)


def test_a_query_asks_for_status_language_segment_and_folder(tmp_path: Path) -> None:
    segments = ("Blog=address contains /blog/",)
    settings = CrawlSettings(roots=(SITE,), full_text_search=True, segments=segments)
    with Crawled(tmp_path / "a.gossamer", settings) as crawled:
        crawled.page("/blog/a", text=b"red", language="de-AT")
        crawled.page("/blog/b", text=b"red", language="den")
        crawled.page("/docs/a", text=b"red blue", language="de")
        crawled.page("/docsy", text=b"red")
        crawled.page("/docs/none", language="de")
    pages = {
        "red status:200": {"/blog/a", "/blog/b", "/docs/a", "/docsy"},
        "red status:4xx": set(),
        "red -status:2xx": set(),
        "language:DE": {"/blog/a", "/docs/a"},
        "language:de-at": {"/blog/a"},
        "red segment:blog": {"/blog/a", "/blog/b"},
        "red -segment:Blog": {"/docs/a", "/docsy"},
        "folder:/docs": {"/docs/a"},
        f"red folder:{SITE}/blog/": {"/blog/a", "/blog/b"},
        "(folder:/docs/ OR segment:Blog) -blue": {"/blog/a", "/blog/b"},
        '"folder:/docs/"': set(),
    }
    assert {words: set(found(crawled.path, words)) for words in pages} == pages
    with pytest.raises(UsageError, match="status:404 or status:4xx"):
        found(crawled.path, "status:red")
    with pytest.raises(UsageError, match="folder: without a value"):
        found(crawled.path, "red folder:(blue)")


def test_very_many_pages_are_found_in_few_statements(tmp_path: Path) -> None:
    """Each statement is a transaction, which takes longer than a page."""
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(100):
            crawled.page(f"/red/{number}", text=b"red")
        crawled.page("/blue", text=b"blue")
    with closing(open_for_reading(crawled.path)) as connection:
        index = bring_up_to_date(connection, lambda _: None)
        connection.execute("PRAGMA query_only=OFF")
        connection.execute("ATTACH ? AS search", (f"{index.as_uri()}?mode=rw",))
        for table in TABLES:
            connection.execute(table)
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        query = parse_query("(folder:/red OR green) -blue")
        SearchHitTable(connection, uses_anchors=True).fill(query)
        connection.set_trace_callback(None)
        found = connection.execute("SELECT count(*) FROM temp.search_hit").fetchone()
    assert found == (100,)
    assert sum("INSERT INTO temp.search_hit" in each for each in statements) < 20


def test_it_follows_a_crawl_that_goes_on(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", text=b"old")
        with Reader(crawled.path) as reader:
            assert found_by(reader, "old") == ["/"]
            crawled.page("/a", text=b"old and new")
            crawled.page("/", text=b"new")
            assert found_by(reader, "old") == ["/a"]
            assert sorted(found_by(reader, "new")) == ["/", "/a"]
            crawled.page("/", text=None)
            assert found_by(reader, "new") == ["/a"]


def test_an_index_that_is_gone_damaged_or_of_another_copy_is_made_anew(
    site: Path, tmp_path: Path
) -> None:
    assert len(found(site, "red")) == 3
    with closing(sqlite3.connect(site)) as connection:
        index = index_path(connection)
    for damage in (b"", b"not a database" * 1000, index.read_bytes()[:5000]):
        index.write_bytes(damage)
        assert len(found(site, "red")) == 3
    index.unlink()
    assert len(found(site, "red")) == 3
    copy = tmp_path / "copy.gossamer"
    copy.write_bytes(site.read_bytes())
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE text_block SET stamp = stamp + 1")
        connection.execute("DELETE FROM page_text WHERE id = 1")
    with Reader(copy) as reader:
        reader.choose_indexing(Indexing.ELSEWHERE)
        assert len(first_by(reader, "red")) == 2
    assert len(found(copy, "red")) == 2
    assert len(found(site, "red")) == 3


def test_several_may_follow_and_what_is_undone_is_entered_again(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(site, isolation_level=None)) as project:
        path = ensure_index(project)
        with SearchIndex(path) as one, SearchIndex(path) as other:
            assert one.follow(project, 1)
            with monkeypatch.context() as patch:

                def fail(text: str) -> str:
                    raise RuntimeError(text)

                patch.setattr(search_index, "indexable", fail)
                with pytest.raises(RuntimeError):
                    other.follow(project, 1)
            while other.follow(project, 1) or one.follow(project, 1):
                pass
            one.merge()
    assert sorted(found(site, "red")) == ["/", "/blue", "/shoes"]


@pytest.mark.parametrize(
    ("source", "what"), [(None, "crawl again"), (ArchiveSource(("a.warc",)), "import them again")]
)
def test_a_project_without_texts_says_how_to_get_them(
    source: ArchiveSource | None, what: str, tmp_path: Path
) -> None:
    with Crawled(tmp_path / "a.gossamer", CrawlSettings(roots=(SITE,), source=source)) as crawled:
        crawled.page("/")
    with pytest.raises(UsageError, match=rf"{what} with the setting .*\(--full-text-search\)"):
        found(crawled.path, "red")
    with pytest.raises(UsageError, match="AND with nothing"):
        found(crawled.path, "AND")


def test_very_many_pages_are_found_and_the_best_of_them_ranked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.store.reading.search_hits.RANKED", 2)
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(5):
            crawled.page(f"/{number}", title="Red" if number == 3 else None, text=b"red")
    assert found(crawled.path, "red") == ["/3", "/0", "/1", "/2", "/4"]


def test_texts_and_snippets_are_read(site: Path) -> None:
    with Reader(site) as reader:
        ids = reader.ids(View.ALL)
        assert reader.has_texts()
        assert reader.page_text(ids[0]) == "All kinds of red things"
        cut = reader.excerpts(ids, Search("red"))
        assert cut[ids[0]].marks == [(13, 16)]
        assert reader.excerpts(ids, Search("red", is_absent=True))[ids[0]].marks == []


def segments(index: Path) -> int:
    with closing(sqlite3.connect(index)) as connection:
        (count,) = connection.execute("SELECT count(DISTINCT segid) FROM page_idx").fetchone()
        return int(count)


def unused_pages(index: Path) -> int:
    with closing(sqlite3.connect(index)) as connection:
        return int(connection.execute("PRAGMA freelist_count").fetchone()[0])


def test_an_index_is_merged_when_enough_was_added_and_not_before(tmp_path: Path) -> None:
    with (
        Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled,
        closing(sqlite3.connect(crawled.path, isolation_level=None)) as project,
    ):
        for number in range(30):
            crawled.page(f"/{number}", text=f"red {number} ".encode() * 2000)
        path = ensure_index(project)
        with SearchIndex(path) as index:
            while index.follow(project, 1):
                pass
        assert segments(path) > 4
        assert len(found(crawled.path, "red")) == 30
        assert segments(path) == 1
        assert unused_pages(path) == 0
        crawled.page("/more", text=b"red")
        assert len(found(crawled.path, "red")) == 31
        assert segments(path) == 2, "one of thirty is not worth the work"
        with SearchIndex(path) as index:
            assert not index.merge()


def test_merging_goes_on_where_it_was_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_index, "_MERGED", 1)
    monkeypatch.setattr("gossamer.store.searching.incremental_indexing.MERGE_STEPS", 1)
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for number in range(40):
            text = " ".join(f"red{number * 200 + each}" for each in range(200))
            crawled.page(f"/{number}", text=text.encode())
        with closing(sqlite3.connect(crawled.path, isolation_level=None)) as project:
            path = ensure_index(project)
            with SearchIndex(path) as index:
                while index.follow(project, 1):
                    pass
    steps = 0
    while segments(path) > 1:
        assert len(found(crawled.path, "red*")) == 40
        steps += 1
        assert steps < 1000
    assert steps > 1


def test_a_search_ends_between_two_steps_when_it_is_interrupted(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Reader(site) as reader:
        with monkeypatch.context() as patch:
            following = SearchIndex.follow

            def follow(self: SearchIndex, project: sqlite3.Connection) -> bool:
                following(self, project, 1)
                reader.interrupt()
                return True

            patch.setattr(SearchIndex, "follow", follow)
            with pytest.raises(ReadInterrupted):
                found_by(reader, "red")
        assert len(found_by(reader, "red")) == 3


def test_an_index_goes_with_its_project_and_with_time(site: Path, tmp_path: Path) -> None:
    with Crawled(tmp_path / "b.gossamer", SETTINGS) as other:
        other.page("/", text=b"blue")
    copy = tmp_path / "copy.gossamer"
    copy_project(site, copy)
    with Reader(site) as reader:
        assert len(found_by(reader, "red")) == 3
        with closing(sqlite3.connect(site)) as connection:
            used = index_path(connection)
        assert used.exists()
        delete_project(copy)
        assert not list(used.parent.glob(f"{used.name}*"))
        assert len(found_by(reader, "red")) == 3, "made anew, and attached anew"
        assert len(found_by(reader, "blue")) == 1
    unused = used.with_name("x-1.search")
    unused.touch()
    for each in (used, unused):
        os.utime(each, (0, 0))
    assert len(found(site, "red")) == 3
    assert unused.exists(), "until there is a new one"
    assert found(other.path, "blue") == ["/"]
    assert used.exists()
    assert not unused.exists()


def test_what_was_killed_while_it_was_entered_is_entered_again(site: Path) -> None:
    code = f"""
import os, sqlite3
from gossamer.store.searching import search_index
project = sqlite3.connect({os.fspath(site)!r}, isolation_level=None)
path = search_index.ensure_index(project)
with search_index.SearchIndex(path) as index:
    index.follow(project, 1)
    search_index.indexable = lambda text: os.kill(os.getpid(), 9)
    index.follow(project, 1)
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False)
    assert ended.returncode not in {0, 1}, "killed"
    with closing(sqlite3.connect(site)) as project, SearchIndex(index_path(project)) as index:
        assert index.follow(project, 1), "what was whole before is kept"
    assert sorted(found(site, "red")) == ["/", "/blue", "/shoes"]


def test_a_full_disk_leaves_the_index_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = database.opened

    def small(path: Path, mode: str) -> sqlite3.Connection:
        connection = opened(path, mode)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    with Crawled(tmp_path / "b.gossamer", SETTINGS) as crawled:
        crawled.page("/", text=" ".join(map(str, range(20_000))).encode())
    with monkeypatch.context() as patch:
        patch.setattr(search_index, "opened", small)
        with pytest.raises(DiskError, match="full; free some space"):
            found(crawled.path, "17")
    assert found(crawled.path, "17") == ["/"]


def test_a_project_in_a_folder_that_cannot_be_written_is_searched(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = database.opened

    def refuse(path: Path, mode: str) -> sqlite3.Connection:
        if path == site and "immutable" not in mode:
            error = sqlite3.OperationalError("unable to open database file")
            error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
            raise error
        return opened(path, mode)

    monkeypatch.setattr(database, "opened", refuse)
    before = site.read_bytes()
    assert len(found(site, "red")) == 3
    assert site.read_bytes() == before


def test_the_first_rows_in_the_window_do_not_wait_for_what_is_not_in_the_index(
    tmp_path: Path,
) -> None:
    """All rows, which follow, have it."""
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/a", text=b"red")
        with Reader(crawled.path) as reader:
            reader.choose_indexing(Indexing.ELSEWHERE)
            assert first_by(reader, "red") == ["/a"], "there was no index"
            crawled.page("/b", text=b"red")
            crawled.page("/c", text=b"-")
            assert first_by(reader, "red") == ["/a"]
            assert first_by(reader, "-blue") == ["/a"]
            assert found_by(reader, "red") == ["/a", "/b"]
            assert first_by(reader, "red") == ["/a", "/b"]
            crawled.page("/a", text=b"blue")
            assert first_by(reader, "red") == ["/b"], "its text is another one by now"
            reader.choose_indexing(Indexing.ITSELF)
            assert first_by(reader, "blue") == ["/a"]
