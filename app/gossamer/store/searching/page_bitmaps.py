"""Sets of pages as bytes: byte n is 1 if the page at place n of the search index is in the set.

SQLite looks up a place in 0.1 µs. A set of Python would need an object for each place.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Final

from gossamer.store.text_blocks import text_location

FIRST: Final = text_location(1, 0)
"""The first place, whose byte is the first one."""
HERE: Final = b"\1"
"""The byte of a place in the set; that of any other is zero."""
IN_BITMAP: Final = f"substr(?, {{place}} - {FIRST - 1}, 1) = x'{HERE.hex()}'"
"""The SQL condition that a place is in the set, which is the parameter."""


def page_bitmap(rows: Iterable[tuple[int]], count: int) -> bytes:
    """The set of the places in some rows, among the first `count`."""
    found = bytearray(count)
    for (place,) in rows:
        if place - FIRST < count:  # else it was entered meanwhile
            found[place - FIRST] = HERE[0]
    return bytes(found)


def union(sets: Iterable[bytes]) -> bytes:
    """The places in any of these."""
    return _joined(list(sets), or_)


def intersection(sets: Iterable[bytes]) -> bytes:
    """The places in all of these."""
    return _joined(list(sets), and_)


def complement(found: bytes, count: int) -> bytes:
    """Those of the first `count` places that are not in `found`."""
    return found.ljust(count, b"\0")[:count].translate(_OTHER)


_OTHER: Final = bytes([HERE[0]]) + bytes(255)


def _joined(sets: Sequence[bytes], operation: Callable[[int, int], int]) -> bytes:
    if len(sets) == 1:
        return sets[0]
    numbers = (int.from_bytes(each, "little") for each in sets)
    return reduce(operation, numbers).to_bytes(max(map(len, sets)), "little")
