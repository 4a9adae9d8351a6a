"""The rows of an answer as a table, which are read only and can be copied."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QTableView, QWidget

from gossamer.gui.look import theme
from gossamer.gui.tables.clipboard import tsv_cell
from gossamer.gui.text import local_formatting as formatting

_LONGEST: Final = 300
"""Characters that are shown of a cell; all of them are copied."""
_WIDEST: Final = 420
_NULL: Final = "NULL"
_ROOT: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractTableModel):
    """The columns and rows of an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[str] = ()
        self.rows: Sequence[tuple[Any, ...]] = ()

    def show_answer(self, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Show an answer."""
        self.beginResetModel()
        self.columns, self.rows = columns, rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The name of a column, or the number of a row."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return formatting.clean(self.columns[section])
        return formatting.number(section + 1)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell: as it is, so that its value can be compared with what the query says."""
        cell = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _NULL if cell is None else formatting.clean(str(cell), _LONGEST)
        if role == Qt.ItemDataRole.ForegroundRole and cell is None:
            return theme.colour("muted")
        if role == Qt.ItemDataRole.TextAlignmentRole and isinstance(cell, int | float):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None


class AnswerTable(QTableView):
    """Shows an AnswerModel. Copies whole rows, with the names of the columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.answer = AnswerModel(self)
        self.setModel(self.answer)
        self.setAccessibleName(self.tr("Rows of the answer"))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.horizontalHeader().setDefaultAlignment(left)
        header = self.verticalHeader()
        header.setDefaultSectionSize(header.minimumSectionSize() + theme.SPACE_XS)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy = QAction(self.tr("&Copy rows"), self)
        self.copy.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy.triggered.connect(self._copy)
        self.addAction(self.copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_answer(self, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Show an answer, in columns as wide as their first cells."""
        self.answer.show_answer(columns, rows)
        self.resizeColumnsToContents()
        for column in range(len(columns)):
            self.setColumnWidth(column, min(self.columnWidth(column), _WIDEST))
        self.scrollToTop()

    def text_of(self, places: Sequence[int]) -> str:
        """The rows at these places as tab-separated text, below the names of the columns."""
        lines = [self.answer.columns, *(self.answer.rows[place] for place in places)]
        return "".join("\t".join(map(_cell, line)) + "\n" for line in lines)

    def _copy(self) -> None:
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        if places:
            QGuiApplication.clipboard().setText(self.text_of(places))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return tsv_cell(str(value), safe=isinstance(value, int | float))
