"""Indexes that are brought up to date now and then: whatever is in them yet, answers are right."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.crawl_state import LIVE, CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View, facet_values
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.store.reading.reader import Reader
from gossamer.store.writing import deferred_indexes, inlink_tables, url_indexes
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.recount import miscounts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def found(writer: Writer, *paths: str) -> list[int]:
    urls = [SITE + path for path in paths]
    rows = writer.lookup(urls)
    return [rows[url].id for url in urls if url in rows]


@pytest.fixture(params=[0, 4, 1000])
def waiting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many rows may wait to be entered: none, some, or all until the project is closed."""
    monkeypatch.setattr(url_indexes, "FEWEST", request.param)
    monkeypatch.setattr(inlink_tables, "SMALL_FILE", 0)
    monkeypatch.setattr(inlink_tables, "PER_PAGE", 1000)
    monkeypatch.setattr(inlink_tables, "MOST_WAITING", request.param)
    return int(request.param)


def test_urls_are_found_whether_they_are_indexed_or_not(path: Path, waiting: int) -> None:
    with Crawled(path) as crawled, Reader(path) as reader:
        for number in range(5):
            crawled.page(f"/in/{number}", f"/in/{number}/a", f"/in/{number}/b")
            paths = [f"/in/{n}{end}" for n in range(number + 1) for end in ("", "/a", "/b")]
            ids = [crawled.id(each) for each in paths]
            assert found(crawled.writer, *paths) == ids
            assert [reader.lookup(SITE + each) for each in paths] == ids
        indexed = len(rows(path, "SELECT * FROM url_key"))
        assert indexed == {0: 14, 4: 11, 1000: 0}[waiting]  # an eighth may wait anyway
        assert found(crawled.writer, "/in/9") == []
        assert reader.lookup(f"{SITE}/in/9") is None
    assert len(rows(path, "SELECT * FROM url_key")) == 15


def test_folders_list_their_urls_whether_they_are_indexed_or_not(path: Path, waiting: int) -> None:
    del waiting
    with Crawled(path) as crawled, Reader(path) as reader:
        crawled.page("/in/a", "/in/b", "/in/c", "/in/d")
        crawled.page("/in/b", "/in/e", "/out")
        (origin,) = reader.folders(None)
        (folder,) = reader.folders(origin.id)
        assert (folder.urls, folder.direct) == (5, 5)
        assert (origin.urls, origin.direct) == (6, 1)
        assert [node.id for node in reader.folder_urls(folder.id)] == [1, 2, 3, 4, 5]
        assert [node.id for node in reader.folder_urls(folder.id, after=1, limit=3)] == [2, 3, 4]
        assert [node.id for node in reader.folder_urls(folder.id, after=4)] == [5]


def test_url_that_gets_a_folder_late_is_listed_in_it(path: Path, waiting: int) -> None:
    del waiting
    with Crawled(path) as crawled, Reader(path) as reader:
        late = crawled.known("/in/a", Outcome.TOO_DEEP)
        crawled.page("/in/b")
        crawled.page("/in/c")
        crawled.writer.commit(StoreBatch(decided=[(late, Outcome.PENDING, None)]))
        (origin,) = reader.folders(None)
        (folder,) = reader.folders(origin.id)
        assert [node.id for node in reader.folder_urls(folder.id)] == [1, 2, 3]


def test_failed_batch_leaves_no_trace_in_the_indexes(path: Path, waiting: int) -> None:
    del waiting
    with Crawled(path) as crawled:
        crawled.page("/", "/a")
        broken = [UrlRow(3, f"{SITE}/x", Rank(1), Outcome.PENDING) for _ in range(2)]
        with pytest.raises(Exception, match="UNIQUE"):
            crawled.writer.commit(StoreBatch(new=broken))
        assert found(crawled.writer, "/x") == []
        crawled.page("/b", "/c")
        assert found(crawled.writer, "/", "/a", "/b", "/c") == [1, 2, 3, 4]
    assert rows(path, "SELECT id FROM url_key ORDER BY id") == [(1,), (2,), (3,), (4,)]
    assert rows(path, "SELECT indexed FROM project") == [(4,)]


