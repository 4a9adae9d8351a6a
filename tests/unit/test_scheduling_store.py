"""Schedules are added, listed, enabled, disabled and removed; their files are kept and refused."""

import errno
import json
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.errors import BusyError, KnownError, OutputError, ProjectError, UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import said
from gossamer.scheduling.run_history import RunHistory, RunOutcome, RunRecords, ScheduledRun
from gossamer.scheduling.run_times import RunTimes, daily
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_operations import SchedulePlan, Schedules
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.scheduling.timers.system_timer import TimerError, TimerState
from gossamer.session.series import record_snapshot
from tests.fakes.finished_crawl import finished_crawl

SETTINGS = CrawlSettings(roots=("https://a.test/",), rate=2.0)
PLAN = SchedulePlan("Shop", daily("02:30"), settings=SETTINGS, timer=TimerKind.SYSTEMD)


class FakeTimer:
    """A timer in memory, which may refuse."""

    kind = TimerKind.SYSTEMD

    def __init__(self) -> None:
        self.installed: dict[str, Schedule] = {}
        self.refuses = False
        self.refused_times: RunTimes | None = None
        self.program = Path(sys.executable)

    def is_usable(self) -> bool:
        return True

    def install(self, schedule: Schedule) -> None:
        self._ensure_allowed()
        if schedule.times == self.refused_times:
            self.installed.pop(schedule.name, None)  # as systemd and launchd leave nothing of it
            raise TimerError("systemctl failed: no.")
        self.installed[schedule.name] = schedule

    def remove(self, name: str) -> None:
        self._ensure_allowed()
        self.installed.pop(name, None)

    def state(self, name: str) -> TimerState:
        return TimerState(name in self.installed, self.program)

    def _ensure_allowed(self) -> None:
        if self.refuses:
            raise TimerError("systemctl failed: no.")


