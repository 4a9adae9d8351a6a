"""The series of a site: snapshots, notes, saved filters, and its file when things go wrong."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.portable_filters import PortableFilter, SavedFilter
from gossamer.model.series_contents import CrawlSnapshot, Note, NoteSubject
from gossamer.notifying.crawl_notification import rules_about
from gossamer.session.project_files import delete_project
from gossamer.session.project_locations import (
    ProjectLocation,
    find_moved,
    forget_crawls,
    location_of,
    relink,
    relink_crawl,
)
from gossamer.session.query_history import query_history, remember_query
from gossamer.session.series import (
    all_series,
    next_segments,
    record_snapshot,
    series_of,
    write_note,
)
from gossamer.session.session_factory import SessionFactory
from gossamer.store.locking.folder_lock import locked_folder
from gossamer.store.project import stored_settings
from gossamer.store.project_copy import copy_project
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.series_file import Series
from gossamer.store.series_paths import series_folder, series_path
from gossamer.store.series_tables import _repaired, make_series_file, repair_series_file
from tests.fakes.finished_crawl import finished_crawl

_TITLE_MISSING, _H1_MISSING = 400, 600


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def series(tmp_path: Path) -> Series:
    path = tmp_path / f"{'5e' * 16}.series"
    make_series_file(path)
    return Series(path)


def damage(path: Path, table: str) -> None:
    """Have the first page of a table in a database be nonsense."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"x" * size)


