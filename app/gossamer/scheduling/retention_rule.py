"""Decides which of a schedule's projects stay, as a pure function of their start times."""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError

_Period = Callable[[datetime], tuple[int, ...]]


class RetentionRule(Struct, frozen=True):
    """Keeps the last crawl of each of the last `daily` days with one; weeks, months alike.

    Weeks begin on Monday. Without any number, all stay.
    """

    daily: int = 7
    weekly: int = 8
    monthly: int = 12

    @property
    def keeps_all(self) -> bool:
        """Whether nothing is ever removed."""
        return self == KEEP_ALL


KEEP_ALL: Final = RetentionRule(0, 0, 0)
MOST_KEPT: Final = 10_000
_LATEST: Final = 2


def rule_of(daily: int, weekly: int, monthly: int) -> RetentionRule:
    """The rule with these numbers; UsageError if one is invalid, or if it would keep all."""
    for number in (daily, weekly, monthly):
        if not 0 <= number <= MOST_KEPT:
            raise UsageError("{number} projects cannot be kept; use 0 to 10,000.", number=number)
    rule = RetentionRule(daily, weekly, monthly)
    if rule.keeps_all:  # whoever wants that says so
        raise UsageError("Keep the crawls of at least one day, week or month.")
    return rule


def kept(moments: Collection[float], rule: RetentionRule, zone: tzinfo) -> set[float]:
    """Those of `moments`, in Unix seconds, that stay by the calendar of `zone`.

    The newest two always stay, so that changes since the last crawl can be viewed. Pruning after
    each crawl has the same result as pruning once at the end: what a week keeps is the last of its
    day, and so is what a month keeps.
    """
    newest_first = sorted(moments, reverse=True)
    if rule.keeps_all or not newest_first:
        return set(newest_first)
    local = {each: datetime.fromtimestamp(each, UTC).astimezone(zone) for each in newest_first}
    return {
        *newest_first[:_LATEST],
        *_last_of_each(local, _day, rule.daily),
        *_last_of_each(local, _week, rule.weekly),
        *_last_of_each(local, _month, rule.monthly),
    }


def _last_of_each(
    newest_first: Mapping[float, datetime], period_of: _Period, number: int
) -> Iterator[float]:
    """The last of each of the latest `number` periods that have any."""
    seen: set[tuple[int, ...]] = set()
    for moment, time in newest_first.items():
        period = period_of(time)
        if period in seen:
            continue
        if len(seen) == number:
            return
        seen.add(period)
        yield moment


def _day(time: datetime) -> tuple[int, ...]:
    return (time.year, time.month, time.day)


def _week(time: datetime) -> tuple[int, ...]:
    return tuple(time.isocalendar()[:2])


def _month(time: datetime) -> tuple[int, ...]:
    return (time.year, time.month)
