"""The overview's data beyond the counters: depths, response times, types, extreme pages."""

from collections.abc import Mapping, Sequence
from enum import IntEnum

from msgspec import Struct

TIME_STEPS_MS = (0, 100, 200, 500, 1000, 3000)
"""The bounds of steps of response times."""
_DIGITS = 1_000
"""Times are distinguished to three digits."""


class Extreme(IntEnum):
    """The properties by which pages are ranked as extreme."""

    SLOWEST = 0
    """Milliseconds from the request to the last byte."""
    LARGEST = 1
    """Bytes of the body, decoded."""


class ExtremePage(Struct, frozen=True):
    """A page and its value: milliseconds or bytes."""

    id: int
    url: str
    value: int


class OverviewData(Struct, frozen=True):
    """A project in figures, all of them small whatever its size.

    `depths`: clicks from a root → pages. `times`: milliseconds, see `rounded_ms` → responses.
    `types`: MIME type → responses, those without one left out. `slowest` and `largest` have pages,
    the most extreme first.
    """

    depths: Mapping[int, int] = {}
    times: Mapping[int, int] = {}
    types: Mapping[str, int] = {}
    slowest: Sequence[ExtremePage] = ()
    largest: Sequence[ExtremePage] = ()


def rounded_ms(elapsed_ms: int) -> int:
    """A time rounded down to three digits, which makes it accurate to one per cent.

    >>> [rounded_ms(ms) for ms in (0, 999, 1239, 25_999)]
    [0, 999, 1230, 25900]
    """
    step = 1
    while elapsed_ms >= _DIGITS * step:
        step *= 10
    return elapsed_ms - elapsed_ms % step


def percentile(times: Mapping[int, int], percent: int) -> int | None:
    """The time within which at least `percent` per cent of the responses came; None without any.

    >>> percentile({100: 98, 200: 1, 3000: 1}, 99)
    200
    """
    wanted = -(-sum(times.values()) * percent // 100)
    for time in sorted(times):
        wanted -= times[time]
        if times[time] and wanted <= 0:
            return time
    return None


def by_step(times: Mapping[int, int]) -> dict[int, int]:
    """Responses by the lower bound of their step in TIME_STEPS_MS; every step is included."""
    steps = dict.fromkeys(TIME_STEPS_MS, 0)
    for time, count in times.items():
        steps[max(low for low in TIME_STEPS_MS if low <= max(time, 0))] += count
    return steps
