"""Where ids stand in an array of ids."""

from bisect import bisect_left
from collections.abc import Collection
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from array import array

Ids: TypeAlias = "array[int]"
"""URL ids, typecode "q"."""

_STEP: Final = 50_000
"""Ids looked through in one go: `array.index` keeps all other threads waiting, 15 ms a million."""

_FEW: Final = 8


def row_of(ids: Ids, url_id: int, *, ascending: bool) -> int:
    """The row of `url_id`, or -1. `ascending`: the ids are in rising order."""
    if ascending:
        row = bisect_left(ids, url_id)
        return row if row < len(ids) and ids[row] == url_id else -1
    for start in range(0, len(ids), _STEP):
        try:
            return ids.index(url_id, start, start + _STEP)
        except ValueError:
            continue
    return -1


def rows_of(ids: Ids, wanted: Collection[int], *, ascending: bool) -> dict[int, int]:
    """The rows of those of the wanted ids that are there."""
    if ascending or len(wanted) <= _FEW:
        found = {url_id: row_of(ids, url_id, ascending=ascending) for url_id in wanted}
        return {url_id: row for url_id, row in found.items() if row >= 0}
    left = set(wanted)
    return {url_id: row for row, url_id in enumerate(ids) if url_id in left}
