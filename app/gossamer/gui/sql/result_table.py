"""The rows of a result as a table, which is read-only and can be copied."""

import asyncio
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QTableView, QWidget

from gossamer.gui.look import theme
from gossamer.gui.sql.result_rows import ROWS_PER_TURN, ResultRows
from gossamer.gui.tables.clipboard import tsv_cell
from gossamer.gui.text import local_formatting as formatting
from gossamer.urls.url_parsing import is_http

_LONGEST: Final = 300
"""Characters that are shown of a cell; all of them are copied."""
_WIDEST: Final = 420
_NULL: Final = "NULL"
_ADDRESS, _URL_ID = "address", "url_id"
_MEASURED: Final = 50
_MEASURED_CELLS: Final = 1_000
"""Rows whose cells decide how wide columns are: fewer where there are many columns."""
_ROOT: Final = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class ResultModel(QAbstractTableModel):
    """The columns and rows of a result."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns: Sequence[str] = ()
        self.rows = ResultRows([])
        """As returned by the query."""
        self.order: Sequence[int] | None = None
        """Positions in the result of the rows that are shown, if they are sorted."""

    def show_result(self, columns: Sequence[str], rows: ResultRows) -> None:
        """Show a result."""
        self.beginResetModel()
        self.columns, self.rows, self.order = columns, rows, None
        self.endResetModel()

    def arrange(self, order: Sequence[int] | None) -> None:
        """Show the rows in another order, by their positions in the result; None for its own."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def row(self, position: int) -> tuple[Any, ...]:
        """The row that is shown at a position."""
        return self.rows.row(self.position(position))

    def position(self, shown: int) -> int:
        """The position in the result of the row that is shown at a position."""
        return shown if self.order is None else self.order[shown]

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


class ResultTable(QTableView):
    """Shows a ResultModel.

    `url_wanted` has the address, or the id, of a URL that was double-clicked; `order_wanted` the
    column to sort the rows by, -1 for none, and whether the highest come first; `copy_wanted` says
    that the selected rows are to be copied, with the names of the columns.
    """

    url_wanted = Signal(object)
    order_wanted = Signal(int, bool)
    copy_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.result = ResultModel(self)
        self.setModel(self.result)
        self.setAccessibleName(self.tr("Rows of the result"))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self._set_up_headings()
        self.doubleClicked.connect(self._want_url)
        header = self.verticalHeader()
        header.setDefaultSectionSize(header.minimumSectionSize() + theme.SPACE_XS)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy = QAction(self.tr("&Copy rows"), self)
        self.copy.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy.triggered.connect(self.copy_wanted)
        self.addAction(self.copy)
        self.show_url = QAction(self.tr("&Show in the tables"), self)
        self.show_url.setShortcut(QKeySequence(Qt.Key.Key_Return))
        self.show_url.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.show_url.triggered.connect(lambda: self._want_url(self.currentIndex()))
        self.addAction(self.show_url)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _set_up_headings(self) -> None:
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(left)
        columns.setSectionsClickable(True)
        columns.setHighlightSections(False)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicatorClearable(True)
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        # To show which columns are selected, Qt would check each row whenever it paints them.
        columns.setSelectionModel(QItemSelectionModel(self.result, columns))
        columns.sortIndicatorChanged.connect(self._want_order)

    def show_result(self, columns: Sequence[str], rows: ResultRows) -> None:
        """Show a result, in columns as wide as their first cells."""
        header = self.horizontalHeader()
        blocked = header.blockSignals(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.blockSignals(blocked)
        self.result.show_result(columns, rows)
        header.setResizeContentsPrecision(
            max(1, min(_MEASURED, _MEASURED_CELLS // max(1, len(columns))))
        )
        self.resizeColumnsToContents()
        for column in range(len(columns)):
            self.setColumnWidth(column, min(self.columnWidth(column), _WIDEST))
        self.scrollToTop()

    def selected_positions(self, most: int) -> tuple[list[int], int]:
        """The positions of the selected rows, from the top, at most `most`; and their number."""
        selection = self.selectionModel().selection()
        parts = [selection.at(number) for number in range(selection.count())]
        rows = sorted((part.top(), part.bottom() + 1) for part in parts)
        positions = islice(chain.from_iterable(range(*each) for each in rows), most)
        return list(positions), sum(end - begin for begin, end in rows)

    async def text_of(self, positions: Sequence[int]) -> str:
        """The rows at these positions as tab-separated text, below the names of the columns.

        They are those that are shown now, whatever is shown before all are read.
        """
        rows, order = self.result.rows, self.result.order
        text = [_line(self.result.columns)]
        with rows.in_use():
            for begin in range(0, len(positions), ROWS_PER_TURN):
                some = positions[begin : begin + ROWS_PER_TURN]
                found = rows.rows(some if order is None else (order[shown] for shown in some))
                text.append("".join(map(_line, found)))
                await asyncio.sleep(0)
        return "".join(text)

    def _want_order(self, column: int, order: Qt.SortOrder) -> None:
        self.order_wanted.emit(column, order is Qt.SortOrder.DescendingOrder)

    def _want_url(self, index: QModelIndex) -> None:
        """The address in a cell, or else what its row names: an address, or the id of a URL."""
        if not index.isValid():
            return
        row = self.result.row(index.row())
        named = dict(zip(self.result.columns, row, strict=True))
        cells = (row[index.column()], named.get(_ADDRESS))
        urls = [each for each in cells if isinstance(each, str) and is_http(each)]
        if wanted := [*urls, *filter(_is_id, [named.get(_URL_ID)])]:
            self.url_wanted.emit(wanted[0])


def _is_id(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _line(cells: Sequence[Any]) -> str:
    return "\t".join(map(_cell, cells)) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    return tsv_cell(str(value), safe=isinstance(value, int | float))
