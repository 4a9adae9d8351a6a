"""What a run does: nothing, begin a crawl, or go on with one that was interrupted."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gossamer.scheduling.run_decision import BeginCrawl, NotDue, ResumeCrawl, RunDecision, decide
from gossamer.scheduling.run_history import MOST_RUNS, RunHistory, RunOutcome, ScheduledRun
from gossamer.scheduling.run_times import daily
from gossamer.scheduling.schedule import Schedule, TimerKind

BERLIN = ZoneInfo("Europe/Berlin")
ADDED = "2026-05-01 12:00"
FINISHED = RunOutcome.FINISHED
INTERRUPTED = RunOutcome.INTERRUPTED


def moment(text: str, fold: int = 0) -> float:
    return at(text, fold).timestamp()


def at(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold)


def ran(
    started: str, outcome: RunOutcome, begun: str = "", project: str | None = "p"
) -> ScheduledRun:
    return ScheduledRun(moment(started), moment(begun or started), outcome, project=project)


def decided(
    now: str | datetime,
    *runs: ScheduledRun,
    enabled: bool = True,
    can_resume: bool = True,
    only_if_due: bool = True,
) -> RunDecision:
    schedule = Schedule(
        name="shop",
        times=daily("02:30"),
        folder="/projects",
        timer=TimerKind.NONE,
        since=moment(ADDED),
        is_enabled=enabled,
    )
    return decide(
        schedule,
        RunHistory(runs),
        at(now) if isinstance(now, str) else now,
        can_resume=can_resume,
        only_if_due=only_if_due,
    )


def test_nothing_is_due_before_the_first_time_after_it_was_added() -> None:
    assert isinstance(decided("2026-05-02 02:29"), NotDue)
    assert decided("2026-05-02 02:30") == BeginCrawl()


def test_a_run_by_hand_needs_no_time() -> None:
    assert decided("2026-05-01 12:01", only_if_due=False) == BeginCrawl()
    assert decided("2026-05-01 12:01", only_if_due=False, enabled=False) == BeginCrawl()


def test_missed_times_are_made_up_for_once() -> None:
    assert decided("2026-05-20 09:00", ran("2026-05-03 02:30", FINISHED)) == BeginCrawl()
    assert isinstance(decided("2026-05-20 10:00", ran("2026-05-20 09:00", FINISHED)), NotDue)


@pytest.mark.parametrize("outcome", [FINISHED, RunOutcome.FAILED, RunOutcome.INCOMPLETE])
def test_a_run_that_ended_is_not_repeated_before_the_next_time(outcome: RunOutcome) -> None:
    run = ran("2026-05-02 02:30", outcome)
    assert isinstance(decided("2026-05-02 23:00", run), NotDue)
    assert decided("2026-05-03 02:30", run) == BeginCrawl()


def test_a_disabled_schedule_is_never_due() -> None:
    assert isinstance(decided("2026-05-20 09:00", enabled=False), NotDue)


@pytest.mark.parametrize("outcome", [INTERRUPTED, RunOutcome.RUNNING])
def test_an_interrupted_crawl_goes_on_until_the_next_time(outcome: RunOutcome) -> None:
    run = ran("2026-05-02 02:30", outcome)
    resumed = ResumeCrawl(Path("p"), moment("2026-05-02 02:30"))
    assert decided("2026-05-02 09:00", run) == resumed
    assert decided("2026-05-02 09:00", run, only_if_due=False) == resumed
    assert decided("2026-05-03 02:30", run) == BeginCrawl()


def test_what_was_resumed_and_interrupted_again_counts_from_when_it_began() -> None:
    again = ran("2026-05-03 01:00", INTERRUPTED, begun="2026-05-02 02:30")
    assert isinstance(decided("2026-05-03 02:00", again), ResumeCrawl)
    assert decided("2026-05-03 02:30", again) == BeginCrawl()


def test_a_crawl_that_cannot_go_on_is_not_repeated_before_the_next_time() -> None:
    run = ran("2026-05-02 02:30", INTERRUPTED)
    assert isinstance(decided("2026-05-02 09:00", run, can_resume=False), NotDue)
    assert decided("2026-05-02 09:00", run, can_resume=False, only_if_due=False) == BeginCrawl()


def test_a_run_that_was_killed_before_its_crawl_began_is_due_still() -> None:
    assert (
        decided("2026-05-02 09:00", ran("2026-05-02 02:30", RunOutcome.RUNNING, project=None))
        == BeginCrawl()
    )


def test_runs_that_a_wrong_clock_has_dated_into_the_future_keep_nothing_from_running() -> None:
    assert decided("2026-05-02 02:31", ran("2099-01-01 02:30", FINISHED)) == BeginCrawl()
    future = ran("2099-01-01 02:30", INTERRUPTED)
    assert decided("2026-05-02 02:31", future) == BeginCrawl()


def test_clocks_that_were_set_back_do_not_repeat_a_run() -> None:
    assert isinstance(decided("2026-05-02 02:31", ran("2026-05-02 02:30", FINISHED)), NotDue)
    assert isinstance(decided("2026-05-02 02:10", ran("2026-05-02 02:05", FINISHED)), NotDue)


def test_in_a_doubled_hour_it_runs_once() -> None:
    first = ran("2026-10-25 02:30", FINISHED)
    assert isinstance(decided(at("2026-10-25 02:30", fold=1), first), NotDue)
    assert isinstance(decided("2026-10-25 03:30", first), NotDue)


def test_where_the_clocks_skip_its_time_it_runs_after_the_gap() -> None:
    before = ran("2026-03-28 02:30", FINISHED)
    assert decided("2026-03-29 03:00", before) == BeginCrawl()


def test_the_last_runs_are_remembered() -> None:
    history = RunHistory()
    for number in range(MOST_RUNS + 5):
        run = ScheduledRun(float(number), float(number))
        history = history.with_run(run).with_run(ScheduledRun(float(number), 0.0, FINISHED))
    assert [run.started_s for run in history.runs] == [float(n) for n in range(5, MOST_RUNS + 5)]
    assert {run.outcome for run in history.runs} == {FINISHED}
