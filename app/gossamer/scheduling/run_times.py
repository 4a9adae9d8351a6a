"""The times at which a schedule runs: what a user types, and the moments that it means.

Everything is a cron expression of five fields; "daily at 02:30" is `30 2 * * *`. Times are local.
On days when clocks change, the results are those of Debian's cron(8), as cronsim computes them:

- A time of day that the clocks skip is made up for at the end of the gap.
- A time of day that comes twice is meant once, the first time.
- What runs every so many minutes, or at some minute of every hour, goes by the time that passes.
"""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Final, NamedTuple

from cronsim import CronSim, CronSimError
from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence, Translatable, said

DAYS: Final = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_MONTH: Final = 3
_DAY_OF_WEEK: Final = 4
_NUMBERS: Final[Mapping[int, Mapping[str, int]]] = {
    _MONTH: {name: number for number, name in enumerate(_MONTHS, 1)},
    _DAY_OF_WEEK: {name[:3]: number for number, name in enumerate(DAYS)},
}
_NICKNAMES: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_TIME: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_PART: Final = r"(\*|\d+(-\d+)?)(/\d+)?"
_FIELD: Final = re.compile(rf"{_PART}(,{_PART})*", re.ASCII)
_STEP_OF_ONE: Final = re.compile(r"(^|,)\d+/", re.ASCII)
_FIELDS: Final = 5
_WEEK: Final = 7
_MOST_DAYS: Final = 31
_SOME_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)


class DaySelection(NamedTuple):
    """Days by their number in the month and by their weekday (0 is Sunday): both must fit.

    None stands for all of them.
    """

    days: tuple[int, ...] | None = None
    weekdays: tuple[int, ...] | None = None


class TimeFields(NamedTuple):
    """The same times for the calendars of other systems; None stands for all months.

    A day fits if it is of one of the selections.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    months: tuple[int, ...] | None
    days: tuple[DaySelection, ...]


class RunTimes(Struct, frozen=True):
    """Times as a cron expression: minutes, hours, days, months, days of the week, in numbers."""

    expression: str

    def latest(self, now: datetime) -> datetime | None:
        """The last of these times up to `now`, in the zone of `now`."""
        after = now.replace(microsecond=0) + timedelta(seconds=1)
        latest = next(CronSim(self.expression, after, reverse=True), None)
        if latest is None:
            return None
        # Going back, the first of two equal hours is taken for the second: those since are sought.
        now_s = now.timestamp()
        since = takewhile(lambda each: each.timestamp() <= now_s, CronSim(self.expression, latest))
        return max((latest, *since), key=datetime.timestamp)

    def following(self, now: datetime, number: int = 1) -> list[datetime]:
        """The next `number` of these times after `now`; fewer if there are none in fifty years."""
        # Times of one zone are compared by their clocks: in a doubled hour, that is not enough.
        after_s = now.timestamp()
        moments = CronSim(self.expression, now)
        return list(islice((each for each in moments if each.timestamp() > after_s), number))

    @property
    def fields(self) -> TimeFields:
        """The times as numbers."""
        parsed = CronSim(self.expression, _SOME_DAY)
        weekdays = {int(str(day)) % _WEEK for day in parsed.weekdays}
        days = DaySelection(_some(parsed.days, _MOST_DAYS), _some(weekdays, _WEEK))
        return TimeFields(
            tuple(sorted(parsed.minutes)),
            tuple(sorted(parsed.hours)),
            _some(parsed.months, len(_MONTHS)),
            (days,) if parsed.day_and else _either(days),
        )

    @property
    def described(self) -> Translatable:
        """The times in words, where they are simple; otherwise the expression."""
        minute, hour, day, month, weekday = self.expression.split()
        is_time = minute.isdigit() and hour.isdigit() and month == "*" and day == "*"
        if is_time and weekday == "*":
            return said("daily at {time}", time=f"{int(hour):02}:{int(minute):02}")
        if is_time and weekday.isdigit():
            name = DAYS[int(weekday) % 7]
            return said(_WEEKLY[name], time=f"{int(hour):02}:{int(minute):02}")
        return said("cron {expression}", expression=self.expression)


def _some(values: Collection[int], of: int) -> tuple[int, ...] | None:
    return None if len(values) == of else tuple(sorted(values))


def _either(days: DaySelection) -> tuple[DaySelection, ...]:
    """Where both are given, cron takes a day that fits one of them."""
    if None in days:
        return (DaySelection(),)
    return (DaySelection(days=days.days), DaySelection(weekdays=days.weekdays))


_WEEKLY: Final[Mapping[str, Sentence]] = {
    "sunday": "Sundays at {time}",
    "monday": "Mondays at {time}",
    "tuesday": "Tuesdays at {time}",
    "wednesday": "Wednesdays at {time}",
    "thursday": "Thursdays at {time}",
    "friday": "Fridays at {time}",
    "saturday": "Saturdays at {time}",
}


def daily(time: str) -> RunTimes:
    """Each day at a time such as "02:30"; UsageError."""
    hour, minute = _time_of_day(time)
    return RunTimes(f"{minute} {hour} * * *")


def weekly(day: str, time: str) -> RunTimes:
    """Each week on a day such as "Sunday" or "sun"; UsageError."""
    typed = day.strip().lower()
    number = _NUMBERS[_DAY_OF_WEEK].get(typed[:3])
    if number is None or not DAYS[number].startswith(typed):
        raise UsageError("{day!r} is not a day of the week; use one such as 'sunday'.", day=day)
    hour, minute = _time_of_day(time)
    return RunTimes(f"{minute} {hour} * * {number}")


def from_cron(typed: str) -> RunTimes:
    """The times of a cron expression of five fields, or of @daily and its like; UsageError.

    Fields are as in crontab(5): `*`, numbers, names, lists, ranges, steps.
    """
    text = _NICKNAMES.get(typed.strip().lower(), typed)
    fields = [_in_numbers(number, field) for number, field in enumerate(text.lower().split())]
    if len(fields) != _FIELDS:
        raise UsageError(
            "{typed!r} is not a cron expression; use five fields such as '30 2 * * 1-5', or "
            "@daily.",
            typed=typed,
        )
    for field in fields:
        if not _FIELD.fullmatch(field) or _STEP_OF_ONE.search(field):
            raise UsageError(
                "{field!r} is not a field of a cron expression; use '*', numbers, names, lists, "
                "ranges and steps such as '*/15' or '1-5'.",
                field=field,
            )
    times = RunTimes(" ".join(fields))
    if not _comes(times):
        raise UsageError(
            "{typed!r} never occurs: a number in it is too large, a range begins after its end, "
            "or no month has such a day.",
            typed=typed,
        )
    return times


def _comes(times: RunTimes) -> bool:
    try:
        return bool(times.following(_SOME_DAY))
    except (CronSimError, ValueError):  # a number that is too long to be one
        return False


def _in_numbers(number: int, field: str) -> str:
    """A field with the numbers of months and days in place of their names."""
    names = _NUMBERS.get(number, {})
    if names is _NUMBERS[_DAY_OF_WEEK]:
        field = field.replace("-sun", "-7")
    return re.sub("[a-z]+", lambda found: str(names.get(found[0], found[0])), field)


def _time_of_day(typed: str) -> tuple[int, int]:
    found = _TIME.fullmatch(typed.strip())
    if found is None:
        raise UsageError("{typed!r} is not a time of day; use one such as '02:30'.", typed=typed)
    return int(found[1]), int(found[2])
