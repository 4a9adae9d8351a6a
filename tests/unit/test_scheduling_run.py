"""One run of a schedule, step by step: interrupted at each, failing at each, and gone on with."""

import asyncio
import sqlite3
import sys
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.errors import OutputError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import CommandChannel, DesktopChannel
from gossamer.notifying.conditions import parse_condition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_paths import rules_path
from gossamer.notifying.rule_store import RuleStore
from gossamer.scheduling.run_history import (
    MadeProject,
    RunHistory,
    RunOutcome,
    RunRecords,
    ScheduledRun,
)
from gossamer.scheduling.run_times import daily
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_operations import SchedulePlan, Schedules
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.scheduling.scheduled_run import CrawlEnding, RunEnding, run_schedule
from gossamer.scheduling.timers.timer_choice import NoTimer
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.settings_file import settings_text
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import Crawled

SETTINGS = settings_text(CrawlSettings(roots=("https://a.test/",)))
NOW_S = 1_800_000_000.0


def take_as_finished(project: Path) -> None:
    with closing(sqlite3.connect(project, isolation_level=None)) as connection:
        connection.execute("UPDATE project SET state = 'finished'")


class FakeShell:
    """Takes each crawl as finished and each step as done, but for one where it is interrupted."""

    def __init__(self, ending: CrawlEnding | None = None, interrupt_at: int = -1) -> None:
        self.ending = ending or CrawlEnding()
        self.interrupt_at = interrupt_at
        self.fails_at = -1
        self.is_cancelled = False
        self.crawled: list[Path] = []
        self.steps = 0
        self.told: list[str] = []

    async def crawl(self, session: CrawlSession) -> CrawlEnding:
        self.crawled.append(session.path)
        await session.close()
        if self.is_cancelled:
            raise asyncio.CancelledError
        if self.ending == CrawlEnding():
            take_as_finished(session.path)
        return self.ending

    async def complete(self, step: Coroutine[None, None, None]) -> bool:
        step.close()
        self.steps += 1
        if self.steps - 1 == self.fails_at:
            raise OutputError("No {what}.", what="room")
        return self.steps - 1 != self.interrupt_at

    def tell(self, sentence: Translatable) -> None:
        self.told.append(str(sentence))


class ScheduleOfTest:
    """A schedule whose clock moves on a minute with each run."""

    def __init__(self, folder: Path) -> None:
        self.records = RunRecords(folder / "runs")
        self.schedule = Schedule(
            name="shop",
            times=daily("02:30"),
            folder=str(folder / "projects"),
            timer=TimerKind.NONE,
            since=NOW_S,
            settings=SETTINGS,
        )
        self.now_s = NOW_S

    def run(self, shell: FakeShell, *, only_if_due: bool = False) -> RunEnding:
        self.now_s += 60
        return asyncio.run(
            run_schedule(
                self.schedule,
                shell,
                self.records,
                only_if_due=only_if_due,
                clock=lambda: self.now_s,
            )
        )

    @property
    def last(self) -> ScheduledRun:
        return self.records.read("shop").runs[-1]


@pytest.fixture
def shop(tmp_path: Path) -> ScheduleOfTest:
    return ScheduleOfTest(tmp_path)


def steps_of_a_run(shop: ScheduleOfTest) -> int:
    shell = FakeShell()
    assert shop.run(shell).exit_code == 0
    return shell.steps


def test_wherever_it_is_interrupted_the_next_run_does_what_is_left(shop: ScheduleOfTest) -> None:
    count = steps_of_a_run(shop)
    assert count >= 4
    for number in range(count):
        shell = FakeShell(interrupt_at=number)
        assert shop.run(shell).exit_code == 130
        assert shop.last.outcome is RunOutcome.INTERRUPTED
        (project,) = shell.crawled
        resumed = FakeShell()
        assert shop.run(resumed, only_if_due=True).exit_code == 0
        assert (resumed.crawled, resumed.steps) == ([], count)
        assert shop.last.project == str(project)


def test_a_run_that_was_killed_stays_interrupted_after_the_next(shop: ScheduleOfTest) -> None:
    assert shop.run(FakeShell(interrupt_at=0)).exit_code == 130
    history = shop.records.read("shop")
    shop.records.write("shop", history.with_run(replace(shop.last, outcome=RunOutcome.RUNNING)))
    assert shop.run(FakeShell()).exit_code == 0
    outcomes = [each.outcome for each in shop.records.read("shop").runs]
    assert outcomes == [RunOutcome.INTERRUPTED, RunOutcome.FINISHED]


def test_a_step_that_fails_keeps_no_other_from_being_done(shop: ScheduleOfTest) -> None:
    count = steps_of_a_run(shop)
    for number in range(count):
        shell = FakeShell()
        shell.fails_at = number
        assert shop.run(shell).exit_code == 8
        assert shell.steps == count
        assert shop.last.outcome is RunOutcome.INCOMPLETE
        assert [str(each) for each in shop.last.failures] == ["No room."]
        assert shell.told[-1] == "No room."


