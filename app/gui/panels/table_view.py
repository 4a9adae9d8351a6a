"""How tables look: one line per row, fixed widths, addresses cut in the middle."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.gui.theme import tabular

_ROW_PADDING: Final = 9
_CELL_PADDING: Final = 14
_MIN_SECTION: Final = 48


class AddressDelegate(QStyledItemDelegate):
    """Cuts a long address in its middle: the host and the page's name both tell something."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Everything else is as usual."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


def dress(view: QTableView) -> None:
    """Whole rows are selected, nothing wraps, and nothing is measured, however many rows."""
    view.setFont(tabular(view.font()))
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setWordWrap(False)
    view.setShowGrid(False)
    view.setAlternatingRowColors(True)
    view.setCornerButtonEnabled(False)
    # Tab leaves the table, as in a list; the arrows move in it.
    view.setTabKeyNavigation(False)
    rows = view.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setMinimumSectionSize(1)
    rows.setDefaultSectionSize(view.fontMetrics().height() + _ROW_PADDING)
    header = view.horizontalHeader()
    header.setHighlightSections(False)
    header.setMinimumSectionSize(_MIN_SECTION)
    header.setSectionsMovable(True)


def width(view: QTableView, characters: int) -> int:
    """The width in pixels of a column for so many average characters."""
    return view.fontMetrics().averageCharWidth() * characters + _CELL_PADDING


def column_menu(header: QHeaderView, at: QPoint) -> QMenu:
    """Let the person choose which columns are shown; the first one stays."""
    menu = QMenu(header)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for column in range(1, header.count()):
        name = header.model().headerData(column, Qt.Orientation.Horizontal)
        action = QAction(str(name), menu)
        action.setCheckable(True)
        action.setChecked(not header.isSectionHidden(column))
        action.toggled.connect(
            lambda shown, column=column: header.setSectionHidden(column, not shown)
        )
        menu.addAction(action)
    menu.popup(header.mapToGlobal(at))
    return menu
