import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import JUST_RECORDED, Rank
from gossamer.model.errors import BugError, ProjectError
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import free_text
from gossamer.model.project_queries import LinkCounts, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, RobotsRow, StoreBatch, UrlRow, VisitRow
from gossamer.model.visit import Link, Visit
from gossamer.store import database
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.writing import string_pool
from gossamer.store.writing.visit_writer import last_modified
from gossamer.store.writing.writer import Writer
from gossamer.urls.url_parsing import host_of
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

HOST = host_of(f"{SITE}/")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


@pytest.fixture
def crawled(path: Path) -> Iterator[Crawled]:
    with Crawled(path) as crawled:
        yield crawled


@pytest.fixture
def writer(crawled: Crawled) -> Writer:
    return crawled.writer


def rows(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def new(url_id: int, url: str, outcome: Outcome = Outcome.PENDING) -> UrlRow:
    return UrlRow(url_id, url, Rank(1), outcome, None)


def page(url_id: int, *targets: int, text: str = "text") -> VisitRow:
    links = [(target, LinkAction.FOLLOW, Link(0, LinkKind.ANCHOR, text)) for target in targets]
    return VisitRow(url_id, Visit(Outcome.PAGE, 200), Outcome.PAGE, 1, LinkRows.of(links))


# ---------------------------------------------------------------- looking up


def test_known_urls_are_found_by_their_text(writer: Writer) -> None:
    root = UrlRow(1, f"{SITE}/", Rank(0), Outcome.PENDING, None)
    other = UrlRow(2, f"{SITE}/a?b", JUST_RECORDED, Outcome.NOT_FOLLOWED, 1)
    writer.commit(StoreBatch(new=[root, other]))
    assert writer.lookup([f"{SITE}/a?b", f"{SITE}/", f"{SITE}/unknown"]) == {
        f"{SITE}/": root,
        f"{SITE}/a?b": other,
    }
    assert writer.lookup([]) == {}


def test_more_urls_are_looked_up_than_fit_one_query(writer: Writer) -> None:
    urls = [f"{SITE}/{number}" for number in range(1, 1701)]
    writer.commit(StoreBatch(new=[new(number, url) for number, url in enumerate(urls, 1)]))
    assert {url: row.id for url, row in writer.lookup(urls).items()} == {
        url: number for number, url in enumerate(urls, 1)
    }


def test_queued_urls_come_by_id_and_page_by_page(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", "/c", "/d")
    crawled.page("/b")
    crawled.known("/x", Outcome.EXCLUDED)
    writer = crawled.writer
    assert [row.id for row in writer.queued(HOST, 0, 2)] == [crawled.id("/a"), crawled.id("/c")]
    assert [row.url for row in writer.queued(HOST, crawled.id("/c"), 9)] == [f"{SITE}/d"]


def test_refused_urls_come_by_id_if_they_have_a_depth(writer: Writer) -> None:
    writer.commit(
        StoreBatch(
            new=[
                new(1, f"{SITE}/", Outcome.TOO_DEEP),
                UrlRow(2, f"{SITE}/2", JUST_RECORDED, Outcome.TOO_DEEP, 1),
                new(3, f"{SITE}/3", Outcome.EXCLUDED),
                new(4, f"{SITE}/4", Outcome.BEYOND_REDIRECT_LIMIT),
                new(5, f"{SITE}/5", Outcome.TOO_DEEP),
            ]
        )
    )
    wanted = {Outcome.TOO_DEEP, Outcome.BEYOND_REDIRECT_LIMIT}
    assert [row.id for row in writer.refused(wanted, 0, 2)] == [1, 4]
    assert [row.id for row in writer.refused(wanted, 4, 2)] == [5]


# ---------------------------------------------------------------- what a batch writes


def test_batch_is_whole_or_not_at_all(crawled: Crawled, path: Path) -> None:
    crawled.page("/", "/a")
    broken = StoreBatch(new=[new(9, f"{SITE}/new/x")], visits=[page(2, 9, text="fresh"), page(77)])
    with pytest.raises(BugError):
        crawled.writer.commit(broken)
    assert crawled.writer.lookup([f"{SITE}/new/x"]) == {}
    assert rows(path, "SELECT value FROM text WHERE value = 'fresh'") == []
    assert rows(path, "SELECT name FROM folder") == [(SITE,)]


def test_after_a_failed_batch_the_next_one_is_right(crawled: Crawled, path: Path) -> None:
    """Ids of texts and folders that were rolled back are not used."""
    crawled.page("/", "/a")
    with pytest.raises(BugError):
        crawled.writer.commit(
            StoreBatch(new=[new(9, f"{SITE}/new/x")], visits=[page(2, 9, text="fresh"), page(77)])
        )
    crawled.writer.commit(
        StoreBatch(
            new=[new(3, f"{SITE}/other/y"), new(4, f"{SITE}/new/x")],
            visits=[page(2, 3, text="later")],
        )
    )
    crawled.writer.commit(StoreBatch(visits=[page(3, 4, text="fresh")]))
    with Reader(path) as reader:
        assert [link.text for link in reader.outlinks(2)] == ["later"]
        assert [link.text for link in reader.outlinks(3)] == ["fresh"]
        (origin,) = reader.folders(None)
        assert [(f.name, f.urls) for f in reader.folders(origin.id)] == [("new", 1), ("other", 1)]
        assert origin.urls == 4


def test_outcome_of_an_unknown_url_is_our_fault(crawled: Crawled) -> None:
    with pytest.raises(BugError, match="not in the project file"):
        crawled.writer.commit(StoreBatch(decided=[(5, Outcome.CANCELLED, None)]))


def test_same_id_twice_is_our_fault(crawled: Crawled) -> None:
    crawled.page("/")
    with pytest.raises(BugError, match="UNIQUE"):
        crawled.writer.commit(StoreBatch(new=[new(1, f"{SITE}/again")]))


def test_url_refused_then_queued_then_visited_in_one_batch(crawled: Crawled, path: Path) -> None:
    crawled.page("/", "/a")
    refused = crawled.known("/deep/x", Outcome.TOO_DEEP, parent="/a")
    crawled.writer.commit(
        StoreBatch(decided=[(refused, Outcome.PENDING, None)], visits=[page(refused)])
    )
    with Reader(path) as reader:
        assert reader.records([refused])[0].outcome is Outcome.PAGE
        (origin,) = reader.folders(None)
        assert [(f.name, f.urls) for f in reader.folders(origin.id)] == [("deep", 1)]


def test_state_and_seconds(crawled: Crawled) -> None:
    writer = crawled.writer
    writer.commit(StoreBatch(state=CrawlState.RUNNING))
    writer.commit(StoreBatch(seconds=2.5))
    assert (writer.summary().state, writer.summary().seconds) == (CrawlState.RUNNING, 2.5)


def test_robots_of_an_origin_are_replaced(crawled: Crawled, path: Path) -> None:
    crawled.writer.commit(
        StoreBatch(robots=[RobotsRow(SITE, None, "", free_text("no answer"), 1.0)])
    )
    crawled.writer.commit(StoreBatch(robots=[RobotsRow(SITE, 200, "User-agent: *", None, 2.0)]))
    held = rows(path, "SELECT origin, status, text, detail FROM robots")
    assert held == [(SITE, 200, "User-agent: *", None)]


def test_summary_counts_urls_statuses_and_bytes(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b", "/gone", "/slow", "/old")
    crawled.page("/a")
    crawled.redirect("/old", "/a")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/slow", Outcome.TIMEOUT)
    summary = crawled.writer.summary()
    assert summary.statuses == {200: 2, 301: 1, 404: 1}
    assert summary.outcomes == {
        Outcome.PAGE: 2,
        Outcome.REDIRECT: 1,
        Outcome.CLIENT_ERROR: 1,
        Outcome.TIMEOUT: 1,
        Outcome.PENDING: 1,
    }
    assert (summary.received_bytes, summary.last_id) == (100, 6)


# ---------------------------------------------------------------- links


def test_what_counts_as_inlink_and_outlink(crawled: Crawled, path: Path) -> None:
    crawled.page(
        "/",
        "/a",
        "/a",
        ("/a", Link(0, LinkKind.IMAGE)),
        ("/a", Link(0, LinkKind.CANONICAL)),
        ("/pic", Link(0, LinkKind.IMAGE)),
    )
    crawled.page("/a", "/a", "/")
    crawled.redirect("/pic", "/a")
    with Reader(path) as reader:
        records = reader.records([crawled.id(name) for name in ("/", "/a", "/pic")])
    counts = [(r.inlinks, r.unique_inlinks, r.outlinks) for r in records]
    assert counts == [(1, 1, 2), (4, 2, 2), (1, 1, 0)]


def test_url_visited_anew_keeps_nothing_of_the_old_visit(crawled: Crawled, path: Path) -> None:
    crawled.page("/", "/a", "/a", "/b", title="old")
    crawled.page("/a")
    crawled.page("/", "/b", "/c", title="new")
    with Reader(path) as reader:
        (root,) = reader.records([crawled.id("/")])
        assert (root.title, root.outlinks) == ("new", 2)
        assert [link.target_url for link in reader.outlinks(root.id)] == [f"{SITE}/b", f"{SITE}/c"]
        assert reader.inlinks(crawled.id("/a")) == []
        counts = [(r.inlinks, r.unique_inlinks) for r in reader.records([2, 3, 4])]
        assert counts == [(0, 0), (1, 1), (1, 1)]


def test_references_of_a_page_that_is_visited_anew_are_not_counted_any_more(
    crawled: Crawled, path: Path
) -> None:
    canonical = Link(0, LinkKind.CANONICAL)
    crawled.page("/", "/a", ("/a", canonical), ("/a", canonical))
    crawled.redirect("/old", "/a")
    with Reader(path) as reader:
        assert reader.link_counts(crawled.id("/a")) == LinkCounts(1, 1, 0, other_inlinks=3)
        assert reader.link_counts(crawled.id("/")) == LinkCounts(outlinks=1, other_outlinks=2)
        crawled.page("/", ("/a", canonical))
        assert reader.link_counts(crawled.id("/a")) == LinkCounts(other_inlinks=2)


def test_many_links_on_one_page(crawled: Crawled, path: Path) -> None:
    crawled.page("/", *[f"/{number % 700}" for number in range(2311)])
    with Reader(path) as reader:
        positions = [link.position for link in reader.outlinks(1, limit=5000)]
        assert positions == list(range(2311))
        assert sum(r.inlinks for r in reader.iterate(View.ALL)) == 2311


def test_repeated_texts_are_stored_once(crawled: Crawled, path: Path) -> None:
    for name in ("/", "/a", "/b"):
        crawled.page(name, ("/a", Link(0, LinkKind.ANCHOR, "Home", "nofollow")))
    assert rows(path, "SELECT value, count(*) FROM text GROUP BY value") == [
        ("Content-Type: text/html\nLast-Modified;\n", 1),
        ("Home", 1),
        ("nofollow", 1),
        ("text/html", 1),
        ("utf-8", 1),
    ]


def test_forgotten_texts_are_stored_again(
    crawled: Crawled, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(string_pool, "MAX_TEXTS", 2)
    for number in range(3):
        crawled.page("/", *[("/a", Link(0, LinkKind.ANCHOR, text)) for text in "abcabc"])
        with Reader(path) as reader:
            assert [link.text for link in reader.outlinks(1)] == list("abcabc"), number


def test_texts_go_on_where_the_file_stands(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/", ("/a", Link(0, LinkKind.ANCHOR, "first")))
    with Writer(path) as writer:
        writer.commit(StoreBatch(visits=[page(2, 1, text="second")]))
    with Reader(path) as reader:
        assert [reader.outlinks(url_id)[0].text for url_id in (1, 2)] == ["first", "second"]


# ---------------------------------------------------------------- texts from the web


def test_text_that_no_file_can_hold_is_cleaned(crawled: Crawled, path: Path) -> None:
    bad = "a\udc80b"
    facts = PageFacts(bad, bad, bad, bad, bad, bad)
    visit = Visit(
        Outcome.PAGE,
        200,
        bad,
        headers=[("X", bad)],
        location=bad,
        content_type=bad,
        charset=bad,
        robots_header=bad,
        detail=free_text(bad),
        facts=facts,
    )
    link = Link(0, LinkKind.ANCHOR, bad, bad, bad, bad)
    links = LinkRows.of([(1, LinkAction.FOLLOW, link)])
    crawled.writer.commit(
        StoreBatch(
            new=[new(1, f"{SITE}/{bad}")],
            visits=[VisitRow(1, visit, Outcome.PAGE, 1, links)],
            robots=[RobotsRow(SITE, 200, bad, free_text(bad), 0)],
        )
    )
    good = "a\ufffdb"
    assert crawled.writer.lookup([f"{SITE}/{bad}"])[f"{SITE}/{bad}"].url == f"{SITE}/{good}"
    with Reader(path) as reader:
        (record,) = reader.records([1])
        assert {record.title, record.h1, str(record.detail), record.redirect, record.reason} == {
            good
        }
        assert reader.headers(1) == [("X", good)]
        assert reader.outlinks(1)[0].text == good


def test_headers_cannot_forge_each_other(crawled: Crawled, path: Path) -> None:
    headers = [("A", "1\nB: 2"), ("C", "3\r"), ("D", "")]
    visit = Visit(Outcome.FILE, 200, headers=headers)
    crawled.writer.commit(
        StoreBatch(new=[new(1, SITE)], visits=[VisitRow(1, visit, Outcome.FILE, 1)])
    )
    with Reader(path) as reader:
        assert reader.headers(1) == [("A", "1 B: 2"), ("C", "3"), ("D", "")]


@each_case(
    ("value", "expected"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ("Sun, 06 Nov 1994 10:49:37 +0200", "1994-11-06T08:49:37Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
        ("yesterday", None),
        ("", None),
        ("Sun, 06 Nov 1994 99:49:37 GMT", None),
        ("Fri, 31 Dec 9999 23:59:59 -2300", None),
    ],
)
def test_last_modified(value: str, expected: str | None) -> None:
    assert last_modified([("Server", "x"), ("last-Modified", value)]) == expected


def test_no_last_modified() -> None:
    assert last_modified([("Server", "x")]) is None


# ---------------------------------------------------------------- one writer, one file


def test_second_writer_is_refused(crawled: Crawled, path: Path) -> None:
    crawled.page("/")
    with pytest.raises(ProjectError, match="is being crawled by another Gossamer"):
        Writer(path)
    crawled.page("/a")


def test_lock_of_a_process_that_was_killed_holds_nobody_out(path: Path) -> None:
    create(path, CrawlSettings(roots=(SITE,)))
    script = (
        "import os, sys; from pathlib import Path;"
        " from gossamer.store.writing.writer import Writer;"
        "Writer(Path(sys.argv[1])); os._exit(9)"
    )
    killed = subprocess.run([sys.executable, "-c", script, path], check=False)
    assert killed.returncode == 9
    assert path.with_name("a.gossamer.lock").exists()
    Writer(path).close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_what_was_committed_survives_a_kill(path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tests.fakes.crawled import Crawled;"
        "crawled = Crawled(Path(sys.argv[1])); crawled.page('/', '/a'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, path], check=False)
    with Reader(path) as reader:
        assert list(reader.ids(View.ALL)) == [1, 2]
    with Writer(path) as writer:
        assert [row.id for row in writer.queued(HOST, 0, 9)] == [2]


def test_closed_project_is_one_file_even_while_it_is_read(crawled: Crawled, path: Path) -> None:
    crawled.page("/", "/a")
    with Reader(path) as reader:
        crawled.writer.close()
        crawled.writer.close()
        copy = path.with_name("copy.gossamer")
        copy.write_bytes(path.read_bytes())
        with Reader(copy) as copied:
            assert list(copied.ids(View.ALL)) == list(reader.ids(View.ALL)) == [1, 2]
    assert sorted(file.name for file in path.parent.iterdir()) == ["a.gossamer", "copy.gossamer"]


def test_project_that_another_program_writes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create(path, CrawlSettings(roots=(SITE,)))
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ProjectError, match="is open in another program"):
            Writer(path)
        other.execute("ROLLBACK")
        Writer(path).close()


def test_folder_that_cannot_hold_the_lock(path: Path) -> None:
    create(path, CrawlSettings(roots=(SITE,)))
    path.with_name(path.name + ".lock").mkdir()
    with pytest.raises(ProjectError, match=r"a.gossamer.lock next to it is not a file"):
        Writer(path)


def test_failed_opening_lets_go_of_the_lock(path: Path) -> None:
    create(path, CrawlSettings(roots=(SITE,)))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP INDEX url_parent")
    with pytest.raises(ProjectError, match="modified"):
        Writer(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_full_disk_is_said_in_a_sentence_and_loses_nothing(crawled: Crawled, path: Path) -> None:
    crawled.page("/")
    (pages,) = crawled.writer._connection.execute("PRAGMA page_count").fetchone()  # noqa: SLF001 - a limit stands in for the disk's
    crawled.writer._connection.execute(f"PRAGMA max_page_count={pages}")  # noqa: SLF001 - likewise
    long = "x" * 9000
    with pytest.raises(ProjectError, match=r"disk with .* is full; free some space"):
        crawled.page("/a", title=long)
    crawled.writer._connection.execute("PRAGMA max_page_count=1000000")  # noqa: SLF001 - likewise
    assert crawled.writer.lookup([f"{SITE}/a"]) == {}
    with Reader(path) as reader:
        assert list(reader.ids(View.ALL)) == [1]


# ---------------------------------------------------------------- folders


def folder_tree(path: Path) -> dict[str, tuple[int, int, int]]:
    """Folder → URLs below, errors below, URLs right in it."""
    found = {}
    with Reader(path) as reader:
        waiting = [(node, node.name) for node in reader.folders(None)]
        for node, name in waiting:
            found[name] = (node.urls, node.errors, node.direct)
            below = reader.folders(node.id)
            assert node.subfolders == len(below)
            waiting += [(child, f"{name}/{child.name}") for child in below]
    return found


def test_folders_count_what_is_in_them_and_below(crawled: Crawled, path: Path) -> None:
    crawled.page("/", "/docs/", "/docs/a", "/docs/api/x", "http://example.com/b", "mailto:a@b.c")
    crawled.failed("/docs/a", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/docs/api/x", Outcome.TIMEOUT)
    assert folder_tree(path) == {
        SITE: (4, 2, 1),
        f"{SITE}/docs": (3, 2, 2),
        f"{SITE}/docs/api": (1, 1, 1),
        "http://example.com": (1, 0, 1),
    }


def test_folder_counts_follow_the_outcome(crawled: Crawled, path: Path) -> None:
    crawled.failed("/a/x", Outcome.TIMEOUT)
    crawled.writer.commit(StoreBatch(decided=[(1, Outcome.PENDING, None)]))
    assert folder_tree(path) == {SITE: (1, 0, 0), f"{SITE}/a": (1, 0, 1)}
    crawled.failed("/a/x", Outcome.SERVER_ERROR, status=500)
    assert folder_tree(path) == {SITE: (1, 1, 0), f"{SITE}/a": (1, 1, 1)}


def test_refused_urls_are_in_no_folder_until_they_are_queued(crawled: Crawled, path: Path) -> None:
    url_id = crawled.known("/far/away", Outcome.TOO_DEEP)
    assert folder_tree(path) == {}
    crawled.writer.commit(StoreBatch(decided=[(url_id, Outcome.PENDING, None)]))
    assert folder_tree(path) == {SITE: (1, 0, 0), f"{SITE}/far": (1, 0, 1)}
    crawled.writer.commit(
        StoreBatch(decided=[(url_id, Outcome.BLOCKED_BY_ROBOTS, free_text("line 1"))])
    )
    assert folder_tree(path) == {SITE: (1, 0, 0), f"{SITE}/far": (1, 0, 1)}


def test_folders_are_the_same_after_reopening(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/a/b")
    with Writer(path) as writer:
        writer.commit(StoreBatch(new=[new(2, f"{SITE}/a/c"), new(3, f"{SITE}/d")]))
    assert folder_tree(path) == {SITE: (3, 0, 1), f"{SITE}/a": (2, 0, 2)}


def test_endless_paths_end_at_some_folder(crawled: Crawled, path: Path) -> None:
    crawled.page("/x" * 3000)
    assert len(folder_tree(path)) == 64


# ---------------------------------------------------------------- ranks


def test_better_ways_are_carried_on(crawled: Crawled) -> None:
    crawled.page("/", "/a")
    crawled.page("/a", "/b")
    crawled.redirect("/b", "/c")
    crawled.page("/c", "/d", ("/e", Link(0, LinkKind.IMAGE)))
    crawled.page("/start")
    improved = crawled.writer.commit(StoreBatch(improved=[(crawled.id("/b"), Rank(1))]))
    assert {row.url.removeprefix(SITE): row.rank for row in improved} == {
        "/b": Rank(1),
        "/c": Rank(1, 0),
        "/d": Rank(2),
    }
    assert [row.id for row in improved] == sorted(row.id for row in improved)
    assert {row.url: row.outcome for row in improved}[f"{SITE}/b"] is Outcome.REDIRECT
    assert crawled.writer.lookup([f"{SITE}/d"])[f"{SITE}/d"].rank == Rank(2)


_OWES_AND_IS_KILLED = """
import os, signal, sys
from pathlib import Path
from gossamer.model.discovery_rank import (Rank)
from gossamer.model.store_batch import (StoreBatch)
from tests.fakes.crawled import Crawled
crawled = Crawled(Path(sys.argv[1]))
for number in range(20):
    crawled.page(f"/{number}", f"/{number + 1}")
crawled.writer.commit(StoreBatch(improved=[(crawled.id("/5"), Rank(0))], reach=7))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_better_ways_that_are_owed_survive_a_kill(path: Path) -> None:
    subprocess.run([sys.executable, "-c", _OWES_AND_IS_KILLED, path], check=False)
    with Writer(path) as writer:
        rest: list[int] = []
        batch = StoreBatch(owing=True)
        while batch.owing:
            batch = StoreBatch(reach=4)
            rest += [row.rank.depth for row in writer.commit(batch)]
    assert rest == list(range(5, 16))


def test_depth_and_hops_improve_each_for_itself(writer: Writer) -> None:
    writer.commit(StoreBatch(new=[UrlRow(1, SITE, Rank(2, 5), Outcome.PENDING)]))
    assert [row.rank for row in writer.commit(StoreBatch(improved=[(1, Rank(4, 1))]))] == [
        Rank(2, 1)
    ]
    assert [row.rank for row in writer.commit(StoreBatch(improved=[(1, Rank(1, 3))]))] == [
        Rank(1, 1)
    ]
    assert writer.commit(StoreBatch(improved=[(1, Rank(1, 1)), (1, JUST_RECORDED)])) == []


def test_first_followed_way_replaces_the_whole_rank(writer: Writer) -> None:
    writer.commit(StoreBatch(new=[UrlRow(1, SITE, JUST_RECORDED, Outcome.NOT_FOLLOWED)]))
    assert [row.rank for row in writer.commit(StoreBatch(improved=[(1, Rank(3, 2))]))] == [
        Rank(3, 2)
    ]


def test_parent_stays_where_the_url_was_first_found(crawled: Crawled) -> None:
    crawled.page("/", "/a", "/b")
    crawled.page("/a", "/c")
    (row,) = crawled.writer.commit(StoreBatch(improved=[(crawled.id("/c"), Rank(1))]))
    assert row.parent == crawled.id("/a")
