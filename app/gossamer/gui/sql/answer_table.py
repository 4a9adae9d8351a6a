"""The rows of an answer as a table, which are read only and can be copied."""

from collections.abc import Sequence
from heapq import merge
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QTableView, QWidget

from gossamer.gui.look import theme
from gossamer.gui.tables.clipboard import tsv_cell
from gossamer.gui.text import local_formatting as formatting
from gossamer.urls.url_parsing import is_http

_LONGEST: Final = 300
"""Characters that are shown of a cell; all of them are copied."""
_WIDEST: Final = 420
_NULL: Final = "NULL"
_ADDRESS: Final = "address"
_SORTED: Final = 2_000
"""Rows that are sorted at once: some milliseconds."""
_ROOT: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractTableModel):
    """The columns and rows of an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[str] = ()
        self.rows: Sequence[tuple[Any, ...]] = ()
        """As the query gave them."""
        self._order: Sequence[int] | None = None

    def show_answer(self, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Show an answer."""
        self.beginResetModel()
        self.columns, self.rows, self._order = columns, rows, None
        self.endResetModel()

    def arrange(self, order: Sequence[int] | None) -> None:
        """Show the rows in another order, by their places in the answer; None for its own."""
        self.beginResetModel()
        self._order = order
        self.endResetModel()

    def row(self, place: int) -> tuple[Any, ...]:
        """The row that is shown at a place."""
        return self.rows[place if self._order is None else self._order[place]]

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
        cell = self.row(index.row())[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _NULL if cell is None else formatting.clean(str(cell), _LONGEST)
        if role == Qt.ItemDataRole.ForegroundRole and cell is None:
            return theme.colour("muted")
        if role == Qt.ItemDataRole.TextAlignmentRole and isinstance(cell, int | float):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None


class AnswerTable(QTableView):
    """Shows an AnswerModel. Copies whole rows, with the names of the columns.

    `url_wanted` has an address that was double-clicked; `order_wanted` the column to sort the rows
    by, -1 for none, and whether the highest come first.
    """

    url_wanted = Signal(str)
    order_wanted = Signal(int, bool)

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
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(left)
        columns.setSectionsClickable(True)
        columns.setHighlightSections(False)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicatorClearable(True)
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        columns.sortIndicatorChanged.connect(self._want_order)
        self.doubleClicked.connect(self._want_url)
        header = self.verticalHeader()
        header.setDefaultSectionSize(header.minimumSectionSize() + theme.SPACE_XS)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy = QAction(self.tr("&Copy rows"), self)
        self.copy.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy.triggered.connect(self._copy)
        self.addAction(self.copy)
        self.show_url = QAction(self.tr("&Show in the tables"), self)
        self.show_url.setShortcut(QKeySequence(Qt.Key.Key_Return))
        self.show_url.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.show_url.triggered.connect(lambda: self._want_url(self.currentIndex()))
        self.addAction(self.show_url)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_answer(self, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        """Show an answer, in columns as wide as their first cells."""
        header = self.horizontalHeader()
        blocked = header.blockSignals(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.blockSignals(blocked)
        self.answer.show_answer(columns, rows)
        self.resizeColumnsToContents()
        for column in range(len(columns)):
            self.setColumnWidth(column, min(self.columnWidth(column), _WIDEST))
        self.scrollToTop()

    def text_of(self, places: Sequence[int]) -> str:
        """The rows at these places as tab-separated text, below the names of the columns."""
        lines = [self.answer.columns, *map(self.answer.row, places)]
        return "".join("\t".join(map(_cell, line)) + "\n" for line in lines)

    def _want_order(self, column: int, order: Qt.SortOrder) -> None:
        self.order_wanted.emit(column, order is Qt.SortOrder.DescendingOrder)

    def _want_url(self, index: QModelIndex) -> None:
        """The address in a cell, or else that of its row."""
        if not index.isValid():
            return
        row = self.answer.row(index.row())
        named = zip(self.answer.columns, row, strict=True)
        cells = [row[index.column()], *(cell for name, cell in named if name == _ADDRESS)]
        url = next((each for each in cells if isinstance(each, str) and is_http(each)), None)
        if url is not None:
            self.url_wanted.emit(url)

    def _copy(self) -> None:
        places = sorted(index.row() for index in self.selectionModel().selectedRows())
        if places:
            QGuiApplication.clipboard().setText(self.text_of(places))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return tsv_cell(str(value), safe=isinstance(value, int | float))


def sorted_places(
    rows: Sequence[tuple[Any, ...]], column: int, *, descending: bool
) -> Sequence[int]:
    """The places of the rows, sorted by a column: NULL, numbers, texts; equal ones stay in order.

    A part at a time, as on a thread a long sort would hold up the window.
    """

    def key(place: int) -> tuple[int, float | str]:
        cell = rows[place][column]
        if cell is None:
            return 0, 0
        return (1, cell) if isinstance(cell, int | float) else (2, str(cell).casefold())

    parts = [
        sorted(range(begin, min(begin + _SORTED, len(rows))), key=key, reverse=descending)
        for begin in range(0, len(rows), _SORTED)
    ]
    return list(merge(*parts, key=key, reverse=descending))
