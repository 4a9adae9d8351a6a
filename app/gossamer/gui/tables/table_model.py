"""A table over a query: all its ids, and the records of the rows that were looked at."""

from array import array
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from gossamer.gui.project.id_index import Ids, row_of, rows_of
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.tables.item_roles import (
    ACCESSIBLE,
    ALIGNMENT,
    DISPLAY,
    LEFT,
    RIGHT,
    TOOLTIP,
    URL_ID,
)
from gossamer.gui.tables.row_kind import URLS, RowKind
from gossamer.gui.tables.table_page import Row, TablePage, ranges
from gossamer.gui.tables.table_query import TableQuery
from gossamer.gui.text.sentences import listed, spoken
from gossamer.model.errors import UsageError

MAX_RECORDS: Final = 20_000
"""Records kept; the oldest go first. One takes about 1 KB."""

AROUND: Final = 50
"""Rows read beyond those in sight, on either side."""

MAX_READ: Final = 400
"""Rows read at once."""

MAX_FOLLOWED: Final = 2_000
"""With more rows selected than this the table holds still: nobody wants those rows to move."""

AnyIndex = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class TableModel(QAbstractTableModel):
    """URLs or links as rows. Nothing is read on the Qt thread; rows not read yet say so.

    Indexes keep to their record: selection and current row follow it through every refresh, sort
    and filter in which it appears.
    """

    rearranging = Signal()
    """Rows are about to change places: remember the URL at the top."""
    updated = Signal()
    """A query or refresh has arrived."""
    ended = Signal()
    """A query or refresh is over, whether it brought something or not."""
    refused = Signal(str)
    """Why the query cannot be answered, in a sentence; the rows stay those of the last one."""

    def __init__(
        self, reader: ProjectReader, parent: QObject | None = None, subject: RowKind = URLS
    ) -> None:
        super().__init__(parent)
        self.subject = subject
        self._cells = subject.cells()
        self._specs = subject.specs
        self._alignments = tuple(RIGHT if spec.numeric else LEFT for spec in subject.specs)
        self._reader = reader
        self._keys = [f"table {what} {id(self)}" for what in ("ids", "rows")]
        self._query = TableQuery()
        self._shown = TableQuery()
        """The query that `_ids` answers."""
        self._ids: Ids = array("q")
        self._rows: dict[int, Row] = {}
        self._age = 0
        self._window = (0, 0)
        self._missing: tuple[int, int] | None = None
        self._reading = False
        self._asking = False
        self._loaded = False
        self._followed: frozenset[int] = frozenset()
        self._held = False
        self._refused = False
        """Whether the query cannot be answered: looking again would take as long again."""
        self._collect = QTimer(self)
        self._collect.setSingleShot(True)
        self._collect.setInterval(0)
        self._collect.timeout.connect(self._read_missing)

    # ---------------------------------------------------------------- asking

    @property
    def query(self) -> TableQuery:
        """What was asked for last."""
        return self._query

    @property
    def loaded(self) -> bool:
        """Whether the rows are those of the present query."""
        return self._loaded and self._shown == self._query

    def clear(self) -> None:
        """Forget the project; the query stays."""
        for key in self._keys:
            self._reader.forget(key)
        self.beginResetModel()
        self._ids = array("q")
        self._rows.clear()
        self._missing = None
        self._reading = self._asking = self._loaded = False
        self._followed = frozenset()
        self._held = self._refused = False
        self.endResetModel()

    def ask(self, query: TableQuery) -> None:
        """Show `query`. The present rows stay until its answer is there."""
        self._query = query
        self._asking = True
        self._refused = False
        self._read(after=0, background=False)

    def refresh(self) -> None:
        """Look again for what changed: new rows, and the records of the rows in sight."""
        if self._asking or self._refused:
            self.ended.emit()
        elif self._loaded and (self._query.append_only or self._held):
            self._read(after=self._ids[-1] if self._ids else 0, background=True)
        else:
            self._read(after=0, background=True)

    def set_window(self, first: int, last: int) -> None:
        """Say which rows are in sight (inclusive), so that a refresh reads them too."""
        self._window = (max(first, 0), max(last, 0))

    def follow(self, selected: Collection[int] | None) -> None:
        """Say which URLs are selected: where they go is worked out on the reader thread.

        None: more than MAX_FOLLOWED; then the rows stay where they are, and new ones wait.
        """
        self._held = selected is None
        self._followed = frozenset(selected or ())

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """These URLs are being fetched now: say so in the rows in sight."""
        changed, self._cells.in_flight = url_ids ^ self._cells.in_flight, url_ids
        first, last = self._window
        for row in range(first, min(last + 1, len(self._ids))) if changed else ():
            if self.url_id(row) in changed:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self._specs) - 1))

    # ------------------------------------------------------------- answering

    def row_id(self, row: int) -> int | None:
        """The id of the record in this row."""
        return self._ids[row] if 0 <= row < len(self._ids) else None

    def row_ids(self, first: int, last: int) -> Ids:
        """The ids of the records in these rows, both ends included."""
        return self._ids[first : last + 1]

    def row_of(self, row_id: int) -> int:
        """The row of a record, or -1."""
        return row_of(self._ids, row_id, ascending=self._shown.ascending)

    def record(self, row: int) -> Any | None:  # noqa: ANN401 - of the subject
        """The record in this row, if it was read."""
        found = self._rows.get(self.row_id(row) or 0)  # no id is 0
        return found.record if found else None

    def url_id(self, row: int) -> int | None:
        """The id of the URL that this row stands for, if that is known by now."""
        if self.subject is URLS:
            return self.row_id(row)
        record = self.record(row)
        return None if record is None else self.subject.url_id(record)

    def rowCount(self, parent: AnyIndex = _ROOT) -> int:
        """How many records match."""
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: AnyIndex = _ROOT) -> int:
        """All columns there are; views hide some."""
        return 0 if parent.isValid() else len(self._specs)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        """Names of the columns, aligned like their cells."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._specs):
            return None
        if role == DISPLAY:
            return self._specs[section].header
        if role == ACCESSIBLE:
            return self._spoken_header(section)
        if role == TOOLTIP:
            return self._specs[section].tooltip
        return self._alignments[section] if role == ALIGNMENT else None

    def _spoken_header(self, section: int) -> str:
        """The name of a column and, if the rows are sorted by it, how."""
        spec = self._specs[section]
        key = next((k for k in self._query.order.keys if k.column is spec.column), None)
        if key is None:
            return spec.header
        way = self.tr("sorted downwards") if key.descending else self.tr("sorted upwards")
        return listed((spec.header, way))

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """The cell at `index`, from memory; what is missing is asked for."""
        row = index.row()
        if not 0 <= row < len(self._ids):
            return None
        column = index.column()
        if role == ALIGNMENT:
            return self._alignments[column]
        if role == DISPLAY:
            return self._text(row, column)
        if role == URL_ID:
            return self.url_id(row)
        paint = self._cells.roles.get(role)
        found = self._rows.get(self._ids[row]) if paint else None
        return paint(found.record, column) if paint and found else None

    def _text(self, row: int, column: int) -> str:
        found = self._rows.get(self._ids[row])
        if found is None or found.age != self._age:
            self._miss(row)
            if found is None:
                return "…" if column == 0 else ""
        text = self._cells.text(found.record, column) or found.texts[column]
        if text is None:
            text = found.texts[column] = self._specs[column].text(found.record)
        return text

    # --------------------------------------------------------------- reading

    def _miss(self, row: int) -> None:
        first, last = self._missing or (row, row)
        self._missing = (min(first, row), max(last, row))
        if not self._collect.isActive():
            self._collect.start()

    def _read_missing(self) -> None:
        """Read the rows that were painted without a record, and some around them."""
        if self._missing is None or self._reading:
            return
        first, last = self._missing
        self._missing = None
        # Someone who drags the scroll bar leaves rows behind: the newest are at one end or the
        # other of a long stretch, the window says at which.
        if last - first > MAX_READ:
            first, last = self._window
        first = max(first - AROUND, 0)
        near = self._ids[first : min(last + AROUND + 1, first + MAX_READ)]
        wanted = [
            url_id for url_id in near if not (row := self._rows.get(url_id)) or row.age != self._age
        ]
        if not wanted:
            return
        self._reading = True
        read = self.subject.read
        self._reader.submit(
            lambda rows: read(rows, wanted),
            lambda records: self._take_records(records, first),
            key=self._keys[1],
            lost=self._lose_records,
        )

    def _take_records(self, records: Sequence[Any], first: int) -> None:
        self._reading = False
        self._keep(records, first)
        if self._missing is not None:
            self._collect.start()

    def _lose_records(self) -> None:
        self._reading = False

    def _keep(self, records: Iterable[Any], first: int) -> None:
        """Remember records, drop the oldest, and repaint what changed of them, from row `first`."""
        changed: dict[int, Sequence[int]] = {}
        for record in records:
            old = self._rows.pop(record.id, None)
            if old is not None and old.record == record:
                old.age = self._age
                self._rows[record.id] = old
            else:
                row = self._rows[record.id] = Row(record, self._age, len(self._specs))
                changed[record.id] = row.differing(old, self._cells)
        while len(self._rows) > MAX_RECORDS:
            del self._rows[next(iter(self._rows))]
        # A record whose row has moved on since it was asked for was repainted by that move.
        places = {url_id: i for i, url_id in enumerate(self._ids[first : first + MAX_READ], first)}
        rows = {places[i]: columns for i, columns in changed.items() if columns and i in places}
        for top, bottom in ranges(sorted(rows)):
            columns = [column for row in range(top, bottom + 1) for column in rows[row]]
            self.dataChanged.emit(self.index(top, min(columns)), self.index(bottom, max(columns)))

    def _read(self, *, after: int, background: bool) -> None:
        query, (first, last) = self._query, self._window
        count = min(last - first + 1, MAX_READ)
        kept = self._ids
        followed = set(self._followed)
        if not after:
            # The view keeps the row at the top in its place.
            rows_kept = {first, *(index.row() for index in self.persistentIndexList())}
            followed.update(self._ids[row] for row in rows_kept if row < len(self._ids))

        read_records = self.subject.read

        def read(rows: ProjectRows) -> TablePage:
            try:
                ids = rows.ids(query.view, query.filter_, query.order, after)
            except UsageError as e:
                return TablePage(query, after, array("q"), {}, first, [], spoken(e.said))
            places = rows_of(ids, followed, ascending=query.ascending)
            seen = kept if after else ids
            records = read_records(rows, seen[first : first + count])
            return TablePage(query, after, ids, places, first, records)

        self._reader.submit(
            read,
            self._take,
            key=self._keys[0],
            lost=self._end,
            background=background,
        )

    def _take(self, reading: TablePage) -> None:
        if reading.refusal:
            self._refused = True
            self.refused.emit(reading.refusal)
            self._end()
            return
        self._age += 1
        if reading.after:
            self._append(reading.ids)
        else:
            self._replace(reading)
        self._shown = reading.query
        self._loaded = True
        self._keep(reading.records, reading.first)
        self.updated.emit()
        self._end()

    def _end(self) -> None:
        self._asking = False
        self.ended.emit()

    def _append(self, ids: Ids) -> None:
        if ids and self._shown.append_only:
            first = len(self._ids)
            self.beginInsertRows(QModelIndex(), first, first + len(ids) - 1)
            self._ids.extend(ids)
            self.endInsertRows()

    def _replace(self, reading: TablePage) -> None:
        """Put new ids in place of the old: rows come and go at the end, then change places."""
        if reading.ids == self._ids:
            return
        self.rearranging.emit()
        more = len(reading.ids) - len(self._ids)
        if more > 0:
            # Copied, because the reader thread may still look at the old one.
            grown = self._ids + reading.ids[-more:]
            self.beginInsertRows(QModelIndex(), len(self._ids), len(grown) - 1)
            self._ids = grown
            self.endInsertRows()
            old = grown[: len(grown) - more]
        else:
            old = self._ids
        self._rearrange(old, reading)
        if more < 0:
            self.beginRemoveRows(QModelIndex(), len(reading.ids), len(self._ids) - 1)
            self._ids = reading.ids
            self.endRemoveRows()

    def _rearrange(self, old: Ids, reading: TablePage) -> None:
        self.layoutAboutToBeChanged.emit()
        ascending = reading.query.ascending
        before = self.persistentIndexList()
        ids = [old[i.row()] if i.row() < len(old) else 0 for i in before]
        # What was selected since the question was asked is looked up here.
        places = reading.places | rows_of(
            reading.ids, set(ids) - reading.places.keys(), ascending=ascending
        )
        after = [
            self.createIndex(places[url_id], index.column()) if url_id in places else QModelIndex()
            for url_id, index in zip(ids, before, strict=True)
        ]
        # Rows beyond the new ones are about to be removed; until then they need some id.
        self._ids = reading.ids + self._ids[len(reading.ids) :]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
