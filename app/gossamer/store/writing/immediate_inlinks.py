"""Entering the inlinks of a transaction at once, as long as a project is small.

Put in order here, and not in a table in memory first, they take three quarters of the time.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import chain, compress, repeat
from typing import Final

from gossamer.model.link_kinds import INLINK_KINDS, LinkKind
from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import BulkInsert, Value, listed


def of_kinds(kinds: Iterable[LinkKind]) -> str:
    """The SQL condition that a link is of one of these."""
    return f"kind IN ({listed(kinds)})"


ADDING: Final = (
    "ON CONFLICT (id) DO UPDATE SET links = links + excluded.links,"
    " sources = sources + excluded.sources, others = others + excluded.others"
)
COUNT: Final = BulkInsert("inlink_count", "id, links, sources, others", ADDING)
_INLINK: Final = BulkInsert("inlink", "target, source")
_COLUMNS: Final = 4


def marking(kinds: Collection[int]) -> bytes:
    """For `bytes.translate`: 1 for these kinds, 0 for the others."""
    return bytes(kind in kinds for kind in range(256))


_IS_COUNTED: Final = marking(INLINK_KINDS)
_IS_OTHER: Final = marking(frozenset(LinkKind) - INLINK_KINDS)


def enter_at_once(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Enter the links of these pages. Nothing is asked of a single link in Python."""
    sources_of: defaultdict[int, list[int]] = defaultdict(list)
    links: list[int] = []
    others: list[int] = []
    uncounted: list[int] = []  # each target that a source has other links to, and none that counts
    for row in rows:
        targets, kinds = row.links.targets, row.links.links.kinds
        distinct = set(targets)
        # `any`, because nothing is returned, and all are called.
        any(map(list.append, map(sources_of.__getitem__, distinct), repeat(row.id)))
        links += targets
        of_others = list(compress(targets, kinds.translate(_IS_OTHER)))
        if of_others:
            others += of_others
            uncounted += distinct.difference(compress(targets, kinds.translate(_IS_COUNTED)))
    ordered = sorted(sources_of)  # neighbours in the tables' trees, one after the other
    sources = [sources_of[target] for target in ordered]
    pairs: list[Value] = [0] * (2 * sum(map(len, sources)))
    pairs[0::2] = list(chain.from_iterable(map(repeat, ordered, map(len, sources))))
    pairs[1::2] = list(chain.from_iterable(sources))
    _INLINK.run(connection, pairs)
    all_of, others_of, uncounted_of = Counter(links), Counter(others), Counter(uncounted)
    values: list[Value] = [0] * (_COLUMNS * len(ordered))
    values[0::_COLUMNS] = ordered
    values[1::_COLUMNS] = [all_of[target] - others_of.get(target, 0) for target in ordered]
    values[2::_COLUMNS] = [
        len(those) - uncounted_of.get(target, 0)
        for target, those in zip(ordered, sources, strict=True)
    ]
    values[3::_COLUMNS] = [others_of.get(target, 0) for target in ordered]
    COUNT.run(connection, values)
