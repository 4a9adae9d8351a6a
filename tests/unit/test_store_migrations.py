"""The frame of migrations, on versions that never were; and projects of old, opened for ever."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import View
from gossamer.store.database import check_header, expected_schema, file_version
from gossamer.store.locking.lock_file import encode_holder, this_process
from gossamer.store.migrations import MIGRATIONS, migrate
from gossamer.store.project import check
from gossamer.store.reading.reader import Reader
from gossamer.store.schema import TABLES, VERSION
from gossamer.store.writer_lock import WriterLock
from gossamer.store.writing.writer import Writer
from gossamer.urls.url_parsing import host_of
from tests.fakes.crawled import SITE, Crawled
from tests.freeze import freeze, frozen_versions, sample_path, thaw

LATER = VERSION + 2
_END = "indexed INTEGER NOT NULL DEFAULT 0\n)"
assert _END in TABLES
TABLES_LATER = (
    TABLES.replace(_END, f"{_END[:-2]}, note TEXT DEFAULT 'none')")
    + "CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);"
)


def add_note(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE project ADD COLUMN note TEXT DEFAULT 'none'")


def add_labels(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("INSERT INTO label SELECT id, url FROM url")


CHAIN = {VERSION: add_note, VERSION + 1: add_labels}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.gossamer"
    with Crawled(path) as crawled:
        crawled.page("/", "/a")
    return path


def one_value(path: Path, query: str) -> object:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchone()[0]


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


def test_migrations_run_in_order_and_the_rows_are_kept(path: Path) -> None:
    migrate(path, CHAIN, LATER, TABLES_LATER)
    assert file_version(path) == LATER
    check_header(path, LATER)
    assert one_value(path, "SELECT count(*) FROM url") == 2
    assert one_value(path, "SELECT count(*) FROM label") == 2
    assert one_value(path, "PRAGMA journal_mode") == "wal"
    assert one_value(path, "PRAGMA integrity_check") == "ok"
    assert names(path) == ["a.gossamer"]


def test_older_project_is_not_read_as_it_is(path: Path) -> None:
    with pytest.raises(ProjectError, match="older Gossamer; run 'gossamer info' to upgrade it"):
        check_header(path, LATER)


def test_chain_may_be_entered_anywhere(path: Path) -> None:
    tables = TABLES_LATER.partition("CREATE TABLE label")[0]
    migrate(path, CHAIN, VERSION + 1, tables)
    migrate(path, CHAIN, LATER, TABLES_LATER)
    assert file_version(path) == LATER


def fails(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (x)")
    raise sqlite3.OperationalError("disk I/O error")


def stops(connection: sqlite3.Connection) -> None:
    del connection
    raise KeyboardInterrupt


def leaves_it_wrong(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE wrong (x)")


@pytest.mark.parametrize("step", [fails, stops, leaves_it_wrong])
@pytest.mark.parametrize("number", [VERSION, VERSION + 1])
def test_migration_that_fails_changes_nothing(
    path: Path, step: Callable[[sqlite3.Connection], None], number: int
) -> None:
    with pytest.raises(BaseException):  # noqa: B017, PT011 - each step has its own
        migrate(path, CHAIN | {number: step}, LATER, TABLES_LATER)
    assert names(path) == ["a.gossamer"]
    check(path)
    with Writer(path) as writer:
        assert [row.id for row in writer.queued(host_of(f"{SITE}/"), 0, 9)] == [2]


def test_commits_that_are_only_in_the_wal_file_are_migrated(path: Path, tmp_path: Path) -> None:
    with Crawled(tmp_path / "b.gossamer") as crawled:
        crawled.page("/", "/a", "/b")
        for suffix in ("", "-wal"):
            data = (tmp_path / f"b.gossamer{suffix}").read_bytes()
            path.with_name(path.name + suffix).write_bytes(data)
    migrate(path, CHAIN, LATER, TABLES_LATER)
    assert one_value(path, "SELECT count(*) FROM label") == 3


def test_leftovers_of_a_killed_migration_do_not_disturb(path: Path) -> None:
    killed = path.with_name(".gossamer-0123456789abcdef.part")
    killed.mkdir()
    (killed / path.name).write_bytes(b"half a copy")
    left = msgspec.structs.replace(this_process(), pid=2**22 + 1)
    (killed / "lock").write_bytes(encode_holder(left))
    migrate(path, CHAIN, LATER, TABLES_LATER)
    assert file_version(path) == LATER
    assert names(path) == ["a.gossamer"]


def test_project_that_is_in_use_is_not_migrated(path: Path) -> None:
    with closing(WriterLock(path)), pytest.raises(ProjectError, match="is being crawled"):
        migrate(path, CHAIN, LATER, TABLES_LATER)
    with Reader(path) as reader:
        reader.summary()
        with pytest.raises(ProjectError, match="is open in another program"):
            migrate(path, CHAIN, LATER, TABLES_LATER)
    check(path)


def test_every_older_version_has_its_migration() -> None:
    assert list(MIGRATIONS) == list(range(1, VERSION))


# ---------------------------------------------------------------- projects of old


def test_every_version_has_a_frozen_sample() -> None:
    assert frozen_versions() == list(range(1, VERSION + 1))


def test_the_sample_of_a_released_version_is_not_written_anew() -> None:
    before = sample_path(VERSION).stat().st_mtime_ns
    freeze(released=VERSION)
    assert sample_path(VERSION).stat().st_mtime_ns == before


def test_latest_sample_has_the_tables_of_today(tmp_path: Path) -> None:
    """After a change of the tables, before that version is released: python -m tests.freeze."""
    path = thaw(VERSION, tmp_path / "a.gossamer")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        assert dict(rows) == expected_schema()


@pytest.mark.parametrize("version", frozen_versions())
def test_projects_of_every_version_are_opened_for_ever(tmp_path: Path, version: int) -> None:
    path = thaw(version, tmp_path / "a.gossamer")
    check(path)
    with Reader(path) as reader:
        summary = reader.summary()
        assert summary.state is CrawlState.PAUSED
        assert (summary.seconds, summary.created_at) == (12.5, 1.7e9)
        assert summary.settings.roots == ("https://example.com",)
        assert summary.settings.exclude == ("/private/",)
        assert summary.statuses == {200: 2, 301: 1, 404: 1}
        assert summary.outcomes[Outcome.PENDING] == 2
        home, about = reader.records([1, 2])
        assert (home.url, home.title) == ("https://example.com/", "Wëlcome 欢迎")
        assert (about.inlinks, about.word_count) == (2, 3)
        assert [link.text for link in reader.outlinks(1)] == [
            "About us",
            "a picture",
            "",
            "/gone",
            "/later",
        ]
        assert [hop.status for hop in reader.chain(6)] == [301, 200]
        assert reader.headers(1)[0] == ("Content-Type", "text/html")
        (origin,) = reader.folders(None)
        assert origin.urls == 6
        assert len(reader.ids(View.ALL)) == summary.last_id
    with Writer(path) as writer:
        assert [row.url[-6:] for row in writer.queued("example.com", 0, 9)] == ["re.png", "/later"]
