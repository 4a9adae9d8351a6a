"""Holds the rows of a table query: load state, ids and cached records; independent of Qt."""

import enum
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from gossamer.gui.tables.row_kind import Cells, RowKind
from gossamer.model.project_queries import Filter, Order, View

if TYPE_CHECKING:
    from gossamer.gui.project.reader_interfaces import Ids, ProjectRows

_STEP: Final = 50_000
"""Ids searched in one go: `array.index` blocks all other threads, 15 ms per million."""
_FEW: Final = 8


class RowQuery(Protocol):
    """Which rows there are, and in which order."""

    @property
    def order(self) -> Order:
        """How they are sorted."""

    @property
    def ascending(self) -> bool:
        """Whether the ids are in ascending order."""

    @property
    def append_only(self) -> bool:
        """Whether new matches can only come at the end, except for pages of an earlier crawl."""

    def ids(self, rows: Any, after: int) -> "Ids":  # noqa: ANN401 - of the file that is read
        """All ids that match, in order; only those above `after`. On the reader thread."""

    def first_ids(self, rows: Any) -> "Ids | None":  # noqa: ANN401 - likewise
        """The first of them, if they are found much sooner than all. On the reader thread."""


@dataclass(frozen=True, slots=True)
class TableQuery:
    """A view, narrowed by a filter, sorted."""

    view: View = View.ALL
    filter_: Filter = field(default_factory=Filter)
    order: Order = field(default_factory=Order)

    @property
    def ascending(self) -> bool:
        """Whether the ids are in ascending order."""
        return self.order.column is None and not self.order.descending

    @property
    def append_only(self) -> bool:
        """See `RowQuery`."""
        return self.ascending and self.view is View.ALL and self.filter_ == Filter()

    def ids(self, rows: "ProjectRows", after: int) -> "Ids":
        """See `RowQuery`."""
        return rows.ids(self.view, self.filter_, self.order, after)

    def first_ids(self, rows: "ProjectRows") -> "Ids | None":
        """See `RowQuery`."""
        return rows.first_ids(self.view, self.filter_, self.order)


class LoadEvent(enum.Enum):
    """The events of the rows of a query."""

    ASK = enum.auto()
    """Another query begins; until it has a result, the rows stay."""
    ANSWER = enum.auto()
    """A query or a refresh has a result."""
    REFUSE = enum.auto()
    """The query has no result, and repeating it would take as long again."""
    FAIL = enum.auto()
    """Reading failed."""


class LoadState(enum.Enum):
    """Whether the rows are those of the query."""

    UNLOADED = enum.auto()
    """They are not, and none are being read: the next refresh reads them all."""
    LOADING = enum.auto()
    """Not yet."""
    LOADED = enum.auto()
    REFUSED = enum.auto()
    """They are those of an earlier query."""

    def after(self, event: LoadEvent) -> "LoadState":
        """The next state."""
        return _MOVES[event].get(self, self)


_ALL: Final = tuple(LoadState)
_MOVES: Final[dict[LoadEvent, dict[LoadState, LoadState]]] = {
    LoadEvent.ASK: dict.fromkeys(_ALL, LoadState.LOADING),
    LoadEvent.ANSWER: dict.fromkeys(_ALL, LoadState.LOADED),
    LoadEvent.REFUSE: dict.fromkeys(_ALL, LoadState.REFUSED),
    LoadEvent.FAIL: {LoadState.LOADING: LoadState.UNLOADED},
}
"""All transitions; an event without one for a state leaves it as it is."""


