"""When schedules run: what is typed, and what it means on days on which clocks change."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gossamer.model.errors import UsageError
from gossamer.scheduling.local_time import LOCAL, local_time
from gossamer.scheduling.run_times import DaySelection, RunTimes, daily, from_cron, weekly
from tests.cases import each_case

BERLIN = ZoneInfo("Europe/Berlin")
HALF_PAST_TWO = daily("02:30")


def berlin(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold)


def following(times: RunTimes, after: str, number: int) -> list[str]:
    moments = times.following(berlin(after), number)
    return [f"{each:%m-%d %H:%M%z}" for each in moments]


@each_case(
    ("times", "expression", "words"),
    [
        (daily("2:05"), "5 2 * * *", "daily at 02:05"),
        (weekly("Sunday", "23:59"), "59 23 * * 0", "Sundays at 23:59"),
        (weekly(" tue", "00:00"), "0 0 * * 2", "Tuesdays at 00:00"),
        (from_cron("@daily"), "0 0 * * *", "daily at 00:00"),
        (from_cron("@Weekly"), "0 0 * * 0", "Sundays at 00:00"),
        (from_cron("30  2 * * 7"), "30 2 * * 7", "Sundays at 02:30"),
        (
            from_cron("*/15 8-18/2 1,15 JAN-mar Mon,fri-SUN"),
            "*/15 8-18/2 1,15 1-3 1,5-7",
            "cron */15 8-18/2 1,15 1-3 1,5-7",
        ),
    ],
)
def test_times_are_typed_as_people_and_cron_write_them(
    times: RunTimes, expression: str, words: str
) -> None:
    assert times.expression == expression
    assert str(times.described) == words


@each_case(
    "typed",
    [
        "",
        "* * * *",
        "* * * * * *",
        "@reboot",
        "60 * * * *",
        "0 24 * * *",
        "0 0 31 2 *",
        "0 0 0 * *",
        "0 0 * * 5-1",
        "5/15 * * * *",
        "*/0 * * * *",
        "0 0 L * *",
        "0 0 * * 5#2",
        "0 0 * foo *",
        "٣ 0 * * *",
        "99999999999999999999 * * * *",
        f"{'9' * 5_000} * * * *",
    ],
)
def test_what_is_no_cron_expression_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(UsageError, match=r"cron expression|never occurs"):
        from_cron(typed)


@each_case("typed", ["24:00", "2:3", "02:60", "noon", "2.30", "02:30:00", "٠٢:٣٠"])
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a time of day"):
        daily(typed)


@each_case("typed", ["", "s", "th", "sundays", "weekday", "8"])
def test_what_is_no_day_of_the_week_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a day of the week"):
        weekly(typed, "02:30")


def test_a_time_that_the_clocks_skip_is_made_up_for_after_the_gap() -> None:
    assert following(HALF_PAST_TWO, "2026-03-28 12:00", 2) == [
        "03-29 03:00+0200",
        "03-30 02:30+0200",
    ]
    assert HALF_PAST_TWO.latest(berlin("2026-03-29 03:00")) == berlin("2026-03-29 03:00")
    assert HALF_PAST_TWO.latest(berlin("2026-03-29 01:59")) == berlin("2026-03-28 02:30")


def test_a_time_that_comes_twice_is_meant_the_first_time() -> None:
    assert following(HALF_PAST_TWO, "2026-10-24 12:00", 2) == [
        "10-25 02:30+0200",
        "10-26 02:30+0100",
    ]
    second = HALF_PAST_TWO.latest(berlin("2026-10-25 02:30", fold=1))
    assert second is not None
    assert second.timestamp() == berlin("2026-10-25 02:30").timestamp()


def test_what_runs_every_hour_goes_by_the_time_that_passes() -> None:
    hourly = from_cron("30 * * * *")
    assert following(hourly, "2026-03-29 01:00", 2) == ["03-29 01:30+0100", "03-29 03:30+0200"]
    assert following(hourly, "2026-10-25 02:00", 3) == [
        "10-25 02:30+0200",
        "10-25 02:30+0100",
        "10-25 03:30+0100",
    ]


@pytest.mark.parametrize(
    ("expression", "now", "latest", "fold"),
    [
        ("*/15 * * * *", "2026-10-25 02:16", "2026-10-25 02:15", 1),
        ("0 * * * *", "2026-10-25 02:40", "2026-10-25 02:00", 1),
        ("30 2 * * *", "2026-10-25 02:05", "2026-10-25 02:30", 0),
    ],
)
def test_the_latest_time_in_the_second_of_two_equal_hours_is_the_last_that_has_passed(
    expression: str, now: str, latest: str, fold: int
) -> None:
    found = from_cron(expression).latest(berlin(now, fold=1))
    assert found is not None
    assert found.timestamp() == berlin(latest, fold).timestamp()


def test_the_latest_time_is_up_to_now_to_the_second() -> None:
    assert HALF_PAST_TWO.latest(berlin("2026-05-05 02:30")) == berlin("2026-05-05 02:30")
    just_before = berlin("2026-05-05 02:30") - timedelta(microseconds=1)
    assert HALF_PAST_TWO.latest(just_before) == berlin("2026-05-04 02:30")


def test_a_day_and_a_weekday_are_either_of_both_as_cron_has_it() -> None:
    assert from_cron("0 3 1,15 * fri").fields.days == (
        DaySelection(days=(1, 15)),
        DaySelection(weekdays=(5,)),
    )
    assert from_cron("0 3 */2 * 0,7").fields.days == (
        DaySelection(days=tuple(range(1, 32, 2)), weekdays=(0,)),
    )
    assert from_cron("0 3 1-31 * fri").fields.days == (DaySelection(),)


@pytest.fixture
def _in_lord_howe(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system has one zone for all processes")
    monkeypatch.setenv("TZ", "Australia/Lord_Howe")  # whose clocks skip half an hour
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_in_lord_howe")
def test_local_time_is_that_of_the_system_with_its_changes() -> None:
    zone = ZoneInfo("Australia/Lord_Howe")
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    while moment.year == 2026:
        ours, theirs = local_time(moment.timestamp()), moment.astimezone(zone)
        assert ours.replace(tzinfo=None) == theirs.replace(tzinfo=None)
        assert (ours.fold, ours.utcoffset(), ours.tzname()) == (
            theirs.fold,
            theirs.utcoffset(),
            theirs.tzname(),
        )
        assert ours.timestamp() == moment.timestamp()
        moment += timedelta(minutes=15) if moment.month in {4, 10} else timedelta(days=1)
    skipped = daily("02:15").latest(datetime(2026, 10, 4, 12, tzinfo=LOCAL))
    assert f"{skipped:%m-%d %H:%M}" == "10-04 02:30"
