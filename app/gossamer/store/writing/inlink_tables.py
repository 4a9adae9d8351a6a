"""Maintains the `inlink` and `inlink_count` tables: links sorted by target.

Both tables lag behind `link` (see `deferred_indexes`). Pages whose links they may lack are in the
table `unindexed_source`, so that these are found again after a crash. As long as a project is
small, the inlinks of a transaction are entered at once: put in order here, and not in a table in
memory first, they take three quarters of the time.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Final

from gossamer.model.link_kinds import INLINK_KINDS, LinkKind
from gossamer.model.store_batch import VisitRow
from gossamer.store.bulk_insert import BulkInsert, Value, chunks, listed, marks
from gossamer.store.writing.deferred_indexes import DeferredIndex


def of_kinds(kinds: Iterable[LinkKind]) -> str:
    """The SQL condition that a link is of one of these."""
    return f"kind IN ({listed(kinds)})"


ADDING: Final = (
    "ON CONFLICT (id) DO UPDATE SET links = links + excluded.links,"
    " sources = sources + excluded.sources, others = others + excluded.others"
)
COUNT: Final = BulkInsert("inlink_count", "id, links, sources, others", ADDING)
_INLINK: Final = BulkInsert("inlink", "target, source")
_COUNT_WIDTH: Final = 4


def marking(kinds: Collection[int]) -> bytes:
    """For `bytes.translate`: 1 for these kinds, 0 for the others."""
    return bytes(kind in kinds for kind in range(256))


_MARKS_COUNTED: Final = marking(INLINK_KINDS)
_MARKS_OTHER: Final = marking(frozenset(LinkKind) - INLINK_KINDS)


def enter_at_once(connection: sqlite3.Connection, rows: Iterable[VisitRow]) -> None:
    """Enter the links of these pages. Nothing is asked of a single link in Python."""
    links_of: defaultdict[int, list[int]] = defaultdict(list)  # to a target: the source of each
    others: list[int] = []
    uncounted: list[int] = []  # each target that a source has other links to, and none that counts
    for row in rows:
        targets, kinds = row.links.targets, row.links.links.kinds
        # `any`, because nothing is returned, and all are called.
        any(map(list.append, map(links_of.__getitem__, targets), repeat(row.id)))
        of_others = list(compress(targets, kinds.translate(_MARKS_OTHER)))
        if of_others:
            others += of_others
            counted = compress(targets, kinds.translate(_MARKS_COUNTED))
            uncounted += set(of_others).difference(counted)
    ordered = sorted(links_of)  # neighbours in the tables' trees, one after the other
    links = [links_of[target] for target in ordered]
    sources = list(map(list, map(dict.fromkeys, links)))
    pairs: list[Value] = [0] * (2 * sum(map(len, sources)))
    pairs[0::2] = list(chain.from_iterable(map(repeat, ordered, map(len, sources))))
    pairs[1::2] = list(chain.from_iterable(sources))
    _INLINK.run(connection, pairs)
    others_of, uncounted_of = Counter(others), Counter(uncounted)
    values: list[Value] = [0] * (_COUNT_WIDTH * len(ordered))
    values[0::_COUNT_WIDTH] = ordered
    values[1::_COUNT_WIDTH] = [
        len(those) - others_of.get(target, 0) for target, those in zip(ordered, links, strict=True)
    ]
    values[2::_COUNT_WIDTH] = [
        len(those) - uncounted_of.get(target, 0)
        for target, those in zip(ordered, sources, strict=True)
    ]
    values[3::_COUNT_WIDTH] = [others_of.get(target, 0) for target in ordered]
    COUNT.run(connection, values)


def _pairs(rows: Iterable[VisitRow]) -> list[tuple[int, int, int, int]]:
    """Each target and source, and how many links and others, in order of targets.

    SQLite, which would read the links again to group them, takes twice as long for it.
    """
    pairs: list[tuple[int, int, int, int]] = []
    for row in rows:
        targets, kinds = row.links.targets, row.links.links.kinds
        others = Counter(compress(targets, kinds.translate(_MARKS_OTHER)))
        if others:
            counted = Counter(compress(targets, kinds.translate(_MARKS_COUNTED)))
            pairs += [
                (target, row.id, counted[target], others[target])
                for target in dict.fromkeys(targets)
            ]
        else:
            counted = Counter(targets)
            pairs += zip(counted, repeat(row.id), counted.values(), repeat(0))
    pairs.sort(key=itemgetter(0))  # neighbours in the table's tree, one after the other
    return pairs


MOST_WAITING = 500_000
"""Pairs of target and source that wait: less than 15 MB, and a second or two when a crawl ends."""
MOST_LINKS = 1_000_000
"""Links that these pairs stand for: who asks for the links to a URL looks at each."""
SMALL_FILE = 6_000
"""Pages of a file of which nothing waits."""
PER_PAGE = 5
"""Pairs that may wait for each page of a file that is not small: of the pairs in it, an eighth."""
_IS_COUNTED: Final = of_kinds(INLINK_KINDS)
_UNINDEXED = BulkInsert("unindexed_source", "id, source")
_LEFT_OUT: Final = f"""
    INSERT INTO temp.new_inlink (target, source, links, others)
    SELECT target, source, sum({_IS_COUNTED}), sum(NOT {_IS_COUNTED}) FROM link
    WHERE source IN (SELECT source FROM unindexed_source) GROUP BY target, source
    HAVING NOT EXISTS
        (SELECT 1 FROM inlink i WHERE i.target = link.target AND i.source = link.source)