class IdList:
    """The ids of the rows, in order.

    The reader thread may read `ids` while rows are appended, but a list is never replaced in place:
    the old one stays as it was.
    """

    __slots__ = ("ascending", "ids")

    def __init__(self, ids: "Ids | None" = None, *, ascending: bool = True) -> None:
        """`ascending`: the ids are in ascending order."""
        self.ids: Ids = array("q") if ids is None else ids
        self.ascending = ascending

    def __len__(self) -> int:
        return len(self.ids)

    def at(self, row: int) -> int | None:
        """The id in this row."""
        return self.ids[row] if 0 <= row < len(self.ids) else None

    def row_of(self, wanted: int) -> int:
        """The row of an id, or -1."""
        ids = self.ids
        if self.ascending:
            row = bisect_left(ids, wanted)
            return row if row < len(ids) and ids[row] == wanted else -1
        for start in range(0, len(ids), _STEP):
            try:
                return ids.index(wanted, start, start + _STEP)
            except ValueError:
                continue
        return -1

    def rows_of(self, wanted: Collection[int]) -> dict[int, int]:
        """The rows of those of the wanted ids that exist."""
        if self.ascending or len(wanted) <= _FEW:
            found = {each: self.row_of(each) for each in wanted}
            return {each: row for each, row in found.items() if row >= 0}
        left = set(wanted)
        return {each: row for row, each in enumerate(self.ids) if each in left}

    def with_rows_of(self, new: "IdList") -> "IdList":
        """As many rows as `new` has, or as these: new ids come first, then the rest of the old."""
        return IdList(new.ids + self.ids[len(new) :], ascending=new.ascending)

    def grown_to(self, new: "IdList") -> "IdList":
        """These rows, followed by as many more as `new` has."""
        return IdList(self.ids + new.ids[len(self) :], ascending=self.ascending)

    def rows_in(
        self, new: "IdList", rows: Sequence[int], known: dict[int, int] | None = None
    ) -> list[int]:
        """The row in `new` of the id in each of these rows, or -1; some may be `known`."""
        ids = [self.at(row) for row in rows]
        places = dict(known or {})
        places |= new.rows_of({each for each in ids if each is not None} - places.keys())
        return [-1 if each is None else places.get(each, -1) for each in ids]


class _Identified(Protocol):
    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=_Identified)


@dataclass(frozen=True, slots=True)
class TablePage(Generic[R]):
    """The result of a query: all ids (or those after the known ones), and the visible records.

    `places` has the rows of ids that were to be looked up. With a `refusal`, a sentence, there is
    no result. `is_part`: the ids are the first ones, all are to follow.
    """

    query: RowQuery
    after: int
    ids: IdList
    places: dict[int, int]
    first: int
    records: Sequence[R]
    refusal: str = ""
    is_part: bool = False


class CachedRecord(Generic[R]):
    """A record, its texts as far as they were shown, and the refresh it was read in."""

    __slots__ = ("age", "record", "texts")

    def __init__(self, record: R, age: int, columns: int) -> None:
        self.record = record
        self.age = age
        self.texts: list[str | None] = [None] * columns


class RecordCache(Generic[R]):
    """A cache of at most `most` records by id; drops the least recently read."""

    def __init__(self, kind: RowKind[R], cells: Cells[R], most: int) -> None:
        self.records: dict[int, CachedRecord[R]] = {}
        self.age = 0
        """A record that was read at another age may have changed since."""
        self._columns = kind.columns
        self._cells = cells
        self._most = most

    def outdated(self, ids: Iterable[int]) -> list[int]:
        """Those of these ids whose records must be read."""
        known = self.records
        return [each for each in ids if not (found := known.get(each)) or found.age != self.age]

    def keep(self, records: Iterable[R]) -> dict[int, Sequence[int]]:
        """Store records; returns the columns in which each must be repainted, by id."""
        changed: dict[int, Sequence[int]] = {}
        kept, age, columns = self.records, self.age, len(self._columns)
        for record in records:
            record_id = record.id
            old = kept.pop(record_id, None)
            if old is not None and old.record == record:
                old.age = age
                kept[record_id] = old
            else:
                new = kept[record_id] = CachedRecord(record, age, columns)
                changed[record_id] = self._differing(old, new)
        while len(kept) > self._most:
            del kept[next(iter(kept))]
        return changed

    def _differing(self, old: CachedRecord[R] | None, new: CachedRecord[R]) -> Sequence[int]:
        """Cells that were never painted need no repainting."""
        if old is None or not self._cells.differ_in_text_only(old.record, new.record):
            return range(len(new.texts))
        columns = []
        for column, text in enumerate(old.texts):
            if text is not None:
                new.texts[column] = self._columns[column].text(new.record)
                if new.texts[column] != text:
                    columns.append(column)
        return columns


def ranges(rows: list[int]) -> Iterator[tuple[int, int]]:
    """Sorted rows as contiguous ranges, both ends included."""
    start = previous = None
    for row in rows:
        if start is None or previous is None:
            start = row
        elif row != previous + 1:
            yield start, previous
            start = row
        previous = row
    if start is not None and previous is not None:
        yield start, previous
