"""Keeps dictionaries bounded by dropping their oldest entries."""

from collections.abc import Callable
from itertools import filterfalse, islice
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_SHARE = 10


def drop_oldest(remembered: dict[K, Any], spared: Callable[[K], bool] | None = None) -> list[K]:
    """Forget the oldest tenth, at least one entry; returns the removed keys.

    Those that are `spared` are forgotten only when there is nothing else.

    A tenth at a time, because a dictionary keeps the slots of deleted entries: finding the first
    remaining entry takes longer the more there are, and would do so for each single entry.
    """
    share = len(remembered) // _SHARE + 1
    oldest = list(islice(filterfalse(spared, remembered), share)) if spared else []
    oldest = oldest or list(islice(remembered, share))
    for key in oldest:
        del remembered[key]
    return oldest


def make_newest(remembered: dict[K, Any], key: K) -> None:
    """Have an entry, if there is one, forgotten last: it is in use."""
    if key in remembered:
        remembered[key] = remembered.pop(key)


def remember(memory: dict[K, V], key: K, value: V, most: int) -> None:
    """Remember a value; above `most`, the oldest are forgotten."""
    if key not in memory and len(memory) >= most:
        drop_oldest(memory)
    memory[key] = value
