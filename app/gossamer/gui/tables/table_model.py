"""Base class of the Qt table models, and the paged model for lists about one URL."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from gossamer.gui.project.reader_interfaces import ProjectRows
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
from gossamer.gui.tables.row_kind import Cells, RowKind
from gossamer.gui.text import local_formatting as formatting

AnyIndex = QModelIndex | QPersistentModelIndex
ROOT: Final = QModelIndex()

T = TypeVar("T")


class TableModel(QAbstractTableModel, Generic[T]):
    """A Qt model of records of one kind; never reads on the Qt thread.

    A subclass has the records: `QueryModel` those that a query finds, in any order, `PagedModel`
    those of a list about one URL, page by page.
    """

    def __init__(self, kind: RowKind[T], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._url_id = kind.url_id
        self._use_columns(kind)

    def _take_columns(self, kind: RowKind[T]) -> None:
        in_flight = self._cells.in_flight
        self._use_columns(kind)
        self._cells.in_flight = in_flight

    def _use_columns(self, kind: RowKind[T]) -> None:
        self._columns = kind.columns
        # Qt asks for each some ten times until a table is shown.
        self._headings = tuple(spec.header for spec in kind.columns)
        self._cells = Cells(kind)
        self._roles = self._cells.roles
        self._alignments = tuple(RIGHT if spec.numeric else LEFT for spec in kind.columns)

    def record(self, row: int) -> T | None:
        """The record in this row, if it was read."""
        raise NotImplementedError

    def url_id(self, row: int) -> int | None:
        """The id of the URL that this row leads to, if known by now."""
        record = self.record(row)
        return None if record is None else self._url_id(record)

    def columnCount(self, parent: AnyIndex = ROOT) -> int:
        """The number of all columns; views hide some."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        """Names of the columns, aligned like their cells."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == DISPLAY:
            return self._headings[section]
        if role == ACCESSIBLE:
            return self._accessible_header(section)
        if role == TOOLTIP:
            return formatting.tooltip(self._columns[section].tooltip)
        return self._alignments[section] if role == ALIGNMENT else None

    def data(self, index: AnyIndex, role: int = DISPLAY) -> Any:  # noqa: ANN401 - a Qt variant
        """The cell at `index`, from memory."""
        row, column = index.row(), index.column()
        if row < 0:
            return None
        if role == ALIGNMENT:
            return self._alignments[column]
        if role == DISPLAY:
            return self._text(row, column)
        if role == URL_ID:
            return self.url_id(row)
        cell = self._roles[column].get(role)
        if cell is None:
            return None
        record = self.record(row)
        return None if record is None else cell(record, column)

    def _text(self, row: int, column: int) -> str | None:
        record = self.record(row)
        return None if record is None else self._cells.text(record, column)

    def _accessible_header(self, section: int) -> str:
        return self._columns[section].header


PAGE: Final = 200
"""Rows read at once; more when the end of the list becomes visible."""

_MAX_REREAD: Final = 1_000
"""A list longer than this is not compared with the project file again while a crawl runs."""

ReadRecords = Callable[[ProjectRows, int, T | None, int], list[T]]
"""At most this many records of the list about a URL, after this one (None: the first ones)."""


class PagedModel(TableModel[T]):
    """A Qt model of records about one URL, loaded page by page."""

    def __init__(
        self,
        kind: RowKind[T],
        read: ReadRecords[T],
        reader: ProjectReader,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(kind, parent)
        self._read = read
        self._reader = reader
        self._key = f"list {id(self)}"
        self._about: int | None = None
        self._rows: list[T] = []
        self._is_complete = True
        self._is_reading = False

    @property
    def about(self) -> int | None:
        """The id of the URL that the list is about."""
        return self._about

    def show_url(self, url_id: int | None) -> None:
        """Switch to another URL; None empties the list."""
        self._reader.forget(self._key)
        self.beginResetModel()
        self._about = url_id
        self._rows = []
        self._is_reading = False
        self._is_complete = url_id is None
        self.endResetModel()
        self.fetchMore(QModelIndex())

    def refresh(self) -> None:
        """Compare with the project file, and apply the changes."""
        url_id, read = self._about, self._read
        if url_id is None or self._is_reading or len(self._rows) > _MAX_REREAD:
            return
        limit = max(len(self._rows), PAGE)
        self._reader.submit(
            lambda rows: (read(rows, url_id, None, limit), limit),
            lambda found: self._replace(*found),
            key=self._key,
            background=True,
        )

    def record(self, row: int) -> T | None:
        """The record in this row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many records were read."""
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: AnyIndex) -> bool:
        """Whether there are unread records."""
        return not parent.isValid() and not self._is_complete

    def fetchMore(self, parent: AnyIndex) -> None:
        """Request the next page."""
        url_id, read = self._about, self._read
        if parent.isValid() or self._is_complete or self._is_reading or url_id is None:
            return
        self._is_reading = True
        last = self._rows[-1] if self._rows else None
        self._reader.submit(
            lambda rows: read(rows, url_id, last, PAGE),
            self._append,
            key=self._key,
            on_failure=self._fail,
        )

    def _append(self, found: list[T]) -> None:
        self._is_reading = False
        self._is_complete = len(found) < PAGE
        if found:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(found) - 1)
            self._rows += found
            self.endInsertRows()
        else:
            self.layoutChanged.emit()

    def _fail(self) -> None:
        self._is_reading = False

    def _replace(self, found: list[T], limit: int) -> None:
        """Replace the rows by `found`, touching only what lies between equal ends."""
        old = self._rows
        start = 0
        while start < min(len(old), len(found)) and old[start] == found[start]:
            start += 1
        end = 0
        while end < min(len(old), len(found)) - start and old[-1 - end] == found[-1 - end]:
            end += 1
        if start + end < len(old):
            self.beginRemoveRows(QModelIndex(), start, len(old) - end - 1)
            self._rows = old[:start] + old[len(old) - end :]
            self.endRemoveRows()
        if start + end < len(found):
            self.beginInsertRows(QModelIndex(), start, len(found) - end - 1)
            self._rows = found
            self.endInsertRows()
        self._is_complete = len(found) < limit
