"""Menu entries that show and hide columns; many columns are a list with a field to search it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT

_MOST_ENTRIES: Final = 30
"""The most columns that are entries of their own: more would fill the screen."""
_ROWS: Final = 14
"""The most rows of the list that are visible at once."""
_SHARE: Final = 0.45
"""The largest share of the screen's height for the list: the menu has other entries."""
_BESIDE: Final = 64
"""The width of check box, margins and scroll bar."""
_COLUMN: Final = Qt.ItemDataRole.UserRole
_OTHER: Final = {
    Qt.CheckState.Checked: Qt.CheckState.Unchecked,
    Qt.CheckState.Unchecked: Qt.CheckState.Checked,
}
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_KEYS_OF_LIST: Final = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)


class OfferedColumn(NamedTuple):
    """A column of the model, with the name and the explanation in its header."""

    column: int
    name: str
    tooltip: str
    is_shown: bool


class _TogglingDelegate(QStyledItemDelegate):
    """Toggles a row on a click anywhere in it, not only on its box."""

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Take clicks; keys are those of any list."""
        if not isinstance(event, QMouseEvent):
            return super().editorEvent(event, model, option, index)
        role = Qt.ItemDataRole.CheckStateRole
        if event.type() == QEvent.Type.MouseButtonRelease:
            model.setData(index, _OTHER[Qt.CheckState(index.data(role))], role)
        return False


class ColumnPicker(QWidget):
    """Shows and hides columns. `toggled` carries the column and whether it is to be shown.

    While the user types, the arrow keys move in the list and Enter checks the current column.
    """

    toggled = Signal(int, bool)

    def __init__(self, columns: Sequence[OfferedColumn], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setMinimumHeight(CONTROL_HEIGHT)
        self.field.setPlaceholderText(self.tr("Find a column"))
        self.field.setAccessibleName(self.tr("Find a column"))
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Columns"))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_TogglingDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._add(columns)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        layout.setSpacing(theme.SPACE_XS)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # else the menu passes over it
        self.setFocusProxy(self.field)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._filter)
        self.list.itemChanged.connect(self._report)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to search when the menu opens."""
        super().showEvent(event)
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give the list its keys while the field has the focus."""
        if (
            watched is not self.field
            or not isinstance(event, QKeyEvent)
            or event.type() != QEvent.Type.KeyPress
        ):
            return super().eventFilter(watched, event)
        item = self.list.currentItem()
        if event.key() in _ENTER:
            if item is not None:
                item.setCheckState(_OTHER[item.checkState()])
            return True
        rows = self._visible_rows()
        ends = {Qt.Key.Key_Up: rows[:1], Qt.Key.Key_Down: rows[-1:]}
        is_leaving = self.list.currentRow() in ends.get(Qt.Key(event.key()), rows[:0])
        if event.key() in _KEYS_OF_LIST and not is_leaving:
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)  # beyond the list, the menu has other entries

    def _add(self, columns: Sequence[OfferedColumn]) -> None:
        height = max(CONTROL_HEIGHT - theme.SPACE_XS, self.fontMetrics().height() + theme.SPACE_XS)
        for each in columns:
            item = QListWidgetItem(each.name, self.list)
            item.setData(_COLUMN, each.column)
            item.setToolTip(each.tooltip)
            item.setSizeHint(QSize(0, height))
            item.setCheckState(Qt.CheckState.Checked if each.is_shown else Qt.CheckState.Unchecked)
        self.list.setCurrentRow(0)
        rows = min(_ROWS, int(self.screen().availableGeometry().height() * _SHARE) // height)
        self.list.setFixedHeight(min(rows, len(columns)) * height + theme.SPACE_XS)
        widest = max(self.fontMetrics().horizontalAdvance(each.name) for each in columns)
        self.list.setMinimumWidth(widest + _BESIDE)

    def _visible_rows(self) -> list[int]:
        return [row for row in range(self.list.count()) if not self.list.isRowHidden(row)]

    def _filter(self, typed: str) -> None:
        """Show the columns whose names contain each typed word."""
        words = typed.casefold().split()
        for row in range(self.list.count()):
            name = self.list.item(row).text().casefold()
            self.list.setRowHidden(row, not all(word in name for word in words))
        rows = self._visible_rows()
        self.list.setCurrentRow(rows[0] if rows else -1)

    def _report(self, item: QListWidgetItem) -> None:
        self.toggled.emit(item.data(_COLUMN), item.checkState() is Qt.CheckState.Checked)


def offer_columns(menu: QMenu, header: QHeaderView, show: Callable[[int, bool], None]) -> None:
    """Add all columns of a header but the first, to be shown or hidden by `show`.

    If there are many, the visible ones come first.
    """
    columns = _offered(header)
    if len(columns) > _MOST_ENTRIES:
        columns.sort(key=lambda each: not each.is_shown)
        picker = ColumnPicker(columns)
        picker.toggled.connect(show)
        entry = QWidgetAction(menu)
        entry.setDefaultWidget(picker)
        menu.addAction(entry)
        menu.aboutToShow.connect(partial(menu.setActiveAction, entry))
        return
    for each in columns:
        action = QAction(each.name, menu)
        action.setCheckable(True)
        action.setChecked(each.is_shown)
        action.toggled.connect(partial(show, each.column))
        menu.addAction(action)


def _offered(header: QHeaderView) -> list[OfferedColumn]:
    """The columns from left to right."""
    model, across = header.model(), Qt.Orientation.Horizontal
    return [
        OfferedColumn(
            column,
            str(model.headerData(column, across)),
            str(model.headerData(column, across, Qt.ItemDataRole.ToolTipRole) or ""),
            is_shown=not header.isSectionHidden(column),
        )
        for column in map(header.logicalIndex, range(header.count()))
        if column != 0
    ]
