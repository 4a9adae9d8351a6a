"""Records as the rows of a Qt model: what all tables have in common."""

from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

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

AnyIndex = QModelIndex | QPersistentModelIndex
ROOT: Final = QModelIndex()

T = TypeVar("T")


class TableModel(QAbstractTableModel, Generic[T]):
    """Records of one kind as rows; nothing is read on the Qt thread.

    A subclass has the records: `QueryModel` those that a query finds, in any order, `PagedModel`
    those of a list about one URL, page by page.
    """

    def __init__(self, kind: RowKind[T], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = kind.columns
        self._url_id = kind.url_id
        self._cells = Cells(kind)
        self._roles = self._cells.roles
        self._alignments = tuple(RIGHT if spec.numeric else LEFT for spec in kind.columns)

    def record(self, row: int) -> T | None:
        """The record in this row, if it was read."""
        raise NotImplementedError

    def url_id(self, row: int) -> int | None:
        """The id of the URL that this row leads to, if that is known by now."""
        record = self.record(row)
        return None if record is None else self._url_id(record)

    def columnCount(self, parent: AnyIndex = ROOT) -> int:
        """All columns there are; views hide some."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> str | int | None:
        """Names of the columns, aligned like their cells."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == DISPLAY:
            return self._columns[section].header
        if role == ACCESSIBLE:
            return self._accessible_header(section)
        if role == TOOLTIP:
            return self._columns[section].tooltip
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
