"""Chooses the values that the axis of a chart names."""

from math import floor, log10
from typing import Final

_STEPS: Final = (1, 2, 5, 10)
_MOST: Final = 4


def axis_values(largest: float) -> list[int]:
    """From 0 up to at least `largest`: round numbers, at most five, at equal distances.

    >>> axis_values(382), axis_values(3), axis_values(0)
    ([0, 100, 200, 300, 400], [0, 1, 2, 3], [0, 1])
    """
    wanted = max(largest, 1) / _MOST
    power = 10 ** max(0, floor(log10(wanted))) if wanted >= 1 else 1
    step = next(power * each for each in _STEPS if power * each >= wanted)
    count = -int(-max(largest, 1) // step)
    return [step * at for at in range(count + 1)]
