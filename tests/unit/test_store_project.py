import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store import project
from gossamer.store.database import check_pages
from gossamer.store.project import check, create
from gossamer.store.reading.reader import Reader
from gossamer.store.schema import APPLICATION_ID, VERSION
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import Crawled
from tests.fakes.faulty_disk import failure

SETTINGS = CrawlSettings(roots=("example.com", "https://example.org/ü"), workers=7, exclude=("x",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a #site?.gossamer"


def altered(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def opened_by_all(path: Path) -> list[str]:
    """The sentences with which every way to open a project refuses this one."""
    sentences = []
    for way in (check, Reader, Writer):
        with pytest.raises(ProjectError) as refused:
            way(path)
        sentences.append(str(refused.value))
    return sentences


def test_new_project_holds_its_settings_and_nothing_else(path: Path) -> None:
    create(path, SETTINGS)
    with Reader(path) as reader:
        summary = reader.summary()
    assert summary.settings == SETTINGS
    assert (summary.state, summary.seconds, summary.last_id) == (CrawlState.NEW, 0, 0)
    assert (summary.outcomes, summary.statuses, summary.received_bytes) == ({}, {}, 0)
    assert summary.created_at > 1.7e9


def test_new_project_is_one_file_that_other_programs_can_tell(path: Path) -> None:
    create(path, SETTINGS)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_project_is_never_put_over_a_file(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(ProjectError, match="already exists"):
        create(path, SETTINGS)
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("missing/a.gossamer", "The folder .*missing does not exist; create it first"),
        ("file/a.gossamer", "file is not a folder"),
        ("x" * 300 + ".gossamer", "The name of .* is too long; choose a shorter one"),
        ("漢" * 80 + ".gossamer", "The name of .* is too long; choose a shorter one"),
        ("\udcff.gossamer", "characters in an unknown encoding; rename"),
    ],
)
def test_place_that_cannot_be_written(tmp_path: Path, place: str, sentence: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProjectError, match=sentence):
        create(tmp_path / place, SETTINGS)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("place", ["/", ".", ".."])
def test_a_folder_is_no_place_for_a_project(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProjectError, match="already exists"):
        create(Path(place), SETTINGS)


def test_nothing_is_left_of_a_project_that_could_not_be_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_connection: sqlite3.Connection, _settings: CrawlSettings) -> None:
        raise failure(sqlite3.SQLITE_FULL)

    monkeypatch.setattr(project, "_fill", fails)
    with pytest.raises(ProjectError, match="is full") as refused:
        create(path, SETTINGS)
    assert refused.value.said.values == {"path": str(path)}
    assert list(path.parent.iterdir()) == []


def test_opening_a_missing_file_makes_none(path: Path) -> None:
    assert opened_by_all(path) == [f"The project file {path} does not exist; check the path."] * 3
    assert list(path.parent.iterdir()) == []


def test_folder_is_no_project(tmp_path: Path) -> None:
    assert opened_by_all(tmp_path) == [f"{tmp_path} is a folder, not a project file."] * 3


def test_a_folder_of_shards_is_no_project_either_but_can_be_made_one(tmp_path: Path) -> None:
    (tmp_path / "shard-1-of-2.gossamer").touch()
    refused = opened_by_all(tmp_path)
    assert all("merge them with 'gossamer merge'" in each for each in refused)
    assert len(refused) == 3


def foreign_database(path: Path) -> None:
    altered(path, "CREATE TABLE t (x); INSERT INTO t VALUES (1);")


@pytest.mark.parametrize(
    "make",
    [
        foreign_database,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"SQLite format 3\0"),
        lambda path: path.write_text("URL,Title\r\n" * 100),
    ],
)
def test_foreign_files_are_refused_untouched(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    before = path.read_bytes()
    sentence = f"{path} is not a Gossamer project; choose a .gossamer file."
    assert opened_by_all(path) == [sentence] * 3
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_newer_project_is_refused_untouched(path: Path) -> None:
    create(path, SETTINGS)
    altered(path, f"PRAGMA user_version={VERSION + 1}")
    before = path.read_bytes()
    sentence = f"{path} was made by a newer Gossamer; update Gossamer to open it."
    assert opened_by_all(path) == [sentence] * 3
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "script",
    [
        "DROP INDEX url_parent",
        "ALTER TABLE url ADD COLUMN extra",
        "DROP TABLE link; CREATE VIEW link AS SELECT load_extension('evil')",
    ],
)
def test_altered_project_is_refused(path: Path, script: str) -> None:
    create(path, SETTINGS)
    altered(path, script)
    sentence = f"{path} was modified by another program; use an earlier copy."
    assert opened_by_all(path) == [sentence] * 3


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON url BEGIN DELETE FROM link; END", "trigger 't'"),
        ("CREATE VIEW v AS SELECT url FROM url", "view 'v'"),
        ("CREATE VIRTUAL TABLE f USING fts5 (x)", "table 'f'"),
        ("CREATE UNIQUE INDEX i ON url (outcome)", "index 'i'"),
    ],
)
def test_what_would_run_is_refused(path: Path, script: str, what: str) -> None:
    create(path, SETTINGS)
    altered(path, script)
    assert all(f"which added the {what}" in sentence for sentence in opened_by_all(path))


