"""Links seen from where they lead: the `inlink` and `inlink_count` tables."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from itertools import chain, compress, repeat

from gossamer.model.page import READER_KINDS, LinkKind
from gossamer.store.bulk import Insert, Value

COUNTED_KINDS = READER_KINDS | {
    LinkKind.IMAGE,
    LinkKind.SCRIPT,
    LinkKind.STYLESHEET,
    LinkKind.ICON,
    LinkKind.MEDIA,
}
"""Kinds that count as inlinks: what brings a reader to a page, or a file into one. Redirects, forms
and what a page merely says of itself (canonical, alternate, next) do not."""

_INLINK = Insert("inlink", "target, source")
_COUNT = Insert(
    "inlink_count",
    "id, links, sources, others",
    "ON CONFLICT (id) DO UPDATE SET links = links + excluded.links,"
    " sources = sources + excluded.sources, others = others + excluded.others",
)
_COLUMNS = 4


def marking(kinds: Collection[int]) -> bytes:
    """For `bytes.translate`: 1 for these kinds, 0 for the others."""
    return bytes(kind in kinds for kind in range(256))


_IS_COUNTED = marking(COUNTED_KINDS)
_IS_OTHER = marking(frozenset(LinkKind) - COUNTED_KINDS)


class Inlinks:
    """What the visits of one transaction add. Nothing is asked of a single link in Python."""

    def __init__(self) -> None:
        self._sources: defaultdict[int, list[int]] = defaultdict(list)
        """The URLs that link to a target, each once."""
        self._links: list[int] = []
        """The target of each link."""
        self._others: list[int] = []
        """The target of each link of a kind that does not count."""
        self._uncounted: list[int] = []
        """Each target that a source has such links to, and none that counts."""

    def add(self, source: int, targets: list[int], kinds: bytes) -> None:
        """Take the links of a visit: where each leads, and a byte for its kind."""
        distinct = set(targets)
        # `any`, because nothing is returned, and all are called.
        any(map(list.append, map(self._sources.__getitem__, distinct), repeat(source)))
        self._links += targets
        others = list(compress(targets, kinds.translate(_IS_OTHER)))
        if others:
            self._others += others
            counted = compress(targets, kinds.translate(_IS_COUNTED))
            self._uncounted += distinct.difference(counted)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write it, in the transaction that is open."""
        targets = sorted(self._sources)  # neighbours in the tables' trees, one after the other
        sources = [self._sources[target] for target in targets]
        pairs: list[Value] = [0] * (2 * sum(map(len, sources)))
        pairs[0::2] = list(chain.from_iterable(map(repeat, targets, map(len, sources))))
        pairs[1::2] = list(chain.from_iterable(sources))
        _INLINK.run(connection, pairs)
        links, others = Counter(self._links), Counter(self._others)
        uncounted = Counter(self._uncounted)
        values: list[Value] = [0] * (_COLUMNS * len(targets))
        values[0::_COLUMNS] = targets
        values[1::_COLUMNS] = [links[target] - others.get(target, 0) for target in targets]
        values[2::_COLUMNS] = [
            len(those) - uncounted.get(target, 0)
            for target, those in zip(targets, sources, strict=True)
        ]
        values[3::_COLUMNS] = [others.get(target, 0) for target in targets]
        _COUNT.run(connection, values)


def remove_inlinks(
    connection: sqlite3.Connection, source: int, links: Sequence[tuple[int, int]]
) -> None:
    """Take back what the links of `source` have added: the target and kind of each."""
    targets = {target for target, _ in links}
    connection.executemany(
        "DELETE FROM inlink WHERE target = ? AND source = ?",
        [(target, source) for target in targets],
    )
    counted = Counter(target for target, kind in links if kind in COUNTED_KINDS)
    others = Counter(target for target, kind in links if kind not in COUNTED_KINDS)
    rows = [
        (target, -counted[target], -(target in counted), -others[target])
        for target in sorted(targets)
    ]
    _COUNT.run(connection, list(chain.from_iterable(rows)))
