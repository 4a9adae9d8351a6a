"""Keeps dictionaries bounded by dropping their oldest entries."""

from itertools import islice
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_SHARE = 10


def drop_oldest(remembered: dict[K, Any]) -> list[K]:
    """Forget the oldest tenth, at least one entry; returns the removed keys.

    A tenth at a time, because a dictionary keeps the slots of deleted entries: finding the first
    remaining entry takes longer the more there are, and would do so for each single entry.
    """
    oldest = list(islice(remembered, len(remembered) // _SHARE + 1))
    for key in oldest:
        del remembered[key]
    return oldest


def remember(memory: dict[K, V], key: K, value: V, most: int) -> None:
    """Remember a value; above `most`, the oldest are forgotten."""
    if key not in memory and len(memory) >= most:
        drop_oldest(memory)
    memory[key] = value
