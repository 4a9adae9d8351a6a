"""Keeps dictionaries bounded by dropping their oldest entries."""

from itertools import islice
from typing import Any, TypeVar

K = TypeVar("K")
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