class World:
    """A user's schedules, with their timer and their clock."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "config"
        self.timer = FakeTimer()
        self.now_s = 1_800_000_000.0
        self.records = RunRecords(folder / "runs")
        self.schedules = Schedules(
            ScheduleStore(self.config), self.records, lambda _: self.timer, lambda: self.now_s
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_schedule_is_kept_with_its_timer_under_a_name_of_any_case(world: World) -> None:
    added = world.schedules.add(PLAN)
    assert world.schedules.named("SHOP") == added == world.timer.installed["Shop"]
    assert added.since == world.now_s
    assert "rate = 2.0" in (added.settings or "")
    (file,) = world.config.iterdir()
    assert json.loads(file.read_bytes())["version"] == 1
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    overview = world.schedules.overview("Shop")
    assert (overview.trouble, overview.last_run, overview.is_running) == (None, None, False)
    assert world.schedules.overview("sHOP") == overview
    assert overview.next_at is not None
    assert f"{overview.next_at:%H:%M}" == "02:30"


@pytest.mark.parametrize("name", ["", " ", "-x", "a/b", "nul", "x" * 61, "a\nb", "."])
def test_a_name_that_no_file_can_have_is_refused(world: World, name: str) -> None:
    with pytest.raises(UsageError, match="is not a valid name of a schedule"):
        world.schedules.add(SchedulePlan(name, daily("02:30"), settings=SETTINGS))


def test_a_name_in_use_is_refused(world: World) -> None:
    world.schedules.add(PLAN)
    with pytest.raises(UsageError, match="A schedule named Shop already exists"):
        world.schedules.add(SchedulePlan("shop", daily("03:30"), settings=SETTINGS))
    assert world.schedules.named("shop").times == PLAN.times


def test_nothing_is_kept_of_a_schedule_whose_timer_is_refused(world: World) -> None:
    world.timer.refuses = True
    with pytest.raises(TimerError):
        world.schedules.add(PLAN)
    assert world.schedules.names() == []


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (CrawlSettings(roots=()), "Enter the URL"),
        (CrawlSettings(roots=("ftp://a.test",)), "ftp"),
        (CrawlSettings(roots=("https://jo:hunter2@a.test/",)), "keep no passwords"),
        (
            CrawlSettings(roots=("https://a.test/",), headers=(("Cookie", "a"),)),
            "keep no passwords",
        ),
        (CrawlSettings(roots=("https://a.test/",), exclude=("(",)), r"\("),
    ],
)
def test_settings_that_no_run_could_begin_with_are_refused(
    world: World, settings: CrawlSettings, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence) as refused:
        world.schedules.add(SchedulePlan("x", daily("02:30"), settings=settings))
    assert "hunter2" not in str(refused.value)
    assert world.schedules.names() == []


def test_a_project_that_is_not_there_is_refused(world: World, tmp_path: Path) -> None:
    with pytest.raises(KnownError, match=r"x\.gossamer"):
        world.schedules.add(SchedulePlan("x", daily("02:30"), project=tmp_path / "x.gossamer"))


def test_a_schedule_is_disabled_and_enabled_again_from_then_on(world: World) -> None:
    world.schedules.add(PLAN)
    world.schedules.disable("shop")
    assert world.timer.installed == {}
    overview = world.schedules.overview("Shop")
    assert (overview.next_at, overview.trouble) == (None, None)
    world.now_s += 1_000_000
    world.schedules.enable("shop")
    assert world.timer.installed["Shop"].since == world.now_s
    since = world.now_s
    world.now_s += 1
    world.schedules.enable("shop")  # only writes the timer anew
    assert world.schedules.named("shop").since == since


def test_a_changed_schedule_keeps_its_history_and_a_refused_change_changes_nothing(
    world: World,
) -> None:
    added = world.schedules.add(PLAN)
    history = RunHistory((ScheduledRun(1.0, 1.0, RunOutcome.FINISHED),))
    world.records.write("Shop", history)
    later = SchedulePlan("shop", daily("04:00"), settings=SETTINGS, timer=TimerKind.SYSTEMD)
    world.timer.refuses = True
    with pytest.raises(TimerError):
        world.schedules.change(later)
    assert world.schedules.named("Shop") == added
    world.timer.refuses = False
    changed = world.schedules.change(later)
    assert changed == world.schedules.named("shop") == world.timer.installed["Shop"]
    assert (changed.name, changed.times) == ("Shop", daily("04:00"))
    assert world.records.read("Shop") == history
    with pytest.raises(UsageError, match="There is no schedule named 'x'"):
        world.schedules.change(SchedulePlan("x", daily("04:00"), settings=SETTINGS))


def test_a_schedule_keeps_its_timer_where_other_times_are_refused(world: World) -> None:
    added = world.schedules.add(PLAN)
    world.timer.refused_times = daily("04:00")
    with pytest.raises(TimerError):
        world.schedules.change(replace(PLAN, times=daily("04:00")))
    assert world.timer.installed == {"Shop": added}


def test_a_schedule_keeps_its_timer_where_its_file_cannot_be_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = world.schedules.add(PLAN)
    monkeypatch.setattr("gossamer.scheduling.schedule_store.write_aside", _full_disk)
    with pytest.raises(OutputError):
        world.schedules.change(replace(PLAN, times=daily("04:00")))
    assert world.timer.installed == {"Shop": added}


def _full_disk(path: Path, data: bytes, *, replace: bool) -> None:
    del path, data, replace
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_schedule_can_be_changed_when_its_first_project_is_gone(
    world: World, tmp_path: Path
) -> None:
    project = tmp_path / "first.gossamer"
    finished_crawl(project)
    plan = SchedulePlan("Shop", daily("02:30"), project=project, timer=TimerKind.SYSTEMD)
    added = world.schedules.add(plan)
    project.unlink()
    changed = world.schedules.change(replace(plan, times=daily("04:00")))
    assert changed == replace(added, times=daily("04:00"))
    with pytest.raises(ProjectError, match="other"):  # another must be there
        world.schedules.change(replace(plan, project=tmp_path / "other.gossamer"))


def test_a_disabled_schedule_that_is_changed_stays_disabled(world: World) -> None:
    world.schedules.add(PLAN)
    world.schedules.disable("shop")
    assert not world.schedules.change(replace(PLAN, times=daily("04:00"))).is_enabled
    assert world.timer.installed == {}
    assert world.schedules.enable("shop").times == daily("04:00")


def test_a_folder_whose_name_is_no_text_is_refused(world: World, tmp_path: Path) -> None:
    with pytest.raises(KnownError, match="unknown encoding"):
        world.schedules.add(replace(PLAN, folder=tmp_path / "\udcff"))
    assert world.schedules.names() == []


def test_a_folder_that_cannot_be_made_is_refused(world: World, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    inside = replace(PLAN, folder=tmp_path / "file" / "crawls")
    with pytest.raises(ProjectError, match="crawls cannot be created"):
        world.schedules.add(inside)
    assert world.schedules.names() == []
    world.schedules.add(PLAN)
    with pytest.raises(ProjectError, match="cannot be created"):
        world.schedules.change(inside)


def test_a_removed_schedule_leaves_nothing_but_its_projects(world: World, tmp_path: Path) -> None:
    world.schedules.add(PLAN)
    world.records.write("Shop", RunHistory((ScheduledRun(1.0, 1.0),)))
    assert world.schedules.remove("shop") == "Shop"
    assert (world.schedules.names(), world.timer.installed) == ([], {})
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    with pytest.raises(UsageError, match="There is no schedule named 'shop'; add one with"):
        world.schedules.remove("shop")


def test_schedules_are_changed_by_one_at_a_time(world: World) -> None:
    world.schedules.add(PLAN)
    with closing(world.records.lock(".changes")), pytest.raises(BusyError, match="being changed"):
        world.schedules.disable("shop")
    assert world.schedules.named("shop").is_enabled


def test_a_project_that_was_moved_is_found_by_its_series(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    project = finished_crawl(tmp_path / "shop.gossamer")
    world.schedules.add(replace(PLAN, project=project, settings=None))
    moved = project.rename(tmp_path / "renamed.gossamer")
    assert world.schedules.named("shop").project == str(moved)
    (tmp_path / "elsewhere").mkdir()
    moved = moved.rename(tmp_path / "elsewhere" / "shop.gossamer")
    assert world.schedules.named("shop").project == str(project), "nobody has seen it there"
    record_snapshot(moved)
    assert world.schedules.overview("shop").site == "https://example.com"
    world.schedules.disable("shop")
    moved.unlink()
    assert world.schedules.named("shop").project == str(moved)


def test_a_schedule_that_runs_is_not_removed(world: World) -> None:
    world.schedules.add(PLAN)
    with closing(world.records.lock("Shop")):
        with pytest.raises(BusyError, match=r"The schedule Shop is running already \(process"):
            world.schedules.remove("shop")
        assert world.schedules.overview("Shop").is_running
    assert world.schedules.names() == ["Shop"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is not a schedule of Gossamer"),
        (b'{"version": 1}', "is not a schedule of Gossamer"),
        (b'{"version": 2, "schedule": {"new": 1}}', "was made by a newer Gossamer"),
        (b"\xff\xfe", "is not a schedule of Gossamer"),
        (b"[1]", "is not a schedule of Gossamer"),
    ],
)
def test_a_file_that_is_no_schedule_is_said_so_and_can_be_removed(
    world: World, data: bytes, sentence: str
) -> None:
    world.schedules.add(PLAN)
    (world.config / "Shop.json").write_bytes(data)
    with pytest.raises(UsageError, match=sentence):
        world.schedules.named("Shop")
    assert sentence in str(world.schedules.overview("Shop").trouble)
    world.schedules.remove("Shop")
    assert (world.schedules.names(), world.timer.installed) == ([], {})


def test_a_file_that_was_edited_or_renamed_is_what_it_says_under_its_name(world: World) -> None:
    world.schedules.add(PLAN)
    file = world.config / "Shop.json"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("30 2 * * *", "30 4 * * *"), encoding="utf-8")
    assert world.schedules.named("Shop").times == daily("04:30")
    file.write_text(text.replace("30 2 * * *", "@daily"), encoding="utf-8")
    assert world.schedules.named("Shop").times == daily("00:00")
    assert world.schedules.overview("Shop").next_at is not None
    file.rename(world.config / "Other.json")
    assert world.schedules.named("other").name == "Other"
    (world.config / "Other.json").write_text(text.replace("30 2 * * *", "30 25 * * *"))
    with pytest.raises(UsageError, match=r"is not a schedule of Gossamer \('30 25"):
        world.schedules.named("other")


def test_a_timer_that_is_gone_or_starts_what_is_gone_is_told_of(world: World) -> None:
    world.schedules.add(PLAN)
    world.timer.program = Path("/gone/python")
    trouble = str(world.schedules.overview("Shop").trouble)
    assert trouble == (
        "Its timer starts /gone/python, which no longer exists; create it again: "
        "gossamer schedule enable 'Shop'"
    )
    world.timer.installed.clear()
    assert "Its timer is missing" in str(world.schedules.overview("Shop").trouble)


def test_a_history_is_kept_and_a_damaged_one_counts_as_none(world: World) -> None:
    history = RunHistory(
        (ScheduledRun(1.0, 1.0, RunOutcome.FAILED, failures=(said("No {n}.", n=1),)),)
    )
    world.records.write("Shop", history)
    assert world.records.read("Shop") == history
    file = world.records.folder / "Shop.json"
    file.write_bytes(file.read_bytes()[:-5])
    assert world.records.read("Shop") == RunHistory()
    file.write_bytes(b'{"version": 2}')
    with pytest.raises(UsageError, match="newer Gossamer"):
        world.records.read("Shop")


def test_a_run_that_was_killed_is_shown_as_interrupted(world: World) -> None:
    world.schedules.add(PLAN)
    world.records.write("Shop", RunHistory((ScheduledRun(1.0, 1.0),)))
    last = world.schedules.overview("Shop").last_run
    assert last is not None
    assert last.outcome is RunOutcome.INTERRUPTED
