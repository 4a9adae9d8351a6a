"""The Qt model of a query: knows all row ids and reads records as they become visible."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QObject, QTimer, Signal

from gossamer.gui.project.reader_interfaces import Ids
from gossamer.gui.project.reader_thread import BackgroundReader
from gossamer.gui.tables.query_rows import (
    IdList,
    LoadEvent,
    LoadState,
    RecordCache,
    RowQuery,
    TablePage,
    TableQuery,
    ranges,
)
from gossamer.gui.tables.row_kind import URLS, QueryRowKind
from gossamer.gui.tables.table_model import ROOT, AnyIndex, TableModel
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.model.errors import UsageError

MAX_RECORDS: Final = 20_000
"""Records kept; the oldest go first. One takes about 1 KB."""

AROUND: Final = 50
"""Rows read beyond the visible ones, on either side."""

MAX_READ: Final = 400
"""Rows read at once."""

MAX_FOLLOWED: Final = 2_000
"""With more rows selected than this the table holds still: nobody wants those rows to move."""


_EVERYTHING: Final = TableQuery()


class QueryModel(TableModel[Any]):
    """A Qt model of the rows that a query finds. Rows show a placeholder until they are read.

    Indexes keep to their record: selection and current row follow it through every refresh, sort
    and filter in which it appears.
    """

    rearranging = Signal()
    """Rows are about to move: note the one at the top."""
    updated = Signal()
    """A query or refresh has a result."""
    finished = Signal()
    """A query or refresh is over, with or without a result."""
    refused = Signal(str)
    """Why the query has no result, in a sentence; the rows stay those of the last one."""

    def __init__(
        self,
        reader: BackgroundReader[Any],
        parent: QObject | None = None,
        kind: QueryRowKind[Any] = URLS,
        *,
        query: RowQuery = _EVERYTHING,
        max_records: int = MAX_RECORDS,
    ) -> None:
        super().__init__(kind, parent)
        self.kind = kind
        self._reader = reader
        self._keys = [f"table {what} {id(self)}" for what in ("ids", "rows")]
        self._state = LoadState.UNLOADED
        self._query = query
        self._shown = query
        """The query that the ids are the result of."""
        self._ids = IdList()
        self._max_records = max_records
        self._cache: RecordCache[Any] = RecordCache(kind, self._cells, max_records)
        self._records = self._cache.records
        self._window = (0, 0)
        self._missing: tuple[int, int] | None = None
        self._is_reading_records = False
        self._selected: frozenset[int] | None = frozenset()
        """None: too many, so that rows stay where they are."""
        self._collect = QTimer(self, singleShot=True, interval=0)
        self._collect.timeout.connect(self._read_missing)

    # ---------------------------------------------------------------- asking

    @property
    def query(self) -> Any:  # noqa: ANN401 - a RowQuery of the kind that was asked
        """The last query."""
        return self._query

    @property
    def loaded(self) -> bool:
        """Whether the rows are those of the current query."""
        if self._state is LoadState.REFUSED:
            return self._shown == self._query  # a refresh was
        return self._state is LoadState.LOADED

    def clear(self) -> None:
        """Forget the project; the query stays."""
        for key in self._keys:
            self._reader.forget(key)
        self.beginResetModel()
        self._state = LoadState.UNLOADED
        self._ids = IdList()
        self._records.clear()
        self._missing = None
        self._is_reading_records = False
        self._selected = frozenset()
        self.endResetModel()

    def ask(self, query: RowQuery) -> None:
        """Show `query`. The current rows stay until its result is there."""
        self._query = query
        self._state = self._state.after(LoadEvent.ASK)
        self._read(after=0, background=False, is_first=True)

    def refresh(self) -> None:
        """Check for changes: new rows, and the records of the visible rows."""
        if self._state in {LoadState.LOADING, LoadState.REFUSED}:
            self.finished.emit()
        elif self.loaded and (self._query.append_only or self._selected is None):
            self._read(after=self._ids.at(len(self._ids) - 1) or 0, background=True)
        else:
            self._read(after=0, background=True)

    def use_kind(self, kind: QueryRowKind[Any]) -> None:
        """Use the columns of another kind of the same rows; what it needs is read again."""
        self._reader.forget(self._keys[1])
        self.beginResetModel()
        self._take_columns(kind)
        self.kind = kind
        self._cache = RecordCache(kind, self._cells, self._max_records)
        self._records = self._cache.records
        self._missing = None
        self._is_reading_records = False
        self.endResetModel()

    def set_window(self, first: int, last: int) -> None:
        """Note which rows are visible (inclusive): a refresh reads them too.

        Those that were read before the last refresh are read again: nothing else paints them.
        """
        first, last = self._window = (max(first, 0), max(last, 0))
        outdated = self._cache.outdated(self.row_ids(first, min(last, first + MAX_READ - 1)))
        if outdated and self.loaded:
            self._miss(first)
            self._miss(last)

    def set_selected(self, selected: Collection[int] | None) -> None:
        """Note which rows are selected, by id: their new rows are found on the reader thread.

        None: more than MAX_FOLLOWED; then the rows stay where they are, and new ones wait.
        """
        self._selected = None if selected is None else frozenset(selected)

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show in the visible rows that these URLs are being fetched now."""
        changed, self._cells.in_flight = url_ids ^ self._cells.in_flight, url_ids
        first, last = self._window
        for row in range(first, min(last + 1, len(self._ids))) if changed else ():
            if self.url_id(row) in changed:
                end = self.index(row, len(self._columns) - 1)
                self.dataChanged.emit(self.index(row, 0), end)

    # --------------------------------------------------------------- results

    def row_id(self, row: int) -> int | None:
        """The id of the record in this row."""
        return self._ids.at(row)

    def row_ids(self, first: int, last: int) -> Ids:
        """The ids of the records in these rows, both ends included."""
        return self._ids.ids[first : last + 1]

    def row_of(self, row_id: int) -> int:
        """The row of a record, or -1."""
        return self._ids.row_of(row_id)

    def record(self, row: int) -> Any | None:  # noqa: ANN401 - of the kind
        """The record in this row, if it was read."""
        ids = self._ids.ids
        found = self._records.get(ids[row]) if 0 <= row < len(ids) else None
        return found.record if found else None

    def url_id(self, row: int) -> int | None:
        """The id of the URL that this row leads to, if known by now."""
        return self._ids.at(row) if self.kind.is_of_urls else super().url_id(row)

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many records match."""
        return 0 if parent.isValid() else len(self._ids)

    def _accessible_header(self, section: int) -> str:
        """The name of a column and, if the rows are sorted by it, how."""
        spec = self._columns[section]
        key = next((k for k in self._query.order.keys if k.column == spec.column), None)
        if key is None or key.column is None:
            return spec.header
        way = self.tr("sorted descending") if key.descending else self.tr("sorted ascending")
        return listed((spec.header, way))

    def _text(self, row: int, column: int) -> str | None:
        """From memory; a missing one is requested."""
        ids = self._ids.ids
        if row >= len(ids):
            return None
        found = self._records.get(ids[row])
        if found is None or found.age != self._cache.age:
            self._miss(row)
            if found is None:
                return "…" if column == 0 else ""
        text = self._cells.current_text(found.record, column) or found.texts[column]
        if text is None:
            text = found.texts[column] = self._columns[column].text(found.record)
        return text

    # --------------------------------------------------------------- reading

    def _miss(self, row: int) -> None:
        first, last = self._missing or (row, row)
        self._missing = (min(first, row), max(last, row))
        if not self._collect.isActive():
            self._collect.start()

    def _read_missing(self) -> None:
        """Read the rows that were painted without a record, and some around them."""
        if self._missing is None or self._is_reading_records:
            return
        first, last = self._missing
        self._missing = None
        # Someone who drags the scroll bar leaves rows behind: the newest are at one end or the
        # other of a long stretch, the window says at which.
        if last - first > MAX_READ:
            first, last = self._window
        first = max(first - AROUND, 0)
        near = self.row_ids(first, min(last + AROUND, first + MAX_READ - 1))
        wanted = self._cache.outdated(near)
        if not wanted:
            return
        self._is_reading_records = True
        read = self.kind.read
        self._reader.submit(
            lambda rows: read(rows, wanted),
            lambda records: self._take_records(records, first),
            key=self._keys[1],
            on_failure=self._fail_records,
        )

    def _take_records(self, records: Sequence[Any], first: int) -> None:
        self._is_reading_records = False
        self._keep(records, first)
        if self._missing is not None:
            self._collect.start()

    def _fail_records(self) -> None:
        self._is_reading_records = False

    def _keep(self, records: Iterable[Any], first: int) -> None:
        """Store records, and repaint their changes, from row `first` on."""
        changed = self._cache.keep(records)
        # A record whose row has moved since it was requested was repainted by that move.
        near = self.row_ids(first, first + MAX_READ - 1)
        places = {row_id: row for row, row_id in enumerate(near, first)}
        rows = {places[i]: columns for i, columns in changed.items() if columns and i in places}
        for top, bottom in ranges(sorted(rows)):
            columns = [column for row in range(top, bottom + 1) for column in rows[row]]
            self.dataChanged.emit(self.index(top, min(columns)), self.index(bottom, max(columns)))

    def _read(self, *, after: int, background: bool, is_first: bool = False) -> None:
        query, (first, last) = self._query, self._window
        count = min(last - first + 1, MAX_READ)
        kept, followed = self._ids, set(self._selected or ())
        # The view keeps the row at the top in its place.
        rows_kept = {first, *(index.row() for index in self.persistentIndexList())}
        followed.update(kept.ids[row] for row in rows_kept if row < len(kept))
        kind = self.kind

        def read(rows: Any) -> TablePage[Any]:  # noqa: ANN401 - of the file that is read
            # A page of an earlier crawl joins the others late, and not at the end.
            start = 0 if query.append_only and rows.has_former_pages() else after
            try:
                part = query.first_ids(rows) if is_first else None
                found = query.ids(rows, start) if part is None else part
            except UsageError as e:
                return TablePage(query, start, IdList(), {}, first, [], spoken(e.said))
            ids = IdList(found, ascending=query.ascending)
            seen = kept.ids if start else found
            records = kind.read(rows, seen[first : first + count])
            places = ids.rows_of(followed)
            return TablePage(query, start, ids, places, first, records, is_part=part is not None)

        self._reader.submit(
            read,
            lambda page: self._take(page, kind),
            key=self._keys[0],
            on_failure=self._fail,
            background=background,
        )

    def _take(self, page: TablePage[Any], kind: QueryRowKind[Any]) -> None:
        if page.refusal:
            self._state = self._state.after(LoadEvent.REFUSE)
            self.refused.emit(page.refusal)
            self.finished.emit()
            return
        self._cache.age += 1
        if page.after:
            self._append(page.ids.ids)
        else:
            self._replace(page)
        self._shown = page.query
        if kind is self.kind:
            self._keep(page.records, page.first)
        if page.is_part:
            self.updated.emit()
            self._read(after=0, background=False)
            return
        self._state = self._state.after(LoadEvent.ANSWER)
        self.updated.emit()
        self.finished.emit()

    def _fail(self) -> None:
        self._state = self._state.after(LoadEvent.FAIL)
        self.finished.emit()

    def _append(self, ids: Ids) -> None:
        if ids and self._shown.append_only:
            first = len(self._ids)
            self.beginInsertRows(QModelIndex(), first, first + len(ids) - 1)
            self._ids.ids.extend(ids)
            self.endInsertRows()

    def _replace(self, page: TablePage[Any]) -> None:
        """Replace the old ids: rows are added and removed at the end, then change places."""
        new, old = page.ids, self._ids
        if new.ids == old.ids:
            old.ascending = new.ascending
            return
        self.rearranging.emit()
        if len(new) > len(old):
            self.beginInsertRows(QModelIndex(), len(old), len(new) - 1)
            self._ids = old.grown_to(new)
            self.endInsertRows()
        self._rearrange(old, page)
        if len(new) < len(old):
            self.beginRemoveRows(QModelIndex(), len(new), len(old) - 1)
            self._ids = new
            self.endRemoveRows()

    def _rearrange(self, old: IdList, page: TablePage[Any]) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        rows = old.rows_in(page.ids, [index.row() for index in before], page.places)
        after = [
            self.createIndex(row, index.column()) if row >= 0 else QModelIndex()
            for row, index in zip(rows, before, strict=True)
        ]
        # Rows beyond the new ones are about to be removed; until then they need some id.
        self._ids = old.with_rows_of(page.ids)
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
