"""Converts between days and positions on the axis of a chart of crawls.

Crawls stand side by side, one step apart, however much time lies between them.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

_BEYOND = 0.4
"""How far a day before the first or after the last crawl lies from it."""
_NOON = time(12)


def place_of_day(day: date, begun: Sequence[float]) -> float:
    """Where a day is: 0 at the first crawl, 1 at the second. A day with a crawl is at its first.

    `begun` are Unix seconds, at least one, rising.
    """
    after = bisect_left(begun, day, key=local_day)
    if after == len(begun):
        return after - 1 + _BEYOND
    if local_day(begun[after]) == day:
        return float(after)
    if after == 0:
        return -_BEYOND
    noon_s = datetime.combine(day, _NOON).astimezone().timestamp()
    before, next_ = begun[after - 1], begun[after]
    return after - 1 + (noon_s - before) / (next_ - before)


def day_at(place: float, begun: Sequence[float]) -> date:
    """The day at a place: the other way round. Beside all crawls, the day before or after."""
    if place < 0:
        return local_day(begun[0]) - timedelta(days=place < -_BEYOND / 2)
    before = int(place)
    if before >= len(begun) - 1:
        beyond = place - (len(begun) - 1) > _BEYOND / 2
        return local_day(begun[-1]) + timedelta(days=beyond)
    share = place - before
    return local_day(begun[before] + (begun[before + 1] - begun[before]) * share)


def local_day(unix_s: float) -> date:
    """The day of a time, where the user is."""
    return datetime.fromtimestamp(unix_s, UTC).astimezone().date()
