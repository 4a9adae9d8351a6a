"""Keeps dictionaries bounded by dropping their oldest entries."""

from itertools import islice
from typing import Any, TypeVar

K = TypeVar("K")
_SHARE = 10


def drop_oldest(remembered: dict[K, Any]) -> list[K]:
    """Forget the oldest tenth, at least one entry; the keys that are gone.

    A tenth at a time, because a dictionary keeps the places of entries that were deleted: to find
    the first that is left takes as long as there are such places, again for each single entry.
    """
    oldest = list(islice(remembered, len(remembered) // _SHARE + 1))
    for key in oldest:
        del remembered[key]
    return oldest