def test_what_a_crash_left_out_is_found_again(path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tests.fakes.crawled import Crawled;"
        "crawled = Crawled(Path(sys.argv[1])); crawled.page('/', '/a'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, path], check=False)
    assert rows(path, "SELECT * FROM url_key") == []
    with Reader(path) as reader:
        assert reader.lookup(f"{SITE}/a") == 2
    with Writer(path) as writer:
        assert found(writer, "/", "/a") == [1, 2]
    assert rows(path, "SELECT indexed FROM project") == [(2,)]
    assert len(rows(path, "SELECT * FROM folder_url")) == 2


def seen(reader: Reader, url_id: int) -> tuple[list[int], tuple[int, int]]:
    """The sources of the links to a URL, read two by two, and their counts."""
    sources: list[LinkRecord] = []
    while found := reader.inlinks(url_id, _place(sources), limit=2):
        sources += found
    counts = reader.link_counts(url_id)
    return [link.source_id for link in sources], (counts.inlinks, counts.unique_inlinks)


def _place(links: list[LinkRecord]) -> tuple[int, int]:
    return (links[-1].source_id, links[-1].position) if links else (0, -1)


def test_inlinks_are_found_whether_they_are_indexed_or_not(path: Path, waiting: int) -> None:
    with Crawled(path) as crawled, Reader(path) as reader:
        for number in range(5):
            crawled.page(f"/{number}", "/hub", f"/{number}/a", "/hub", "/4")
            sources = [crawled.id(f"/{n}") for n in range(number + 1)]
            twice = sorted([*sources, *sources])
            assert seen(reader, crawled.id("/hub")) == (twice, (len(twice), len(sources)))
            leading = Filter(facets=facet_values(outcome={Outcome.PAGE}))
            assert len(reader.ids(View.LINKS, leading)) == (5 if number == 4 else 0)
            assert miscounts(path) == []
        entered = len(rows(path, "SELECT * FROM inlink"))
        assert entered == {0: 15, 4: 13, 1000: 0}[waiting]
    assert len(rows(path, "SELECT * FROM inlink")) == 15
    assert rows(path, "SELECT * FROM unindexed_source") == []


@pytest.mark.parametrize("state", [state for state in CrawlState if state not in LIVE])
def test_where_nobody_crawls_nothing_waits(path: Path, state: CrawlState, waiting: int) -> None:
    del waiting
    with Crawled(path) as crawled:
        crawled.page("/", "/a", "/b")
        crawled.writer.commit(StoreBatch(state=state))
        assert rows(path, "SELECT count(*) FROM inlink") == [(2,)]
        assert rows(path, "SELECT count(*) FROM url_key") == [(3,)]
        assert rows(path, "SELECT * FROM unindexed_source") == []
        assert miscounts(path) == []


def test_page_that_is_asked_again_is_counted_once(path: Path, waiting: int) -> None:
    del waiting
    with Crawled(path) as crawled, Reader(path) as reader:
        crawled.page("/", "/a", "/b", "/b")
        crawled.page("/a", "/b")
        crawled.page("/", "/b", "/c")
        assert miscounts(path) == []
        assert seen(reader, crawled.id("/b")) == ([1, 2], (2, 2))
        assert seen(reader, crawled.id("/a")) == ([], (0, 0))


def test_indexes_are_brought_up_to_date_in_parts(
    path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    del waiting
    monkeypatch.setattr(deferred_indexes, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(deferred_indexes, "PART", 3)
    with Crawled(path) as crawled, Reader(path) as reader:
        for number in range(9):
            crawled.page(f"/{number}", *[f"/{number + step}" for step in range(9)])
            assert miscounts(path) == []
            assert len(seen(reader, crawled.id("/8"))[0]) == number + 1
            assert found(crawled.writer, "/8") == [crawled.id("/8")]
    assert miscounts(path) == []
    assert rows(path, "SELECT * FROM unindexed_source") == []


def test_links_of_which_many_lead_to_the_same_do_not_pile_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To find the links to a URL, each is looked at that waits."""
    monkeypatch.setattr(inlink_tables, "SMALL_FILE", 0)
    monkeypatch.setattr(inlink_tables, "PER_PAGE", 1000)
    monkeypatch.setattr(inlink_tables, "MOST_LINKS", 200)
    waiting = "SELECT count(*) FROM link WHERE source IN (SELECT source FROM unindexed_source)"
    with Crawled(path) as crawled:
        for number in range(40):
            crawled.page(f"/{number}", *["/hub"] * 50, f"/{number + 1}")
            ((links,),) = rows(path, waiting)
            assert links <= 3 * inlink_tables.MOST_LINKS
            assert miscounts(path) == []
    assert rows(path, "SELECT * FROM unindexed_source") == []


def test_links_that_a_crash_left_out_are_found_again(path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tests.fakes.crawled import Crawled;"
        "from gossamer.store.writing import deferred_indexes, inlink_tables;"
        "inlink_tables.SMALL_FILE, inlink_tables.MOST_WAITING = 0, 3;"
        "deferred_indexes.MOST_AT_ONCE = 2;"
        "crawled = Crawled(Path(sys.argv[1]));"
        "crawled.page('/', '/a', '/b', '/b', '/c'); crawled.page('/a', '/b', '/c'); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", script, path], check=False)
    assert done.returncode == 9
    assert len(rows(path, "SELECT * FROM inlink")) == 3
    assert miscounts(path) == []
    with Reader(path) as reader:
        assert seen(reader, 3) == ([1, 1, 2], (3, 2))
    with Writer(path):
        assert miscounts(path) == []
    assert miscounts(path) == []
    assert rows(path, "SELECT count(*) FROM inlink") == [(5,)]


def test_counts_are_those_of_the_rows(path: Path) -> None:
    with Crawled(path) as crawled, Reader(path) as reader:
        crawled.page("/", "/a", "/b")
        crawled.redirect("/a", "/c")
        crawled.failed("/b", Outcome.CLIENT_ERROR, status=404)
        crawled.known("/x", Outcome.EXCLUDED)
        crawled.failed("/c", Outcome.TIMEOUT)
        crawled.page("/c", "/a")  # asked again
        crawled.writer.commit(StoreBatch(improved=[(crawled.id("/c"), Rank(0))]))
        counts = reader.counts()
        received_bytes = crawled.writer.summary().received_bytes
    assert counts.outcomes == dict(rows(path, "SELECT outcome, count(*) FROM url GROUP BY 1"))
    assert counts.statuses == dict(
        rows(path, "SELECT status, count(*) FROM visit WHERE status GROUP BY 1")
    )
    assert counts.depths == dict(
        rows(path, "SELECT depth, count(*) FROM url WHERE state IN (1, 2) GROUP BY 1")
    )
    assert [(received_bytes,)] == rows(path, "SELECT sum(raw_bytes) FROM visit")