def test_tables_of_others_do_no_harm(path: Path) -> None:
    create(path, SETTINGS)
    altered(path, "CREATE TABLE mine (x UNIQUE); CREATE INDEX i ON mine (x); ANALYZE")
    check(path)


def test_header_that_no_sqlite_knows_is_damage(path: Path) -> None:
    create(path, SETTINGS)
    data = bytearray(path.read_bytes())
    data[47] = 99  # the schema format
    path.write_bytes(data)
    assert all("is damaged" in sentence for sentence in opened_by_all(path))


def test_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    assert opened_by_all(path) == [f"{path} is not a file; choose a .gossamer file."] * 3


def test_settings_out_of_bounds_are_refused(path: Path) -> None:
    create(path, SETTINGS)
    altered(path, "UPDATE project SET settings = json_set(settings, '$.workers', 0)")
    with Reader(path) as reader, pytest.raises(ProjectError, match="cannot be used: Workers must"):
        reader.summary()


class Watched(sqlite3.Connection):
    """A connection that tells when it is interrupted."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.interrupted = threading.Event()

    def interrupt(self) -> None:
        super().interrupt()
        self.interrupted.set()


def test_look_for_damage_ends_in_time(path: Path) -> None:
    """What takes long is a row whose check waits until the time is over, and then fails."""
    with closing(
        sqlite3.connect(path, factory=Watched, check_same_thread=False, isolation_level=None)
    ) as connection:
        waits = False

        def slow(value: int) -> bool:
            return value > 0 and (not waits or not connection.interrupted.wait(10))

        connection.create_function("slow", 1, slow, deterministic=True)
        connection.execute("CREATE TABLE mine (x CHECK (slow(x)))")
        connection.executemany("INSERT INTO mine VALUES (?)", [(n,) for n in range(1, 9)])
        waits = True
        check_pages(connection, path, budget_s=0.01)
        assert connection.interrupted.is_set()
        waits = False
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute("INSERT INTO mine VALUES (-1)")
        connection.execute("PRAGMA ignore_check_constraints=OFF")
        with pytest.raises(ProjectError, match="is damaged"):
            check_pages(connection, path, budget_s=60)


def test_project_without_its_row_is_damaged(path: Path) -> None:
    create(path, SETTINGS)
    altered(path, "DELETE FROM project")
    assert all("is damaged" in sentence for sentence in opened_by_all(path))


def test_file_cut_short_is_damaged(path: Path) -> None:
    create(path, SETTINGS)
    path.write_bytes(path.read_bytes()[:4096])
    assert all("is damaged" in sentence for sentence in opened_by_all(path))


@pytest.mark.parametrize("settings", ["{}", "not json", '{"roots": ["a"], "surprise": 1}'])
def test_settings_that_are_not_ours(path: Path, settings: str) -> None:
    create(path, SETTINGS)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE project SET settings = ?", (settings,))
    with Reader(path) as reader, pytest.raises(ProjectError, match=r"settings in .* be read"):
        reader.summary()


def test_numbers_that_mean_nothing_are_damage(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/")
    altered(path, "UPDATE url SET outcome = 99; UPDATE url_count SET outcome = 99")
    with Reader(path) as reader:
        with pytest.raises(ProjectError, match="is damaged"):
            reader.records([1])
        with pytest.raises(ProjectError, match="is damaged"):
            reader.counts()


def test_text_that_is_no_text_is_damage(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/")
    altered(path, "UPDATE url SET url = CAST(x'ff' AS TEXT)")
    with Reader(path) as reader, pytest.raises(ProjectError, match="is damaged"):
        reader.records([1])


def test_reading_leaves_one_file(path: Path) -> None:
    with Crawled(path) as crawled:
        crawled.page("/")
    before = path.read_bytes()
    with Reader(path) as reader:
        assert len(reader.ids(View.ALL)) == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before