"""  # noqa: S608 - our own words
"""What a crash has left out. In a large file, looked for in the order of the index."""
_ENTER: Final = (
    "INSERT INTO inlink (target, source) SELECT target, source FROM temp.new_inlink WHERE {stretch}"
)
_COUNT_ENTERED: Final = f"""
    INSERT INTO inlink_count (id, links, sources, others)
    SELECT target, sum(links), sum(links > 0), sum(others) FROM temp.new_inlink
    WHERE {{stretch}} GROUP BY target {ADDING}
"""  # noqa: S608 - our own words


class Inlinks:
    """Maintains both tables. A pair of target and source is in `inlink` once it is counted."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection. Reads what a crash has left out of the tables."""
        self._connection = connection
        self._waiting = DeferredIndex(
            connection, "new_inlink", "target, source, links, others", [_ENTER, _COUNT_ENTERED]
        )
        connection.execute(_LEFT_OUT)
        self._pairs, self._links = connection.execute(
            "SELECT count(*), coalesce(sum(links + others), 0) FROM temp.new_inlink"
        ).fetchone()
        """That ever waited."""
        self._mark = 0
        self.forget()

    def forget(self) -> None:
        """Forget what may not be in the file: after a rollback."""
        query = "SELECT coalesce(max(id), 0) FROM unindexed_source"
        (last,) = self._connection.execute(query).fetchone()
        self._mark = max(self._mark, last)
        self._noted = 0
        self._waiting.forget(self._noted, self._mark)

    def add(self, rows: Sequence[VisitRow]) -> None:
        """Take the links of pages that are written in this transaction."""
        if not (self._waiting or self._allowed()):
            enter_at_once(self._connection, rows)
            return
        sources = [row.id for row in rows if row.links.targets]
        numbered = enumerate(sources, self._mark + 1)
        _UNINDEXED.run(self._connection, list(chain.from_iterable(numbered)))
        self._mark += len(sources)
        pairs = _pairs(rows)
        self._waiting.add(list(chain.from_iterable(pairs)))
        self._pairs += len(pairs)
        self._links += sum(len(row.links) for row in rows)

    def remove(self, source: int, links: Sequence[tuple[int, int]]) -> None:
        """Take back what the links of `source` have added: the target and kind of each."""
        targets = {target for target, _ in links}
        waiting = self._waiting_of(source, sorted(targets)) if self._waiting else set()
        self._delete("temp.new_inlink", source, waiting)
        self._waiting.added(-len(waiting))
        entered = targets - waiting
        self._delete("inlink", source, entered)
        counted = Counter(target for target, kind in links if kind in INLINK_KINDS)
        others = Counter(target for target, kind in links if kind not in INLINK_KINDS)
        rows = [
            (target, -counted[target], -(target in counted), -others[target])
            for target in sorted(entered)
        ]
        COUNT.run(self._connection, list(chain.from_iterable(rows)))

    def flush(self) -> None:
        """Bring the tables up to date as far as is worth it, in the transaction that is open."""
        self._waiting.enter(self._allowed(), self._mark)
        self._note()

    def complete(self) -> bool:
        """Bring them up to date by one part, in the transaction that is open; whether all is."""
        done = self._waiting.complete(self._mark)
        self._note()
        return done

    def _allowed(self) -> int:
        """How many pairs may wait."""
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        if pages <= SMALL_FILE:
            return 0
        of_links = MOST_LINKS * self._pairs // self._links if self._links else MOST_WAITING
        most: int = min(pages * PER_PAGE, MOST_WAITING, of_links)
        return most

    def _note(self) -> None:
        """Strike out the pages whose links are all in both tables."""
        if self._waiting.entered != self._noted:
            self._noted = self._waiting.entered
            self._connection.execute("DELETE FROM unindexed_source WHERE id <= ?", (self._noted,))

    def _waiting_of(self, source: int, targets: Sequence[int]) -> set[int]:
        found: set[int] = set()
        for chunk in chunks(targets):
            query = "SELECT target FROM temp.new_inlink WHERE source = ? AND target IN"
            rows = self._connection.execute(f"{query} ({marks(len(chunk))})", (source, *chunk))
            found.update(target for (target,) in rows)
        return found

    def _delete(self, table: str, source: int, targets: set[int]) -> None:
        self._connection.executemany(
            f"DELETE FROM {table} WHERE target = ? AND source = ?",  # noqa: S608 - our own words
            [(target, source) for target in sorted(targets)],
        )
