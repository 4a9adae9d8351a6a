"""Rescued projects are valid, and hold nothing that the damaged one did not."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow
from gossamer.model.visit import Visit
from gossamer.shards.shard_folder import create_shards
from gossamer.shards.shard_merging import merge_shards
from gossamer.store.project import check, create
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import STEPS, RescueCancelled, rescue
from gossamer.store.rescue.rescue_report import RescueReport
from gossamer.store.schema import VERSION
from gossamer.store.writer_lock import WriterLock
from gossamer.store.writing.writer import Writer
from gossamer.urls.shard_ownership import Ownership
from gossamer.urls.url_parsing import host_of
from tests.fakes.crawled import Crawled
from tests.fakes.damage import PAGE_SIZE, crawled_site, cut, flipped, holed

SEEDS = 6
PAGES = 120
FEW_PAGES = 50
"""As many as is spent of a budget at most."""
NEVER_ASKED = 6
"""A queued URL and five pictures."""
BUDGETS = {f"https://example.com/{n}/0": 1 + n % 50 for n in range(700)}
Rows = dict[str, set[tuple[object, ...]]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed project; beside it `open.gossamer` with its -wal file, as in mid-crawl."""
    return made(tmp_path_factory.mktemp("sample") / "a.gossamer", PAGES)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed project with fewer pages."""
    return made(tmp_path_factory.mktemp("few") / "a.gossamer", FEW_PAGES)


def made(path: Path, pages: int) -> Path:
    with crawled_site(path, pages) as crawled:
        crawled.writer.commit(StoreBatch(state=CrawlState.RUNNING, seconds=9.5, budgets=BUDGETS))
        for suffix in ("", "-wal"):
            data = path.with_name(path.name + suffix).read_bytes()
            path.with_name(f"open.gossamer{suffix}").write_bytes(data)
        crawled.writer.commit(StoreBatch(state=CrawlState.FINISHED))
    return path


@pytest.fixture(scope="module")
def original(sample: Path) -> Rows:
    return rows(sample)


def rows(path: Path) -> Rows:
    """What a project says, without ids of texts and places that may shift."""
    with Reader(path) as reader:
        records = list(reader.iterate(View.ALL))
        links = list(reader.links())
        headers = {(record.id, *reader.headers(record.id)) for record in records}
    with closing(sqlite3.connect(path)) as connection:
        hashes = set(connection.execute("SELECT id, content_hash, language, tries FROM visit"))
        robots = set(connection.execute("SELECT * FROM robots"))
        budgets = set(connection.execute("SELECT * FROM budget"))
    return {
        "urls": {(r.id, r.url, r.depth, r.hops) for r in records},
        "visits": {
            (r.id, r.status, r.title, r.content_type, r.elapsed_ms, r.size_bytes, r.redirect)
            for r in records
            if r.status is not None
        },
        "links": {(x.source_id, x.target_id, x.kind, x.action, x.text, x.element) for x in links},
        "headers": headers,
        "hashes": hashes,
        "robots": robots,
        "budgets": budgets,
    }


def assert_valid(path: Path) -> None:
    """A project like any other: whole, usable, its counts those of its rows."""
    check(path, budget_s=60)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    with Reader(path) as reader:
        summary = reader.summary()
        for origin in reader.folders(None):
            reader.folders(origin.id)
    with Writer(path) as writer:
        hosts = [host_of(row.url) for row in writer.queued_hosts("", 10**6)]
        assert sum(len(writer.queued(host, 0, 10**6)) for host in hosts) == sum(
            n for outcome, n in summary.outcomes.items() if outcome.state is UrlState.QUEUED
        )


def assert_subset(path: Path, original: Rows, *, flipped: bool = False) -> None:
    """Of numbers and texts nothing tells that a byte in them is another, but of addresses."""
    found = rows(path)
    urls = {row[:2] for row in original["urls"]}
    assert {row[:2] for row in found["urls"]} <= urls
    assert {row[0] for row in found["hashes"]} <= {row[0] for row in original["hashes"]}
    if flipped:
        return
    for name in ("urls", "robots", "hashes", "budgets"):
        assert found[name] <= original[name], name
    texts_may_be_lost = {
        "visits": (0, 1, 4, 5, 6),
        "links": (0, 1, 2, 3),
    }
    for name, columns in texts_may_be_lost.items():
        kept = {tuple(row[column] for column in columns) for row in found[name]}
        assert kept <= {tuple(row[column] for column in columns) for row in original[name]}, name


def test_rescue_of_a_whole_project_loses_nothing(
    sample: Path, original: Rows, tmp_path: Path
) -> None:
    steps: list[int] = []
    target = tmp_path / "new.gossamer"
    report = rescue(sample, target, lambda done, of: steps.append(done * STEPS // of))
    assert report.whole, report
    assert rows(target) == original
    assert len(original["budgets"]) == len(BUDGETS)
    assert steps == sorted(steps)
    assert steps[-1] <= STEPS
    with Reader(target) as new, Reader(sample) as old:
        assert new.counts() == old.counts()
        assert new.figures() == old.figures()
        assert new.summary().seconds == old.summary().seconds == 9.5
        assert new.summary().state is CrawlState.FINISHED
        assert new.summary().settings == old.summary().settings
    assert [file.name for file in tmp_path.iterdir()] == [target.name]
    assert_valid(target)


def test_commits_in_the_wal_file_are_saved_too(
    sample: Path, original: Rows, tmp_path: Path
) -> None:
    target = tmp_path / "new.gossamer"
    assert rescue(sample.with_name("open.gossamer"), target).whole
    assert rows(target) == original
    with Reader(target) as reader:
        assert reader.summary().state is CrawlState.PAUSED, "it was running"


def test_the_canonical_of_a_file_is_saved(tmp_path: Path) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    file = Visit(Outcome.FILE, 200, canonical_header="https://example.com/a")
    with Crawled(path) as crawled:
        crawled.visited("/a.pdf", file)
    assert rescue(path, target).whole
    with Reader(target) as reader:
        [record] = [each for each in reader.iterate(View.ALL) if each.status == 200]
    assert record.canonical_header == file.canonical_header


@pytest.mark.parametrize("kind", ["flipped", "holed", "cut", "header", "schema"])
def test_rescued_rows_are_rows_of_the_original(
    sample: Path, original: Rows, tmp_path: Path, kind: str
) -> None:
    data = sample.read_bytes()
    saved = 0
    for seed in range(SEEDS):
        chance = random.Random(f"{kind} {seed}")
        damaged = {
            "flipped": lambda: flipped(data, chance),  # noqa: B023 - called at once
            "holed": lambda: holed(data, chance),  # noqa: B023 - called at once
            "cut": lambda: cut(data, chance),  # noqa: B023 - called at once
            "header": lambda: flipped(data, chance, end=100),  # noqa: B023 - called at once
            "schema": lambda: flipped(data, chance, start=100, end=PAGE_SIZE),  # noqa: B023 - called at once
        }[kind]()
        path, target = tmp_path / f"{seed}.gossamer", tmp_path / f"{seed} new.gossamer"
        path.write_bytes(damaged)
        try:
            rescue(path, target)
        except ProjectError:
            assert not target.exists()
            continue
        saved += 1
        assert_valid(target)
        assert_subset(target, original, flipped=kind == "flipped")
    assert saved > SEEDS // 2


def test_heavy_damage_invents_no_urls(sample: Path, original: Rows, tmp_path: Path) -> None:
    """Also of a project whose crawl was killed, whose last URLs are in no index yet."""
    urls = {row[:2] for row in original["urls"]}
    saved = 0
    for seed in range(12):
        chance = random.Random(f"heavy {seed}")
        path, target = tmp_path / f"{seed}.gossamer", tmp_path / f"{seed} new.gossamer"
        data = bytearray(sample.with_name("open.gossamer").read_bytes() if seed % 2 else b"")
        data = data or bytearray(sample.read_bytes())
        for _ in range(chance.choice([30, 200, 1000])):
            at = chance.randrange(len(data))
            data[at] ^= chance.randrange(1, 256)
        path.write_bytes(data)
        if seed % 2:
            wal = bytearray(sample.with_name("open.gossamer-wal").read_bytes())
            for _ in range(200):
                wal[chance.randrange(len(wal))] ^= chance.randrange(1, 256)
            path.with_name(path.name + "-wal").write_bytes(wal)
        try:
            rescue(path, target)
        except ProjectError:
            continue
        saved += 1
        with Reader(target) as reader:
            assert {(record.id, record.url) for record in reader.iterate(View.ALL)} <= urls
    assert saved > 6


@pytest.mark.parametrize("seed", range(6))
def test_rescue_succeeds_with_a_damaged_wal_file(
    sample: Path, original: Rows, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    path.write_bytes(sample.with_name("open.gossamer").read_bytes())
    wal = sample.with_name("open.gossamer-wal").read_bytes()
    path.with_name("a.gossamer-wal").write_bytes(chance.choice([flipped, cut])(wal, chance))
    rescue(path, target)
    assert_valid(target)
    assert_subset(target, original, flipped=True)


def test_a_damaged_page_number_in_the_wal_file_makes_no_file_of_terabytes(
    sample: Path, tmp_path: Path
) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    path.write_bytes(sample.with_name("open.gossamer").read_bytes())
    wal = bytearray(sample.with_name("open.gossamer-wal").read_bytes())
    first_frame = 32
    wal[first_frame : first_frame + 4] = b"\xff\xff\xff\xff"
    path.with_name("a.gossamer-wal").write_bytes(wal)
    report = rescue(path, target)
    assert report.pages * PAGE_SIZE < 2 * (path.stat().st_size + len(wal))
    assert_valid(target)


def table_root(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return int(connection.execute(query, (table,)).fetchone()[0])


def without_root(sample: Path, path: Path, table: str) -> None:
    """A copy whose tree of a table has lost its top page."""
    data = bytearray(sample.read_bytes())
    at = (table_root(sample, table) - 1) * PAGE_SIZE
    assert data[at] in {2, 5}, "more than one page"
    data[at : at + PAGE_SIZE] = bytes(PAGE_SIZE)
    path.write_bytes(data)


@pytest.mark.parametrize("table", ["url", "visit"])
def test_rows_on_orphaned_pages_are_rescued(
    sample: Path, original: Rows, tmp_path: Path, table: str
) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    without_root(sample, path, table)
    with pytest.raises(ProjectError, match="damaged"):
        check(path)
    report = rescue(path, target)
    assert report.damaged_pages == 1
    assert rows(target) == original


def lost_leaf(sample: Path, path: Path, table: str) -> RescueReport:
    """Rescue a copy without the first leaf of a table; the new project is `new.gossamer`."""
    data = bytearray(sample.read_bytes())
    root = (table_root(sample, table) - 1) * PAGE_SIZE
    first_cell = root + int.from_bytes(data[root + 12 : root + 14], "big")
    leaf = (int.from_bytes(data[first_cell : first_cell + 4], "big") - 1) * PAGE_SIZE
    data[leaf : leaf + PAGE_SIZE] = bytes(PAGE_SIZE)
    path.write_bytes(data)
    return rescue(path, path.with_name("new.gossamer"))


def test_urls_whose_responses_were_lost_are_reported_and_queued_again(
    sample: Path, tmp_path: Path
) -> None:
    report = lost_leaf(sample, tmp_path / "a.gossamer", "visit")
    table = next(table for table in report.tables if table.name == "visit")
    assert table.lost > 0
    assert table.gaps[0][0] == 1
    assert report.again >= table.lost
    with Reader(tmp_path / "new.gossamer") as reader:
        assert reader.summary().state is CrawlState.PAUSED, "there is something to do again"
        assert reader.records([1])[0].outcome is Outcome.PENDING
        assert reader.summary().outcomes[Outcome.PENDING] == report.again + NEVER_ASKED


def test_what_has_lost_its_url_is_reported_as_lost(sample: Path, tmp_path: Path) -> None:
    """Also if no URL is left that would show by its number how many there were."""
    path = tmp_path / "a.gossamer"
    data = bytearray(sample.read_bytes())
    for page in leaves(sample, "url"):
        data[(page - 1) * PAGE_SIZE : page * PAGE_SIZE] = bytes(PAGE_SIZE)
    path.write_bytes(data)
    report = rescue(path, tmp_path / "new.gossamer")
    tables = {table.name: table for table in report.tables}
    with closing(sqlite3.connect(sample)) as connection:
        visits, last, links = connection.execute(
            "SELECT count(*), max(id), (SELECT count(*) FROM link) FROM visit"
        ).fetchone()
    assert (tables["url"].saved, tables["url"].lost, tables["url"].gaps) == (0, last, ((1, last),))
    assert (tables["visit"].saved, tables["visit"].lost) == (0, visits)
    assert (tables["link"].saved, tables["link"].lost) == (0, links)


def leaves(path: Path, table: str) -> list[int]:
    """The numbers of the pages that have the rows of a table."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
        return [page for (page,) in connection.execute(query, (table,))]