def test_an_interrupted_crawl_goes_on_and_a_failed_one_does_not(shop: ScheduleOfTest) -> None:
    interrupted = FakeShell(CrawlEnding(is_interrupted=True))
    assert shop.run(interrupted).exit_code == 130
    failed = FakeShell(CrawlEnding(failure=said("No answer."), exit_code=3))
    assert shop.run(failed).exit_code == 3
    assert failed.crawled == interrupted.crawled
    assert (failed.steps, shop.last.outcome) == (1, RunOutcome.FAILED)  # people are told of it
    anew = FakeShell()
    assert shop.run(anew).exit_code == 0
    assert anew.crawled != failed.crawled


def test_an_interrupted_crawl_goes_on_without_the_project_that_it_crawls_again(
    shop: ScheduleOfTest, tmp_path: Path
) -> None:
    base = tmp_path / "base.gossamer"
    create(base, CrawlSettings(roots=("https://a.test/",)))
    shop.schedule = replace(shop.schedule, settings=None, project=str(base))
    interrupted = FakeShell(CrawlEnding(is_interrupted=True))
    assert shop.run(interrupted).exit_code == 130
    base.unlink()
    resumed = FakeShell()
    assert shop.run(resumed).exit_code == 8
    assert resumed.crawled == interrupted.crawled
    assert "base.gossamer" in str(shop.last.failures[0])
    assert shop.run(FakeShell()).exit_code == 0  # it crawls its own project again


def test_a_crawl_that_has_failed_is_not_complete_if_its_run_was_killed_before_it_said_so(
    shop: ScheduleOfTest, tmp_path: Path
) -> None:
    path = tmp_path / "moved.gossamer"
    with Crawled(path) as crawled:
        crawled.redirect("/", "https://b.example/", outcome=Outcome.REDIRECT_OUT_OF_SCOPE)
    take_as_finished(path)
    killed = ScheduledRun(NOW_S + 1, NOW_S + 1, project=str(path))
    shop.records.write("shop", RunHistory((killed,), (MadeProject(str(path), 1.0),)))
    assert shop.run(FakeShell()).exit_code == 3
    assert "redirects to https://b.example/" in str(shop.last.failures[0])
    assert not shop.records.read("shop").projects[0].is_complete


def test_a_run_that_is_cancelled_is_interrupted_and_its_crawl_goes_on(
    shop: ScheduleOfTest,
) -> None:
    cancelled = FakeShell()
    cancelled.is_cancelled = True
    with pytest.raises(asyncio.CancelledError):
        shop.run(cancelled)
    assert shop.last.outcome is RunOutcome.INTERRUPTED
    resumed = FakeShell()
    assert shop.run(resumed).exit_code == 0
    assert resumed.crawled == cancelled.crawled


def test_projects_that_are_gone_are_forgotten_unless_their_folder_is_gone_too(
    shop: ScheduleOfTest,
) -> None:
    for _ in range(3):
        shop.run(FakeShell())
    first, second, third = (Path(each.path) for each in shop.records.read("shop").projects)
    first.unlink()
    shop.run(FakeShell())
    known = [Path(each.path) for each in shop.records.read("shop").projects]
    assert known[:2] == [second, third]
    assert first not in known
    away = second.parent.rename(second.parent.with_name("away"))  # as a disk that is taken out
    gone = shop.records.read("shop").without_gone()
    assert [Path(each.path) for each in gone.projects] == known
    away.rename(second.parent)


def test_a_run_begins_with_the_latest_project_that_can_be_read(shop: ScheduleOfTest) -> None:
    for _ in range(2):
        shop.run(FakeShell())
    good, bad = (Path(each.path) for each in shop.records.read("shop").projects)
    bad.write_bytes(b"nonsense" * 1000)
    shell = FakeShell()
    assert shop.run(shell).exit_code == 8
    with Reader(shell.crawled[0]) as reader:
        previous = reader.summary().previous
    assert previous is not None
    assert previous.path == str(good)
    (failure,) = shop.last.failures
    assert str(bad) in str(failure)
    assert shop.run(FakeShell()).exit_code == 0  # that is news once
    for each in shop.records.read("shop").projects:
        Path(each.path).write_bytes(b"nonsense" * 1000)
    shell = FakeShell()
    assert shop.run(shell).exit_code == 8
    with Reader(shell.crawled[0]) as reader:
        assert reader.summary().previous is None  # it began with the schedule's own settings