def test_the_snapshot_of_a_crawl_has_its_figures(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    (snapshot,) = series_of(path).crawls()
    assert (snapshot.pages, snapshot.errors, snapshot.urls) == (2, 1, 3)
    assert snapshot.state is CrawlState.FINISHED
    assert snapshot.project == str(path)
    assert snapshot.median_ms is not None
    assert not snapshot.audited


def test_ends_and_beginnings_of_crawls_look_for_no_other_crawls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = finished_crawl(tmp_path / "a.gossamer")
    series_id, _ = rules_about(path)
    assert next_segments(path) is None
    series = Series(series_path(series_id))
    assert not series.is_gathered  # a millisecond for each project of the data folder
    series_of(path)
    assert series.is_gathered


def test_a_crawl_started_again_is_of_the_series_of_the_previous_one(tmp_path: Path) -> None:
    previous = finished_crawl(tmp_path / "a.gossamer")
    settings = stored_settings(previous)
    found = {previous: True, tmp_path / "gone.gossamer": False}
    for number, (project, is_same) in enumerate(found.items()):
        made = SessionFactory().create(settings, tmp_path / f"{number}.gossamer", previous=project)
        assert (read_identity(made.path)[0] == read_identity(previous)[0]) is is_same


def test_a_snapshot_that_says_the_same_is_not_written_again(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    assert record_snapshot(path)
    assert not record_snapshot(path)


def test_issues_count_by_priority_and_by_rule(series: Series) -> None:
    snapshot = CrawlSnapshot(created_at=1.0, high=3, medium=2)
    series.record(snapshot, {_TITLE_MISSING: 3, _H1_MISSING: 2, 401: 0})
    series.record(replace(snapshot, created_at=2.0, high=1), {_TITLE_MISSING: 1})
    assert [each.issues for each in series.crawls()] == [5, 3]
    assert series.issue_trend([_TITLE_MISSING]) == {1.0: 3, 2.0: 1}
    assert series.issues(1.0) == {_TITLE_MISSING: 3, _H1_MISSING: 2}
    assert series.issues_of_crawls() == {1.0: series.issues(1.0), 2.0: series.issues(2.0)}


def test_a_crawl_that_took_the_place_of_another_leaves_its_snapshot(series: Series) -> None:
    series.record(CrawlSnapshot(created_at=1.0, project="/a"), {})
    series.record(CrawlSnapshot(created_at=2.0, project="/a"), {})
    assert [each.project for each in series.crawls()] == ["", "/a"]


def test_a_project_that_was_moved_is_the_same_finished_crawl(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    series_of(path)
    moved = path.rename(tmp_path / "b.gossamer")
    assert [each.project for each in series_of(moved).crawls()] == [str(moved)]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, names are text")
def test_a_project_whose_name_is_no_text_is_left_out_of_its_series(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    strange = tmp_path / os.fsdecode(b"\xff.gossamer")
    strange.write_bytes(path.read_bytes())
    assert [each.project for each in series_of(path).crawls()] == [str(path)]
    with pytest.raises(ProjectError, match="rename the file"):
        series_of(strange)


def test_projects_that_were_moved_are_looked_for(tmp_path: Path) -> None:
    first = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(first)
    second = finished_crawl(tmp_path / "b.gossamer", pages=5, series=series.id)
    series_of(second)
    assert not find_moved(series, second)
    moved = first.rename(tmp_path / "renamed.gossamer")
    assert find_moved(series, second)
    assert not find_moved(series, second)
    assert [each.project for each in series.crawls()] == [str(moved), str(second)]
    moved.unlink()
    assert not find_moved(series, second)


def test_a_series_goes_with_its_only_project_unless_more_is_kept_in_it(tmp_path: Path) -> None:
    first, second = (finished_crawl(tmp_path / f"{name}.gossamer") for name in "ab")
    alone, noted = series_of(first), series_of(second)
    write_note(noted, Note(text="Relaunch"))
    remember_query(first, "SELECT 1")
    remember_query(first, "SELECT 2")
    assert query_history(first) == ["SELECT 2", "SELECT 1"]
    delete_project(first)
    delete_project(second)
    assert [each.id for each in all_series()] == [noted.id]
    assert not alone.path.exists()


@pytest.mark.parametrize("kept", [0, 1])
def test_a_series_stays_while_a_copy_of_its_only_project_does(tmp_path: Path, kept: int) -> None:
    first = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(first)
    remember_query(first, "SELECT 1")
    copy_project(first, tmp_path / "b.gossamer")
    files = [first, tmp_path / "b.gossamer"]
    delete_project(files.pop(1 - kept))
    assert [each.project for each in series.crawls()] == [str(files[0])]
    assert query_history(files[0]) == ["SELECT 1"]
    delete_project(files[0])
    assert not series.path.exists()


def test_queries_that_are_kept_at_once_are_all_kept(tmp_path: Path) -> None:
    project = finished_crawl(tmp_path / "a.gossamer")
    series_of(project)
    asked = [f"SELECT {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(partial(remember_query, project), asked))
    assert sorted(query_history(project)) == sorted(asked)


def test_a_removed_project_stays_as_a_snapshot(tmp_path: Path) -> None:
    first = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(first)
    second = finished_crawl(tmp_path / "b.gossamer", pages=5, series=series.id)
    series_of(second)
    first.unlink()
    assert [each.pages for each in series_of(second).crawls()] == [2, 5]


def test_a_lost_file_is_made_anew_from_the_projects(tmp_path: Path) -> None:
    first = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(first)
    second = finished_crawl(tmp_path / "b.gossamer", pages=5, series=series.id)
    finished_crawl(tmp_path / "other.gossamer", pages=9)
    (tmp_path / "damaged.gossamer").write_bytes(b"x")
    series.path.unlink()
    assert [each.pages for each in series_of(second).crawls()] == [2, 5]


def test_a_crawl_recorded_before_anybody_looked_does_not_hide_the_others(tmp_path: Path) -> None:
    first = finished_crawl(tmp_path / "a.gossamer")
    second = finished_crawl(tmp_path / "b.gossamer", pages=5, series=read_identity(first)[0])
    record_snapshot(second)
    assert [each.pages for each in series_of(second).crawls()] == [2, 5]


@pytest.mark.parametrize("table", ["crawl", "note"])
def test_a_damaged_file_is_made_anew_and_says_so(tmp_path: Path, table: str) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(path)
    series.set_setting("retention", [7])
    write_note(series, Note(text="Relaunch"))
    damage(series.path, table)
    mended = series_of(path)
    assert mended.repaired is not None
    assert str(mended.repaired).endswith(f"{series.path}.damaged.")
    assert [each.pages for each in mended.crawls()] == [2]
    assert mended.setting("retention", list) == [7]
    assert len(mended.notes()) == (table == "crawl")
    assert series_of(path).repaired is None


def test_each_damaged_file_is_kept(series: Series) -> None:
    contents = []
    for suffix in ("damaged", "damaged-2", "damaged-3"):
        damage(series.path, "note")
        with series.path.open("ab") as file:
            file.write(suffix.encode())
        contents.append(series.path.read_bytes())
        kept = repair_series_file(series.path)
        assert kept == series.path.with_name(f"{series.path.name}.{suffix}")
    aside = [series.path.with_name(f"{series.path.name}.damaged{n}") for n in ("", "-2", "-3")]
    assert [each.read_bytes() for each in aside] == contents


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE project SET created_at = 1e18",
        "UPDATE project SET created_at = -1",
        "UPDATE project SET created_at = 'now'",
        "UPDATE project SET seconds = -5",
        "UPDATE visit SET fetched_at = 1e18",
    ],
)
def test_a_project_with_a_time_that_is_none_is_no_crawl_of_its_series(
    tmp_path: Path, change: str
) -> None:
    """It would damage the file of the series for all other crawls."""
    path = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(path)
    wrong = finished_crawl(tmp_path / "b.gossamer", pages=5, series=series.id)
    with closing(sqlite3.connect(wrong)) as connection, connection:
        connection.execute(change)
    series.path.unlink()
    for _ in range(2):
        seen = series_of(path)
        assert seen.repaired is None
        assert [each.pages for each in seen.crawls()] == [2]
    with pytest.raises(ProjectError, match="damaged"):
        record_snapshot(wrong)
    assert series_of(path).repaired is None


def test_what_another_thread_has_mended_is_not_mended_again(series: Series) -> None:
    damaged = series.path.with_name(f"{series.path.name}.damaged")
    damage(series.path, "note")
    content = series.path.read_bytes()
    assert repair_series_file(series.path) == damaged
    assert repair_series_file(series.path) is None
    assert damaged.read_bytes() == content


def test_a_file_that_is_mended_as_a_crawl_ends_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    damage(series_of(path).path, "note")
    record_snapshot(path)
    assert "was damaged and was rebuilt" in caplog.text


@pytest.mark.parametrize(
    "damaging",
    [
        "UPDATE crawl SET state = 'fjnished'",
        "UPDATE crawl SET root = CAST(x'68ff' AS TEXT)",
        "INSERT INTO note (created_at, author, subject, about, text) VALUES (0, '', 's', '', 'a')",
        "INSERT INTO saved_filter VALUES ('a', 'all', '{')",
        "INSERT INTO setting VALUES ('a', '[1')",
    ],
)
def test_rows_that_nobody_can_read_are_damage_that_is_mended(tmp_path: Path, damaging: str) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(path)
    write_note(series, Note(text="Relaunch"))
    with closing(sqlite3.connect(series.path)) as connection, connection:
        connection.execute(damaging)
    (mended,) = all_series()
    assert mended.repaired is not None
    assert [each.text for each in mended.notes()] == ["Relaunch"]
    assert (mended.saved_filters(), mended.setting_names()) == ([], [])
    series = series_of(path)
    assert series.repaired is None
    assert [each.pages for each in series.crawls()] == [2]


@pytest.mark.parametrize("content", [b"", b"no database", b"x" * 5000])
def test_what_is_no_series_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    file = series_folder() / f"{read_identity(path)[0]}.series"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    assert [each.pages for each in series_of(path).crawls()] == [2]
    assert file.with_name(f"{file.name}.damaged").read_bytes() == content


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(path)
    with closing(sqlite3.connect(series.path)) as connection:
        connection.execute("PRAGMA user_version=2")
    before = series.path.read_bytes()
    with pytest.raises(ProjectError, match="newer Gossamer"):
        series_of(path)
    assert series.path.read_bytes() == before


def test_a_project_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer", series="../../evil")
    with pytest.raises(ProjectError, match="damaged"):
        series_of(path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    series_folder().parent.mkdir(parents=True, exist_ok=True)
    series_folder().write_text("a file")
    with pytest.raises(ProjectError, match="check its folder"):
        series_of(path)


def test_a_copy_and_a_rescued_project_are_the_same_finished_crawl(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer")
    copy_project(path, tmp_path / "copy.gossamer")
    rescue(path, tmp_path / "rescued.gossamer")
    identities = {read_identity(each) for each in tmp_path.glob("*.gossamer")}
    assert len(identities) == 1


def test_a_rescued_project_without_its_series_begins_one(tmp_path: Path) -> None:
    path = finished_crawl(tmp_path / "a.gossamer", series="../../evil")
    rescue(path, tmp_path / "rescued.gossamer")
    assert len(read_identity(tmp_path / "rescued.gossamer")[0]) == 32


def test_notes_are_kept_changed_and_removed(series: Series) -> None:
    about = Note(text=" Relaunch \nof the shop ", subject=NoteSubject.URL, about="https://a/")
    kept = write_note(series, about)
    assert kept.text == "Relaunch \nof the shop"
    assert kept.author
    assert series.notes(NoteSubject.URL, "https://a/") == [kept]
    assert series.notes(NoteSubject.URL, "https://b/") == []
    series.change_note(replace(kept, text="Other"))
    assert [each.text for each in series.notes()] == ["Other"]
    series.remove_note(kept.id)
    with pytest.raises(UsageError, match="no note"):
        series.remove_note(kept.id)
    with pytest.raises(UsageError, match="no note"):
        series.change_note(kept)
    assert write_note(series, about).id > kept.id


@pytest.mark.parametrize(
    "note",
    [
        Note(text=" "),
        Note(text="x" * 10_001),
        Note(text="x", subject=NoteSubject.URL),
        Note(text="x", about="something"),
        Note(text="x", subject=NoteSubject.DATE, about="23 November"),
    ],
)
def test_a_note_that_says_nothing_or_of_nothing_is_refused(series: Series, note: Note) -> None:
    with pytest.raises(UsageError):
        write_note(series, note)
    assert not series.notes()


def test_a_saved_filter_replaces_one_of_its_name(series: Series) -> None:
    folder = PortableFilter(folder="https://example.com/blog/", facets={"depth": (1, 2)})
    series.save_filter(SavedFilter(name="Blog"))
    series.save_filter(SavedFilter(name="blog", tab="pages", filter_=folder))
    assert series.saved_filters() == [SavedFilter(name="blog", tab="pages", filter_=folder)]
    series.remove_filter("BLOG")
    with pytest.raises(UsageError):
        series.remove_filter("blog")
    with pytest.raises(UsageError, match="Enter a name"):
        series.save_filter(SavedFilter(name=" "))


class _Rule(Struct):
    daily: int


def test_settings_are_values_of_their_kind(series: Series) -> None:
    assert series.setting("retention", _Rule) is None
    series.set_setting("retention", _Rule(7))
    assert series.setting("retention", _Rule) == _Rule(7)
    series.set_setting("retention", None)
    assert series.setting("retention", _Rule) is None


def test_segments_are_those_set_last(series: Series) -> None:
    assert series.segments() is None
    series.set_segments(("a", "b"))
    series.set_segments(("b",))
    assert series.segments() == ("b",)
    series.set_segments(())
    assert series.segments() == ()


def test_all_series_are_listed(tmp_path: Path) -> None:
    assert all_series() == []
    paths = [finished_crawl(tmp_path / f"{name}.gossamer") for name in "ab"]
    assert {series_of(path).id for path in paths} == {each.id for each in all_series()}


def test_a_series_that_vanishes_or_is_of_a_newer_version_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, newer, gone = (series_of(finished_crawl(tmp_path / f"{n}.gossamer")) for n in "abc")
    with closing(sqlite3.connect(newer.path)) as connection:
        connection.execute("PRAGMA user_version=2")
    files = [newer.path, gone.path, there.path]
    gone.remove()
    monkeypatch.setattr("gossamer.session.series._series_files", lambda: files)
    assert [each.id for each in all_series()] == [there.id]
    assert not gone.path.exists()


def places(series: Series) -> list[str]:
    return [str(location_of(each)) for each in series.crawls()]


def two_crawls(folder: Path) -> tuple[Series, Path, Path]:
    first = finished_crawl(folder / "a.gossamer")
    second = finished_crawl(folder / "b.gossamer", pages=5, series=read_identity(first)[0])
    return series_of(second), first, second


def test_what_became_of_a_project_is_told(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    series, first, second = two_crawls(tmp_path / "disk")
    first.unlink()
    assert places(series) == [ProjectLocation.MISSING, ProjectLocation.HERE]
    (tmp_path / "disk").rename(tmp_path / "unmounted")
    assert places(series) == [ProjectLocation.OUT_OF_REACH] * 2
    (tmp_path / "unmounted").rename(tmp_path / "disk")
    delete_project(second)
    assert places(series) == [ProjectLocation.MISSING, ProjectLocation.REMOVED]


def test_projects_that_changed_their_names_keep_their_crawls(tmp_path: Path) -> None:
    series, first, second = two_crawls(tmp_path)
    first.rename(tmp_path / "c.gossamer")
    second.rename(first)
    (tmp_path / "c.gossamer").rename(second)
    assert find_moved(series, first)
    assert [each.project for each in series.crawls()] == [str(second), str(first)]
    second.unlink()
    first.rename(second)
    assert find_moved(series, second)
    assert [each.project for each in series.crawls()] == ["", str(second)]


def test_a_copy_does_not_take_the_place_of_a_project_that_is_there(tmp_path: Path) -> None:
    series, first, second = two_crawls(tmp_path)
    copy_project(second, tmp_path / "copy.gossamer")
    first.unlink()
    assert not find_moved(series, second)
    assert series.crawls()[1].project == str(second)


def test_projects_are_linked_again_wherever_they_are(tmp_path: Path) -> None:
    series, first, second = two_crawls(tmp_path)
    elsewhere = tmp_path / "backup" / "2026"
    elsewhere.mkdir(parents=True)
    moved = first.rename(elsewhere / "old.gossamer")
    other = finished_crawl(elsewhere / "other.gossamer")
    (elsewhere / "broken.gossamer").write_bytes(b"x")
    first_at, second_at = (each.created_at for each in series.crawls())
    for wrong, of in ((other, first_at), (moved, second_at)):
        with pytest.raises(UsageError, match="another"):
            relink_crawl(series, of, wrong)
    with pytest.raises(UsageError, match="another site"):
        relink(series, [other])
    assert places(series)[0] == ProjectLocation.MISSING
    assert relink(series, [tmp_path / "backup"]) == 1
    assert [each.project for each in series.crawls()] == [str(moved), str(second)]


def test_crawls_are_forgotten_unless_their_project_is_there(tmp_path: Path) -> None:
    series, first, _ = two_crawls(tmp_path)
    times = [each.created_at for each in series.crawls()]
    first.unlink()
    with pytest.raises(UsageError, match="still there"):
        forget_crawls(series, times)
    assert forget_crawls(series, times[:1]) == 1
    assert [each.created_at for each in series.crawls()] == times[1:]


_MENDS = """
import sys
from pathlib import Path
from gossamer.store.series_tables import SeriesDamagedError, check_series_file, repair_series_file
path = Path(sys.argv[1])
try:
    check_series_file(path)
except SeriesDamagedError:
    print("damaged", flush=True)
print(repair_series_file(path), flush=True)
"""


def test_a_process_that_waited_for_another_to_mend_a_file_leaves_it_alone(series: Series) -> None:
    damage(series.path, "note")
    content = series.path.read_bytes()
    damaged = series.path.with_name(f"{series.path.name}.damaged")
    with locked_folder(series.path.parent):
        process = _python(_MENDS, series.path)
        assert process.stdout is not None
        assert process.stdout.readline() == b"damaged\n"
        _repaired(series.path)
    series.add_note(Note(text="written meanwhile"))
    assert process.communicate()[0] == b"None\n"
    assert [each.text for each in series.notes()] == ["written meanwhile"]
    assert damaged.read_bytes() == content


def test_of_two_processes_that_mend_a_file_one_does(series: Series) -> None:
    series.set_setting("retention", [7])
    damage(series.path, "note")
    content = series.path.read_bytes()
    said = [_python(_MENDS, series.path) for _ in "ab"]
    told = [each.communicate()[0].splitlines()[-1] for each in said]
    damaged = series.path.with_name(f"{series.path.name}.damaged")
    assert sorted(told) == sorted([str(damaged).encode(), b"None"])
    assert damaged.read_bytes() == content
    assert series.setting("retention", list) == [7]


def test_what_is_written_while_a_file_is_mended_is_in_the_new_one(series: Series) -> None:
    damage(series.path, "saved_filter")
    with locked_folder(series.path.parent):
        writer = _writer(series, 1, "a")
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"begun\n"
        _repaired(series.path)
    writer.communicate()
    assert [each.text for each in series.notes()] == ["a0"]


def test_a_file_that_is_made_twice_keeps_the_journal_of_who_writes_it(series: Series) -> None:
    journal = series.path.with_name(f"{series.path.name}-journal")
    journal.write_bytes(b"what a writer would undo")
    make_series_file(series.path)
    assert journal.exists()


_WRITES = """
import sys
from pathlib import Path
from gossamer.model.series_contents import Note
from gossamer.store.series_file import Series
from gossamer.store.series_paths import series_folder, series_path
series = Series(Path(sys.argv[1]))
print("begun", flush=True)
for number in range(int(sys.argv[2])):
    series.add_note(Note(text=f"{sys.argv[3]}{number}"))
"""


def _writer(series: Series, notes: int, name: str) -> "subprocess.Popen[bytes]":
    return _python(_WRITES, series.path, notes, name)


def _python(code: str, *arguments: object) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "app"},
    )


def test_two_processes_write_and_a_killed_one_damages_nothing(series: Series) -> None:
    first, second, killed = (
        _writer(series, 20, "a"),
        _writer(series, 20, "b"),
        _writer(series, 10**6, "c"),
    )
    assert killed.stdout is not None
    killed.stdout.readline()
    while not any(each.text.startswith("c") for each in series.notes()):
        pass
    killed.send_signal(signal.SIGKILL)
    for each in (first, second, killed):
        each.communicate()
    texts = [each.text for each in series.notes()]
    assert {f"{name}{number}" for name in "ab" for number in range(20)} <= set(texts)
    series.add_note(Note(text="after"))
