"""Old projects of a schedule: which are removed, and all that is left alone."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.scheduling.pruning import Pruning, prune_projects
from gossamer.scheduling.retention_rule import KEEP_ALL, RetentionRule, kept, rule_of
from gossamer.scheduling.run_history import MadeProject
from gossamer.scheduling.run_times import daily
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.session.series import Note, NoteSubject, series_of, write_note
from gossamer.store.project import create
from gossamer.store.project_copy import copy_project
from gossamer.store.project_in_use import is_in_use
from gossamer.store.reading.reader import Reader
from gossamer.store.writer_lock import WriterLock

SETTINGS = CrawlSettings(roots=("https://a.test/",))
FIRST_S = datetime(2026, 5, 4, 2, 30, tzinfo=UTC).timestamp()
DAY_S = 86_400.0


class Folder:
    """The folder of a schedule, with a project for each of some days."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        self.made: list[MadeProject] = []

    def project(
        self,
        day: float,
        state: str = "finished",
        folder: Path | None = None,
        *,
        is_complete: bool = True,
    ) -> Path:
        path = (folder or self.path) / f"shop {day}.gossamer"
        create(path, SETTINGS)
        created_s = FIRST_S + day * DAY_S
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            values = (state, created_s)
            connection.execute("UPDATE project SET state = ?, created_at = ?", values)
        self.made.append(MadeProject(str(path), created_s, is_complete))
        return path

    def pruned(self, rule: RetentionRule | None = None, *, dry_run: bool = False) -> Pruning:
        schedule = Schedule(
            name="shop",
            times=daily("02:30"),
            folder=str(self.path),
            timer=TimerKind.NONE,
            since=0.0,
            retention=rule or RetentionRule(2, 0, 0),
        )
        return prune_projects(schedule, self.made, dry_run=dry_run, zone=UTC)

    @property
    def names(self) -> list[str]:
        return sorted(path.name for path in self.path.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "shop")


def days(folder: Folder, *numbers: int) -> list[Path]:
    return [folder.project(number) for number in numbers]


def test_what_the_rule_does_not_keep_is_removed_with_all_beside_it(folder: Folder) -> None:
    old, *_ = days(folder, 0, 1, 2)
    (folder.path / "shop 0.gossamer-wal").touch()
    assert folder.pruned() == Pruning((old,), ())
    assert folder.names == ["shop 1.gossamer", "shop 2.gossamer"]
    assert folder.pruned() == Pruning((), ())


def test_a_dry_run_says_what_would_be_removed_and_removes_nothing(folder: Folder) -> None:
    old, *_ = days(folder, 0, 1, 2)
    assert folder.pruned(dry_run=True).removed == (old,)
    assert len(folder.names) == 3


def test_without_a_number_everything_stays(folder: Folder) -> None:
    days(folder, 0, 1, 2, 3)
    assert folder.pruned(KEEP_ALL) == Pruning((), ())


def test_who_wants_all_projects_to_stay_has_to_say_so() -> None:
    assert rule_of(0, 0, 1) == RetentionRule(0, 0, 1)
    with pytest.raises(UsageError, match="at least one"):
        rule_of(0, 0, 0)


def test_a_project_that_is_crawled_is_left(folder: Folder) -> None:
    old, *_ = days(folder, 0, 1, 2)
    with closing(WriterLock(old)):
        ((path, reason),) = folder.pruned().left
    assert (path, str(reason)) == (old, f"{old} is being crawled.")
    assert folder.pruned().removed == (old,)


def test_a_project_that_is_open_is_left(folder: Folder) -> None:
    old, *_ = days(folder, 0, 1, 2)
    with Reader(old) as reader:
        assert reader.summary().settings == SETTINGS
        ((path, reason),) = folder.pruned().left
        assert (path, str(reason)) == (old, f"{old} is open in another program.")
    assert not is_in_use(old)
    assert folder.pruned().removed == (old,)


def test_a_crawl_with_a_note_is_left(folder: Folder) -> None:
    old, *_ = days(folder, 0, 1, 2)
    about = str(folder.made[0].created_s)
    note = Note(text="Before the release", subject=NoteSubject.CRAWL, about=about)
    write_note(series_of(old), note)
    assert [str(each.reason) for each in folder.pruned().left] == [f"{old} has a note."]


def test_a_file_that_is_not_the_schedules_own_is_left(folder: Folder, tmp_path: Path) -> None:
    elsewhere = folder.project(0, folder=tmp_path)
    other, *_ = days(folder, 1, 2, 3, 4)
    other.unlink()
    copy_project(elsewhere, other)  # another project has its name now
    unknown = folder.path / "mine.gossamer"
    create(unknown, SETTINGS)
    linked = folder.project(-1, folder=tmp_path)
    (folder.path / linked.name).symlink_to(linked)
    folder.made.append(MadeProject(str(folder.path / linked.name), folder.made[-1].created_s))
    (folder.path / "shop 9.gossamer").write_text("not a project")
    folder.made.append(MadeProject(str(folder.path / "shop 9.gossamer"), FIRST_S))
    assert folder.pruned().removed == (folder.path / "shop 2.gossamer",)
    assert elsewhere.exists()
    assert linked.exists()
    assert other.exists()
    assert unknown.exists()


def test_only_finished_crawls_count_and_older_unfinished_ones_go(folder: Folder) -> None:
    finished = days(folder, 0, 3)
    paused = folder.project(2, "paused")
    newest = folder.project(4, "paused")
    assert folder.pruned().removed == (paused,)
    assert all(path.exists() for path in (*finished, newest))


def test_a_crawl_that_no_server_answered_does_not_stand_for_its_day(folder: Folder) -> None:
    good, down, again, after = (
        folder.project(0),
        folder.project(0.25, is_complete=False),
        folder.project(0.5, is_complete=False),
        folder.project(1),
    )
    assert folder.pruned() == Pruning((down, again), ())
    assert good.exists()
    assert after.exists()


def test_unfinished_crawls_stay_while_there_is_nothing_better(folder: Folder) -> None:
    for day in range(4):
        folder.project(day, "paused")
    assert folder.pruned() == Pruning((), ())


def test_a_year_of_crawls_is_thinned_to_days_weeks_and_months() -> None:
    begin = datetime(2026, 5, 4, 2, 30, tzinfo=UTC)
    crawls = [(begin + timedelta(days=day)).timestamp() for day in range(400)]
    stay = [
        datetime.fromtimestamp(each, UTC) for each in sorted(kept(crawls, RetentionRule(), UTC))
    ]
    assert [f"{each:%m-%d}" for each in stay] == [
        *("07-31", "08-31", "09-30", "10-31", "11-30", "12-31", "01-31", "02-28", "03-31"),
        *("04-25", "04-30", "05-02", "05-09", "05-16", "05-23", "05-30", "05-31"),
        *("06-01", "06-02", "06-03", "06-04", "06-05", "06-06", "06-07"),
    ]
