"""Lists of places as bytes, one for each place of the index: SQLite looks up a place in 0.1 µs.

They are what a set of places is in Python, without an object for each.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Final

from gossamer.store.text_blocks import text_location

FIRST: Final = text_location(1, 0)
"""The first place, whose byte is the first one."""
HERE: Final = b"\1"
"""The byte of a place in a list; that of any other is zero."""
IN_LIST: Final = f"substr(?, {{place}} - {FIRST - 1}, 1) = x'{HERE.hex()}'"
"""That a place is in a list, which is the parameter."""


def list_of_places(rows: Iterable[tuple[int]], count: int) -> bytes:
    """The list of the places in some rows, among the first `count`."""
    listed = bytearray(count)
    for (place,) in rows:
        if place - FIRST < count:  # else it was entered meanwhile
            listed[place - FIRST] = HERE[0]
    return bytes(listed)


def union(lists: Iterable[bytes]) -> bytes:
    """The places in any of these."""
    return _joined(list(lists), or_)


def intersection(lists: Iterable[bytes]) -> bytes:
    """The places in all of these."""
    return _joined(list(lists), and_)


def complement(listed: bytes, count: int) -> bytes:
    """Those of the first `count` places that are not in a list."""
    return listed.ljust(count, b"\0")[:count].translate(_OTHER)


_OTHER: Final = bytes([HERE[0]]) + bytes(255)


def _joined(lists: Sequence[bytes], operation: Callable[[int, int], int]) -> bytes:
    if len(lists) == 1:
        return lists[0]
    numbers = (int.from_bytes(each, "little") for each in lists)
    return reduce(operation, numbers).to_bytes(max(map(len, lists)), "little")
