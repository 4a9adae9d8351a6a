"""The table model of rows that are all in memory."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject

from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_model import ROOT, AnyIndex, TableModel

T = TypeVar("T")


class ListModel(TableModel[T], Generic[T]):
    """Rows that are all in memory."""

    def __init__(self, kind: RowKind[T], parent: QObject | None = None) -> None:
        super().__init__(kind, parent)
        self._rows: Sequence[T] = ()

    def show(self, rows: Sequence[T]) -> None:
        """Change to these rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def record(self, row: int) -> T | None:
        """The record in this row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self._rows)