def test_a_schedule_whose_only_project_is_damaged_fails(
    shop: ScheduleOfTest, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.gossamer"
    bad.write_bytes(b"nonsense" * 1000)
    shop.schedule = replace(shop.schedule, settings=None, project=str(bad))
    assert shop.run(FakeShell()).exit_code == 4
    (failure,) = shop.last.failures
    assert str(bad) in str(failure)


def test_a_project_of_which_the_system_does_not_tell_whether_it_is_there_is_kept() -> None:
    unreadable = MadeProject(f"/{'a' * 300}/x.gossamer", 1.0)
    assert RunHistory(projects=(unreadable,)).without_gone().projects == (unreadable,)


def test_a_schedule_without_sitemaps_says_so_where_a_rule_looks_at_them(
    shop: ScheduleOfTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    schedules = Schedules(ScheduleStore(tmp_path / "kept"), shop.records, timer=lambda _: NoTimer())
    for name, reads in (("with", True), ("without", False)):
        settings = CrawlSettings(roots=("https://a.test/",), use_sitemaps=reads)
        plan = SchedulePlan(name, daily("02:30"), settings=settings, timer=TimerKind.NONE)
        schedules.add(plan)
    assert schedules.sitemap_warning("without") is None  # no rule looks at any
    rule = NotificationRule("maps", (parse_condition("sitemap"),), (DesktopChannel(),))
    RuleStore().add(rule)
    assert schedules.sitemap_warning("with") is None
    assert "'maps' looks at sitemaps" in str(schedules.sitemap_warning("without"))
    rules_path().write_text("nonsense")  # the schedule is there all the same
    assert "cannot be read" in str(schedules.sitemap_warning("without"))
    store = ScheduleStore(tmp_path / "kept")
    store.save(replace(store.named("with"), settings="roots = 5"), replace=True)
    assert [schedules.overview(name).site for name in ("with", "without")] == [
        "",
        "https://a.test/",
    ]


def test_a_crawl_that_somebody_cancelled_is_not_gone_on_with(shop: ScheduleOfTest) -> None:
    interrupted = FakeShell(CrawlEnding(is_interrupted=True))
    shop.run(interrupted)
    with closing(sqlite3.connect(interrupted.crawled[0], isolation_level=None)) as connection:
        connection.execute("UPDATE project SET state = 'cancelled'")
    assert shop.run(FakeShell(), only_if_due=True).not_due is not None
    anew = FakeShell()
    assert shop.run(anew).exit_code == 0
    assert anew.crawled != interrupted.crawled


def test_a_settings_text_that_cannot_be_read_is_a_failed_run(shop: ScheduleOfTest) -> None:
    shop.schedule = Schedule(
        name="shop",
        times=daily("02:30"),
        folder=shop.schedule.folder,
        timer=TimerKind.NONE,
        since=NOW_S,
        settings="nonsense = 1",
    )
    shell = FakeShell()
    assert shop.run(shell).exit_code == 2
    assert shop.last.outcome is RunOutcome.FAILED
    assert "nonsense" in shell.told[-1]


def test_a_project_that_was_moved_away_is_asked_for(shop: ScheduleOfTest, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.gossamer")
    shop.schedule = replace(shop.schedule, settings=None, project=gone, project_series="5e" * 16)
    shell = FakeShell()
    assert shop.run(shell).exit_code == 4
    assert "gossamer series relink 5e5e5e5e FOLDER" in shell.told[-1]


class DoingShell(FakeShell):
    """Carries each step out."""

    async def complete(self, step: Coroutine[None, None, None]) -> bool:
        await step
        return True


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of the test's own, about failures and about issues."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    program = CommandChannel((sys.executable, "-c", "pass"))
    for name, condition in (("failures", "ended:failed"), ("issues", "issue:low")):
        RuleStore().add(NotificationRule(name, (parse_condition(condition),), (program,)))


@pytest.mark.usefixtures("rules")
def test_each_run_that_fails_after_a_crawl_is_told(shop: ScheduleOfTest, tmp_path: Path) -> None:
    """The crawl before, by which these failures are reported, is the same each time."""
    assert shop.run(FakeShell()).exit_code == 0
    (tmp_path / "file").touch()
    shop.schedule = replace(shop.schedule, folder=str(tmp_path / "file" / "projects"))
    for count in (1, 2):
        assert shop.run(DoingShell()).exit_code == 4
        assert len(default_outbox().messages()) == count


@pytest.mark.usefixtures("rules")
def test_a_run_that_fails_before_there_is_a_project_is_told(
    shop: ScheduleOfTest, tmp_path: Path
) -> None:
    shop.schedule = replace(shop.schedule, settings=None, project=str(tmp_path / "no.gossamer"))
    for count in (1, 2):  # each failure is news
        assert shop.run(DoingShell()).exit_code == 4
        messages = default_outbox().messages()
        assert len(messages) == count
        assert "no.gossamer" in messages[-1].content
        assert "issue:low" not in messages[-1].content
