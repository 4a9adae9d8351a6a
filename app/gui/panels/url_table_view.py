"""The view of the table of URLs: columns and order of each tab, what is in sight, what is held."""

from typing import Final

from PySide6.QtCore import QItemSelection, QItemSelectionRange, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.gui.models.columns import DEFAULT_COLUMNS, INDEX, SPECS
from app.gui.models.url_table import MAX_FOLLOWED, UrlTableModel
from app.gui.panels.table_view import FilledTable
from app.model.views import Column, Order, View

_SETTLE_MS: Final = 20


class UrlTableView(FilledTable):
    """Shows a UrlTableModel, tells it which rows are in sight, and keeps the top row at the top."""

    def __init__(self, model: UrlTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._urls = model
        self._headers: dict[View, bytes] = {}
        self._anchor = QPersistentModelIndex()
        self.setModel(model)
        for i, spec in enumerate(SPECS):
            if spec.address:
                self.set_address(i)
        header = self.horizontalHeader()
        header.setSortIndicatorClearable(True)
        self.use_columns(View.ALL)
        self.setSortingEnabled(True)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.look)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._settle.start())
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._settle.start())
        self.selectionModel().selectionChanged.connect(self._follow)
        model.rearranging.connect(self._remember_top)
        model.updated.connect(self._restore_top)

    # --------------------------------------------------------------- columns

    def use_columns(self, view: View) -> None:
        """Arrange the columns as they were in this tab, or as they are there at first."""
        header = self.horizontalHeader()
        # Its order is taken over with the question that follows; one is enough.
        blocked = header.blockSignals(True)
        state = self._headers.get(view)
        if state is None or not header.restoreState(state) or header.count() != len(SPECS):
            header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            for i, spec in enumerate(SPECS):
                header.moveSection(header.visualIndex(i), i)
                header.setSectionHidden(i, spec.column not in DEFAULT_COLUMNS[view])
                self.set_width(i, spec.width)
        header.setSectionHidden(INDEX[Column.ADDRESS], False)
        header.blockSignals(blocked)
        self.updateGeometries()
        self.fill(anew=True)
        header.viewport().update()

    def keep_columns(self, view: View) -> None:
        """Remember the present columns as those of this tab."""
        self._headers[view] = bytes(self.horizontalHeader().saveState().data())

    def layouts(self) -> dict[View, bytes]:
        """The columns of each tab that were kept."""
        return dict(self._headers)

    def set_layouts(self, headers: dict[View, bytes]) -> None:
        """Columns to use from the next `use_columns` on."""
        self._headers = dict(headers)

    def order(self) -> Order:
        """What the header says to sort by."""
        header = self.horizontalHeader()
        section = header.sortIndicatorSection()
        if not 0 <= section < len(SPECS):
            return Order()
        descending = header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        return Order(SPECS[section].column, descending)

    # ------------------------------------------------------------- selection

    def selected_ids(self) -> list[int]:
        """The selected URLs, the current one first."""
        ids = []
        for part in self._selection():
            ids += self._urls.url_ids(part.top(), part.bottom())
        current = self._urls.url_id(self.currentIndex().row())
        if current in ids:
            ids.remove(current)
            ids.insert(0, current)
        return ids

    def show_row(self, row: int) -> None:
        """Select a row and bring it into sight."""
        self.selectRow(row)
        self.scrollTo(self._urls.index(row, INDEX[Column.ADDRESS]))

    def _follow(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        del selected, deselected
        count = sum(part.height() for part in self._selection())
        self._urls.follow(None if count > MAX_FOLLOWED else self.selected_ids())

    def _selection(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(i) for i in range(selection.count())]

    # ----------------------------------------------------------------- sight

    def look(self) -> None:
        """Tell the model which rows are in sight."""
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        self._urls.set_window(first, last if last >= 0 else self._urls.rowCount() - 1)

    def _remember_top(self) -> None:
        """Keep the row at the top in its place; a table at its beginning stays there."""
        row = self.rowAt(0) if self.verticalScrollBar().value() else -1
        self._anchor = QPersistentModelIndex(self._urls.index(row, 0))

    def _restore_top(self) -> None:
        if self._anchor.isValid():
            self.verticalScrollBar().setValue(self._anchor.row())
        self._anchor = QPersistentModelIndex()
        self._settle.start()