def test_pages_that_link_to_lost_urls_are_queued_again(sample: Path, tmp_path: Path) -> None:
    report = lost_leaf(sample, tmp_path / "a.gossamer", "url")
    tables = {table.name: table for table in report.tables}
    assert tables["url"].lost == tables["url"].gaps[0][1]
    assert tables["link"].lost > 0
    assert report.again > 0
    assert_valid(tmp_path / "new.gossamer")


def test_lost_settings_are_rebuilt_from_the_roots(sample: Path, tmp_path: Path) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    data = bytearray(sample.read_bytes())
    at = (table_root(sample, "project") - 1) * PAGE_SIZE
    data[at : at + PAGE_SIZE] = bytes(PAGE_SIZE)
    path.write_bytes(data)
    report = rescue(path, target)
    assert report.settings_lost
    with Reader(target) as reader:
        assert reader.summary().settings.roots[0] == "https://example.com/"


@pytest.mark.parametrize(
    "change",
    [
        *("created_at = 1e18", "created_at = -1", "seconds = -5", "seconds = 1e18", "series = 'x'"),
        *("base_path = '/x', base_created_at = 1e18", "base_path = '/x', base_created_at = -1"),
        *("base_path = '/x'", "base_created_at = 5", "base_position = -1"),
    ],
)
def test_a_time_or_series_that_is_none_is_made_up_and_reported(
    few: Path, tmp_path: Path, change: str
) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    shutil.copy(few, path)
    before = rows(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE project SET {change}")  # noqa: S608 - our own words
    report = rescue(path, target)
    assert report.identity_lost
    assert not report.settings_lost
    assert not report.whole
    assert_valid(target)
    assert rows(target) == before


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_recrawl_keeps_its_previous_crawl(tmp_path: Path, suffix: str) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    create(path, CrawlSettings(roots=("https://a.test/",)))
    with closing(sqlite3.connect(path)) as connection:
        if suffix:
            connection.execute("PRAGMA journal_mode=WAL")
        with connection:
            connection.execute(
                "UPDATE project SET base_path = '/x', base_created_at = 5.5, base_position = 7"
            )
        assert rescue(path, target).whole
    with Reader(target) as reader:
        summary = reader.summary()
    assert summary.previous == PreviousCrawlReference("/x", 5.5)
    assert summary.base_position == 7


def shards_with_links(folder: Path) -> list[Path]:
    """Two shards, the first of which has handed a link to the second."""
    roots = ("http://a.test/", "http://b.test/")
    shards = create_shards(folder, CrawlSettings(roots=roots), 2, "")
    mine, other = sorted(roots, key=Ownership(2).owner)
    with Writer(shards[0]) as writer:
        page = UrlRow(1, mine, Rank(0), Outcome.PENDING)
        link = UrlRow(2, f"{other}x", Rank(1), Outcome.OTHER_SHARD, 1)
        writer.commit(StoreBatch(new=[page, link]))
    return shards


def test_an_undamaged_shard_stays_one(tmp_path: Path) -> None:
    shards, target = shards_with_links(tmp_path / "a.shards"), tmp_path / "new.gossamer"
    with Reader(shards[0]) as reader:
        before = reader.summary()
    assert rescue(shards[0], target).whole
    with Reader(target) as reader:
        assert (reader.summary().shard, reader.summary().peers) == (before.shard, before.peers)
    assert_valid(target)
    merge_shards([target, shards[1]], tmp_path / "merged.gossamer")


def test_a_shard_whose_exchange_was_damaged_is_none_any_more(tmp_path: Path) -> None:
    shards, target = shards_with_links(tmp_path / "a.shards"), tmp_path / "new.gossamer"
    with closing(sqlite3.connect(shards[0])) as connection, connection:
        connection.execute("UPDATE outgoing_link SET handed_as = 99")
    report = rescue(shards[0], target)
    assert report.shard_lost
    assert not report.whole
    with Reader(target) as reader:
        assert reader.summary().shard is None
    assert_valid(target)


def root_page(path: Path, table: str) -> int:
    """Where the tree of a table begins in a file whose log is checkpointed."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return int(connection.execute(query, (table,)).fetchone()[0])


def overwrite_page(path: Path, number: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((number - 1) * PAGE_SIZE)
        file.write(data)


def empty_leaf(path: Path, number: int) -> bytes:
    """The page of a table without rows, in place of one with some."""
    with path.open("rb") as file:
        file.seek((number - 1) * PAGE_SIZE)
        page = bytearray(file.read(PAGE_SIZE))
    page[3:5] = bytes(2)
    return bytes(page)


@pytest.mark.parametrize("is_exchanged", [False, True])
def test_a_shard_whose_row_is_lost_is_none_any_more(tmp_path: Path, is_exchanged: bool) -> None:
    """Whether or not it had exchanged anything: it must not go on as a crawl unnoticed."""
    shards, target = shards_with_links(tmp_path / "a.shards"), tmp_path / "new.gossamer"
    number = root_page(shards[0], "shard")
    if not is_exchanged:
        with closing(sqlite3.connect(shards[0])) as connection, connection:
            for table in ("outgoing_link", "shard_peer", "over_budget"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own words
        root_page(shards[0], "shard")
    overwrite_page(shards[0], number, b"\xa5" * PAGE_SIZE)
    report = rescue(shards[0], target)
    assert report.shard_lost
    assert not report.whole
    assert_valid(target)


def test_a_shard_whose_row_has_vanished_shows_by_what_it_exchanged(tmp_path: Path) -> None:
    shards, target = shards_with_links(tmp_path / "a.shards"), tmp_path / "new.gossamer"
    number = root_page(shards[0], "shard")
    overwrite_page(shards[0], number, empty_leaf(shards[0], number))
    assert rescue(shards[0], target).shard_lost


@pytest.mark.parametrize("table", ["link", "visit", "text"])
def test_a_damaged_crawl_that_was_no_shard_lost_none(
    sample: Path, tmp_path: Path, table: str
) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    path.write_bytes(sample.read_bytes())
    overwrite_page(path, root_page(path, table), b"\xa5" * PAGE_SIZE)
    report = rescue(path, target)
    assert report.damaged_pages
    assert not report.shard_lost


@pytest.mark.parametrize("when", [0, 5, -1])
def test_a_cancelled_rescue_leaves_no_file(sample: Path, tmp_path: Path, when: int) -> None:
    looks = 0

    def cancelled() -> bool:
        nonlocal looks
        looks += 1
        return looks > (when if when >= 0 else total - 1)

    total = 0
    if when < 0:
        counted: list[int] = []
        rescue(sample, tmp_path / "all.gossamer", lambda *_: counted.append(1))
        total = len(counted)
        (tmp_path / "all.gossamer").unlink()
    with pytest.raises(RescueCancelled):
        rescue(sample, tmp_path / "new.gossamer", cancelled=cancelled)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"URL,Title\r\n" * 900, b"SQLite format 3\0", None])
def test_a_file_without_any_project_data_is_refused_with_a_message(
    tmp_path: Path, content: bytes | None
) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    if content is None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript("CREATE TABLE url (a, b); INSERT INTO url VALUES (1, 'x');")
    else:
        path.write_bytes(content)
    with pytest.raises(ProjectError, match="Nothing of a Gossamer project"):
        rescue(path, target)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_files_that_need_no_rescue_are_refused(tmp_path: Path) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    with pytest.raises(ProjectError, match="does not exist; check the path"):
        rescue(path, target)
    with pytest.raises(ProjectError, match="is a folder"):
        rescue(tmp_path, target)
    create(path, CrawlSettings(roots=("a.example",)))
    with pytest.raises(ProjectError, match="already exists"):
        rescue(path, path)
    with closing(WriterLock(path)), pytest.raises(ProjectError, match="is being crawled"):
        rescue(path, target)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(ProjectError, match="newer Gossamer"):
        rescue(path, target)


def test_pending_rank_improvements_are_rescued(tmp_path: Path) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    with Crawled(path) as crawled:
        crawled.page("/", *(f"/{number}" for number in range(1000)))
        ids = list(range(2, 1000, 2))
        crawled.writer.commit(StoreBatch(owed=ids, reach=0))
    assert rescue(path, target).whole
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT depth, id FROM owed").fetchall() == [(1, n) for n in ids]


def test_records_on_overflow_pages_are_rescued_whole(tmp_path: Path) -> None:
    path, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    title = "wïde " * 5000
    with Crawled(path) as crawled:
        crawled.page("/", "/" + "x" * 9000, title=title)
    assert rescue(path, target).whole
    with Reader(target) as reader:
        assert reader.records([1])[0].title == title
        assert len(reader.records([2])[0].url) > 9000


def test_spent_trap_budgets_are_kept_and_invalid_ones_dropped(sample: Path, tmp_path: Path) -> None:
    damaged, target = tmp_path / "a.gossamer", tmp_path / "new.gossamer"
    damaged.write_bytes(sample.read_bytes())
    with closing(sqlite3.connect(damaged)) as connection, connection:
        connection.execute("UPDATE budget SET spent = 1 << 40 WHERE key LIKE '%/7/0'")
        connection.execute("UPDATE budget SET spent = -3 WHERE key LIKE '%/8/0'")
    rescue(damaged, target)
    with Writer(target) as writer:
        budgets = writer.budgets(10**6)
    assert budgets == {
        key: spent for key, spent in BUDGETS.items() if not key.endswith(("/7/0", "/8/0"))
    }
